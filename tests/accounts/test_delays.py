"""Whoever tries one password on many names waits longer and longer, and is never locked out."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.utils import timezone

from accounts.signing_in.delays import FREE, LONGEST_S
from annotation.models import User
from tests.cast import PASSWORD


def try_name(name: str, password: str = "spring2026", address: str = "192.0.2.1") -> Any:
    given = {"username": name, "password": password}
    return Client().post("/sign-in/", given, REMOTE_ADDR=address)


def spray(names: int) -> None:
    """One wrong password for each of so many names, with the pauses left out."""
    for number in range(names):
        try_name(f"name{number}")
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=1))


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still."""
    now = timezone.now()
    monkeypatch.setattr("accounts.signing_in.delays.timezone.now", lambda: now)


def failed_just_now(number: int) -> None:
    AccessAttempt.objects.all().delete()
    AccessAttempt.objects.create(
        username="somebody",
        ip_address="192.0.2.1",
        failures_since_start=number,
        attempt_time=timezone.now(),
    )


def test_pauses_double_up_to_half_a_minute(owner: User, stopped: None) -> None:
    pauses = []
    for extra in range(8):
        failed_just_now(FREE + 1 + extra)
        refused = try_name("owner", PASSWORD)
        assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
        pauses.append(int(refused["Retry-After"]))
    assert pauses == [1, 2, 4, 8, 16, LONGEST_S, LONGEST_S, LONGEST_S]


def test_after_the_pause_the_right_password_is_right(owner: User) -> None:
    spray(FREE + 5)
    assert try_name("owner", PASSWORD).status_code == HTTPStatus.FOUND


def test_a_try_within_the_pause_is_not_counted_and_does_not_lengthen_it(
    owner: User, stopped: None
) -> None:
    failed_just_now(FREE + 4)
    before = list(AccessAttempt.objects.values())
    assert "Try again in 8 seconds" in try_name("owner").content.decode()
    assert list(AccessAttempt.objects.values()) == before


def test_other_addresses_do_not_wait(owner: User) -> None:
    failed_just_now(FREE + 8)
    assert try_name("owner", PASSWORD, "192.0.2.2").status_code == HTTPStatus.FOUND


def test_mistakes_of_a_quarter_of_an_hour_ago_are_forgotten(owner: User) -> None:
    failed_just_now(FREE + 8)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert try_name("owner", PASSWORD).status_code == HTTPStatus.FOUND
