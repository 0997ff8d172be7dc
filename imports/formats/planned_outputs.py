"""Outputs of tables as entries whose units are planned: of all outputs of a source together where a
unit shows several."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from files.errors import Contradiction, ImportFailure
from files.readers.streams import Watch, unwatched
from files.reading.judgements import ReadTables
from files.reading.model import ABOUT, Holds, Reading
from files.reading.records import ReadUnit
from files.reading.rows.units import NO_SOURCE
from imports.formats.nested_cells import refuse_nested
from imports.formats.read_units import item_of, source_of, unit_entry
from imports.formats.repeated_outputs import RepeatedOutputs
from imports.formats.right_answers import with_right_answer
from imports.material.metadata import Metadata, typed_cells
from imports.material.questions import OpenBlock, shown_together
from imports.material.records import MaterialEntry
from tasktypes.texts.material import Item, Source

# Rows of one source may stand anywhere in files that are no larger; in larger ones, together.
LARGEST_HELD = 64 * 1024 * 1024
# Rows that are looked at to say what is the same in all.
MOST_COMPARED = 1000


class _Told(NamedTuple):
    """What a row tells: a source and its outputs; none where they are still to be written."""

    unit: ReadUnit
    source: Source
    items: tuple[Item, ...]


@dataclass
class PlannedOutputs:
    """The outputs of tables under a reading. blocks, seed: of the study. limit: rows of each table
    that are read at most, to look at the first units."""

    read: ReadTables
    blocks: Sequence[OpenBlock]
    seed: int = 0
    limit: int | None = None
    _repeated: RepeatedOutputs = field(init=False)

    def __post_init__(self) -> None:
        self._repeated = RepeatedOutputs(self._reading)
        self._about = self._reading.holding(*ABOUT)
        shown = (Holds.TEXT, *ABOUT) if self._reading.refuses_other_texts else ()
        self._shown = [(holds, name) for holds in shown for name in self._reading.holding(holds)]
        self._right = ", ".join(self._reading.holding(Holds.REFERENCE))
        self._together = shown_together(self.blocks[0], seed=self.seed)

    def entries(self, watch: Watch = unwatched) -> Iterator[MaterialEntry]:
        """Every entry that can be used."""
        units = self.read.rated(watch, self.limit)
        told = filter(None, self.read.skipped.usable(units, self._told))
        for group in self._by_source(told):
            yield from self._entries(group)
        self._repeated.tell(self.read.findings)

    @property
    def _reading(self) -> Reading:
        return self.read.reading

    # --- Rows --------------------------------------------------------------------------------

    def _told(self, unit: ReadUnit) -> _Told | None:
        """What a row tells; None where an earlier one did, as in a file of judgements, which has
        each output once for everybody who judged it."""
        if self._about and unit.texts.keys().isdisjoint(ABOUT):
            raise ImportFailure(unit.where, self._about[0], NO_SOURCE)
        self._refuse_nested(unit)
        source = source_of(unit)
        outputs = () if self._reading.are_sources else unit.outputs
        items = tuple(item_of(unit, output) for output in outputs)
        return _Told(unit, source, items) if self._repeated.is_new(unit) else None

    def _refuse_nested(self, unit: ReadUnit) -> None:
        """Nobody is to read an object with everybody's outputs and what they were rated."""
        for holds, column in self._shown:
            text = unit.outputs[0].text if holds is Holds.TEXT else unit.texts.get(holds)
            try:
                refuse_nested(column, text or "", self._cells(column))
            except ValueError as error:
                raise ImportFailure.of(unit.where, error) from error

    def _cells(self, column: str) -> Iterator[str]:
        rows = chain.from_iterable(table.raw.rows() for table in self.read.tables)
        return (row.cells[column] for row in islice(rows, MOST_COMPARED))

    # --- Sources -----------------------------------------------------------------------------

    def _by_source(self, told: Iterator[_Told]) -> Iterator[list[_Told]]:
        size = sum(table.raw.path.stat().st_size for table in self.read.tables)
        if size <= LARGEST_HELD or (self._together and not self._reading.refuses_other_texts):
            groups: dict[str, list[_Told]] = {}
            for each in told:
                groups.setdefault(each.source.key, []).append(each)
            yield from groups.values()
            return
        met: set[str] = set()
        for key, group in groupby(told, lambda each: each.source.key):
            held = list(group)
            if key in met and self._together:
                reason = f"the rows of {key!r} do not follow one another (sort the file by source)"
                raise Contradiction(held[0].unit.where, "source", reason)
            met.add(key)
            yield held

    def _entries(self, group: list[_Told]) -> Iterator[MaterialEntry]:
        self._refuse_other_source(group)
        same, alone = _same(group), []
        for told in group:
            if self._together and len(told.items) > 1:
                yield unit_entry(told.unit, lambda _unit: False)
            else:
                alone.append(told._replace(source=group[0].source))
        if self._together == {2} and len(alone) > 2 and not self._are_named:
            where = alone[0].unit.where
            reason = f"{len(alone)} outputs of one source, and nothing tells which two are a pair"
            failure = ImportFailure(where, "columns.system", f"{reason}: name the systems")
            self.read.skipped.skip(failure, of=where)
        elif self._together and len(alone) > 1:
            for told in alone:
                if told.unit.reference:
                    reason = "of one output; a unit shows several (use a file of records)"
                    self.read.skipped.skip_part(ImportFailure(told.unit.where, self._right, reason))
            yield _entry(alone, same)
        else:
            yield from filter(None, (self._single(told, same) for told in alone))

    def _single(self, told: _Told, same: Metadata) -> MaterialEntry | None:
        entry, right = _entry([told], same), told.unit.reference if told.items else ""
        try:
            return with_right_answer(entry, right, self._right, self.blocks, self.seed)
        except ImportFailure as failure:
            self.read.skipped.skip(failure, of=told.unit.where)
            return None

    def _refuse_other_source(self, group: Sequence[_Told]) -> None:
        """Contradiction where the files have other texts for a name of theirs."""
        first = group[0]
        if columns := self._reading.holding(Holds.SOURCE):
            for told in group:
                if told.source != first.source:
                    earlier = f"{first.source.key!r} stands at {first.unit.where} already"
                    reason = f"{earlier}, with other texts"
                    raise Contradiction(told.unit.where, ", ".join(columns), reason)

    @cached_property
    def _are_named(self) -> bool:
        return bool(self._reading.holding(Holds.SYSTEM, Holds.OUTPUT))


def _same(group: Sequence[_Told]) -> Metadata:
    """The own columns of a source that say the same in all its rows."""
    first, *others = (typed_cells(told.unit.source_kept) for told in group)
    return {n: value for n, value in first.items() if all(each.get(n) == value for each in others)}


def _entry(rows: Sequence[_Told], same: Metadata) -> MaterialEntry:
    """The outputs of these rows. same: of their source."""
    own: dict[str, Metadata] = {}
    for told in rows:
        of_source = _without(typed_cells(told.unit.source_kept), same)
        own |= {each.key: typed_cells(each.kept) | of_source for each in told.unit.outputs}
    return MaterialEntry(
        rows[0].unit.where,
        rows[0].source,
        tuple(item for told in rows for item in told.items),
        source_metadata=same,
        item_metadata=own,
    )


def _without(metadata: Metadata, names: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name not in names}
