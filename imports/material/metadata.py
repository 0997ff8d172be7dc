"""Metadata: own columns of a file, kept with what they describe.

They are never shown to workers or judges. Those that identify people are not kept.
"""

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator

from files.columns.names import personal

MOST, LONGEST_NAME, LONGEST = 100, 200, 10_000
# A number that is written as it would be printed; "007" and "1.50" are kept as texts.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?")

Value = str | float | bool
Metadata = Mapping[str, Value]
NONE: Metadata = {}


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    if len(values) > MOST:
        raise ValueError(f"more than {MOST} own columns")
    for name, value in values.items():
        if not 0 < len(name) <= LONGEST_NAME:
            raise ValueError(f"{name[:40]!r}: a name has 1 to {LONGEST_NAME} characters")
        if isinstance(value, str):
            if len(value) > LONGEST:
                raise ValueError(f"{name}: more than {LONGEST:,} characters")
        elif not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{name}: neither text nor number, true or false")
    return values


RecordedMetadata = Annotated[dict[str, Any], AfterValidator(_checked)]


def typed_cell(cell: str) -> Value:
    """What a cell holds: a number or a truth value where it is written like one, else its text."""
    if cell in ("true", "false"):
        return cell == "true"
    if len(cell) > 32 or not _NUMBER.fullmatch(cell):
        return cell
    number = float(cell)
    return int(number) if "." not in cell else number


def typed_cells(cells: Mapping[str, str]) -> dict[str, Value]:
    """The metadata that cells by their columns are; empty ones and texts that are too long are
    none."""
    filled = [(name, cell) for name, cell in cells.items() if cell and len(cell) <= LONGEST]
    return {name[:LONGEST_NAME]: typed_cell(cell) for name, cell in filled[:MOST]}


def impersonal(metadata: Metadata) -> dict[str, Value]:
    """The metadata without what identifies people."""
    return {
        name: value
        for name, value in metadata.items()
        if not personal(name, [value] if isinstance(value, str) else ())
    }
