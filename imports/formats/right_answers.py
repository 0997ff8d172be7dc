"""Right answers that stand beside texts, in a cell each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from files.errors import ImportFailure
from files.readers.json_values import json_value
from files.readers.tables import as_number
from imports.material.questions import OpenBlock, planned_units
from imports.material.records import MaterialEntry, UnitSpec
from tasktypes.machines.scores import InScores
from tasktypes.texts.material import Source


def with_right_answer(
    entry: MaterialEntry, cell: str, column: str, blocks: Sequence[OpenBlock], seed: int
) -> MaterialEntry:
    """The entry with its only unit and the right answer to it; the same entry where the cell is
    empty. ImportFailure, naming the column, where it is no answer."""
    if not cell:
        return entry
    units = planned_units(entry, blocks, seed=seed)
    if len(units) != 1:
        reason = f"the row makes {len(units)} units, and this is the answer to one"
        raise ImportFailure(entry.where, column, reason)
    try:
        answer = _answer(blocks[0], entry.source, units[0], cell)
    except ValueError as error:
        raise ImportFailure(entry.where, column, str(error)) from error
    return replace(entry, units=(replace(units[0], reference=(answer,)),))


def _answer(block: OpenBlock, source: Source, unit: UnitSpec, cell: str) -> Any:
    if cell.startswith("{"):
        try:
            return json_value(cell)
        except ValueError as error:
            raise ValueError("no JSON that can be read") from error
    try:
        return _scored(block, source, unit, cell)
    except ValueError as error:
        raise ValueError(f"{cell[:40]!r} is no answer ({error})") from error


def _scored(block: OpenBlock, source: Source, unit: UnitSpec, reference: str) -> Any:
    """The answer that a single value is: a number where the scale has numbers, else a name."""
    kind: Any = block.task_type
    payload = block.task_type.payload(source, unit.items, unit.focus, block.options)
    scorings = kind.scorings(payload) if isinstance(kind, InScores) else ()
    if len(scorings) != 1:
        raise ValueError("an answer to this question is written as JSON")
    value = reference if scorings[0].ends is None else as_number(reference)
    answer = kind.from_scores(payload, [value])
    block.task_type.check(payload, answer)
    return answer.model_dump(mode="json")
