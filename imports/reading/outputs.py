"""The outputs that files hold, as records of our own: what people and judges may be asked about."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from imports.formats.item_tables import read_passages
from imports.formats.stand_ins import source_named
from imports.reading.records import Output, ReadUnit


def output_records(units: Iterable[ReadUnit]) -> Iterator[dict[str, Any]]:
    """A record for each source with its outputs; those without a text are passed over."""
    first: dict[str, ReadUnit] = {}
    outputs: dict[str, dict[str, Output]] = {}
    for unit in units:
        first.setdefault(unit.source, unit)
        held = outputs.setdefault(unit.source, {})
        held |= {each.key: each for each in unit.outputs if each.text and each.key not in held}
    for key, unit in first.items():
        if outputs[key]:
            items = [_item(output) for output in outputs[key].values()]
            yield {"source": _source(key, unit.texts), "items": items}


def _source(key: str, texts: Mapping[str, str]) -> dict[str, Any]:
    named = {name: text for name, text in texts.items() if name != "passages"}
    source = source_named(key, **named).model_dump(mode="json")
    return {**source, "passages": read_passages(texts.get("passages", ""))}


def _item(output: Output) -> dict[str, Any]:
    return {"key": output.key, "system": output.system, "text": output.text}
