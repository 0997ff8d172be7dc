"""Browser sessions in the database, as Django keeps them, read by a query that is made once."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.queries.compiled import Columns, Compiled, Given

_by_key = Compiled(lambda: Session.objects.filter(pk=Given("key")), Columns(Session))


class SessionStore(db.SessionStore):
    """Django's own, but for the one query of every request."""

    def load(self) -> dict[str, Any]:
        """What the session holds. One that is not there, or over, is for Django to deal with."""
        session = _by_key.first(key=self.session_key)
        if session is None or session.expire_date <= timezone.now():
            return super().load()
        return self.decode(session.session_data)
