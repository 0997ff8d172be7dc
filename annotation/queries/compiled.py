"""Querysets whose SQL Django writes once per process, for the pages of workers.

Django writes a queryset's SQL anew each time it is used. On the page of a question that took many
times what the database takes to answer. The SQL here is Django's own, of ordinary querysets, with a
place left for every value: `filter(pk=Given("key"))`.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import Subquery, Value
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)
Row = tuple[Any, ...]
Write = Callable[[], "models.QuerySet[Any, Any]"]
# By the driver's connection: of each statement that is prepared there, how it is executed.
_prepared: "WeakKeyDictionary[Any, dict[str, str]]" = WeakKeyDictionary()


class Asked(NamedTuple):
    """A statement with its values, not executed yet, and how its rows are read."""

    sql: str
    params: list[Any]
    read: Callable[[list[Row]], Any]


def ask_together(*asked: Asked) -> list[Any]:
    """What each of these statements finds, as it reads it. PostgreSQL is asked for all of them at
    once: on the way there and back a statement takes longer than in the server."""
    with connection.cursor() as cursor:
        if not _keeps_plans():
            return [each.read(_rows(cursor, each.sql, each.params)) for each in asked]
        planned = [_planned(cursor, each.sql, len(each.params)) for each in asked]
        cursor.execute("; ".join(planned), [param for each in asked for param in each.params])
        found = [cursor.fetchall()]
        found += [cursor.fetchall() for _ in asked[1:] if cursor.nextset()]
    return [each.read(rows) for each, rows in zip(asked, found, strict=True)]


def fetch(sql: str, params: list[Any]) -> list[Row]:
    """The rows that a statement finds or returns."""
    (rows,) = ask_together(Asked(sql, params, list))
    found: list[Row] = rows
    return found


def _rows(cursor: Any, sql: str, params: list[Any]) -> list[Row]:
    cursor.execute(sql, params)
    rows: list[Row] = cursor.fetchall()
    return rows


def _keeps_plans() -> bool:
    """Whether a connection is ours alone: behind a pooler that shares them out after each
    transaction, a prepared statement would be looked for where it is not."""
    if connection.vendor != "postgresql":
        return False
    return not connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)


def _planned(cursor: Any, sql: str, n_params: int) -> str:
    """How to execute SQL with the plan that PostgreSQL keeps for it per connection, by its own
    PREPARE and EXECUTE: planning a query of a worker's page takes the server longer than running
    it."""
    prepared = _prepared.setdefault(connection.connection, {})
    if sql not in prepared:
        name = f"jurybox_{len(prepared)}"
        cursor.execute(f"PREPARE {name} AS {sql % tuple(f'${n + 1}' for n in range(n_params))}")
        prepared[sql] = f"EXECUTE {name} ({', '.join(['%s'] * n_params)})"
    return prepared[sql]


class Param(Value):
    """A value to come, under this name. Never None, with which SQL compares nothing."""

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]


class CompiledQuery:
    """A `values_list` that is given its values when it is run. Its rows hold what the database
    driver gives; `RowReader` knows how to read it."""

    def __init__(self, write: Write) -> None:
        self._write = write

    @cached_property
    def _sql(self) -> tuple[str, Row]:
        sql, params = self._write().query.sql_with_params()
        return sql, tuple(params)

    def asked(self, read: Callable[[list[Row]], Any] = list, /, **values: object) -> Asked:
        """The query with these values, to be asked together with others."""
        sql, params = self._sql
        given = [values[param.value] if isinstance(param, Param) else param for param in params]
        return Asked(sql, given, read)

    def all(self, **values: object) -> list[Row]:
        """The rows, in the order of the queryset."""
        (rows,) = ask_together(self.asked(**values))
        found: list[Row] = rows
        return found


class RowReader(Generic[M]):
    """Columns of a model, and how to make the model of what the driver gives for them. The
    model reads its other columns when they are needed."""

    def __init__(
        self, model: type[M], *, only: Collection[str] = (), without: Collection[str] = ()
    ) -> None:
        self.model = model
        read = set(only) or {field.name for field in model._meta.concrete_fields} - set(without)
        fields = [field for field in model._meta.concrete_fields if field.name in read]
        self.names = tuple(field.attname for field in fields)
        converters = ((at, _converter(field)) for at, field in enumerate(fields))
        self._converters = [(at, convert) for at, convert in converters if convert]

    def read(self, values: Sequence[Any]) -> M:
        read = list(values)
        for at, convert in self._converters:
            if read[at] is not None:
                read[at] = convert(read[at])
        # What `Model.from_db` does, without a look at each column that was left out.
        made = self.model.__new__(self.model)
        made._state = ModelState()
        made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
        vars(made).update(zip(self.names, read, strict=True))
        return made


def _converter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """What of a field's type the drivers do not give: SQLite's knows no time zone and no exact
    numbers, and both give JSON as text."""
    if isinstance(field, models.JSONField):
        return json.loads
    if isinstance(field, models.DateTimeField):
        return as_moment
    if isinstance(field, models.DecimalField):
        places = field.decimal_places
        return lambda number: Decimal(f"{number:.{places}f}")
    return None


def as_moment(value: datetime | str) -> datetime:
    """A point in time as a driver gives it, with its time zone."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Compiled(Generic[M]):
    """A queryset of models that is given its values when it is run, with the models that its rows
    refer to: `participation__study=Columns(Study)`, after that of `participation`.

    What is annotated under a name like `participation__agreed_to` becomes an attribute there.
    """

    def __init__(
        self,
        write: Write,
        own: RowReader[M],
        annotated: Mapping[str, Subquery] | None = None,
        **related: RowReader[Any],
    ) -> None:
        self._own, self._annotated, self._related = own, annotated or {}, related
        paths = [f"{path}__{name}" for path, part in related.items() for name in part.names]
        columns = (*own.names, *paths, *self._annotated)
        self._rows = CompiledQuery(
            lambda: write().annotate(**self._annotated).values_list(*columns)
        )

    def asked(self, **values: object) -> Asked:
        """The first object or None, to be asked for together with others."""
        return self._rows.asked(lambda rows: self._read(rows[0]) if rows else None, **values)

    def all(self, **values: object) -> list[M]:
        """The rows, in the order of the queryset."""
        return [self._read(row) for row in self._rows.all(**values)]

    def first(self, **values: object) -> M | None:
        """The first object, or None."""
        (found,) = ask_together(self.asked(**values))
        first: M | None = found
        return first

    def _read(self, row: Row) -> M:
        end = len(self._own.names)
        made: dict[str, Any] = {"": self._own.read(row[:end])}
        for path, part in self._related.items():
            begin, end = end, end + len(part.names)
            made[path] = part.read(row[begin:end])
            _set(made, path, made[path])
        for name, value in zip(self._annotated, row[end:], strict=True):
            _set(made, name, value)
        main: M = made[""]
        return main


def _set(made: dict[str, Any], path: str, value: Any) -> None:
    parent, _, name = path.rpartition("__")
    setattr(made[parent], name, value)
