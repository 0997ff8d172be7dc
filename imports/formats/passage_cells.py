"""Numbered evidence in the cells of a table."""

import re
from typing import Any

from files.readers.json_values import json_value

_NUMBERED = re.compile(r"\[?(?P<index>\d{1,6})\]?\s*[:.)\]]\s*(?P<text>\S.*)")


def passages_in(cell: str) -> list[dict[str, Any]]:
    """Numbered evidence: a list or lines. Lines `N: text` keep their numbers; else the first is
    number 1. An empty member of a list keeps its number."""
    if cell.startswith("["):
        try:
            listed = json_value(cell)
        except ValueError:
            listed = None  # a line such as "[1] A text."
        if isinstance(listed, list):
            return [_passage(n, entry) for n, entry in enumerate(listed, start=1) if entry != ""]
    written = [line.strip() for line in cell.splitlines() if line.strip()]
    numbered = [_NUMBERED.fullmatch(line) for line in written]
    if all(numbered):
        return [{"index": int(m["index"]), "text": m["text"]} for m in numbered if m]
    return [{"index": n, "text": line} for n, line in enumerate(written, start=1)]


def _passage(number: int, entry: Any) -> dict[str, Any]:
    return entry if isinstance(entry, dict) else {"index": number, "text": str(entry)}
