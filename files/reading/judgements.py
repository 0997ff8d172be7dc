"""Rows of tables as units and answers, under a reading."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.raw_tables import RawTable
from files.readers.streams import Watch, unwatched
from files.reading.model import Reading
from files.reading.proposal_parts import Counts
from files.reading.records import RawValue, ReadAnswer, ReadUnit
from files.reading.rows.answers import AnswerCells, GivenCell
from files.reading.rows.cell_values import MarkSums, cell_values
from files.reading.rows.copies import Pair, StandingAnswers
from files.reading.rows.joined_rows import JoinedRow
from files.reading.rows.joins import NamedTable, table_groups
from files.reading.rows.repeats import Repeats
from files.reading.rows.tallies import Tally
from files.reading.rows.units import UnitPlace, UnitPlaces
from files.reading.rows.values import NoAnswer
from files.skipped import SkippedRecords


class ReadTables:
    """Tables under a reading, read as streams as often as asked. ImportFailure where a column of
    the reading is missing, or a file fits no table of it."""

    def __init__(
        self, reading: Reading, tables: Sequence[RawTable], skipped: SkippedRecords | None = None
    ) -> None:
        self.reading, self.skipped = reading, skipped or SkippedRecords()
        self.groups = table_groups(reading, tables)
        self.places = UnitPlaces(reading)
        self.findings = Findings()
        self._totals: Counter[int] | None = None
        self._copies: frozenset[Pair] = frozenset()
        self._is_prepared = self._is_told = False

    @property
    def tables(self) -> list[NamedTable]:
        """The tables that are read, without those joined to them."""
        return [table for group in self.groups for table in group.tables]

    def units(self, watch: Watch = unwatched) -> Iterator[ReadUnit]:
        """Each unit once, in the order of the files."""
        met: set[int] = set()
        for row, unit in self._units(watch):
            if (key := hash(unit.key)) not in met:
                met.add(key)
                yield self.places.unit(row, unit)

    def rated(self, watch: Watch = unwatched, limit: int | None = None) -> Iterator[ReadUnit]:
        """The unit of every row, of the first `limit` rows of each table or all."""
        return (self.places.unit(row, unit) for row, unit in self._units(watch, limit))

    def answers(self, watch: Watch = unwatched) -> Iterator[ReadAnswer]:
        """Every answer, in the order of the files; after the units where both are wanted."""
        return (answer for _, answer in self.judgements(watch))

    def judgements(self, watch: Watch = unwatched) -> Iterator[tuple[UnitPlace, ReadAnswer]]:
        """The same with what each is about, for those who need no texts."""
        yield from self._chosen(self._given(watch))
        self._is_told = True

    def counts(self, limit: int | None = None) -> Counts:
        """What the first `limit` rows of each table hold, or all."""
        return self.tallied(Tally(), limit).counts(sampled=limit is not None)

    def tallied(self, tally: Tally, limit: int | None = None) -> Tally:
        """The tally, to which the first `limit` rows of each table are added, or all."""
        if not self.reading.answers:
            add = tally.add_source if self.reading.are_sources else tally.add_unit
            for _row, unit in self._units(unwatched, limit):
                add(unit)
        found, again = self._repeats(), list[tuple[Pair, UnitPlace, ReadAnswer]]()
        for cell, answer in self._valued(self._given(unwatched, limit)):
            if (pair := found.pair(_slot(answer), answer)) is None:
                tally.add(cell.unit, answer)
            else:
                again.append((pair, cell.unit, answer))
        copied = found.copies.pairs
        for pair, unit, answer in again:
            if pair not in copied:
                tally.add(unit, answer)
        return tally

    def words(self, limit: int) -> Mapping[str, Counter[str]]:
        """By criterion, what the cells of the first `limit` rows of each table say, and how
        often."""
        words: dict[str, Counter[str]] = {
            each.criterion: Counter() for each in self.reading.answers
        }
        for cell in self._given(unwatched, limit):
            if cell.text:
                words.setdefault(cell.words.rules.criterion, Counter())[cell.text[:200]] += 1
        return words

    @property
    def shown_both_ways(self) -> frozenset[str]:
        """The pairs that some rows have the other way round; known when all answers were read."""
        return frozenset(self.places.both_ways)

    # --- Rows --------------------------------------------------------------------------------

    def _units(
        self, watch: Watch, limit: int | None = None
    ) -> Iterator[tuple[JoinedRow, UnitPlace]]:
        if self.reading.answers:
            for cell in self._given(watch, limit):
                yield cell.row, cell.unit
            return
        for group in self.groups:
            cells = AnswerCells(self.reading, group.layout, self.places)
            rows = group.rows(self.skipped, watch, limit)
            for row, unit in self.skipped.usable(rows, cells.texts):
                if unit is not None:
                    yield row, unit

    def _given(self, watch: Watch, limit: int | None = None) -> Iterator[GivenCell]:
        """Every cell for an answer, also those that are empty."""
        self._look_elsewhere()
        for group in self.groups:
            if group.has_answers:
                cells = AnswerCells(self.reading, group.layout, self.places)
                rows = group.rows(self.skipped, watch, limit)
                for given in self.skipped.usable(rows, cells.given):
                    yield from given
                if limit is None and not self._is_told:
                    group.tell_unused(self.skipped)

    def _look_elsewhere(self) -> None:
        """Read the tables without answers, whose texts others name."""
        if self._is_prepared:
            return
        self._is_prepared = True
        for group in self.groups:
            if not group.has_answers:
                for row in group.rows(self.skipped):
                    self.places.note(row, group.layout)

    def _repeats(self) -> Repeats:
        files = sum(len(group.tables) + len(group.joined) for group in self.groups)
        return Repeats(is_one_file=files == 1)

    # --- Answers -----------------------------------------------------------------------------

    def _chosen(self, cells: Iterator[GivenCell]) -> Iterator[tuple[UnitPlace, ReadAnswer]]:
        """The answers that count, where a rater gave several to one question."""
        which, totals, found = self.reading.repeated, self._counted(), self._repeats()
        met: dict[int, int] = {}
        for cell, answer in self._valued(cells):
            slot = _slot(answer)
            number = met.get(slot, 0)
            pair = found.pair(slot, answer)
            if pair in self._copies:
                found.note(pair, answer)
                continue
            met[slot] = number + 1
            if number and which != "refused":
                found.note(pair, answer)
            if which == "first":
                if not number:
                    yield cell.unit, answer
            elif which == "refused":  # where it is written, beside the earlier one
                yield cell.unit, answer
            elif which == "all":
                yield cell.unit, answer._replace(replicate=number)
            elif totals[slot] == (number + 1 if which == "last" else 1):
                yield cell.unit, answer
        if not self._is_told:
            found.tell(self.findings)

    def _counted(self) -> Counter[int]:
        """How often each question was answered by each rater, where that decides what counts."""
        if self._totals is None:
            self._totals = Counter()
            if self.reading.repeated not in ("first", "refused"):
                found, of_pairs = self._repeats(), dict[Pair, Counter[int]]()
                for _, answer in self._valued(self._given(unwatched)):
                    slot = _slot(answer)
                    self._totals[slot] += 1
                    if (pair := found.pair(slot, answer)) is not None:
                        of_pairs.setdefault(pair, Counter())[slot] += 1
                self._copies = found.copies.pairs
                for pair in self._copies:
                    self._totals.subtract(of_pairs[pair])
        return self._totals

    def _valued(self, cells: Iterator[GivenCell]) -> Iterator[tuple[GivenCell, ReadAnswer]]:
        """The cells that hold answers, with these. Those that hold none are listed; ImportFailure
        where most do."""
        marks, tested, standing = MarkSums(), _Tested(), StandingAnswers()
        for cell in cells:
            if cell.asked.is_beside_raters and standing.has(cell):
                continue
            said = cell.words.known.get(cell.text)
            if said is not None:  # nearly every cell
                tested.taken[cell.criterion] += 1
                yield cell, _answer(cell, cell.criterion, said)
                continue
            if cell.words.is_empty(cell.text) and cell.words.rules.form != "set":
                continue
            try:
                if cell.words.rules.form == "marks":
                    marks.add(cell)
                    continue
                values = cell_values(cell, self.reading.systems)
            except NoAnswer as error:
                failure = ImportFailure(cell.where, cell.column, str(error))
                if tested.is_off(cell.criterion, failure) and not self._is_told:
                    self.skipped.skip_part(failure)
                continue
            tested.taken[cell.criterion] += 1
            for criterion, value in values:
                yield cell, _answer(cell, criterion, value)
        for cell, total in marks.sums():
            yield cell, _answer(cell, cell.criterion, total)
        tested.refuse_mostly_off()


@dataclass
class _Tested:
    """How many cells hold an answer to each criterion, and how many something else."""

    taken: Counter[str] = field(default_factory=Counter)
    off: dict[str, list[ImportFailure]] = field(default_factory=dict)
    _last: tuple[str, str] = ("", "")

    def is_off(self, criterion: str, failure: ImportFailure) -> bool:
        """Count a cell without an answer, once where it is about several outputs."""
        cell = str(failure.where), failure.field
        if cell == self._last:
            return False
        self._last = cell
        self.off.setdefault(criterion, []).append(failure)
        return True

    def refuse_mostly_off(self) -> None:
        """ImportFailure where more cells hold no answer than do."""
        for criterion, failures in self.off.items():
            number, every = len(failures), len(failures) + self.taken[criterion]
            if number > self.taken[criterion]:
                first = failures[0]
                more = f" ({number:,} of {every:,} cells are no answer to {criterion or 'it'})"
                raise ImportFailure(first.where, first.field, first.reason + more)


def _slot(answer: ReadAnswer) -> int:
    return hash((answer.unit, answer.rater, answer.criterion))


def _answer(cell: GivenCell, criterion: str, value: RawValue) -> ReadAnswer:
    return ReadAnswer(
        cell.where,
        cell.unit.key,
        cell.rater,
        cell.kind,
        criterion,
        value,
        0,
        cell.reason,
        cell.kept("", "answer"),
        cell.kept("rater"),
    )
