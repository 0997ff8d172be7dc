"""The task types: what each asks, its options, and a worked example, from its own folder."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs.generate import schemas
from docs.generate.markdown import block, code, folded, folded_json
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tasktypes.texts.material import Item, Source

AnyType = TaskType[Any, Any, Any]


def sections() -> str:
    """A section for each type: its own README, its options, and its example."""
    return "\n\n".join(section(kind) for kind in TASK_TYPES)


def section(kind: AnyType) -> str:
    """What there is to know about one task type."""
    return "\n\n".join(
        [
            f"## `{kind.slug}`",
            f"*{kind.title}.* {_readme(kind)}",
            folded("Options", schemas.fields(kind.Options)),
            folded("Example: a study, a record and an answer", _example(kind)),
        ]
    )


def _example(kind: AnyType) -> str:
    record = block("json", "\n".join(map(folded_json, records(kind))))
    return (
        f"{record}\n\n{block('json', folded_json(kind.example.answer))}\n\nFacets: {_facets(kind)}."
    )


def records(kind: AnyType) -> list[dict[str, Any]]:
    """The type's example as two records: the study, and a source with its items and unit."""
    example = kind.example
    study = {
        "title": kind.title,
        "blocks": [{"task_type": kind.slug, "options": dict(example.options)}],
    }
    unit: dict[str, Any] = {"key": f"{example.items[0].key}/1", "subsets": ["full"]}
    if example.focus:
        unit["focus"] = example.focus
    record = {
        "source": _source(example.source),
        "items": [_item(item) for item in example.items],
        "unit": unit,
    }
    return [{"study": study}, record]


def _source(source: Source) -> dict[str, Any]:
    return source.model_dump(mode="json", exclude_defaults=True)


def _item(item: Item) -> dict[str, Any]:
    return item.model_dump(mode="json", exclude_defaults=True)


def _readme(kind: AnyType) -> str:
    """What people wrote about the type, in its folder."""
    folder = Path(str(sys.modules[type(kind).__module__].__file__)).parent
    return (folder / "README.md").read_text(encoding="utf-8").strip()


def _facets(kind: AnyType) -> str:
    options = kind.Options.model_validate(kind.example.options)
    facets: Mapping[str, str] = {f.name: f.distance for f in kind.facets(options)}
    return ", ".join(f"{code(name)} ({distance})" for name, distance in facets.items())
