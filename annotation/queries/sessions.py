"""Browser sessions in the database, with the account that each belongs to, read by a query that is
made once."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import OperationalError
from django.utils import timezone

from annotation.models import BrowserSession
from annotation.queries.compiled import Asked, Compiled, Param, RowReader, ask_together

_by_key = Compiled(
    lambda: BrowserSession.objects.filter(pk=Param("key")), RowReader(BrowserSession)
)


class SessionStore(db.SessionStore):
    """Django's session store, except for the query that every request makes, and the account
    beside each session."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    # The row of the session where it was read together with others: it, or None.
    _read: tuple[BrowserSession | None] | None = None

    def ask(self, *asked: Asked) -> list[Any]:
        """Ask the database for these, and for the session's own row beside them where nobody has
        looked into the session yet."""
        if self.session_key is None or hasattr(self, "_session_cache"):
            return ask_together(*asked)
        session, *others = ask_together(_by_key.asked(key=self.session_key), *asked)
        self._read = (session,)
        return others

    def load(self) -> dict[str, Any]:
        """The session's data. A missing or expired session is left to Django."""
        session = self._read[0] if self._read else _by_key.first(key=self.session_key)
        self._read = None
        if session is None or session.expire_date <= timezone.now():
            return super().load()
        return self.decode(session.session_data)

    def save(self, must_create: bool = False) -> None:
        """Save it. Django takes a full disk for a session that was deleted meanwhile, and answers
        400, after which nobody tries again."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from error.__context__.__cause__
            raise

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        """The row to be saved. It follows the session through every change of its key."""
        session = super().create_model_instance(data)
        assert isinstance(session, BrowserSession)
        session.account = account_of(data)
        return session


def account_of(data: Mapping[str, Any]) -> int | None:
    """The key of the account that is signed in to a session with this data, if any."""
    key = data.get(SESSION_KEY)
    return None if key is None else int(key)
