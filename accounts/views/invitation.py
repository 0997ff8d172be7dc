"""The page behind an invitation of a colleague, and making an account."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.accounts import make_account
from accounts.forms import AccountForm
from accounts.invitations import (
    NotAccepted,
    accept_invitation,
    invitation_of,
    is_for_another,
    lets_newcomers_in,
)
from accounts.models import ColleagueInvitation
from accounts.roles import ROLE_WORDS
from accounts.signing_in.steps import sign_in
from annotation.models import Member, User


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Who invites to what. Somebody signed in accepts; others make an account, or sign in first."""
    invited = invitation_of(token, now=timezone.now())
    if invited is None:
        return render(request, "accounts/invitation_ended.html", status=404)
    if isinstance(request.user, User):
        return _for_account(request, invited, request.user)
    if not lets_newcomers_in(invited):
        return render(request, "accounts/invitation.html", _page(request, invited))
    start = {"email": invited.email}
    form = AccountForm(request.POST if request.method == "POST" else None, initial=start)
    if form.is_bound and form.is_valid():
        return _newcomer(request, form, invited)
    context = _page(request, invited, form=form)
    status = 422 if form.errors else 200
    return render(request, "accounts/invitation.html", context, status=status)


def _for_account(request: HttpRequest, invited: ColleagueInvitation, user: User) -> HttpResponse:
    if request.method == "POST":
        try:
            accept_invitation(invitation=invited, user=user, now=timezone.now())
        except NotAccepted as refusal:
            messages.error(request, str(refusal))
            return redirect("desk:home")
        messages.success(request, _("Welcome."))
        return redirect("desk:home" if invited.study is None else invited.study)
    context = _page(request, invited, for_another=is_for_another(invited, user))
    return render(request, "accounts/invitation.html", context)


def _newcomer(
    request: HttpRequest, form: AccountForm, invited: ColleagueInvitation | None
) -> HttpResponse:
    data = form.cleaned_data
    try:
        user = make_account(
            username=data["username"],
            password=data["password1"],
            name=data["first_name"],
            email=data["email"],
            invitation=invited,
        )
    except NotAccepted as refusal:
        messages.error(request, str(refusal))
        return redirect("desk:home")
    sign_in(request, user)
    messages.success(request, _("Welcome. This is your account."))
    return redirect("desk:home" if invited is None or not invited.study else invited.study)


def _page(request: HttpRequest, invited: ColleagueInvitation, **more: Any) -> dict[str, Any]:
    return {
        "invitation": invited,
        "means": ROLE_WORDS[Member.Role(invited.role)] if invited.role else "",
        "here": request.path,
        **more,
    }


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """An account for anybody, where the setting `SIGN_UP` is `open`."""
    if settings.SIGN_UP != "open":
        raise Http404("Accounts are made by invitation.")
    if request.user.is_authenticated:
        return redirect("desk:account")
    form = AccountForm(request.POST or None)
    if form.is_bound and form.is_valid():
        return _newcomer(request, form, None)
    status = 422 if form.errors else 200
    return render(request, "accounts/sign_up.html", {"form": form}, status=status)
