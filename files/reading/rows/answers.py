"""The cells of rows that hold answers: whose they are, to which criterion, and about what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from files.errors import ImportFailure, RecordPlace
from files.reading.model import Axis, Holds, Reading, TableReading
from files.reading.rows.layout import Asked, JoinedRow, Layout, Spot, Told
from files.reading.rows.units import UnitPlace, UnitPlaces, kept_cells
from files.reading.rows.values import AnswerWords

Kind = Literal["human", "judge"]
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("human", "person", "people", "worker", "annotator", "expert", "crowd"), "human"
    ),
    **dict.fromkeys(
        ("judge", "machine", "model", "llm", "ai", "auto", "automatic", "metric"), "judge"
    ),
}


class GivenCell(NamedTuple):  # made at a fifth of the time of a dataclass, for every answer
    """A cell for an answer, which may be empty. place: of the unit's output within a set, all of
    which are `places`."""

    row: JoinedRow
    asked: Asked
    unit: UnitPlace
    criterion: str
    words: AnswerWords
    rater: str
    kind: Kind
    text: str
    place: str = ""
    places: frozenset[str] = frozenset()

    @property
    def where(self) -> RecordPlace:
        """Where it stands."""
        return self.row.where

    @property
    def column(self) -> str:
        """The name of its column."""
        return self.asked.cell.column.column

    @property
    def reason(self) -> str:
        """What the rater said about it."""
        return self.asked.reason.text(self.row)

    def kept(self, *of: str) -> Mapping[str, str]:
        """The own columns that stand beside it."""
        return kept_cells([(self.row, cell) for cell in self.asked.kept], *of)


@dataclass
class AnswerCells:
    """The cells for answers in the rows of some tables, in order. Rows that name no rater are
    numbered within what they are about, anew whenever they are read."""

    reading: Reading
    layout: Layout
    places: UnitPlaces
    _words: dict[str, AnswerWords] = field(default_factory=dict)
    _rows_of: dict[int, int] = field(default_factory=dict)

    def given(self, row: JoinedRow) -> list[GivenCell]:
        """The cells of a row; ImportFailure where it cannot be read."""
        cells: list[GivenCell] = []
        units: dict[tuple[int, ...], UnitPlace] = {}
        for asked, text in self._pieces(row):
            cells += self._of_piece(row, asked, text, units)
        return self._numbered(row, cells)

    def texts(self, row: JoinedRow) -> tuple[JoinedRow, UnitPlace | None]:
        """The outputs of a row without answers; None where it has none."""
        spots = tuple(spot for spot in self.layout.spots if spot.text(row, Holds.TEXT))
        return row, self.places.about(row, spots, is_pair=False) if spots else None

    def _pieces(self, row: JoinedRow) -> Iterator[tuple[Asked, str]]:
        for asked in self.layout.asked(row.answers):
            text = asked.cell.text(row)
            if not asked.cell.column.split or not text:
                yield self._at_its_position(row, asked), text
                continue
            values = text.split(asked.cell.column.split)
            if self.layout.has_positions and len(values) != len(self.layout.spots):
                reason = f"{len(values)} values for {len(self.layout.spots)} places"
                raise ImportFailure(row.where, asked.cell.column.column, reason)
            for number, value in enumerate(values, start=1):
                yield self.layout.at_position(asked, str(number)), value.strip()

    def _at_its_position(self, row: JoinedRow, asked: Asked) -> Asked:
        position = asked.position.text(row) if asked.position.cells else ""
        return self.layout.at_position(asked, position) if position else asked

    def _of_piece(
        self, row: JoinedRow, asked: Asked, text: str, units: dict[tuple[int, ...], UnitPlace]
    ) -> Iterator[GivenCell]:
        criterion = asked.criterion.text(row) if asked.criterion else self._only
        words = self.words(row, asked, criterion)
        form = words.rules.form
        if not text and form != "set" and not self.reading.has_texts:
            return
        every = self._spots(row, asked, form=form)
        rater = self._rater(row, asked, text)
        kind = self._kind(row, asked, rater)
        places = [_place(spot) for (spot, *_) in every] if form == "set" else []
        for number, spots in enumerate(every):
            known = tuple(map(id, spots))
            if known not in units:
                units[known] = self.places.about(row, spots, is_pair=form == "choice")
            unit, place = units[known], places[number] if places else ""
            yield GivenCell(
                row, asked, unit, criterion, words, rater, kind, text, place, frozenset(places)
            )

    @cached_property
    def _only(self) -> str:
        """The criterion of columns that tell none."""
        only = self.reading.answers
        return only[0].criterion if len(only) == 1 else ""

    def words(self, row: JoinedRow, asked: Asked, criterion: str) -> AnswerWords:
        """How answers to a criterion are read; ImportFailure where the reading has none such."""
        if criterion not in self._words:
            rules = self.reading.answers_of(criterion)
            if rules is None:
                known = ", ".join(each.criterion for each in self.reading.answers)
                reason = f"no criterion {criterion[:60]!r} in the reading (it has: {known})"
                raise ImportFailure(row.where, asked.cell.column.column, reason)
            self._words[criterion] = AnswerWords(rules)
        return self._words[criterion]

    # --- What an answer is about -------------------------------------------------------------

    def _spots(self, row: JoinedRow, asked: Asked, *, form: str) -> list[tuple[Spot, ...]]:
        """The places of the outputs that one answer is about, or of each that a set is about."""
        every = self.layout.spots
        has_own = not every[0].at or any(axis in asked.spot.at for axis in every[0].at)
        if form == "choice":
            if len(every) != 2:
                reason = f"a choice between two outputs, and the row has {len(every)}"
                raise ImportFailure(row.where, asked.cell.column.column, reason)
        elif form != "set" and has_own:
            return [(asked.spot,)] if _is_there(row, asked.spot) else []
        spots = [self.layout.spot({**asked.spot.at, **spot.at}) for spot in every]
        there = [spot for spot in spots if _is_there(row, spot)]
        if form == "set":
            return [(spot,) for spot in there]
        return [tuple(there)] if len(there) == len(every) or (form != "choice" and there) else []

    # --- Raters ------------------------------------------------------------------------------

    def _rater(self, row: JoinedRow, asked: Asked, text: str) -> str:
        """Who gave the answer; empty where rows are numbered."""
        if not asked.rater:
            by_number = asked.cell.position and not self.layout.has_positions
            return f"rater-{asked.cell.position}" if by_number else ""
        name = asked.rater.text(row)
        if not name and text:
            raise ImportFailure(row.where, _column_of(asked.rater), "empty: who gave the answer?")
        return name

    def _kind(self, row: JoinedRow, asked: Asked, rater: str) -> Kind:
        if asked.kind and (told := asked.kind.text(row).strip().lower()):
            if told not in KINDS:
                reason = f"{told[:40]!r} is neither human nor judge"
                raise ImportFailure(row.where, _column_of(asked.kind), reason)
            return KINDS[told]
        if rater in self.reading.judges:
            return "judge"
        table: TableReading = self.layout.tables[row.answers]
        return asked.cell.column.kind or table.kind

    def _numbered(self, row: JoinedRow, cells: list[GivenCell]) -> list[GivenCell]:
        """The cells with numbers for raters whom nothing names: the same in all of a row."""
        nameless = [cell for cell in cells if not cell.rater]
        if not nameless:
            return cells
        slots = {hash((c.unit.key, c.criterion)) for c in nameless}
        number = 1 + max(self._rows_of.get(slot, 0) for slot in slots)
        self._rows_of.update(dict.fromkeys(slots, number))
        return [c if c.rater else c._replace(rater=f"rater-{number}") for c in cells]


def _is_there(row: JoinedRow, spot: Spot) -> bool:
    """Whether the row has such a place: numbered columns are empty where it has fewer."""
    if Holds.PART in spot.told:
        return bool(spot.text(row, Holds.PART))
    told = spot.told.get(Holds.TEXT)
    if not spot.at or told is None or not any(cell.column.at for cell in told.cells):
        return True
    system = spot.told.get(Holds.SYSTEM)
    return bool(told.text(row) or (system and system.cells and system.text(row)))


def _place(spot: Spot) -> str:
    """What the members of a set call a place."""
    axes = (Axis.POSITION, Axis.SYSTEM, Axis.OUTPUT)
    return next((spot.at[axis] for axis in axes if axis in spot.at), "")


def _column_of(told: Told) -> str:
    return told.cells[0].column.column if told.cells else str(Axis.RATER)
