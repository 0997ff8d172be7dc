"""Setting second factors up, and taking them away."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import CodeForm, PasskeyForm
from accounts.mails import mail_in_background
from accounts.middleware import must_have_factor
from accounts.signing_in.factors import (
    FactorRefused,
    Type,
    add_app,
    add_passkey,
    app_picture,
    begin_passkey,
    factors_of,
    has_second_factor,
    new_app_secret,
    remove_factor,
    renew_recovery_codes,
    unused_recovery_codes,
)
from accounts.signing_in.sessions import end_sessions
from accounts.signing_in.steps import SECOND_STEP
from accounts.views.access import confirmed
from annotation.access import account
from annotation.models import User

SECRET, SHOW_CODES = "app_secret", "show_recovery_codes"


@sensitive_post_parameters()
@never_cache
@confirmed
@require_http_methods(["GET", "POST"])
def second_factor(request: HttpRequest) -> HttpResponse:
    """Connect an app that makes codes: a picture to scan, and a code that shows that it worked."""
    user = account(request)
    secret = request.session.get(SECRET)
    if secret is None:
        secret = request.session[SECRET] = new_app_secret()
    form = CodeForm(request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            add_app(user=user, secret=secret, code=form.cleaned_data["code"])
        except FactorRefused:
            form.add_error("code", _("Wrong code. Please type the newest code of the app."))
        else:
            del request.session[SECRET]
            return _after_adding(request, user)
    context: dict[str, Any] = {
        "form": form,
        "secret": secret,
        "picture": app_picture(user, secret),
        "must": must_have_factor(user) and not has_second_factor(user),
        "replaces": factors_of(user).filter(type=Type.TOTP).exists(),
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/second_factor.html", context, status=status)


def _after_adding(request: HttpRequest, user: User) -> HttpResponse:
    """Other browsers, which signed in without it, sign in again."""
    request.session[SECOND_STEP] = True
    end_sessions(user=user, keep=request.session.session_key)
    mail_in_background(user.email, "second_factor", user=user.get_username(), added=True)
    messages.success(request, _("From now on, signing in takes a second factor."))
    if factors_of(user).count() > 1:
        return redirect("desk:account")
    request.session[SHOW_CODES] = True
    return redirect("desk:recovery-codes")


@sensitive_post_parameters()
@never_cache
@confirmed
@require_http_methods(["GET", "POST"])
def passkeys(request: HttpRequest) -> HttpResponse:
    """Make a passkey, with the help of the browser."""
    user = account(request)
    form = PasskeyForm(request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            add_passkey(user=user, **form.cleaned_data)
        except FactorRefused:
            form.add_error(None, _("The browser's response was not valid. Please try again."))
        else:
            return _after_adding(request, user)
    context = {"form": form, "options": json.dumps(begin_passkey(user))}
    status = 422 if form.errors else 200
    return render(request, "accounts/passkeys.html", context, status=status)


@confirmed
@require_POST
def remove(request: HttpRequest, factor_id: int) -> HttpResponse:
    """Take one of one's own second factors away."""
    user = account(request)
    factor = get_object_or_404(factors_of(user), pk=factor_id)
    remove_factor(user=user, factor=factor, by=user)
    mail_in_background(user.email, "second_factor", user=user.get_username(), added=False)
    if not has_second_factor(user):
        request.session[SECOND_STEP] = False
    messages.success(request, _("It is removed."))
    return redirect("desk:account")


@never_cache
@confirmed
@require_http_methods(["GET", "POST"])
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """How many recovery codes are left, and new ones, which are shown once."""
    user = account(request)
    if not has_second_factor(user):
        return redirect("desk:second-factor")
    if request.method == "POST":
        renew_recovery_codes(user=user)
        request.session[SHOW_CODES] = True
        return redirect("desk:recovery-codes")
    codes = unused_recovery_codes(user)
    context = {"codes": codes if request.session.pop(SHOW_CODES, False) else [], "left": len(codes)}
    return render(request, "accounts/recovery_codes.html", context)
