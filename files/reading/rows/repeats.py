"""Answers to what a rater has answered before."""

from collections import Counter
from dataclasses import dataclass, field

from files.findings import LONGEST_LIST, Findings
from files.reading.records import ReadAnswer
from files.reading.rows.copies import Copies, Pair

# The finding that lists the answers that a rater gave again.
REPEATED = "answers_repeated"
# That of the answers that stand in two files, all alike.
COPIED = "answers_in_two_files"


@dataclass
class Repeats:
    """The answers to what a rater has answered before, by the pair of files in which both stand;
    None: in one file."""

    is_one_file: bool
    copies: Copies = field(default_factory=Copies)
    _numbers: dict[str, int] = field(default_factory=dict)
    _places: dict[Pair | None, list[str]] = field(default_factory=dict)
    _counts: Counter[Pair | None] = field(default_factory=Counter)

    def pair(self, slot: int, answer: ReadAnswer) -> Pair | None:
        """The pair of files in which that was answered, this one and an earlier one."""
        if self.is_one_file:
            return None
        number = self._numbers.setdefault(str(answer.where.file), len(self._numbers))
        return self.copies.add(slot, number, answer.value)

    def note(self, pair: Pair | None, answer: ReadAnswer) -> None:
        """Remember one that is not the first."""
        self._counts[pair] += 1
        places = self._places.setdefault(pair, [])
        if len(places) < LONGEST_LIST:
            places.append(str(answer.where))

    def tell(self, findings: Findings) -> None:
        """List them among the findings."""
        copied = self.copies.pairs
        for pair, number in self._counts.items():
            name = COPIED if pair in copied else REPEATED
            findings.count(name, number)
            findings.list_places(name, self._places[pair])
