"""Have the database count what an import has written, before it is asked about it.

PostgreSQL plans a query by the sizes that its tables had when they were last counted, which it
does by itself a minute after a commit. Until then it takes a new study for a handful of rows, and
goes through all of them for each: minutes where it should be a second.
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
# Smaller studies are read fast by any plan. A table counted once is measured as it grows.
LARGE = 1000


def count_rows(tables: Collection[type[models.Model]]) -> None:
    """Count the rows of tables anew, on a database that goes by such counts."""
    if connection.vendor != "postgresql":
        return
    names = ", ".join(connection.ops.quote_name(table._meta.db_table) for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {names}")
