"""Who calls the API: the owner of the token in the header `Authorization`."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.middleware import must_have_factor
from accounts.signing_in.factors import has_second_factor
from annotation.models import User
from api.models import ApiToken
from api.tokens import note_use, token_of

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """By `Authorization: Bearer jbx_…`. Cookies sign nobody in here, so that no other site can
    make a browser write."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The owner and the token; None without the header."""
        scheme, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = token_of(secret.strip())
        if token is None:
            raise AuthenticationFailed("This token is unknown, expired or revoked.")
        if must_have_factor(token.owner) and not has_second_factor(token.owner):
            raise AuthenticationFailed("The account of this token must set up a second factor.")
        note_use(token, timezone.now())
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        """What a caller without a token is told to send."""
        return SCHEME


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The same in the schema."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A bearer token."""
        description = "A token of the page Account > Tokens of the API."
        return {"type": "http", "scheme": "bearer", "description": description}
