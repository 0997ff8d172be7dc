"""Signing in by the company's provider, connecting an account to it, and disconnecting it."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.signing_in.company.identities import disconnect
from accounts.views.access import confirmed, safe_next
from annotation.access import account


def _require_company() -> None:
    if settings.OIDC is None:
        raise Http404("There is no company sign-on here.")


@never_cache
@require_GET
def company(request: HttpRequest) -> HttpResponse:
    """To the provider, to sign in. A link, as our pages' forms may lead to no other site."""
    _require_company()
    from accounts.signing_in.company.adapter import LOGIN, send_there

    target = safe_next(request, reverse(settings.LOGIN_REDIRECT_URL))
    return send_there(request, process=LOGIN, next_url=target)


@never_cache
@require_GET
@confirmed
def company_connect(request: HttpRequest, proof: str) -> HttpResponse:
    """To the provider, to connect the account that is signed in. Another site must not set that
    off, which might connect its own person: the address is of this session alone."""
    _require_company()
    if not constant_time_compare(proof, proof_of(request)):
        raise Http404("This link is of another session.")
    from accounts.signing_in.company.adapter import CONNECT, send_there

    return send_there(request, process=CONNECT, next_url=reverse("desk:account"))


def proof_of(request: HttpRequest) -> str:
    """A part of an address that only pages of this session know."""
    key = request.session.session_key or ""
    return salted_hmac("accounts.signing_in.company", key, algorithm="sha256").hexdigest()[:32]


@never_cache
@require_GET
def company_back(request: HttpRequest) -> HttpResponse:
    """Where the provider sends the browser back to."""
    _require_company()
    from accounts.signing_in.company.adapter import come_back

    return come_back(request)


@confirmed
@require_POST
def company_disconnect(request: HttpRequest) -> HttpResponse:
    """Let the account be signed in to by the provider no more."""
    if disconnect(user=account(request)):
        messages.success(request, "The company account is disconnected.")
    else:
        text = (
            "Without it nobody could sign in to this account. Make a passkey or a password first."
        )
        messages.error(request, text)
    return redirect("desk:account")
