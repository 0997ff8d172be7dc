"""Signing in by two steps: codes work once, guesses are counted, and nobody is signed in before."""

import time
from http import HTTPStatus

import pytest
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.signing_in.factors import unused_recovery_codes
from annotation.access import PLACES_SESSION_KEY
from annotation.models import BrowserSession, Study, User
from tests.accounts.codes import code_for, connect_app
from tests.cast import PASSWORD, make_user
from tests.sessions import as_user

SIGN_IN, SECOND = "/sign-in/", "/sign-in/second-step/"


@pytest.fixture
def secret(owner: User) -> str:
    """The secret of the owner's app."""
    return connect_app(owner)


def give_password(client: Client, **more: str) -> str:
    sent = {"username": "owner", "password": PASSWORD, **more}
    return str(client.post(SIGN_IN, sent).headers["Location"])


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("desk:account")).status_code == HTTPStatus.OK


def test_the_right_password_alone_signs_nobody_in_who_has_a_second_factor(
    client: Client, secret: str
) -> None:
    assert give_password(client) == SECOND
    assert not is_signed_in(client)
    assert client.post(SECOND, {"code": code_for(secret)}).headers["Location"] == "/"
    assert is_signed_in(client)


def test_the_second_step_without_the_first_leads_back(client: Client, secret: str) -> None:
    assert client.post(SECOND, {"code": code_for(secret)}).headers["Location"] == SIGN_IN
    assert not is_signed_in(client)


def test_a_first_step_is_forgotten_after_ten_minutes_and_by_a_new_password(
    client: Client, owner: User, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_password(client)
    now = time.time
    monkeypatch.setattr("accounts.signing_in.steps.time.time", lambda: now() + 601)
    assert client.get(SECOND).headers["Location"] == SIGN_IN
    monkeypatch.undo()
    give_password(client)
    owner.set_password("another altogether")
    owner.save()
    assert client.get(SECOND).headers["Location"] == SIGN_IN


def test_a_code_of_the_app_works_once(client: Client, secret: str) -> None:
    code = code_for(secret)
    for number in range(2):
        client.logout()
        give_password(client)
        client.post(SECOND, {"code": code})
        assert is_signed_in(client) == (number == 0)


def test_a_recovery_code_works_once_with_spaces_or_without(
    client: Client, owner: User, secret: str
) -> None:
    code, *_rest = unused_recovery_codes(owner)
    for number in range(2):
        client.logout()
        give_password(client)
        client.post(SECOND, {"code": f" {code[:4]} {code[4:]} "})
        assert is_signed_in(client) == (number == 0)
    assert len(unused_recovery_codes(owner)) == 9


def test_another_accounts_code_does_not_fit(client: Client, secret: str) -> None:
    foreign = connect_app(make_user("somebody"))
    give_password(client)
    assert client.post(SECOND, {"code": code_for(foreign)}).status_code == HTTPStatus.OK
    assert not is_signed_in(client)


def test_whoever_guesses_codes_waits_also_after_giving_the_password_again(
    client: Client, owner: User, secret: str
) -> None:
    for _ in range(10):
        give_password(client)
        last = client.post(SECOND, {"code": "000000"})
    assert last.status_code == HTTPStatus.TOO_MANY_REQUESTS
    client.logout()
    assert give_password(client) == SECOND
    refused = client.post(SECOND, {"code": code_for(secret)})
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert not is_signed_in(client)


def test_codes_guessed_from_many_addresses_are_counted_together(
    client: Client, owner: User, secret: str
) -> None:
    for number in range(6):
        guesser = Client(REMOTE_ADDR=f"192.0.2.{number}")
        give_password(guesser)
        for _ in range(9):
            guesser.post(SECOND, {"code": "000000"})
    give_password(client)
    assert client.get(SECOND).status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_what_was_typed_wrongly_is_not_kept(client: Client, secret: str) -> None:
    give_password(client)
    client.post(SECOND, {"code": "123456"})
    (attempt,) = AccessAttempt.objects.all()
    assert "123456" not in attempt.post_data


def test_every_step_gets_a_new_session_key_and_a_worker_stays(
    client: Client, secret: str, db: None
) -> None:
    session = client.session
    session[PLACES_SESSION_KEY] = {"small": [7, ""]}
    session.save()
    keys = [client.cookies["jurybox_session"].value]
    give_password(client)
    keys.append(client.cookies["jurybox_session"].value)
    client.post(SECOND, {"code": code_for(secret)})
    keys.append(client.cookies["jurybox_session"].value)
    assert len(set(keys)) == 3
    assert BrowserSession.objects.count() == 1
    assert client.session[PLACES_SESSION_KEY] == {"small": [7, ""]}


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:1"])
def test_next_leads_to_no_other_site(client: Client, secret: str, elsewhere: str) -> None:
    give_password(client, next=elsewhere)
    assert client.post(SECOND, {"code": code_for(secret)}).headers["Location"] == "/"
    page = client.post(f"{reverse('desk:confirm')}?next={elsewhere}", {"password": PASSWORD})
    assert page.headers["Location"] == reverse("desk:account")


def test_next_leads_to_a_page_of_ours_through_both_steps(client: Client, secret: str) -> None:
    give_password(client, next="/studies/small/")
    sent = client.post(SECOND, {"code": code_for(secret)})
    assert sent.headers["Location"] == "/studies/small/"


PRESSED = "/studies/small/units/actions/"  # where a form is sent to, and where no page is


@pytest.mark.parametrize(
    ("page", "led"),
    [
        ("http://testserver/studies/small/units/?q=a", "/studies/small/units/%3Fq%3Da"),
        ("http://elsewhere.example/studies/small/", "/"),
        ("", "/"),
    ],
)
def test_a_form_sent_while_signed_out_leads_back_to_its_page(
    client: Client, study: Study, page: str, led: str
) -> None:
    sent = client.post(PRESSED, headers={"referer": page})
    assert sent.headers["Location"] == f"{SIGN_IN}?next={led}"
    shown = client.get(sent.headers["Location"]).content.decode()
    assert "You were signed out, so nothing was changed." in shown


def test_a_part_of_a_page_leads_all_of_it_to_the_sign_in(client: Client, study: Study) -> None:
    address = reverse("desk:study", args=[study.slug])
    told = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{address}"}
    answer = client.get(address, headers=told)
    assert answer.headers["HX-Redirect"] == f"{SIGN_IN}?next={address}"
    assert client.get(address).headers["Location"] == f"{SIGN_IN}?next={address}"


def test_secrets_are_kept_encrypted(owner: User, secret: str) -> None:
    kept = [row.data for row in Authenticator.objects.filter(user=owner)]
    assert secret not in str(kept)
    assert not any(code in str(kept) for code in unused_recovery_codes(owner))


def test_a_deactivated_account_passes_neither_step(
    client: Client, owner: User, secret: str
) -> None:
    give_password(client)
    User.objects.update(is_active=False)
    client.post(SECOND, {"code": code_for(secret)})
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "credential", ["", "[]", "null", "{}", '{"response": 7}', '{"response": {"userHandle": "!"}}']
)
def test_a_passkey_that_is_none_signs_nobody_in(
    client: Client, owner: User, credential: str
) -> None:
    client.post(reverse("desk:passkey-question"))
    client.post(reverse("desk:passkey"), {"credential": credential})
    assert not is_signed_in(client)


