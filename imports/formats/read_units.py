"""Units that a reading finds as entries of a study."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from annotation.models import Block
from files.errors import ImportFailure
from files.reading.model import Holds
from files.reading.records import Output, ReadUnit
from imports.formats.stand_ins import item_named
from imports.material.metadata import typed_cells
from imports.material.questions import OpenBlock
from imports.material.records import MaterialEntry, RecordedItem, UnitSpec
from imports.study_file.blocks import BlockPart
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.texts.material import NO_TEXT, Item, Passage, Sentence, Source

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


def planned_entries(units: Iterator[ReadUnit], block: BlockPart) -> Iterator[MaterialEntry]:
    """Entries whose units are planned: those of one source together where a unit shows several
    outputs."""
    if not _shows_several(block):
        for unit in units:
            yield _entry(unit, tuple(_item(unit, output) for output in unit.outputs), None)
        return
    by_source: dict[str, list[ReadUnit]] = {}
    for unit in units:
        if len(unit.outputs) > 1:
            yield unit_entry(unit, lambda _unit: False)
        else:
            by_source.setdefault(unit.source, []).append(unit)
    for group in by_source.values():
        outputs = chain.from_iterable(unit.outputs for unit in group)
        yield _entry(group[0], tuple(_item(group[0], output) for output in outputs), None)


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
    texts = {name: text for name, text in unit.texts.items() if name != Holds.PASSAGES}
    written = unit.texts.get(Holds.PASSAGES, "").splitlines()
    lines = [line.strip() for line in written if line.strip()]
    passages = tuple(Passage(index=n, text=text) for n, text in enumerate(lines, start=1))
    try:
        texts = texts or {Holds.DOCUMENT.value: NO_TEXT}
        return Source(key=unit.source, passages=passages, **texts)
    except ValueError as error:
        raise ImportFailure.of(unit.where, error, within="source") from error


def _item(unit: ReadUnit, output: Output) -> Item:
    try:
        if output.text is None:
            return item_named(output.key, system=output.system)
        return RecordedItem(key=output.key, system=output.system, text=output.text).item()
    except ValueError as error:
        raise ImportFailure.of(unit.where, error, within="item") from error


def _shows_several(block: BlockPart) -> bool:
    row = Block(task_type_slug=block.task_type, options=block.full_options, key=block.task_type)
    asked = OpenBlock.of(row)
    items = tuple(Item(key=key, sentences=(Sentence(text=key),)) for key in "ab")
    source = Source(key="s", document="s")
    plans = asked.task_type.plan(source, items, asked.options, seed=0)
    return any(len(plan.items) > 1 for plan in plans)


def unit_records(units: Iterator[ReadUnit], block: BlockPart) -> Iterator[dict[str, Any]]:
    """The same entries as records of our own."""
    for entry in planned_entries(units, block):
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
            about = {"focus": dict(unit.focus), "metadata": unit.metadata}
            record["unit"] = {"key": unit.key} | about
        yield record
