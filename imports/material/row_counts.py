"""Updating the database's row counts after a large import.

PostgreSQL plans queries by table sizes as last counted, which it updates by itself only a minute
after a commit. Until then it takes a new study for a handful of rows and picks nested loops:
minutes instead of a second.
"""

from collections.abc import Collection

from django.db import connection, models

from annotation.models import (
    Annotation,
    Item,
    Place,
    Question,
    Rating,
    Source,
    Unit,
    UnitItem,
)

MATERIAL = (Source, Item, Unit, UnitItem, Unit.subsets.through, Question, Place)
ANSWERS = (Annotation, Rating)
# Smaller studies are fast with any plan, and PostgreSQL extrapolates from counts it has.
LARGE = 1000


def count_rows(tables: Collection[type[models.Model]]) -> None:
    """Update the row counts of tables, on PostgreSQL."""
    if connection.vendor != "postgresql":
        return
    names = ", ".join(connection.ops.quote_name(table._meta.db_table) for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {names}")
