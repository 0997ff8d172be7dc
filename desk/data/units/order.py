"""The order of the table of units, and pages that cost the same however deep they lie.

A page is found by where it begins, the values of the unit before it, and not by how many units are
skipped.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from annotation.models import Study, Unit
from desk.data.units.columns import AS_ADDED, SORTING, Column

PAGE = 50
_APART = "~"


class Sorting(NamedTuple):
    """By which column, rising or falling."""

    column: Column
    falling: bool = False

    @property
    def text(self) -> str:
        """As the address has it."""
        return f"{'-' if self.falling else ''}{self.column.name}"


def read_sorting(text: str) -> Sorting:
    """Of the address; as added where there is no such order."""
    named = (column for column in SORTING if column.name == text.removeprefix("-"))
    return Sorting(next(named, AS_ADDED), text.startswith("-"))


class Cursor(NamedTuple):
    """Where a page begins or ends: a unit's value in the order, and its key in the database."""

    value: Any
    pk: int

    def __str__(self) -> str:
        return f"{self.pk}{_APART}{'' if self.value is None else self.value}"


def read_mark(text: str, sorting: Sorting) -> Cursor | None:
    """Of the address; None where it does not fit the order."""
    key, between, value = text.partition(_APART)
    if not key.isascii() or not key.isdecimal() or len(key) > 18:
        return None
    if sorting.column.value is None:
        return Cursor(None, int(key))
    try:
        return Cursor(sorting.column.read(value), int(key)) if between else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Page:
    """The units of one page, by key in the database, and where the pages around it begin."""

    keys: list[int]
    first: Cursor | None = None
    last: Cursor | None = None
    has_before: bool = False
    has_after: bool = False


def read_slice(
    units: QuerySet[Unit],
    study: Study,
    sorting: Sorting,
    *,
    after: Cursor | None = None,
    before: Cursor | None = None,
    size: int = PAGE,
    backwards: bool = False,
) -> Page:
    """Up to `size` units after one mark or before another; one query. backwards: the last ones."""
    backwards = backwards or before is not None
    falls = sorting.falling != backwards
    rows = ordered(units, study, sorting, falls=falls)
    mark = before if backwards else after
    if mark is not None:
        rows = rows.filter(_beyond(sorting, mark, falls))
    columns = ("pk",) if sorting.column.value is None else ("pk", "by")
    read = list(rows.values_list(*columns)[: size + 1])
    more, marks = len(read) > size, [Cursor((*row, None)[1], row[0]) for row in read[:size]]
    if backwards:
        marks.reverse()
    if not marks:
        return Page([])
    return Page(
        [at.pk for at in marks],
        marks[0],
        marks[-1],
        has_before=more if backwards else after is not None,
        has_after=mark is not None if backwards else more,
    )


def ordered(
    units: QuerySet[Unit], study: Study, sorting: Sorting, *, falls: bool = False
) -> QuerySet[Unit]:
    """The units in an order; `by` is their value in it. Equal ones as added."""
    sign = "-" if falls else ""
    if sorting.column.value is None:
        return units.order_by(f"{sign}pk")
    return units.annotate(by=sorting.column.value(study)).order_by(f"{sign}by", f"{sign}pk")


def _beyond(sorting: Sorting, mark: Cursor, falls: bool) -> Q:
    further = "lt" if falls else "gt"
    if sorting.column.value is None:
        return Q(**{f"pk__{further}": mark.pk})
    # The first condition alone bounds what an index on the value has to look at.
    return Q(**{f"by__{further}e": mark.value}) & (
        Q(**{f"by__{further}": mark.value}) | Q(**{f"pk__{further}": mark.pk})
    )


def mark_of(unit: int, units: QuerySet[Unit], study: Study, sorting: Sorting) -> Cursor | None:
    """Where a unit stands in the order; None where it is not among the units."""
    columns = ("pk",) if sorting.column.value is None else ("pk", "by")
    row = ordered(units.filter(pk=unit), study, sorting).values_list(*columns).first()
    return None if row is None else Cursor((*row, None)[1], row[0])
