"""The page of one's own account, and what can be changed from there."""

from axes.helpers import get_lockout_response
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.accounts import OwnsStudies, erase_account, studies_owned_alone
from accounts.addresses import (
    NotConfirmed,
    address_to_confirm,
    change_address,
    confirm_address,
    has_confirmed,
)
from accounts.forms import ConfirmForm, EraseForm, ProfileForm
from accounts.middleware import must_have_factor
from accounts.own_data import own_data
from accounts.signing_in.company.identities import connections_of
from accounts.signing_in.factors import Type, factors_of, unused_recovery_codes
from accounts.signing_in.sessions import end_session, end_sessions, sessions_of
from accounts.signing_in.steps import confirm
from accounts.views.access import confirmed, safe_next
from accounts.views.company import proof_of
from annotation.access import account
from annotation.models import User
from annotation.views.downloads import as_download


@login_required
@require_GET
@never_cache
def own_account(request: HttpRequest) -> HttpResponse:
    """Name, address, password, second factors, sessions, and what is kept about the reader."""
    user = account(request)
    factors = list(factors_of(user))
    context = {
        "apps": [factor for factor in factors if factor.type == Type.TOTP],
        "passkeys": [factor for factor in factors if factor.type == Type.WEBAUTHN],
        "codes_left": len(unused_recovery_codes(user)) if factors else 0,
        "must_have_factor": must_have_factor(user),
        "sessions": sessions_of(user, request.session.session_key),
        "email_confirmed": has_confirmed(user, user.email),
        "to_confirm": address_to_confirm(user),
        "memberships": user.memberships.select_related("study").order_by("study__title"),
        "by_mail": settings.EMAIL_ENABLED,
        "company": settings.OIDC,
        "connections": connections_of(user),
        "proof": proof_of(request),
        "admin_pages": settings.ADMIN_PAGES,
    }
    return render(request, "accounts/account.html", context)


@confirmed
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Change the name and the e-mail address."""
    user = account(request)
    start = {"name": user.get_full_name(), "email": address_to_confirm(user) or user.email}
    form = ProfileForm(request.POST or None, initial=start)
    if form.is_bound and form.is_valid():
        name, email = form.cleaned_data["name"], form.cleaned_data["email"].lower()
        User.objects.filter(pk=user.pk).update(first_name=name, last_name="")
        if email != user.email.lower() or not has_confirmed(user, email):
            change_address(user=user, email=email, request=request)
        return redirect("desk:account")
    context = {"form": form, "by_mail": settings.EMAIL_ENABLED}
    status = 422 if form.errors else 200
    return render(request, "accounts/profile.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def confirm_mail(request: HttpRequest, key: str) -> HttpResponse:
    """The link that was sent to an address. Programs that look into mail open links, so a button
    is pressed."""
    if request.method == "GET":
        return render(request, "accounts/confirm_address.html")
    try:
        email = confirm_address(user=account(request), key=key)
    except NotConfirmed:
        messages.error(request, _("This link is too old, or was made for another account."))
    else:
        messages.success(request, _("%(email)s is confirmed.") % {"email": email})
    return redirect("desk:account")


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def confirm_page(request: HttpRequest) -> HttpResponse:
    """The password again, before a change of how somebody signs in."""
    user = account(request)
    form = ConfirmForm(request.POST or None)
    target = safe_next(request, reverse("desk:account"))
    if form.is_bound and form.is_valid():
        credentials = {"username": user.get_username(), "password": form.cleaned_data["password"]}
        if authenticate(request, **credentials) == user:
            confirm(request)
            return redirect(target)
        if getattr(request, "axes_locked_out", False):
            return get_lockout_response(request, credentials=credentials)  # type: ignore[no-any-return]
        form.add_error("password", _("That is not the password of this account."))
    context = {"form": form, "next": target, "company": settings.OIDC}
    status = 422 if form.errors else 200
    return render(request, "accounts/confirm.html", context, status=status)


@login_required
@require_POST
def end_one(request: HttpRequest, number: str) -> HttpResponse:
    """Sign another browser out."""
    if end_session(user=account(request), number=number):
        messages.success(request, _("That browser is signed out."))
    return redirect("desk:account")


@login_required
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """Sign every other browser out."""
    number = end_sessions(user=account(request), keep=request.session.session_key)
    text = ngettext("%(n)s browser is signed out.", "%(n)s browsers are signed out.", number)
    messages.success(request, text % {"n": number})
    return redirect("desk:account")


@login_required
@require_GET
@never_cache
def own_data_file(request: HttpRequest) -> HttpResponse:
    """Everything about the reader, as JSON."""
    data = own_data(account(request), here=request.session.session_key)
    return as_download(JsonResponse(data, json_dumps_params={"indent": 2}), "account.json")


@confirmed
@require_http_methods(["GET", "POST"])
def erase(request: HttpRequest) -> HttpResponse:
    """Erase one's own account, once no study needs it any more."""
    user = account(request)
    form = EraseForm(user, request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            erase_account(user=user, by=user)
        except OwnsStudies as refusal:
            form.add_error(None, _("These studies have no other owner: %s.") % refusal)
        else:
            logout(request)
            messages.success(request, _("The account is erased."))
            return redirect("desk:home")
    context = {"form": form, "alone": studies_owned_alone(user)}
    status = 422 if form.errors else 200
    return render(request, "accounts/erase.html", context, status=status)
