"""Signing in: whoever guesses passwords waits, nobody else does; and a password can be changed."""

from datetime import timedelta
from http import HTTPStatus

from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from tests.cast import PASSWORD

SIGN_IN = "/sign-in/"
GUESSES = 10


def sign_in(password: str, *, name: str = "owner", address: str = "192.0.2.1") -> int:
    given = {"username": name, "password": password}
    status: int = Client().post(SIGN_IN, given, REMOTE_ADDR=address).status_code
    return status


def guess(**more: str) -> list[int]:
    return [sign_in(f"guess {number}", **more) for number in range(GUESSES)]


def test_who_guesses_ten_times_waits_even_with_the_right_password(owner: User) -> None:
    assert set(guess()[:-1]) == {HTTPStatus.OK}
    assert sign_in(PASSWORD) == HTTPStatus.TOO_MANY_REQUESTS
    page = Client().post(
        SIGN_IN, {"username": "owner", "password": PASSWORD}, REMOTE_ADDR="192.0.2.1"
    )
    assert "Too many wrong passwords" in page.content.decode()


def test_the_same_name_from_elsewhere_and_another_name_from_there_do_not_wait(
    owner: User, colleague: User
) -> None:
    guess()
    assert sign_in(PASSWORD, address="192.0.2.2") == HTTPStatus.FOUND
    assert sign_in(PASSWORD, name=colleague.username) == HTTPStatus.FOUND


def test_a_quarter_of_an_hour_later_the_right_password_is_right_again(owner: User) -> None:
    guess()
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert sign_in(PASSWORD) == HTTPStatus.FOUND


def test_nine_mistakes_and_a_success_are_forgotten(owner: User) -> None:
    for _ in range(3):
        for number in range(GUESSES - 1):
            sign_in(f"slip {number}")
        assert sign_in(PASSWORD) == HTTPStatus.FOUND
    assert AccessAttempt.objects.count() == 0


def test_a_password_is_changed_by_who_knows_the_old_one(client: Client, owner: User) -> None:
    address, new = reverse("desk:password"), "three words apart"
    assert client.get(address).status_code == HTTPStatus.FOUND  # to sign in
    client.force_login(owner)
    given = {"old_password": "wrong", "new_password1": new, "new_password2": new}
    assert "field--invalid" in client.post(address, given).content.decode()
    assert client.post(address, given | {"old_password": PASSWORD}).status_code == HTTPStatus.FOUND
    assert client.get(reverse("desk:home")).context["user"] == owner  # still signed in here
    assert (sign_in(PASSWORD), sign_in(new)) == (HTTPStatus.OK, HTTPStatus.FOUND)
