"""Browser sessions in the database, as Django keeps them, read by a query that is made once."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.queries.compiled import Given, Prepared

_by_key = Prepared(lambda: Session.objects.filter(session_key=Given("key")))


class SessionStore(db.SessionStore):
    """Django's own, but for the one query of every request."""

    def _get_session_from_db(self) -> Any:
        found = _by_key.first(key=self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found
