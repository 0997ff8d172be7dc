"""Cells that hold an object or a list where one text is expected, which nobody is to read as such:
it may tell who wrote what, and how it was rated."""

import json
import re
from collections.abc import Iterable
from typing import Any

# How Python writes what pandas puts into a cell of a CSV.
_WRITTEN = re.compile(r"""\s*(\{|\[\s*\{|\[)\s*['"]""")
_NAMED = 3


def nested_value(cell: str) -> Any:
    """The object or the list that a cell holds, empty where it cannot be read; None for a text."""
    if not cell.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return {} if _WRITTEN.match(cell) and cell.rstrip().endswith(("}", "]")) else None
    return value if isinstance(value, dict | list) else None


def refuse_nested(column: str, cell: str, cells: Iterable[str] = ()) -> None:
    """ValueError for a cell that holds several values, saying what it holds. cells: those of the
    column, to see what is the same in all; read only where one is refused."""
    value = nested_value(cell)
    if value is not None:
        raise ValueError(f"{column}: {_told(value, list(cells))} (a cell has to hold one text)")


def _told(value: Any, cells: list[str]) -> str:
    if not value:
        return "an object or a list"
    keys = "1 key" if len(value) == 1 else f"{len(value)} keys"
    size = keys if isinstance(value, dict) else f"a list of {len(value)}"
    names = list(value)[:_NAMED] if isinstance(value, dict) else []
    listed = f" ({', '.join(names)}{', …' if len(value) > _NAMED else ''})" if names else ""
    others = [nested_value(cell) for cell in cells]
    same = len(others) > 1 and len(value) > 1 and all(_alike(value, other) for other in others)
    asks = f", the same in all {len(others)} rows: are these the systems?" if same else ""
    return f"{size}{listed}{asks}"


def _alike(value: Any, other: Any) -> bool:
    if isinstance(value, dict):
        return isinstance(other, dict) and value.keys() == other.keys()
    return isinstance(other, list) and len(value) == len(other)
