"""The database after a test with transactions of its own: emptied in less time than by ``flush``.

That truncates a hundred tables, which takes PostgreSQL longer than most tests take, and has the
types of contents, permissions and sites written anew, which are always the same. They stay here.
"""

from django.db import connection, transaction
from django.test import TransactionTestCase

KEPT = frozenset({"auth_permission", "django_content_type", "django_site"})


def delete_rows(_case: TransactionTestCase) -> None:
    """Delete what a test has left: in one transaction, in which the order does not matter."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [connection.ops.quote_name(name) for name in names if name not in KEPT]
    statements = [f"DELETE FROM {table}" for table in tables]
    if connection.vendor == "postgresql":
        # What a server's thread is writing is waited for, and then deleted.
        locked = f"LOCK TABLE {', '.join(tables)} IN SHARE ROW EXCLUSIVE MODE"
        statements = ["; ".join([locked, *statements])]
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def empty_quickly() -> None:
    """Have Django end each such test so."""
    TransactionTestCase._fixture_teardown = delete_rows  # type: ignore[attr-defined]
