"""Columns of exported tables: what they hold, and how it is typed in each kind of file."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "texts", "number", "whole", "wholes", "time"]


@dataclass(frozen=True)
class Column:
    """A column of a table. kind: text, number, whole number, point in time, or a list."""

    name: str
    kind: Kind
    meaning: str

    @property
    def is_list(self) -> bool:
        """Whether a cell holds several values."""
        return self.kind in ("texts", "wholes")

    @property
    def part(self) -> Kind:
        """The kind of a cell's single values."""
        of_list: dict[str, Kind] = {"texts": "text", "wholes": "whole"}
        return of_list.get(self.kind, self.kind)
