"""Units that a reading finds as entries of a study."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from files.errors import ImportFailure
from files.reading.model import ABOUT, Holds
from files.reading.records import Output, ReadUnit
from imports.formats.passage_cells import passages_in
from imports.formats.stand_ins import item_named
from imports.material.metadata import typed_cells
from imports.material.records import MaterialEntry, RecordedItem, UnitSpec
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.texts.material import NO_TEXT, Item, Source

# The own column of a unit that is about a statement in its output.
PART = "part"


def unit_entry(unit: ReadUnit, shown_both_ways: Callable[[str], bool]) -> MaterialEntry:
    """The unit with its outputs, in the order shown."""
    items = tuple(item_of(unit, output) for output in unit.outputs)
    focus: dict[str, Any] = {"order": list(range(len(items)))} if len(items) > 1 else {}
    if focus and shown_both_ways(unit.key):
        focus |= {ORDER_KNOWN: False}
    part = {PART: unit.part} if unit.part else {}
    metadata = typed_cells({**part, **unit.unit_kept})
    spec = UnitSpec(key=unit.key, items=items, focus=focus, metadata=metadata)
    return MaterialEntry(
        unit.where,
        source_of(unit),
        items,
        (spec,),
        source_metadata=typed_cells(unit.source_kept),
        item_metadata={output.key: typed_cells(output.kept) for output in unit.outputs},
    )


def source_of(unit: ReadUnit) -> Source:
    """What its outputs are about; ImportFailure where it cannot be stored."""
    passages = passages_in(unit.texts.get(Holds.PASSAGES, ""))
    texts = {name: text for name, text in unit.texts.items() if name != Holds.PASSAGES}
    if not texts.keys() & set(ABOUT):
        texts[Holds.DOCUMENT] = NO_TEXT
    try:
        return Source.model_validate({"key": unit.source, "passages": passages, **texts})
    except ValueError as error:
        raise ImportFailure.of(unit.where, error, within="source") from error


def item_of(unit: ReadUnit, output: Output) -> Item:
    """One of its outputs; ImportFailure where it cannot be stored."""
    try:
        if output.text is None:
            return item_named(output.key, system=output.system)
        about = {"key": output.key, "system": output.system, **output.about}
        return RecordedItem.model_validate({**about, "text": output.text}).item()
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
