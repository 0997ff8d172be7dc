"""SQLite after a test with transactions of its own: emptied in less time than by ``flush``.

That has the types of contents, permissions and sites written anew, which are always the same. They
stay here. PostgreSQL's tables are truncated, as Django does it: rows that are deleted stay in the
files until they are vacuumed, and the plans of later queries suffer.
"""

from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase

KEPT = frozenset({"auth_permission", "django_content_type", "django_site"})


def delete_rows(_case: TransactionTestCase) -> None:
    """Delete what a test has left: in one transaction, in which the order does not matter."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [connection.ops.quote_name(name) for name in names if name not in KEPT]
    statements = [f"DELETE FROM {table}" for table in tables]
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def empty_quickly() -> None:
    """Have Django end each such test on SQLite so."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        TransactionTestCase._fixture_teardown = delete_rows  # type: ignore[attr-defined]
