"""A task type's measures of whole answers, as numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from estimates.data.parties import Party
from estimates.data.ratings import COLUMNS, Ratings
from estimates.data.records import BlockRecord, Records
from estimates.data.table import FloatArray, IntArray, Material
from tasktypes.facets import Facet


@dataclass(frozen=True, eq=False)
class Measured:
    """The measures of a block's answers. `answers` has one entry per answer; its numbers are
    none. `values`: per measure one number per answer, NaN where undefined."""

    answers: Ratings
    values: Mapping[str, FloatArray]

    def by(self, party: Party) -> "Measured":
        """What one party's answers measure."""
        chosen = np.isin(self.answers.rater, list(party.raters))
        values = {name: numbers[chosen] for name, numbers in self.values.items()}
        return Measured(self.answers.take(chosen), values)

    def on_units(self, units: IntArray) -> "Measured":
        """What the answers about some units measure."""
        chosen = np.isin(self.answers.unit, units)
        values = {name: numbers[chosen] for name, numbers in self.values.items()}
        return Measured(self.answers.take(chosen), values)


def measure_answers(records: Records, block: BlockRecord, material: Material) -> Measured:
    """The measures of every counted answer to a block, by question."""
    columns: dict[str, list[int]] = {
        name: [] for name in ("question", "unit", "rater", "replicate", "round")
    }
    values: dict[str, list[float]] = {measure.name: [] for measure in block.task_type.measured}
    task_type, options = block.task_type, block.typed_options
    for texts, rater, replicate, round_id, content in records.answers(block):
        answer = task_type.Answer.model_validate(content)
        measures = task_type.measures(texts.source, texts.payload, answer, options)
        unit = material.questions[texts.question]
        entry = (texts.question, unit, rater, replicate, round_id or 0)
        for column, code in zip(columns.values(), entry, strict=True):
            column.append(code)
        for name, numbers in values.items():
            number = measures[name]
            numbers.append(np.nan if number is None else number)
    codes = {name: np.array(column, dtype=np.int64) for name, column in columns.items()}
    order = np.argsort(codes.pop("question"), kind="stable")
    codes = {name: column[order] for name, column in codes.items()}
    arrays = {name: np.array(numbers, dtype=np.float64)[order] for name, numbers in values.items()}
    return Measured(as_ratings(block, material, codes), arrays)


def as_ratings(block: BlockRecord, material: Material, codes: Mapping[str, IntArray]) -> Ratings:
    """Answers as ratings of the block's first facet, which the rows carry. codes: unit, rater,
    replicate and round of each."""
    first = block.facets[0]
    nothing = np.full(len(codes["unit"]), -1, dtype=np.int64)
    items = [material.item_of(unit, "") for unit in codes["unit"].tolist()]
    columns: dict[str, Any] = {
        **dict.fromkeys(COLUMNS, nothing),
        **codes,
        "place": codes["unit"],
        "item": np.array(items, dtype=np.int64),
        "number": np.full(len(nothing), np.nan),
    }
    return Ratings(
        facet=Facet(name=first.name, title=first.title, kind="number", distance="interval"),
        material=material,
        domain=(),
        **columns,
    )
