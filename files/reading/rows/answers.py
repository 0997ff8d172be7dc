"""The cells of rows that hold answers: whose they are, to which criterion, and about what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from files.errors import ImportFailure, RecordPlace
from files.reading.model import ANY, Axis, Holds, Reading
from files.reading.rows.joined_rows import JoinedRow, Told
from files.reading.rows.layout import Asked, Layout, Spot
from files.reading.rows.units import UnitPlace, UnitPlaces, kept_cells
from files.reading.rows.values import AnswerWords

Kind = Literal["human", "judge", "simulated"]
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("human", "person", "people", "worker", "annotator", "expert", "crowd"), "human"
    ),
    **dict.fromkeys(
        ("judge", "machine", "model", "llm", "ai", "auto", "automatic", "metric"),
        "judge",
    ),
    "simulated": "simulated",
}


_NOWHERE: frozenset[str] = frozenset()


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
        return self.asked.reason.text(self.row) if self.asked.reason.cells else ""

    def kept(self, *of: str) -> Mapping[str, str]:
        """The own columns that stand beside it and describe one of these."""
        cells = self.asked.kept_of(of)
        return kept_cells([(self.row, cell) for cell in cells], *of) if cells else {}


class _Column(NamedTuple):
    """What is the same in every row of a column; None where rows tell it. spots: what an answer on
    a scale is about; none where rows tell it."""

    criterion: str | None
    rater: str | None
    kind: Kind | None
    spots: Sequence[tuple[Spot, ...]]


@dataclass
class AnswerCells:
    """The cells for answers in the rows of some tables, in order. Rows that name no rater are
    numbered within what they are about, anew whenever they are read."""

    reading: Reading
    layout: Layout
    places: UnitPlaces
    _words: dict[str, AnswerWords] = field(default_factory=dict)
    _rows_of: dict[int, int] = field(default_factory=dict)
    _columns: dict[Asked, _Column] = field(default_factory=dict)
    _criteria: dict[int, Sequence[str]] = field(default_factory=dict)

    def given(self, row: JoinedRow) -> list[GivenCell]:
        """The cells of a row; ImportFailure where it cannot be read."""
        cells: list[GivenCell] = []
        units: dict[tuple[Spot, ...], UnitPlace] = {}
        for asked in self.layout.asked(row.answers):
            text = asked.cell.text(row)
            pieces = ((asked, text),) if asked.is_whole else self._pieces(row, asked, text)
            for piece, said in pieces:
                self._add(cells, row, piece, said, units)
        return self._numbered(cells, row.answers)

    def texts(self, row: JoinedRow) -> tuple[JoinedRow, UnitPlace | None]:
        """The outputs of a row without answers, or the source that has none yet; None where its
        table has neither. ImportFailure where it lacks them."""
        if self.layout.asking_columns and self._are_sources:
            return row, self.places.source_alone(row, self.layout)
        if self.reading.refuses_other_texts:
            self.places.note_source(row, self.layout.spot({}))
        spots = tuple(spot for spot in self.layout.of_texts if spot.text(row, Holds.TEXT))
        if not spots and self.layout.text_columns:
            raise ImportFailure(row.where, ", ".join(self.layout.text_columns), "empty")
        return row, self.places.about(row, spots, is_pair=False) if spots else None

    @cached_property
    def _are_sources(self) -> bool:
        return self.reading.are_sources

    def _pieces(self, row: JoinedRow, asked: Asked, text: str) -> Iterator[tuple[Asked, str]]:
        if not asked.cell.column.split or not text:
            yield self._at_its_position(row, asked), text
            return
        values = text.split(asked.cell.column.split)
        if self.layout.has_positions and len(values) != len(self.layout.spots):
            reason = f"{len(values)} values for {len(self.layout.spots)} places"
            raise ImportFailure(row.where, asked.cell.column.column, reason)
        for number, value in enumerate(values, start=1):
            yield self.layout.at_position(asked, str(number)), value.strip()

    def _at_its_position(self, row: JoinedRow, asked: Asked) -> Asked:
        position = asked.position.text(row) if asked.position.cells else ""
        return self.layout.at_position(asked, position) if position else asked

    def _add(
        self,
        cells: list[GivenCell],
        row: JoinedRow,
        asked: Asked,
        text: str,
        units: dict[tuple[Spot, ...], UnitPlace],
    ) -> None:
        same = self._columns.get(asked) or self._column(asked)
        criterion = asked.criterion.text(row) if same.criterion is None else same.criterion
        words = self._words.get(criterion) or self.words(row, asked, criterion)
        form = words.rules.form
        if not text and form != "set" and not self.reading.has_texts:
            return
        every = same.spots if form in ("scale", "marks") else ()
        every = every or self._spots(row, asked, form=form)
        rater = self._rater(row, asked, text) if same.rater is None else same.rater
        kind = same.kind or self._kind(row, asked, rater)
        places = frozenset(_place(spot) for (spot, *_) in every) if form == "set" else _NOWHERE
        for spots in every:
            unit = units.get(spots)
            if unit is None:
                units[spots] = unit = self.places.about(row, spots, is_pair=form == "choice")
            place = _place(spots[0]) if places else ""
            cells.append(
                GivenCell(row, asked, unit, criterion, words, rater, kind, text, place, places)
            )

    def _column(self, asked: Asked) -> _Column:
        told, by_rows = asked.criterion, bool(asked.criterion.cells or asked.criterion.tables)
        rater = asked.rater.fixed or (None if asked.rater else self._nameless(asked))
        kind = self._kind_of(asked, rater) if rater is not None and not asked.kind else None
        its = asked.spot if self._has_own(asked) and asked.spot.is_everywhere else None
        column = _Column(
            None if by_rows else told.fixed or self._only, rater, kind, [(its,)] if its else []
        )
        self._columns[asked] = column
        return column

    @cached_property
    def _only(self) -> str:
        """The criterion of columns that tell none."""
        only = [each.criterion for each in self.reading.answers if each.criterion != ANY]
        return only[0] if len(self.reading.answers) == len(only) == 1 else ""

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
        if form == "choice":
            if len(every) != 2:
                reason = f"a choice between two outputs, and the row has {len(every)}"
                raise ImportFailure(row.where, asked.cell.column.column, reason)
        elif form != "set" and self._has_own(asked):
            return [(asked.spot,)] if _is_there(row, asked.spot) else []
        there = [spot for spot in self.layout.beside(asked) if _is_there(row, spot)]
        if form == "set":
            return [(spot,) for spot in there]
        return [tuple(there)] if len(there) == len(every) or (form != "choice" and there) else []

    def _has_own(self, asked: Asked) -> bool:
        """Whether the column tells which of a row's outputs it is about."""
        at = self.layout.spots[0].at
        return not at or any(axis in asked.spot.at for axis in at)

    # --- Raters ------------------------------------------------------------------------------

    def _nameless(self, asked: Asked) -> str:
        """A rater whom nothing names; empty where rows are numbered."""
        by_number = asked.cell.position and not self.layout.has_positions
        return f"rater-{asked.cell.position}" if by_number else ""

    def _rater(self, row: JoinedRow, asked: Asked, text: str) -> str:
        """Who gave the answer, as the row tells."""
        name = asked.rater.text(row)
        if not name and text:
            raise ImportFailure(row.where, _column_of(asked.rater), "empty: who gave the answer?")
        return name

    def _kind(self, row: JoinedRow, asked: Asked, rater: str) -> Kind:
        if asked.kind and (told := asked.kind.text(row).strip().lower()):
            if told not in KINDS:
                reason = f"{told[:40]!r} is none of human, judge, simulated"
                raise ImportFailure(row.where, _column_of(asked.kind), reason)
            return KINDS[told]
        return self._kind_of(asked, rater)

    def _kind_of(self, asked: Asked, rater: str) -> Kind:
        """Who that is, where no cell tells it."""
        if rater in self.reading.judges:
            return "judge"
        return asked.cell.column.kind or self.layout.tables[asked.cell.table].kind

    def _numbered(self, cells: list[GivenCell], table: int) -> list[GivenCell]:
        """The cells with numbers for raters whom nothing names: the same in all of a row, which
        nobody else has who answered there, be it to the questions that the row leaves open."""
        nameless = [cell for cell in cells if not cell.rater]
        if not nameless:
            return cells
        slots = {hash((c.unit.key, c.criterion)) for c in nameless}
        slots |= {hash((c.unit.key, asked)) for c in nameless for asked in self._of_columns(table)}
        number = 1 + max(self._rows_of.get(slot, 0) for slot in slots)
        self._rows_of.update(dict.fromkeys(slots, number))
        return [c if c.rater else c._replace(rater=f"rater-{number}") for c in cells]

    def _of_columns(self, table: int) -> Sequence[str]:
        """The criteria that columns of a table have, and not its rows."""
        if table not in self._criteria:
            columns = map(self._columns.get, self.layout.asked(table))
            named = (each.criterion for each in columns if each and not each.rater)
            self._criteria[table] = [*dict.fromkeys(c for c in named if c is not None)]
        return self._criteria[table]


def _is_there(row: JoinedRow, spot: Spot) -> bool:
    """Whether the row has such a place: numbered columns are empty where it has fewer."""
    if spot.is_everywhere:
        return True
    if Holds.PART in spot.told:
        return bool(spot.text(row, Holds.PART))
    system = spot.told.get(Holds.SYSTEM)
    text = spot.told[Holds.TEXT].text(row)
    return bool(text or (system and system.cells and system.text(row)))


def _place(spot: Spot) -> str:
    """What the members of a set call a place."""
    axes = (Axis.POSITION, Axis.SYSTEM, Axis.OUTPUT)
    return next((spot.at[axis] for axis in axes if axis in spot.at), "")


def _column_of(told: Told) -> str:
    return told.cells[0].column.column if told.cells else str(Axis.RATER)
