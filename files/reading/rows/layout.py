"""Which cells of a row tell what about an answer: worked out from the columns once, and looked up
for every row."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from files.reading.model import ASKING, MATERIAL, Axis, ColumnReading, Holds, TableReading
from files.reading.rows.joined_rows import CellPlace, Coordinates, JoinedRow, Told

# What tells one unit from another, in the order in which columns are told apart by it.
UNIT_AXES = (Axis.POSITION, Axis.OUTPUT, Axis.SYSTEM, Axis.SOURCE)
# What the table tells that holds the answer, before other tables do.
_OF_ANSWERS = frozenset({Holds.RATER, Holds.CRITERION, Holds.KIND, Holds.REASON, Holds.KEPT})
_OF_OUTPUTS = (Holds.TEXT, Holds.SYSTEM, Holds.OUTPUT, Holds.PART)
_AXES = {axis.value: axis for axis in Axis}


@dataclass(frozen=True, eq=False)
class Spot:
    """A place in a row where an output stands, or all that is about its source."""

    at: Coordinates
    told: Mapping[Holds, Told]
    kept: tuple[CellPlace, ...] = ()

    @cached_property
    def is_everywhere(self) -> bool:
        """Whether every row has such a place."""
        text = self.told.get(Holds.TEXT)
        if Holds.PART in self.told:
            return False
        return not self.at or text is None or not any(cell.column.at for cell in text.cells)

    def text(self, row: JoinedRow, holds: Holds) -> str:
        """What the row tells there; empty where it does not."""
        if holds not in self.told:
            return ""
        every = self.told[holds].texts(row)
        texts = list(filter(None, every))
        if texts and holds is Holds.PASSAGES and len(every) > 1:
            return json.dumps(every, ensure_ascii=False)  # one may have several lines
        return ("\n\n" if holds in MATERIAL else "/").join(texts)


@dataclass(frozen=True, eq=False)
class Asked:
    """A column of answers with what tells whose they are and what they are about."""

    cell: CellPlace
    spot: Spot
    rater: Told
    criterion: Told
    kind: Told
    reason: Told
    position: Told
    kept: tuple[CellPlace, ...]
    is_beside_raters: bool = False
    """Whether its name says who answered, and cells of the row name somebody else."""
    _kept_of: dict[tuple[str, ...], tuple[CellPlace, ...]] = field(default_factory=dict)

    def kept_of(self, of: tuple[str, ...]) -> tuple[CellPlace, ...]:
        """The own columns that describe one of these."""
        if of not in self._kept_of:
            self._kept_of[of] = tuple(cell for cell in self.kept if cell.column.of in of)
        return self._kept_of[of]

    @cached_property
    def is_whole(self) -> bool:
        """Whether a cell is one answer, at the place that the name of its column tells."""
        return not self.cell.column.split and not self.position.cells


@dataclass
class Layout:
    """The columns of tables that are read as one: of the first and of those joined to it."""

    tables: Sequence[TableReading]
    _spots: dict[tuple[tuple[Axis, str], ...], Spot] = field(default_factory=dict)
    _at_positions: dict[tuple[str, int, str], Asked] = field(default_factory=dict)
    _beside: dict[Asked, tuple[Spot, ...]] = field(default_factory=dict)

    @cached_property
    def cells(self) -> tuple[CellPlace, ...]:
        """Every column, in order."""
        return tuple(
            CellPlace(number, column)
            for number, table in enumerate(self.tables)
            for column in table.columns
        )

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Where the outputs of one row stand, in order; one spot where a row is about one."""
        about = [cell.column for cell in self.cells if cell.column.holds in _OF_OUTPUTS]
        for axis in UNIT_AXES[:3]:
            places = dict.fromkeys(column.at[axis] for column in about if axis in column.at)
            if axis is Axis.POSITION and any(column.split for column in about):
                places |= dict.fromkeys(("1", "2"))
            if places:
                order = sorted(places, key=_by_number) if axis is Axis.POSITION else places
                return tuple(self.spot({axis: place}) for place in order)
        return (self.spot({}),)

    @cached_property
    def of_texts(self) -> tuple[Spot, ...]:
        """The same of rows without answers: statements beside each other are about one output."""
        texts = (cell.column for cell in self.cells if cell.column.holds is Holds.TEXT)
        is_apart = any(column.at or column.split for column in texts)
        has_parts = any(cell.column.holds is Holds.PART for cell in self.cells)
        return self.spots if is_apart or not has_parts else (self.spot({}),)

    @cached_property
    def text_columns(self) -> tuple[str, ...]:
        """The columns that hold outputs."""
        return tuple(cell.column.column for cell in self.cells if cell.column.holds is Holds.TEXT)

    @cached_property
    def asking_columns(self) -> tuple[str, ...]:
        """The columns that hold claims or queries."""
        return tuple(cell.column.column for cell in self.cells if cell.column.holds in ASKING)

    @cached_property
    def has_positions(self) -> bool:
        """Whether outputs are told apart by their place in the row."""
        return Axis.POSITION in self.spots[0].at

    def asked(self, table: int) -> tuple[Asked, ...]:
        """The columns of answers of a table."""
        return self._asked[table]

    @cached_property
    def _asked(self) -> tuple[tuple[Asked, ...], ...]:
        return tuple(
            tuple(
                self._of_column(cell)
                for cell in self.cells
                if cell.table == number and cell.column.holds is Holds.ANSWER
            )
            for number in range(len(self.tables))
        )

    def at_position(self, asked: Asked, position: str) -> Asked:
        """The answer of a column at a place in the row that a cell tells."""
        key = asked.cell.column.column, asked.cell.table, position
        if key not in self._at_positions:
            column = asked.cell.column
            moved = column.model_copy(update={"at": {**column.at, Axis.POSITION: position}})
            number = int(position) if column.split else 0
            cell = replace(asked.cell, column=moved, position=number)
            self._at_positions[key] = self._of_column(cell)
        return self._at_positions[key]

    def beside(self, asked: Asked) -> Sequence[Spot]:
        """The places of all outputs of a row, as an answer of that column is about them."""
        if asked not in self._beside:
            found = (self.spot({**asked.spot.at, **spot.at}) for spot in self.spots)
            self._beside[asked] = tuple(found)
        return self._beside[asked]

    def spot(self, at: Coordinates) -> Spot:
        """The place of these coordinates, with all that stands there."""
        at = {axis: at[axis] for axis in UNIT_AXES if axis in at}
        key = tuple(at.items())
        if key not in self._spots:
            at = self._widened(at)
            told: dict[Holds, Told] = {
                holds: found
                for holds in Holds
                if holds not in (Holds.KEPT, Holds.ANSWER) and (found := self._told(holds, at, 0))
            }
            self._spots[key] = Spot(at, told, tuple(self._fitting(Holds.KEPT, at)))
        return self._spots[key]

    def _of_column(self, cell: CellPlace) -> Asked:
        at, table = cell.column.at, cell.table
        rater, criterion, kind, reason, position = (
            self._told(holds, at, table)
            for holds in (Holds.RATER, Holds.CRITERION, Holds.KIND, Holds.REASON, Holds.POSITION)
        )
        if self._raters_have_positions(cell.column):
            at = {axis: place for axis, place in at.items() if axis is not Axis.POSITION}
        kept = tuple(each for each in self._fitting(Holds.KEPT, at) if each.table == table)
        raters = [c for c in self._holding.get(Holds.RATER, ()) if not c.column.at]
        is_beside = Axis.RATER in cell.column.at and any(c.table == table for c in raters)
        spot = self.spot(at)
        return Asked(cell, spot, rater, criterion, kind, reason, position, kept, is_beside)

    def _raters_have_positions(self, column: ColumnReading) -> bool:
        """Whether places in the row tell raters apart, and not what they answered about."""
        raters = [cell.column for cell in self.cells if cell.column.holds is Holds.RATER]
        named = any(Axis.POSITION in rater.at for rater in raters)
        return not self.has_positions and bool(column.split or named)

    def _widened(self, at: Coordinates) -> Coordinates:
        """The coordinates with those that stand beside them in the names of other columns."""
        found: dict[Axis, set[str]] = {}
        for own in self._coordinates:
            shared = own.keys() & at.keys()
            if shared and all(own[axis] == at[axis] for axis in shared):
                for axis in own.keys() - shared:
                    found.setdefault(axis, set()).add(own[axis])
        return {**at, **{axis: said.pop() for axis, said in found.items() if len(said) == 1}}

    @cached_property
    def _coordinates(self) -> tuple[Coordinates, ...]:
        """The different coordinates that stand beside each other in the names of columns."""
        found = {
            tuple((axis, cell.column.at[axis]) for axis in UNIT_AXES if axis in cell.column.at)
            for cell in self.cells
        }
        return tuple(dict(pairs) for pairs in found if len(pairs) > 1)

    def _told(self, holds: Holds, at: Coordinates, table: int) -> Told:
        """Where it is told what stands at these coordinates, by an answer of that table."""
        axis = _AXES.get(holds.value)
        if axis is not None and axis in at:
            return Told(fixed=at[axis])
        fitting = list(self._fitting(holds, at))
        own = [cell for cell in fitting if cell.table == table]
        if own and holds in _OF_ANSWERS:
            return Told(cells=_closest(own))
        if holds is Holds.REASON:
            return Told()
        naming = self._naming(axis, table)
        if naming and (holds in _OF_ANSWERS or not fitting):
            return Told(axis=axis, tables=naming)
        if fitting:
            first = min(cell.table for cell in fitting)
            return Told(cells=_closest([cell for cell in fitting if cell.table == first]))
        return Told()

    def _naming(self, axis: Axis | None, table: int) -> tuple[int, ...]:
        """The tables whose names say it, this one before others."""
        order = sorted(range(len(self.tables)), key=lambda number: number != table)
        return tuple(n for n in order if any(name.says is axis for name in self.tables[n].names))

    @cached_property
    def _holding(self) -> Mapping[Holds, Sequence[CellPlace]]:
        """The columns by what they hold."""
        found: dict[Holds, list[CellPlace]] = {}
        for cell in self.cells:
            found.setdefault(cell.column.holds, []).append(cell)
        return found

    def _fitting(self, holds: Holds, at: Coordinates) -> Iterator[CellPlace]:
        for cell in self._holding.get(holds, ()):
            column = cell.column
            if not column.at.items() <= at.items():
                continue
            if not column.split:
                yield cell
            elif Axis.POSITION in at and at[Axis.POSITION].isdecimal():
                yield replace(cell, position=int(at[Axis.POSITION]))


def _closest(cells: Sequence[CellPlace]) -> tuple[CellPlace, ...]:
    """Those whose names say the most of where they stand."""
    most = max(len(cell.column.at) for cell in cells)
    return tuple(cell for cell in cells if len(cell.column.at) == most)


def _by_number(place: str) -> tuple[int, str]:
    return (int(place), "") if place.isdecimal() else (0, place)
