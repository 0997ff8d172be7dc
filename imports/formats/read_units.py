"""Units that a reading finds as entries of a study."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from files.errors import ImportFailure
from files.readers.streams import Watch, unwatched
from files.reading.judgements import ReadTables
from files.reading.model import ABOUT, Holds, Reading
from files.reading.records import Output, ReadUnit
from imports.formats.passage_cells import passages_in
from imports.formats.right_answers import with_right_answer
from imports.formats.stand_ins import item_named
from imports.material.metadata import typed_cells
from imports.material.questions import OpenBlock, shown_together
from imports.material.records import MaterialEntry, RecordedItem, UnitSpec
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.texts.material import NO_TEXT, Item, Source

# The own column of a unit that is about a statement in its output.
PART = "part"


def unit_entry(unit: ReadUnit, shown_both_ways: Callable[[str], bool]) -> MaterialEntry:
    """The unit with its outputs, in the order shown."""
    items = tuple(_item(unit, output) for output in unit.outputs)
    focus: dict[str, Any] = {"order": list(range(len(items)))} if len(items) > 1 else {}
    if focus and shown_both_ways(unit.key):
        focus |= {ORDER_KNOWN: False}
    part = {PART: unit.part} if unit.part else {}
    metadata = typed_cells({**part, **unit.unit_kept})
    spec = UnitSpec(key=unit.key, items=items, focus=focus, metadata=metadata)
    return _entry(unit, items, (spec,))


def planned_entries(
    read: ReadTables, blocks: Sequence[OpenBlock], watch: Watch = unwatched
) -> Iterator[MaterialEntry]:
    """Entries whose units are planned: those of one source together where a unit shows several
    outputs."""
    together, groups = shown_together(blocks[0]), dict[str, list[ReadUnit]]()
    about, right = (_holding(read.reading, *holds) for holds in (ABOUT, (Holds.REFERENCE,)))

    are_sources = read.reading.are_sources

    def entry(unit: ReadUnit) -> MaterialEntry | None:
        if about and unit.texts.keys().isdisjoint(ABOUT):
            reason = "empty (write it in every row, also where cells are merged)"
            raise ImportFailure(unit.where, about[0], reason)
        if are_sources:
            return _planned(unit, ())
        if together and len(unit.outputs) == 1:
            groups.setdefault(unit.source, []).append(unit)
            return None
        if together:
            return unit_entry(unit, lambda _unit: False)
        alone = _planned(unit, unit.outputs)
        return with_right_answer(alone, unit.reference, ", ".join(right), blocks, 0)

    yield from filter(None, read.skipped.usable(read.units(watch), entry))
    are_named = bool(_holding(read.reading, Holds.SYSTEM, Holds.OUTPUT))
    for group in groups.values():
        for unit in group:
            if unit.reference:
                reason = "of one output; a unit shows several (use a file of records)"
                read.skipped.skip_part(ImportFailure(unit.where, right[0], reason))
        if together == {2} and len(group) > 2 and not are_named:
            read.skipped.skip(no_pair(group[0].where, len(group)), of=group[0].where)
        else:
            outputs = chain.from_iterable(unit.outputs for unit in group)
            yield _planned(group[0], tuple(outputs))


def no_pair(where: str, n_outputs: int) -> ImportFailure:
    """The failure of outputs of which nothing says which two are compared."""
    reason = f"{n_outputs} outputs of one source, and nothing tells which two are a pair"
    return ImportFailure(where, "columns.system", f"{reason}: name the systems")


def _holding(reading: Reading, *holds: Holds) -> list[str]:
    """The columns that hold one of these."""
    columns = (column for table in reading.tables for column in table.columns)
    return list(dict.fromkeys(c.column for c in columns if c.holds in holds))


def _planned(unit: ReadUnit, outputs: Sequence[Output]) -> MaterialEntry:
    items = tuple(_item(unit, output) for output in outputs)
    own = {output.key: typed_cells(output.kept) for output in outputs}
    return replace(_entry(unit, items, None), item_metadata=own)


def _entry(
    unit: ReadUnit, items: tuple[Item, ...], specs: tuple[UnitSpec, ...] | None
) -> MaterialEntry:
    return MaterialEntry(
        unit.where,
        _source(unit),
        items,
        specs,
        source_metadata=typed_cells(unit.source_kept),
        item_metadata={output.key: typed_cells(output.kept) for output in unit.outputs},
    )


def _source(unit: ReadUnit) -> Source:
    passages = passages_in([unit.texts.get(Holds.PASSAGES, "")])
    texts = {name: text for name, text in unit.texts.items() if name != Holds.PASSAGES}
    if not texts.keys() & set(ABOUT):
        texts[Holds.DOCUMENT] = NO_TEXT
    try:
        return Source.model_validate({"key": unit.source, "passages": passages, **texts})
    except ValueError as error:
        raise ImportFailure.of(unit.where, error, within="source") from error


def _item(unit: ReadUnit, output: Output) -> Item:
    try:
        if output.text is None:
            return item_named(output.key, system=output.system)
        return RecordedItem(key=output.key, system=output.system, text=output.text).item()
    except ValueError as error:
        raise ImportFailure.of(unit.where, error, within="item") from error


def entry_records(entries: Iterable[MaterialEntry]) -> Iterator[dict[str, Any]]:
    """Entries with one unit at most as records of our own."""
    for entry in entries:
        source = entry.source.model_dump(mode="json", exclude_defaults=True)
        items = [
            {
                **item.model_dump(mode="json", exclude_defaults=True),
                "metadata": entry.item_metadata.get(item.key, {}),
            }
            for item in entry.items
        ]
        record: dict[str, Any] = {
            "source": {**source, "metadata": entry.source_metadata},
            "items": items,
        }
        for unit in entry.units or ():
            about = {"key": unit.key, "focus": dict(unit.focus), "metadata": unit.metadata}
            right = {"reference": unit.reference[0]} if unit.reference else {}
            record["unit"] = about | right
        yield record
