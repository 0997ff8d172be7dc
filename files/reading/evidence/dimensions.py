"""The parts in which names of columns differ, and the columns that differ in them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ID = re.compile(r"\D{0,4}\d{3,}|[0-9a-f]{12,}")


@dataclass(frozen=True)
class Dimension:
    """One of the parts in which names differ. beside: what stands next to it in all names, such as
    the `annotator` of `annotator1`."""

    values: tuple[str, ...]
    beside: str = ""

    @property
    def are_numbers(self) -> bool:
        """Whether the parts are numbers."""
        return all(value.isdigit() for value in self.values)

    @property
    def are_letters(self) -> bool:
        """Whether the parts are single letters."""
        return all(len(value) == 1 and value.isalpha() for value in self.values)

    @property
    def are_ids(self) -> bool:
        """Whether the parts are what items of a form are called in a list of them."""
        return all(map(_ID.fullmatch, self.values))


@dataclass(frozen=True)
class Family:
    """Columns of one family. places: column -> its part in each dimension. stem: what all names
    have in common."""

    stem: str
    dimensions: tuple[Dimension, ...]
    places: Mapping[str, tuple[str, ...]]

    @property
    def columns(self) -> tuple[str, ...]:
        """Its columns, in the order of the file."""
        return tuple(self.places)


def shared(first: Dimension, second: Dimension) -> bool:
    """Whether two dimensions are the same axis: columns of one hold what columns of the other
    are about."""
    one, other = (frozenset(v.casefold() for v in d.values) for d in (first, second))
    # Numbers are the same wherever something is numbered.
    every = max if first.are_numbers and second.are_numbers else min
    return len(one & other) >= max(2, 0.8 * every(len(one), len(other)))
