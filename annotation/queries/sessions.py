"""Browser sessions in the database, as Django keeps them, read by a query that is made once."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.queries.compiled import Columns, Compiled, Given

_by_key = Compiled(lambda: Session.objects.filter(pk=Given("key")), Columns(Session))


class SessionStore(db.SessionStore):
    """Django's session store, except for the query that every request makes."""

    def load(self) -> dict[str, Any]:
        """The session's data. A missing or expired session is left to Django."""
        session = _by_key.first(key=self.session_key)
        if session is None or session.expire_date <= timezone.now():
            return super().load()
        return self.decode(session.session_data)
