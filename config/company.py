"""What the environment says about signing in by a company's OpenID Connect provider."""

import hashlib
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True)
class CompanySignOn:
    """A provider, and who may come in by it. docs/settings.md says what each value means."""

    issuer: str
    client_id: str
    secret: str = field(repr=False)
    name: str
    domains: frozenset[str]
    groups: frozenset[str]
    groups_claim: str
    makes_accounts: bool
    asks_second_factor: bool

    @property
    def key(self) -> str:
        """What connected accounts are stored under: people of another issuer are other people."""
        return f"oidc-{hashlib.sha256(self.issuer.encode()).hexdigest()[:16]}"

    @property
    def providers(self) -> dict[str, Any]:
        """As django-allauth takes it."""
        app = {
            "provider_id": self.key,
            "name": self.name,
            "client_id": self.client_id,
            "secret": self.secret,
            "settings": {"server_url": self.issuer, "oauth_pkce_enabled": True},
        }
        return {"openid_connect": {"APPS": [app]}}


def company_sign_on(env: Any) -> CompanySignOn | None:
    """None where no provider is named; ImproperlyConfigured where one is named by halves."""
    issuer = env.str("OIDC_ISSUER", default="").rstrip("/")
    if not issuer:
        return None
    factor = env.str("OIDC_SECOND_FACTOR", default="ours")
    found = CompanySignOn(
        issuer=issuer,
        client_id=env.str("OIDC_CLIENT_ID", default=""),
        secret=env.str("OIDC_CLIENT_SECRET", default=""),
        name=env.str("OIDC_NAME", default="company account"),
        domains=frozenset(name.lower() for name in env.list("OIDC_DOMAINS", default=[])),
        groups=frozenset(env.list("OIDC_GROUPS", default=[])),
        groups_claim=env.str("OIDC_GROUPS_CLAIM", default="groups"),
        makes_accounts=env.bool("OIDC_SIGN_UP", default=False),
        asks_second_factor=factor == "theirs",
    )
    if factor not in {"ours", "theirs"}:
        raise ImproperlyConfigured("OIDC_SECOND_FACTOR must be ours or theirs.")
    _refuse_halves(found)
    return found


def _refuse_halves(found: CompanySignOn) -> None:
    parts = urlsplit(found.issuer)
    here = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    if parts.scheme != "https" and not (parts.scheme == "http" and here):
        raise ImproperlyConfigured("OIDC_ISSUER must begin with https://.")
    if not (found.client_id and found.secret):
        raise ImproperlyConfigured("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.")
    if found.makes_accounts and not (found.domains or found.groups):
        raise ImproperlyConfigured("OIDC_SIGN_UP needs OIDC_DOMAINS or OIDC_GROUPS.")
