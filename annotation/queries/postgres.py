"""Statements that PostgreSQL parses and plans once per connection, in its own SQL: PREPARE and
EXECUTE. Planning a query of a worker's page takes the server longer than running it."""

from typing import Any
from weakref import WeakKeyDictionary

from django.db import connection

# By the driver's connection: of each statement that is prepared there, how it is executed.
_prepared: "WeakKeyDictionary[Any, dict[str, str]]" = WeakKeyDictionary()


def keeps_plans() -> bool:
    """Whether a connection is ours alone: behind a pooler that shares them out after each
    transaction, a prepared statement would be looked for where it is not."""
    shared_out = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)
    return connection.vendor == "postgresql" and not shared_out


def execute_planned(cursor: Any, sql: str, params: list[Any]) -> None:
    """Execute SQL on a cursor of Django's, with the plan that the server keeps for it."""
    prepared = _prepared.setdefault(connection.connection, {})
    if sql not in prepared:
        name = f"jurybox_{len(prepared)}"
        cursor.execute(f"PREPARE {name} AS {sql % tuple(f'${n + 1}' for n in range(len(params)))}")
        prepared[sql] = f"EXECUTE {name} ({', '.join(['%s'] * len(params))})"
    cursor.execute(prepared[sql], params)
