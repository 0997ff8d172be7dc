"""Querysets whose SQL is made once per process, for what workers' pages ask all day.

Django writes a queryset's SQL anew each time it is used. On the page of a question that took
many times what the database takes to answer. The SQL here is still Django's own, of ordinary
querysets, with a place left for every value: `filter(pk=Given("key"))`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection, models
from django.db.models.constants import OnConflict
from django.db.models.expressions import Value
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

T = TypeVar("T")
Row = Sequence[Any]
Params = tuple[Any, ...]


class Given(Value):
    """A value to come, under this name; never None, with which SQL compares nothing.

    Where its column is named, it is stored as that field stores it. Numbers and short texts
    need none.
    """

    def __init__(self, name: str, column: "models.Field[Any, Any] | None" = None) -> None:
        super().__init__(name)
        self.column = column

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]

    def stored(self, values: Mapping[str, object]) -> object:
        """What is given under the name, as the database is told it."""
        value = values[self.value]
        return value if self.column is None else self.column.get_db_prep_save(value, connection)


def _cursor() -> Any:
    """A cursor whose statements the database keeps planned, where it is one that plans at length
    and nothing between us and it shares its connections out."""
    shares = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)
    if connection.vendor != "postgresql" or shares:
        return connection.cursor()
    from annotation.queries.postgres import planned_cursor

    return planned_cursor()


def _bound(params: Params, values: Mapping[str, object]) -> list[Any]:
    return [one.stored(values) if isinstance(one, Given) else one for one in params]


class _Plan(NamedTuple):
    """One SQL text, and how its rows are read."""

    sql: str
    params: Params
    locks: bool
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    read: Callable[[Row], Any]


class Prepared(Generic[T]):
    """A queryset of models, or of `values_list`, that is told its values when it is asked."""

    def __init__(self, write: Callable[[], "models.QuerySet[Any, T]"]) -> None:
        self._write = write

    def all(self, **given: object) -> list[T]:
        """What it finds, in its order."""
        return list(self._read(given))

    def first(self, **given: object) -> T | None:
        """The first that it finds, or None."""
        return next(self._read(given), None)

    def _read(self, given: Mapping[str, object]) -> Iterator[T]:
        plan = self._plan
        if plan.locks and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked within a transaction only.")
        with _cursor() as cursor:
            cursor.execute(plan.sql, _bound(plan.params, given))
            found = cursor.fetchall()
        for row in found:
            yield plan.read(_converted(row, plan) if plan.converters else row)

    @cached_property
    def _plan(self) -> _Plan:
        queryset = self._write()
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        columns = compiler.get_converters([one[0] for one in compiler.select]).items()
        converters = [(at, functions, column) for at, (functions, column) in columns]
        locks = queryset.query.select_for_update and connection.features.has_select_for_update
        return _Plan(sql, tuple(params), bool(locks), converters, _reader(queryset, compiler))


def _converted(row: Row, plan: _Plan) -> Row:
    read = list(row)
    for at, functions, column in plan.converters:
        for function in functions:
            read[at] = function(read[at], column, connection)
    return read


def _reader(queryset: "models.QuerySet[Any, Any]", compiler: Any) -> Callable[[Row], Any]:
    """How Django itself makes a model, and those that it brings along, of a row."""
    # Not public, and as old as QuerySet; a test holds every kind of row against the queryset's.
    if queryset._iterable_class is not ModelIterable:
        return tuple
    klass, selected, database = compiler.klass_info, compiler.select, connection.alias
    model, columns = klass["model"], klass["select_fields"]
    begin, end = columns[0], columns[-1] + 1
    names = [one[0].target.attname for one in selected[begin:end]]
    made_of: Any = get_related_populators
    populators = made_of(klass, selected, database)
    annotated = tuple((compiler.annotation_col_map or {}).items())

    def read(row: Row) -> Any:
        made = model.from_db(database, names, row[begin:end])
        for populator in populators:
            populator.populate(row, made)
        for name, at in annotated:
            setattr(made, name, row[at])
        return made

    return read


class PreparedUpdate:
    """Sets these fields of a queryset's rows, each to what is given under its own name."""

    def __init__(self, write: Callable[[], "models.QuerySet[Any, Any]"], *fields: str) -> None:
        self._write, self._fields = write, fields

    def run(self, **given: object) -> int:
        """How many rows it changed."""
        sql, params = self._plan
        with _cursor() as cursor:
            cursor.execute(sql, _bound(params, given))
            return int(cursor.rowcount)

    @cached_property
    def _plan(self) -> tuple[str, Params]:
        queryset = self._write()
        query: Any = queryset.query.chain(UpdateQuery)
        columns = {name: queryset.model._meta.get_field(name) for name in self._fields}
        query.add_update_values({name: Given(name, at) for name, at in columns.items()})
        sql, params = query.get_compiler(connection=connection).as_sql()
        return sql, tuple(params)


class PreparedInsert:
    """Inserts one row, of which every column but the key is given by its name; changes nothing
    where a constraint says that it is there already."""

    def __init__(self, model: type[models.Model]) -> None:
        self._model = model

    def run(self, **given: object) -> int | None:
        """The key of the row; None where it was there already."""
        sql, params = self._plan
        with _cursor() as cursor:
            cursor.execute(sql, _bound(params, given))
            inserted = cursor.fetchone()
        return None if inserted is None else int(inserted[0])

    @cached_property
    def _plan(self) -> tuple[str, Params]:
        meta = self._model._meta
        fields = [one for one in meta.concrete_fields if not one.primary_key]
        row: Any = SimpleNamespace(**{one.attname: Given(one.attname, one) for one in fields})
        query = InsertQuery(self._model, on_conflict=OnConflict.IGNORE)
        query.insert_values(fields, [row], raw=True)
        [(sql, params)] = query.get_compiler(connection=connection).as_sql()
        # Both databases can tell the key here; Django asks for none beside "unless there".
        key = connection.ops.quote_name(str(meta.pk.column))
        return f"{sql} RETURNING {key}", tuple(params)
