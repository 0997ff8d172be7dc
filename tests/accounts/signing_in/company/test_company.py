"""Signing in by a company's provider: a real one on this machine, with real tokens."""

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from accounts.accounts import set_active
from accounts.signing_in.company.tokens import BadToken, checked_claims
from accounts.signing_in.factors import add_app, new_app_secret
from annotation.models import User
from config.company import CompanySignOn
from tests.accounts.codes import code_for
from tests.accounts.signing_in.company.conftest import SECRET, START, Configure, read
from tests.accounts.signing_in.company.visits import come, connect, said, signed_in
from tests.services.oidc import Claims, Provider


@pytest.mark.django_db
def test_without_a_provider_there_is_no_such_sign_in(client: Client) -> None:
    for name in ("desk:company", "desk:company-back"):
        assert client.get(reverse(name)).status_code == 404
    assert reverse("desk:company") not in said(client)


def test_a_stranger_gets_no_account(
    client: Client, db: None, company: Provider, configured: Configure
) -> None:
    configured()
    company.person("stranger", email="s@lab.example", email_verified=True)
    assert "Sign in with company account" in said(client)
    assert come(client, company, "stranger")["Location"] == reverse("desk:sign-in")
    assert "No account here is connected" in said(client)
    assert (signed_in(client), User.objects.count()) == ("", 0)


def test_an_address_to_connect_is_of_one_session_alone(
    client: Client, owner: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    assert client.get(reverse("desk:company-connect", args=["0" * 32])).status_code == 404


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"email": "a@evil.example", "email_verified": True}, "e-mail address"),
        ({"email": "a@lab.example"}, "e-mail address"),
        ({"email": "a@lab.example", "email_verified": "true"}, "e-mail address"),
        ({"email": "a@lab.example", "email_verified": True, "groups": ["x"]}, "in no group"),
        ({"email": "a@lab.example", "email_verified": True, "groups": "annot"}, "in no group"),
    ],
)
def test_people_of_other_domains_and_groups_are_refused(
    db: None, company: Provider, configured: Configure, claims: Claims, reason: str
) -> None:
    client = Client()
    configured(OIDC_DOMAINS="lab.example", OIDC_GROUPS="annotators", OIDC_SIGN_UP="true")
    company.person("other", **claims)
    come(client, company, "other")
    assert reason in said(client)
    assert User.objects.count() == 0


def test_the_second_factor_is_asked_for_here_unless_the_provider_does(
    client: Client, owner: User, company: Provider, configured: Configure, settings: Any
) -> None:
    configured()
    client.force_login(owner)
    connect(client, company, "carl")
    secret = new_app_secret()
    add_app(user=owner, secret=secret, code=code_for(secret))
    other = Client()
    assert come(other, company, "carl")["Location"] == reverse("desk:second-step")
    assert signed_in(other) == ""
    configured(OIDC_SECOND_FACTOR="theirs")
    settings.SECOND_FACTOR = "required"
    come(other, company, "carl")
    assert signed_in(other) == "owner"
    assert other.get(reverse("desk:home")).status_code == 200


