"""Tokens of the API: who makes them, what they open, and when they stop."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.signing_in.passwords import reset_path
from annotation.models import Change, Member, Study, User
from api.models import ApiToken
from api.scopes import Scope
from api.tokens import make_token, revoke_token
from tests.api.conftest import Caller
from tests.cast import PASSWORD, join, make_study
from tests.sessions import as_user

STUDIES = "/api/v1/studies/"


def with_secret(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


def test_a_token_is_made_on_a_page_shown_once_and_stored_as_a_digest_alone(
    owner: User, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.access.is_confirmed", lambda _request: True)
    client = as_user(owner)
    form = {"name": "nightly", "scopes": ["read", "write"], "study": "small", "days": "30"}
    page = client.post(reverse("api:tokens"), form, follow=True).content.decode()
    (secret,) = re.findall(r"jbx_[\w-]{40,}", page)
    token = ApiToken.objects.get()
    assert secret not in client.get(reverse("api:tokens")).content.decode()
    assert secret not in str(vars(token))
    assert (token.study, token.scopes) == (study, ["read", "write"])
    assert Change.objects.filter(action="token.made", study=study).exists()
    assert secret not in str(list(Change.objects.values()))


def test_a_token_that_was_revoked_on_the_page_opens_nothing(
    owner: User, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.access.is_confirmed", lambda _request: True)
    token, secret = make_token(owner=owner, name="x", scopes=[Scope.READ], days=1)
    assert with_secret(secret).get(STUDIES).status_code == 200
    as_user(owner).post(reverse("api:revoke-token", args=[token.pk]))
    answer = with_secret(secret).get(STUDIES)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert Change.objects.filter(action="token.revoked").count() == 1
    assert not revoke_token(token=token, by=owner)


def test_a_new_password_leads_to_the_tokens_which_are_revoked_at_once_and_nobody_elses(
    owner: User, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.access.is_confirmed", lambda _request: True)
    for user in (owner, owner, colleague):
        make_token(owner=user, name="t", scopes=[Scope.READ], days=1)
    client, new = as_user(owner), "three words apart"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    changed = client.post(reverse("desk:password"), form, follow=True)
    assert changed.redirect_chain[-1][0] == reverse("api:tokens")
    assert "2 API tokens of this account still work" in changed.content.decode()
    client.post(reverse("api:revoke-tokens"))
    assert [token.owner for token in ApiToken.objects.working(timezone.now())] == [colleague]


def test_a_forgotten_password_names_the_tokens_that_still_work(owner: User) -> None:
    make_token(owner=owner, name="t", scopes=[Scope.READ], days=1)
    client, new = Client(), "three words apart"
    form = client.get(reset_path(owner), follow=True)
    done = client.post(
        form.redirect_chain[-1][0], {"new_password1": new, "new_password2": new}, follow=True
    )
    assert "1 API token of this account still works" in done.content.decode()
    assert done.redirect_chain[-1][0] == f"{reverse('desk:sign-in')}?next=%2Faccount%2Ftokens%2F"


def test_nobody_revokes_the_token_of_another(
    owner: User, outsider: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.access.is_confirmed", lambda _request: True)
    token, _secret = make_token(owner=owner, name="x", scopes=[Scope.READ], days=1)
    answer = as_user(outsider).post(reverse("api:revoke-token", args=[token.pk]))
    assert answer.status_code == 404
    assert ApiToken.objects.get().revoked_at is None


def test_an_expired_token_and_that_of_a_deactivated_account_open_nothing(
    owner: User, study: Study
) -> None:
    token, secret = make_token(owner=owner, name="x", scopes=[Scope.READ], days=1)
    User.objects.update(is_active=False)
    assert with_secret(secret).get(STUDIES).status_code == 401
    User.objects.update(is_active=True)
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = with_secret(secret).get(STUDIES)
    assert answer.status_code == 401
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "expired" in answer.json()["detail"]


def test_the_last_use_is_noted(owner: User, as_program: Caller) -> None:
    as_program(owner).get(STUDIES)
    used = ApiToken.objects.get().last_used_at
    assert used is not None
    assert timezone.now() - used < timedelta(minutes=1)


def test_a_token_without_the_scope_is_told_which_it_lacks(
    owner: User, study: Study, as_program: Caller
) -> None:
    answer = as_program(owner, Scope.READ).post(f"{STUDIES}small/close/")
    assert answer.status_code == 403
    assert "“write”" in answer.json()["detail"]
    study.refresh_from_db()
    assert study.state == Study.State.OPEN


def test_a_token_for_one_study_sees_no_other(owner: User, study: Study, as_program: Caller) -> None:
    other = make_study("other")
    join(other, owner, Member.Role.OWNER)
    client = as_program(owner, study=study)
    assert [row["slug"] for row in client.get(STUDIES).json()["results"]] == ["small"]
    assert client.get(f"{STUDIES}small/").status_code == 200
    assert client.get(f"{STUDIES}other/").status_code == 404


def test_a_browser_session_alone_opens_nothing(owner: User, study: Study) -> None:
    assert as_user(owner).get(STUDIES).status_code == 401


def test_a_token_of_an_account_that_lacks_its_second_factor_opens_nothing(
    owner: User, as_program: Caller, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "required"
    assert as_program(owner).get(STUDIES).status_code == 401


def test_too_many_requests_of_a_token_wait(
    owner: User, study: Study, as_program: Caller, settings: Settings
) -> None:
    settings.API_RATE = "2/min"
    client, other = as_program(owner), as_program(owner)
    answers = [client.get(STUDIES) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert other.get(STUDIES).status_code == 200
