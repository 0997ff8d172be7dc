"""Which part of which page is generated when the site is built.

A page marks such a part with two comments, and between them says to readers of the file:

    <!-- generated: settings -->
    *The site shows this part, made from the code: `make docs`.*
    <!-- end -->
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.generate import (
    commands,
    decisions,
    formats,
    functions,
    judges,
    languages,
    metrics,
    notebook,
    prompts,
    settings,
    study_file,
    task_types,
)

DOCS = Path(__file__).resolve().parents[1]

PARTS: Mapping[str, Callable[[], str]] = {
    "chat parameters": judges.chat_parameters,
    "client": functions.client,
    "commands": commands.sections,
    "decisions": decisions.listed,
    "endpoints": judges.endpoints,
    "examples of judges": prompts.examples,
    "formats": formats.table,
    "functions": functions.functions,
    "judge methods": judges.methods,
    "judge methods at a glance": judges.table,
    "languages": languages.listed,
    "local parameters": judges.local_parameters,
    "metrics": metrics.table,
    "notebook": notebook.page,
    "records": formats.records,
    "settings": settings.table,
    "slots": prompts.slots,
    "steps": prompts.steps,
    "study file": study_file.tables,
    "task types": task_types.sections,
}

NOTE = "*The site shows this part, made from the code: `make docs`.*"
_PART = re.compile(r"(<!-- generated: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Every page of the documentation."""
    return sorted(DOCS.rglob("*.md"))


def parts_of(text: str) -> list[str]:
    """The names of the generated parts of a page, in their order."""
    return [match[2] for match in _PART.finditer(text)]


def filled(text: str) -> str:
    """The page with its generated parts as the code makes them now."""
    return _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]().strip()}\n\n{part[3]}", text)
