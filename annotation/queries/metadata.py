"""Own columns of imported files, which rows keep as metadata: which there are, and filters by them.

Django reads a name such as "3" as the place in a list, so that its lookups do not find it.
"""

from typing import Any

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Func, Q, Value
from django.db.models.lookups import Exact
from django.db.models.sql.compiler import SQLCompiler

from annotation.models import Study

# More names than any table should have; the first of them are shown.
MOST_NAMES = 1_000
_MEMBERS = {
    "sqlite": ("json_each", "own.type"),
    "postgresql": ("jsonb_each", "jsonb_typeof(value)"),
}
_NUMBERS = {"integer", "real", "number"}


def metadata_names(model: type[models.Model], study: Study) -> dict[str, bool]:
    """The names of the own columns that rows of the study have, in alphabetical order, each with
    whether it holds numbers alone; one query."""
    members, kind = _MEMBERS[connection.vendor]
    table = connection.ops.quote_name(model._meta.db_table)
    names: dict[str, bool] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT own.key, {kind} FROM {table}, {members}({table}.metadata) AS own "  # noqa: S608 (our names)
            f"WHERE study_id = %s ORDER BY own.key LIMIT {MOST_NAMES}",
            [study.pk],
        )
        for name, of in cursor.fetchall():
            names[name] = names.get(name, True) and of in _NUMBERS
    return dict(sorted(names.items()))


def having(name: str, value: str) -> Q:
    """Of rows whose own column of this name holds the value, written as text."""
    return Q(Exact(_Member(F("metadata"), Value(name)), Value(value)))


class _Member(Func):
    """A member of an object, as text."""

    function = "jsonb_extract_path_text"
    output_field = models.TextField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> Any:
        text = "CASE WHEN own.type IN ('true', 'false') THEN own.type ELSE own.atom || '' END"
        return self.as_sql(
            compiler,
            connection,
            template=f"(SELECT {text} FROM json_each(%(expressions)s))",  # noqa: S608 (our text)
            arg_joiner=") AS own WHERE own.key = (",
        )
