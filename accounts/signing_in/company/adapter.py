"""The conversation with the provider, by django-allauth, with what it leaves out: the nonce, the
signature, and that both documents of a person are about the same person.

This module imports `requests`, so pages import it when somebody signs in.
"""

import logging
import secrets
from typing import Any

import requests
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialApp, SocialToken
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.signing_in.company.entrance import come_in
from accounts.signing_in.company.tokens import BadToken, checked_claims
from accounts.site import address_of
from telemetry.logs import type_name

FAILED = "The sign-in there did not work. You can try again, or sign in with your password."
CANCELLED = "The sign-in there was cancelled."
# As an installed app it would be imported at each start, with `requests`.
registry.register(OpenIDConnectProvider)

LOGIN, CONNECT = "login", "connect"
log = logging.getLogger(__name__)


class Unfitting(OAuth2Error):  # type: ignore[misc]  # without types
    """What the provider says is not for this sign-in. The message holds nothing of what it said."""


class CompanyErrors(DefaultSocialAccountAdapter):  # type: ignore[misc]  # without types
    """What is said where the conversation fails; without any detail of it."""

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        **_more: Any,
    ) -> None:
        raise ImmediateHttpResponse(_failed(request, exception, cancelled=error == "cancelled"))

    def get_requests_session(self) -> requests.Session:
        session: requests.Session = super().get_requests_session()
        session.max_redirects = 2
        return session


class Conversation(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # without types
    """One sign-in."""

    state: dict[str, Any]

    @property
    def openid_config(self) -> dict[str, Any]:
        found: dict[str, Any] = super().openid_config
        if str(found.get("issuer", "")).rstrip("/") != settings.OIDC.issuer:
            raise Unfitting("the provider calls itself otherwise than OIDC_ISSUER")
        return found

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return address_of(reverse("desk:company-back"), request)

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> Any:
        """Check what the provider says, and let the person in. Nothing of it is kept."""
        claims = self._claims(app, kwargs["response"].get("id_token", ""))
        if "email" not in claims and "userinfo_endpoint" in self.openid_config:
            more = self._fetch_user_info(token.token)
            if more.get("sub") != claims["sub"]:
                raise Unfitting("the provider speaks of two people")
            claims = {**more, **claims}
        raise ImmediateHttpResponse(come_in(request, claims, self.state))

    def _claims(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        with get_adapter().get_requests_session() as session:
            reply = session.get(self.openid_config["jwks_uri"])
            reply.raise_for_status()
        try:
            return checked_claims(
                id_token,
                keys=reply.json(),
                # As the provider writes it, which may end with a slash.
                issuer=self.openid_config["issuer"],
                client_id=app.client_id,
                nonce=self.state["data"]["nonce"],
            )
        except BadToken as error:
            raise Unfitting(f"the id token is refused: {error}") from error


class Return(OAuth2CallbackView):  # type: ignore[misc]  # without types
    """The way back: allauth's, which hands on what was remembered when somebody left."""

    def _get_state(self, request: HttpRequest, provider: Any) -> Any:
        state, response = super()._get_state(request, provider)
        self.adapter.state = state
        return state, response


def send_there(request: HttpRequest, *, process: str, next_url: str) -> HttpResponse:
    """Lead to the provider, with a nonce that its token must bring back."""
    talk, nonce = Conversation(request, settings.OIDC.key), secrets.token_urlsafe(24)
    provider = talk.get_provider()
    provider.get_oauth2_adapter = lambda _request: talk
    parameters = {"nonce": nonce}
    if process == CONNECT or request.user.is_authenticated:
        parameters["prompt"] = "login"  # it is to show who they are, not who they were
    kept = {"nonce": nonce, "user": request.user.pk}
    try:
        return provider.redirect(  # type: ignore[no-any-return]
            request, process, next_url=next_url, data=kept, auth_params=parameters
        )
    except (requests.RequestException, OAuth2Error, KeyError, ValueError) as error:
        return _failed(request, error)


def come_back(request: HttpRequest) -> HttpResponse:
    """The browser is back from the provider."""
    view = Return.adapter_view(Conversation(request, settings.OIDC.key))
    try:
        return view(request)  # type: ignore[no-any-return]
    except (requests.RequestException, OAuth2Error, KeyError, ValueError, TypeError) as error:
        return _failed(request, error)


def _failed(
    request: HttpRequest, error: Exception | None, *, cancelled: bool = False
) -> HttpResponse:
    """Say that it did not work; why, stands in the log alone."""
    if not cancelled:
        log.warning("the company sign-on failed: %s", _reason(error))
    messages.error(request, CANCELLED if cancelled else FAILED)
    return redirect("desk:account" if request.user.is_authenticated else "desk:sign-in")


def _reason(error: Exception | None) -> str:
    """Of an error that may quote the provider or an address the type alone."""
    if error is None:
        return "the browser came back with an error, or from a sign-in that had ended"
    return str(error) if isinstance(error, Unfitting) else type_name(error)
