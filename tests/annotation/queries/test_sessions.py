"""What goes wrong when a session is saved is told apart from a session that is gone."""

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import OperationalError

from annotation.models import BrowserSession
from annotation.queries.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> SessionStore:
    store = SessionStore()
    store.create()
    return store


def test_a_full_disk_is_an_outage(session: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*args: object, **kwargs: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(BrowserSession, "save", fill)
    with pytest.raises(OperationalError, match="disk is full"):
        session.save()


def test_a_session_that_was_deleted_meanwhile_is_not_saved(session: SessionStore) -> None:
    BrowserSession.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()
