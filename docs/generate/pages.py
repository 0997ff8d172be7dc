"""Which part of which page is generated, and how it gets there.

A page marks such a part with two comments:

    <!-- generated: settings -->
    <!-- end -->
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.generate import (
    commands,
    decisions,
    formats,
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
    "commands": commands.sections,
    "decisions": decisions.listed,
    "endpoints": judges.endpoints,
    "examples of judges": prompts.examples,
    "formats": formats.table,
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


def behind() -> list[Path]:
    """The pages whose generated parts are not what the code makes now."""
    texts = {page: page.read_text(encoding="utf-8") for page in pages()}
    return [page for page, text in texts.items() if filled(text) != text]


def write() -> list[Path]:
    """Bring every page up to date; the pages that changed."""
    changed = behind()
    for page in changed:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    return changed
