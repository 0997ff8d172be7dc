"""A reading with what it finds in the first rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from files.reading.evidence.profiles import Profile
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds, Reading
from files.reading.proposal_parts import Counts
from files.reading.rows.tallies import Tally


@dataclass(frozen=True)
class Finding:
    """A reading with what it finds in the first rows. is_stated: whether somebody said what some
    columns hold. says_repeated: or which of several answers counts."""

    sketches: Sequence[Sketch]
    reading: Reading
    counts: Counts
    tally: Tally
    is_stated: bool
    says_repeated: bool = False

    @cached_property
    def answering(self) -> list[Sketch]:
        """The tables that have answers."""
        return [sketch for sketch in self.sketches if sketch.of(Holds.ANSWER)]

    @property
    def numbered(self) -> bool:
        """Whether nothing names raters."""
        return any(table.numbered_raters for table in self.reading.tables)

    @property
    def is_of_pairs(self) -> bool:
        """Whether answers compare outputs."""
        return any(each.form in ("choice", "set") for each in self.reading.answers)

    def columns(self, *kinds: Holds) -> Iterator[tuple[Sketch, str, Profile]]:
        """Such columns of the tables with answers."""
        for sketch in self.answering:
            for name in sketch.of(*kinds):
                yield sketch, name, sketch.profile(name)

    def places(self, axis: Axis) -> set[str]:
        """What the names of answers' columns say of one axis."""
        found = (s.holds[name].at.get(axis) for s, name, _ in self.columns(Holds.ANSWER))
        return {value for value in found if value is not None}