@pytest.mark.parametrize("target", ["1e999", "desk:home", "//example.org/", "small/", "\\\\x"])
def test_next_is_an_address_here_or_nothing(client: Client, owner: User, target: str) -> None:
    client.force_login(owner)
    sent = client.post(reverse("desk:confirm"), {"password": PASSWORD, "next": target})
    assert sent.headers["Location"] == reverse("desk:account")


def test_forms_of_signing_in_are_checked(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    for name in ("sign-in", "second-step", "passkey", "passkey-question", "forgotten-password"):
        sent = client.post(reverse(f"desk:{name}"), {"username": "owner", "password": PASSWORD})
        assert sent.status_code == HTTPStatus.FORBIDDEN, name


@pytest.mark.parametrize(
    ("setting", "led"),
    [("optional", set()), ("owners", {"owner"}), ("required", {"owner", "colleague"})],
)
def test_who_must_have_a_second_factor_sets_it_up_first(
    study: Study, settings: Settings, setting: str, led: set[str]
) -> None:
    settings.SECOND_FACTOR = setting
    page, set_up = reverse("desk:study", args=[study.slug]), reverse("desk:second-factor")
    for user in User.objects.all():
        client = as_user(user)
        answer = client.get(page)
        assert (answer.headers.get("Location") == set_up) == (user.username in led)
        if user.username in led:
            client.post(set_up, {"code": code_for(client.get(set_up).context["secret"])})
            assert client.get(page).status_code == HTTPStatus.OK
