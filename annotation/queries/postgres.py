"""Cursors on PostgreSQL whose statements the server parses and plans once per connection."""

from typing import Any

import psycopg
from django.db import connection


class PlannedCursor(psycopg.Cursor[Any]):
    """Asks the server to keep each statement; values travel beside it, not in it."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> "PlannedCursor":
        super().execute(query, params, **{**options, "prepare": True})
        return self


def planned_cursor() -> Any:
    """Such a cursor, behind all that Django does around each of its own."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    connected: Any = connection.connection
    if connected.prepare_threshold is None:  # Django's own way to say: never
        connected.prepare_threshold = 0
    with connection.wrap_database_errors:
        return connection._prepare_cursor(PlannedCursor(connected))  # type: ignore[attr-defined]
