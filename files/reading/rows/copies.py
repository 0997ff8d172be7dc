"""Answers that stand in two files, as where one of them contains the other."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from files.reading.rows.answers import GivenCell

# Of files, by their numbers.
Pair = tuple[int, int]
# The same few answers may have been given again.
_FEWEST = 5


@dataclass
class Copies:
    """Answers by what they answer and by file. An answer to what was answered in an earlier file
    belongs to the pair of both."""

    _same: Counter[Pair] = field(default_factory=Counter)
    _other: set[Pair] = field(default_factory=set)
    _times: dict[int, int] = field(default_factory=dict)
    _first: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, slot: int, file: int, value: Hashable) -> Pair | None:
        """The pair of files in which that is answered; None where this is the first of them."""
        here = hash((slot, file))
        time = self._times[here] = self._times.get(here, 0) + 1
        first, said = self._first.setdefault(hash((slot, time)), (file, hash(value)))
        if first == file:
            return None
        pair = first, file
        if said == hash(value):
            self._same[pair] += 1
        else:
            self._other.add(pair)
        return pair

    @property
    def pairs(self) -> frozenset[Pair]:
        """The files of which all that both answer is the same."""
        return frozenset(
            pair for pair, n in self._same.items() if n >= _FEWEST and pair not in self._other
        )


@dataclass
class StandingAnswers:
    """Answers of machines that stand in every row about a text, and were given once."""

    _met: set[int] = field(default_factory=set)

    def has(self, cell: GivenCell) -> bool:
        """Whether it stood in an earlier row."""
        said = hash((cell.unit.key, cell.rater, cell.criterion, cell.text))
        is_there = said in self._met
        self._met.add(said)
        return is_there
