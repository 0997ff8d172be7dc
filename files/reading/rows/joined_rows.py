"""A row with those that are joined to it, and what its cells tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from files.errors import RecordPlace
from files.reading.model import Axis, ColumnReading

Coordinates = Mapping[Axis, str]


class RowPart(NamedTuple):
    """A row of one table. number: its place among the rows of its table, from 1. names: what the
    names of its file, folder and sheet say."""

    where: RecordPlace
    cells: Mapping[str, str]
    names: Coordinates
    number: int


class JoinedRow(NamedTuple):
    """A row of the first table with those that are joined to it, by table. answers: the table
    whose answers are read from it."""

    parts: tuple[RowPart | None, ...]
    answers: int

    @property
    def where(self) -> RecordPlace:
        """Where its answers stand."""
        part = self.parts[self.answers]
        assert part is not None
        return part.where


def untagged(text: str, tag: str) -> str:
    """A text without the tags around its marked parts."""
    return text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")


@dataclass(frozen=True, slots=True)
class CellPlace:
    """One value in a row: a cell, or one of those that are split off it."""

    table: int
    column: ColumnReading
    position: int = 0

    def text(self, row: JoinedRow) -> str:
        """The value; empty where there is none."""
        part = row.parts[self.table]
        text = part.cells.get(self.column.column, "") if part is not None else ""
        if self.position:
            values = text.split(self.column.split)
            text = values[self.position - 1].strip() if self.position <= len(values) else ""
        if self.column.tag:
            text = untagged(text, self.column.tag)
        return "" if text in self.column.blank else text


@dataclass(frozen=True, slots=True)
class Told:
    """Where something is told: fixed by the name of a column, by that of a file, or in cells."""

    fixed: str = ""
    axis: Axis | None = None
    tables: tuple[int, ...] = ()
    cells: tuple[CellPlace, ...] = ()

    def texts(self, row: JoinedRow) -> list[str]:
        """What is told; an empty text for a cell without any."""
        if self.fixed:
            return [self.fixed]
        if self.cells:
            return [cell.text(row) for cell in self.cells]
        parts = [row.parts[table] for table in self.tables]
        axis = self.axis
        return [part.names[axis] for part in parts if part and axis and axis in part.names][:1]

    def text(self, row: JoinedRow) -> str:
        """The same as one text."""
        if self.fixed:
            return self.fixed
        if len(self.cells) == 1:
            return self.cells[0].text(row)
        return "/".join(filter(None, self.texts(row)))

    def __bool__(self) -> bool:
        return bool(self.fixed or self.tables or self.cells)