def test_a_deactivated_account_stays_out(
    client: Client, owner: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    connect(client, company, "dan")
    set_active(user=owner, active=False, by=None)
    other = Client()
    come(other, company, "dan")
    assert "deactivated" in said(other)
    assert signed_in(other) == ""


NOW = int(time.time())
SPOILT: dict[str, tuple[tuple[str, ...], Claims]] = {
    "nonce": ((), {"nonce": "another"}),
    "no nonce": (("nonce",), {}),
    "issuer": ((), {"iss": "https://evil.example"}),
    "audience": ((), {"aud": "another program"}),
    "audiences": ((), {"aud": ["jurybox", "another"]}),
    "party": ((), {"azp": "another"}),
    "expired": ((), {"iat": NOW - 7200, "exp": NOW - 3600}),
    "no end": (("exp",), {}),
    "nobody": (("sub",), {}),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_token_that_is_not_for_this_sign_in_is_refused(
    owner: User,
    company: Provider,
    configured: Configure,
    what: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    configured()
    mine = Client()
    mine.force_login(owner)
    connect(mine, company, "finn")
    other = Client()
    left_out, claims = SPOILT[what]
    company.spoil(*left_out, **claims)
    come(other, company, "finn")
    assert signed_in(other) == ""
    assert "did not work" in said(other)
    assert "company sign-on failed: the id token is refused: " in caplog.text
    assert "evil.example" not in caplog.text
    company.spoil()
    come(other, company, "finn")
    assert signed_in(other) == "owner"


def test_a_token_signed_with_another_key_is_refused(
    client: Client, owner: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    connect(client, company, "gus")
    other = Client()
    company.spoil(other_key=True)
    come(other, company, "gus")
    assert signed_in(other) == ""


def test_a_way_back_works_once_and_in_its_own_browser(
    client: Client, owner: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    connect(client, company, "hal")
    mine, theirs = Client(), Client()
    sent = mine.get(reverse("desk:company"))
    asked = parse_qs(urlsplit(sent["Location"]).query)
    assert {"nonce", "state", "code_challenge"} <= asked.keys()
    back = urlsplit(company.sign_in(sent["Location"], "hal"))
    address = f"{back.path}?{back.query}"
    theirs.get(address)
    assert signed_in(theirs) == ""
    mine.get(address)
    assert signed_in(mine) == "owner"
    mine.logout()
    mine.get(address)
    assert signed_in(mine) == ""


def test_a_provider_that_is_away_is_said_in_words(
    client: Client,
    db: None,
    configured: Configure,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = configured()
    away = company_sign_on_of(found, "http://127.0.0.1:9")
    settings.OIDC, settings.SOCIALACCOUNT_PROVIDERS = away, away.providers
    assert client.get(reverse("desk:company"))["Location"] == reverse("desk:sign-in")
    assert "did not work" in said(client)
    assert "company sign-on failed: requests.exceptions.ConnectionError" in caplog.text
    assert "127.0.0.1:9" not in caplog.text


def company_sign_on_of(found: CompanySignOn, issuer: str) -> CompanySignOn:
    made = read({"OIDC_ISSUER": issuer, **START})
    assert made is not None
    assert made.key != found.key
    return made


def test_cancelling_there_is_said_in_words(client: Client, db: None, configured: Configure) -> None:
    configured()
    sent = client.get(reverse("desk:company"))
    state = parse_qs(urlsplit(sent["Location"]).query)["state"][0]
    client.get(reverse("desk:company-back"), {"state": state, "error": "access_denied"})
    assert "was cancelled" in said(client)


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_without_a_public_signature_is_refused(algorithm: str) -> None:
    claims = {"iss": "i", "sub": "s", "aud": "c", "nonce": "n", "iat": 1, "exp": 2**40}
    key = "k" * 40
    token = jwt.encode(claims, "" if algorithm == "none" else key, algorithm=algorithm)
    keys = {"keys": [{"kty": "oct", "k": "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s"}]}
    with pytest.raises(BadToken):
        checked_claims(token, keys=keys, issuer="i", client_id="c", nonce="n")


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"OIDC_ISSUER": "http://login.example.org"}, "https"),
        ({"OIDC_CLIENT_SECRET": ""}, "OIDC_CLIENT_SECRET"),
        ({"OIDC_SIGN_UP": "true"}, "OIDC_DOMAINS or OIDC_GROUPS"),
        ({"OIDC_SECOND_FACTOR": "nobody"}, "ours or theirs"),
    ],
)
def test_half_a_configuration_is_refused_at_the_start(
    variables: dict[str, str], reason: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=reason):
        read({"OIDC_ISSUER": "https://login.example.org", **START, **variables})


def test_the_secret_is_not_shown_with_the_settings() -> None:
    assert SECRET not in repr(read({"OIDC_ISSUER": "https://login.example.org", **START}))
