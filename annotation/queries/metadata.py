"""Own columns of imported files, which rows keep as metadata: which there are, and filters by them.

Django reads a name such as "3" as the place in a list, so that its lookups do not find it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Func, Q, Value
from django.db.models.lookups import Exact
from django.db.models.sql.compiler import SQLCompiler

from annotation.models import Item, Rater, Source, Study, Unit
from annotation.queries.group_keys import LONGEST_VALUE, MOST_VALUES, OWNERS

# More names than any table should have; the first of them are shown.
MOST_NAMES = 1_000
_MEMBERS = {
    "sqlite": ("json_each", "own.type", "own.value"),
    "postgresql": ("jsonb_each", "jsonb_typeof(value)", "value #>> '{}'"),
}
_NUMBERS = {"integer", "real", "number"}
# The rows with own columns that results may be grouped by.
OF_GROUPS: Mapping[str, type[models.Model]] = dict(
    zip(OWNERS, (Source, Item, Unit, Rater), strict=True)
)
CHUNK = 5_000


class OwnColumn(NamedTuple):
    """An own column: how many values it has, whether these are numbers alone, and the letters of
    the longest."""

    values: int = 0
    is_number: bool = True
    longest: int = 0

    @property
    def makes_groups(self) -> bool:
        """Whether results can be grouped by it."""
        return self.is_number or (self.values <= MOST_VALUES and self.longest <= LONGEST_VALUE)


def metadata_names(model: type[models.Model], study: Study) -> dict[str, bool]:
    """The names of the own columns that rows of the study have, in alphabetical order, each with
    whether it holds numbers alone; one query."""
    members, kind, _ = _MEMBERS[connection.vendor]
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


def columns_for_groups(study: Study) -> dict[str, OwnColumn]:
    """The own columns of all that results may be grouped by, by key; a query for each kind of
    row."""
    return {
        f"{of}.{name}": column
        for of, model in OF_GROUPS.items()
        for name, column in _columns(model, study).items()
    }


def _columns(model: type[models.Model], study: Study) -> dict[str, OwnColumn]:
    members, kind, text = _MEMBERS[connection.vendor]
    table = connection.ops.quote_name(model._meta.db_table)
    columns: dict[str, OwnColumn] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT own.key, {kind}, COUNT(DISTINCT {text}), MAX(LENGTH({text})) FROM {table}, "  # noqa: S608 (our names)
            f"{members}({table}.metadata) AS own WHERE study_id = %s "
            f"GROUP BY 1, 2 ORDER BY 1 LIMIT {MOST_NAMES}",
            [study.pk],
        )
        for name, of, values, longest in cursor.fetchall():
            before = columns.get(name, OwnColumn())
            columns[name] = OwnColumn(
                before.values + values,
                is_number=before.is_number and of in _NUMBERS,
                longest=max(before.longest, longest),
            )
    return columns


def own_values(study: Study, key: str) -> Iterator[tuple[int, str]]:
    """Id and value, as text, of the rows that have the own column of that key."""
    of, _, name = key.partition(".")
    rows = OF_GROUPS[of]._default_manager.filter(study=study)
    told = rows.annotate(told=_Member(F("metadata"), Value(name))).exclude(told=None)
    yield from told.order_by("pk").values_list("pk", "told").iterator(CHUNK)


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
