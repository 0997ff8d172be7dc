"""The first account: made once, with a password that is told once."""

import pytest

from annotation.models import User
from annotation.models.changes import Change
from desk.installation.first_account import make_first_account

pytestmark = pytest.mark.django_db


def test_the_first_account_may_do_everything_and_is_noted() -> None:
    account = make_first_account()
    assert account is not None
    user = User.objects.get()
    assert user.is_superuser
    assert user.check_password(account.password)
    assert Change.objects.get().action == "account.made"


def test_an_installation_with_an_account_gets_no_second() -> None:
    User.objects.create_user("somebody", password="a-long-password")
    assert make_first_account() is None
    assert User.objects.count() == 1
