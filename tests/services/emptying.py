"""The database after a test with transactions of its own: emptied in less time than by ``flush``.

That has the types of contents, permissions and sites written anew, which are always the same, and
on PostgreSQL takes half a second to truncate every table. They stay here, and rows are deleted.
"""

from django.db import connection, transaction
from django.test import TransactionTestCase

KEPT = frozenset({"auth_permission", "django_content_type", "django_site"})
# Those with anything in their files, be it deleted.
IN_USE = (
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    " AND relkind = 'r' AND pg_relation_size(oid) > 0"
)


def delete_rows(_case: TransactionTestCase) -> None:
    """Delete what a test has left: in one transaction, in which the order does not matter."""
    names = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(IN_USE)
            names &= {name for (name,) in cursor.fetchall()}
        tables = [connection.ops.quote_name(name) for name in names]
        with transaction.atomic():
            for table in tables:
                cursor.execute(f"DELETE FROM {table}")
        if connection.vendor == "postgresql" and tables:
            # Deleted rows would stay in the files, and the plans of later queries would suffer.
            cursor.execute(f"VACUUM {', '.join(tables)}")


def empty_quickly() -> None:
    """Have Django end each such test so."""
    TransactionTestCase._fixture_teardown = delete_rows  # type: ignore[attr-defined]
