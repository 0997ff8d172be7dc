"""The formats of `import_study`, and the fields of our own records."""

import inspect
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel

from docs.generate import schemas
from docs.generate.markdown import code, codes, folded
from docs.generate.markdown import table as as_table
from imports.formats.registry import FORMATS
from imports.material.records import RecordedItem, RecordedSource, RecordedUnit
from tasktypes.schemas import sentence
from tasktypes.texts.material import Passage


def table() -> str:
    """One row for each format: what it takes, what it makes, and its options."""
    rows = [
        [
            f"[{code(name)}]({_described(name)})",
            kind.taken.files,
            sentence((inspect.getdoc(kind) or "").partition("\n\n")[0]),
            codes(f"--{option}" for option in kind.options),
        ]
        for name, kind in FORMATS.items()
    ]
    return as_table(["format", "takes", "makes", "options"], rows)


def _described(name: str) -> str:
    """Where a format is described: our own records by themselves, other tools on their pages."""
    docs = Path(settings.BASE_DIR) / "docs"
    page = f"interop/{name}.md"
    if name == "jsonl":
        return "formats.md"
    if (docs / page).is_file():
        return page
    tools = (docs / "other-tools.md").read_text(encoding="utf-8")
    return f"other-tools.md#{name}" if f"\n## `{name}`\n" in tools else f"#{name}"


def records() -> str:
    """The fields of a record: source, passages, items and unit."""
    parts: list[tuple[str, type[BaseModel]]] = [
        ("`source`", RecordedSource),
        ("`source.passages[]`", Passage),
        ("`items[]`", RecordedItem),
        ("`unit`", RecordedUnit),
    ]
    return "\n\n".join(folded(title, schemas.fields(model)) for title, model in parts)
