"""Signing in: a password, then a second step where the account has one; or a passkey alone."""

import json
from typing import Any

from axes.helpers import get_lockout_response
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import CodeForm
from accounts.signing_in.delays import seconds_to_wait
from accounts.signing_in.factors import (
    FactorRefused,
    Type,
    ask_for_passkey,
    check_code,
    check_passkey,
    factors_of,
    has_second_factor,
)
from accounts.signing_in.steps import (
    after_first_step,
    code_credentials,
    count_wrong_code,
    may_try_code,
    remember_first_step,
    sign_in,
)
from accounts.views.access import safe_next
from annotation.models import User


class SignIn(LoginView):
    """The first step. An account without a second factor is signed in by it."""

    template_name = "desk/sign_in.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        return super().get_context_data(**more) | {
            "sign_up_is_open": settings.SIGN_UP == "open",
            "company": settings.OIDC,
        }

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if seconds := seconds_to_wait(request):
            page = render(request, "accounts/wait.html", {"seconds": seconds}, status=429)
            page["Retry-After"] = str(seconds)
            return page
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user: User = form.get_user()
        if has_second_factor(user):
            remember_first_step(self.request, user, self.get_success_url())
            return redirect("desk:second-step")
        sign_in(self.request, user)
        return redirect(self.get_success_url())


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """A code, or a passkey, after the right password."""
    step = after_first_step(request)
    if step is None:
        messages.error(request, _("That took too long. Please sign in again."))
        return redirect("desk:sign-in")
    user, next_url = step
    if not may_try_code(request, user):
        return get_lockout_response(request, credentials=code_credentials(user))  # type: ignore[no-any-return]
    form = CodeForm(request.POST if "code" in request.POST else None)
    if request.method == "POST":
        if _is_right(request, user, form):
            sign_in(request, user, second_step=True)
            return redirect(next_url)
        count_wrong_code(request, user)
        form.add_error(None, _("Wrong code. Codes change every 30 seconds."))
    return render(request, "accounts/second_step.html", _step_page(user, form))


def _step_page(user: User, form: CodeForm) -> dict[str, Any]:
    kinds = {factor.type for factor in factors_of(user)}
    options = json.dumps(ask_for_passkey(user)) if Type.WEBAUTHN in kinds else ""
    return {"form": form, "has_app": Type.TOTP in kinds, "passkey": options}


def _is_right(request: HttpRequest, user: User, form: CodeForm) -> bool:
    try:
        if "credential" in request.POST:
            check_passkey(credential=request.POST["credential"], user=user)
        elif form.is_valid():
            check_code(user=user, code=form.cleaned_data["code"])
        else:
            return False
    except FactorRefused:
        return False
    return True


@never_cache
@require_POST
def passkey_question(request: HttpRequest) -> HttpResponse:
    """What the browser needs to sign in with whichever passkey it has, as JSON."""
    return JsonResponse(ask_for_passkey(None))


@sensitive_post_parameters()
@never_cache
@require_POST
def passkey(request: HttpRequest) -> HttpResponse:
    """Sign in with a passkey alone: it is something that one has, and asks for a finger, a face or
    a PIN besides."""
    target = safe_next(request, reverse(settings.LOGIN_REDIRECT_URL))
    try:
        user = check_passkey(credential=request.POST.get("credential", ""))
    except FactorRefused:
        user = None
    if user is None or not user.is_active:
        messages.error(request, _("This passkey belongs to no account here."))
        return redirect("desk:sign-in")
    sign_in(request, user, second_step=True)
    return redirect(target)
