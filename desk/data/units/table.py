"""The table of units as an address asks for it: filters, order, columns, page."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.forms import BoundField
from django.http import QueryDict
from django.utils.functional import Promise

from annotation.models import Study, Unit
from desk.data.units.columns import AS_ADDED, COLUMNS, KEY, SORTING, Column, chosen_columns
from desk.data.units.filters import UnitFilterForm, filtered
from desk.data.units.order import (
    Page,
    Sorting,
    mark_of,
    read_mark,
    read_slice,
    read_sorting,
)


class Head(NamedTuple):
    """The head of a column. query: the table sorted by it, empty where it does not sort."""

    title: str | Promise
    number: bool
    query: str
    sort: str  # as aria-sort has it


class ActiveFilter(NamedTuple):
    """A filter that is on. query: the list without it."""

    label: str
    value: str
    query: str


@dataclass(frozen=True)
class UnitTable:
    """The units of a study that an address asks for."""

    study: Study
    address: QueryDict

    @cached_property
    def form(self) -> UnitFilterForm:
        """The filters as they are chosen."""
        return UnitFilterForm(self.study, self.address)

    @cached_property
    def sorting(self) -> Sorting:
        """The order of the list."""
        return read_sorting(self.address.get("sort", ""))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are shown."""
        return chosen_columns(self.address.getlist("col"))

    @cached_property
    def units(self) -> QuerySet[Unit]:
        """All units that the filters leave."""
        return filtered(self.study, self.form.chosen)

    @cached_property
    def count(self) -> int:
        """How many units that are; one query."""
        return self.units.count()

    @cached_property
    def slice(self) -> Page:
        """The units of the page."""
        return read_slice(
            self.units,
            self.study,
            self.sorting,
            after=read_mark(self.address.get("after", ""), self.sorting),
            before=read_mark(self.address.get("before", ""), self.sorting),
            backwards="end" in self.address,
        )

    @property
    def query(self) -> str:
        """The address of the list without the place in it: filters, order, columns."""
        return self._query(self.address.lists())

    @property
    def first_number(self) -> int | None:
        """Which unit of the list the page begins with, from 1; None where that is not known."""
        if "end" in self.address:
            return max(1, self.count - len(self.slice.keys) + 1)
        text = self.address.get("at", "")
        if not self.slice.has_before:
            return 1
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else None

    @property
    def pages(self) -> dict[str, str]:
        """The addresses of the pages around this one, where there are any."""
        here, pages, at = self.slice, {}, self.first_number
        if here.has_before and here.first is not None:
            back = {} if at is None else {"at": str(max(1, at - len(here.keys)))}
            pages = {"first": self.query, "before": self._with(before=str(here.first), **back)}
        if here.has_after and here.last is not None:
            on = {} if at is None else {"at": str(at + len(here.keys))}
            pages |= {"after": self._with(after=str(here.last), **on)}
            pages |= {"last": self._with(end="1")}
        return pages

    @property
    def heads(self) -> list[Head]:
        """The heads of all columns, the key's first."""
        return [self._head(column) for column in (KEY, *self.columns)]

    def _head(self, column: Column) -> Head:
        if column.value is None:
            return Head(column.title, column.number, "", "")
        here = self.sorting.column is column
        # Numbers are looked at from the largest down first.
        falls = not self.sorting.falling if here else column is not KEY
        sort = ("descending" if self.sorting.falling else "ascending") if here else ""
        query = self._with(sort=f"{'-' if falls else ''}{column.name}")
        return Head(column.title, column.number, query, sort)

    @property
    def chips(self) -> list[ActiveFilter]:
        """The filters that are on, each with the list without it."""
        chosen = self.form.chosen
        fields = [field for field in self.form if field.name in chosen]
        return [
            ActiveFilter(
                str(field.label), _shown(field, chosen[field.name]), self._with(**{field.name: ""})
            )
            for field in fields
        ]

    @property
    def column_choices(self) -> list[tuple[Column, bool]]:
        """Every column, and whether it is shown."""
        return [(column, column in self.columns) for column in COLUMNS]

    @property
    def sort_choices(self) -> list[tuple[str, str | Promise, bool]]:
        """(value, title, chosen) of every order; falling ones where they are of numbers. The one
        that is shown is among them."""
        rising = (AS_ADDED, KEY)
        named = {Sorting(each, each not in rising).text: each.order for each in SORTING}
        here = self.sorting
        named.setdefault(here.text, f"{here.column.order} ({'↓' if here.falling else '↑'})")
        return [(name, title, name == here.text) for name, title in named.items()]

    def beside(self, unit: int) -> "Beside":
        """The units before and after one in the list; none where it is not in it."""
        mark = mark_of(unit, self.units, self.study, self.sorting)
        if mark is None:
            return Beside()
        before = read_slice(self.units, self.study, self.sorting, before=mark, size=1).keys
        after = read_slice(self.units, self.study, self.sorting, after=mark, size=1).keys
        return Beside(
            inside=True,
            before=before[0] if before else None,
            after=after[0] if after else None,
        )

    def _with(self, **values: str) -> str:
        kept = [(name, of) for name, of in self.address.lists() if name not in values]
        return self._query([*kept, *((name, [value]) for name, value in values.items())], values)

    def _query(self, lists: Iterable[tuple[str, list[Any]]], also: Iterable[str] = ()) -> str:
        query = QueryDict(mutable=True)
        for name, values in lists:
            kept = [value for value in values if value]
            if kept and (name in KEPT or name in also):
                query.setlist(name, kept)
        return query.urlencode()


def _shown(field: BoundField, value: Any) -> str:
    """A chosen value as the form offers it."""
    offered = dict(getattr(field.field, "choices", ()))
    return str(offered.get(value, value))


class Beside(NamedTuple):
    """The units around one in a list. inside: whether it is in the list."""

    inside: bool = False
    before: int | None = None
    after: int | None = None


# What of an address says which list is shown, and how.
KEPT = (*UnitFilterForm.base_fields, "sort", "col")


def table_of(study: Study, query: str) -> UnitTable:
    """The table of an address that was kept."""
    return UnitTable(study, QueryDict(query))
