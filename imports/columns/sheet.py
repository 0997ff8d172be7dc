"""A table as it lies in its file: what its columns hold, before anybody says what they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from imports.columns.names import ASPECT, TURK, may_be_unit, plain

# A scale with more points becomes a slider.
MOST_POINTS = 21
# A label is a word or a number, not a text.
LONGEST_LABEL = 40
# Columns with half of their values in common may hold labels of one kind.
SHARED = 0.5
MISSING = frozenset({"", "na", "n/a", "nan", "null"})

Cells = Mapping[str, str]


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no label."""
    return text.strip().casefold() in MISSING


def is_number(text: str) -> bool:
    """Whether the text is a finite number."""
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


@dataclass(frozen=True)
class Sheet:
    """The names of the columns and the rows of a file."""

    path: Path
    names: Sequence[str]
    rows: Sequence[Cells]

    @cached_property
    def labels(self) -> Mapping[str, frozenset[str]]:
        """Column -> its different labels; none where it holds texts, or too many of them."""
        return {name: self._labels(name) for name in self.names}

    @property
    def is_of_turk(self) -> bool:
        """Whether Mechanical Turk wrote the file."""
        return all(any(name.startswith(each) for name in self.names) for each in TURK)

    @property
    def aspect(self) -> str:
        """The column that says which of several questions a row answers; empty: there is none."""
        named = (name for name in self.names if plain(name) in ASPECT)
        return next((name for name in named if len(self._values(name)) > 1), "")

    def has_texts(self, name: str) -> bool:
        """Whether some cells are too long for a name or a label."""
        return any(len(value) > LONGEST_LABEL for value in self._values(name))

    def has_gaps(self, name: str) -> bool:
        """Whether some cells are empty."""
        return bool(name) and "" in self._values(name)

    def comes_once(self, name: str) -> bool:
        """Whether no value of the column comes twice."""
        return self._is_key([name])

    def alike(self, name: str, others: Iterable[str]) -> bool:
        """Whether one of the other columns has mostly the same labels. A column that numbers the
        rows has none that come twice."""
        own = self.labels[name]
        if not own or len(own) > MOST_POINTS or len(own) >= max(len(self.rows), 3):
            return False
        every = (self.labels[other] for other in others if other != name)
        return any(len(own & theirs) >= SHARED * len(own | theirs) for theirs in every)

    def models(self, names: Iterable[str]) -> str:
        """The first of these columns that names systems: no other column has any of its words."""
        for name in names:
            own = self.labels[name]
            others = (theirs for other, theirs in self.labels.items() if other != name)
            if own and not any(map(is_number, own)) and not any(own & theirs for theirs in others):
                return name
        return ""

    def unit_by_row(self, system: str) -> str:
        """The first column by whose name units may be told in which every row, with its system, is
        one."""
        beside = [system] if system else []
        named = (name for name in self.names if may_be_unit(name))
        return next((name for name in named if self._is_key([name, *beside])), "")

    def unit_by_rater(self, rater: str, system: str, taken: Iterable[str]) -> str:
        """The column in which values come several times, never twice with one rater (and system):
        by its name the finest one, else the only one."""
        beside = [rater, *filter(None, [system])]
        free = [name for name in self.names if name not in taken and not self.comes_once(name)]
        fitting = [name for name in free if self._is_key([name, *beside])]
        shown = [name for name in fitting if name.startswith(TURK[0])]
        named = shown or [name for name in fitting if may_be_unit(name)]
        if named:
            return max(named, key=lambda name: len(self._values(name)))
        return fitting[0] if len(fitting) == 1 else ""

    def _is_key(self, names: Sequence[str]) -> bool:
        """Whether no row has the same values in these columns as another one."""
        met = {tuple(row[name] for name in names) for row in self.rows}
        return len(met) == len(self.rows) and "" not in self._values(names[0])

    def _values(self, name: str) -> frozenset[str]:
        return frozenset(row[name] for row in self.rows)

    def _labels(self, name: str) -> frozenset[str]:
        values = frozenset(row[name].strip() for row in self.rows if not is_missing(row[name]))
        if any(len(value) > LONGEST_LABEL for value in values):
            return frozenset()
        few = len(values) <= MOST_POINTS
        return values if few or all(map(is_number, values)) else frozenset()
