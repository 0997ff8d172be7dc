"""The data that estimates need besides ratings and groups, as packed columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from estimates.data.facts.answer_times import AnswerTimes
from estimates.data.facts.controls import ControlAnswer
from estimates.data.facts.evidence import Evidence
from estimates.data.facts.measured import Measured, as_ratings
from estimates.data.facts.orders import Orders
from estimates.data.facts.whole_items import WholeItem
from estimates.data.options import EDITION
from estimates.data.records import BlockRecord
from estimates.data.study_data import StudyData
from estimates.data.table import Material
from estimates.kept.arrays import Arrays, as_text, from_text, pack, unpack, wide

TIMES = ("block", "rater", "seconds")
MEASURED = ("unit", "rater", "replicate", "round")


def pack_facts(data: StudyData) -> bytes:
    """All of the data but ratings, raters, blocks, and what groups ratings."""
    lists = {
        "edition": EDITION,
        "controls": [list(vars(answer).values()) for answer in data.controls],
        "whole items": [
            [*key, [list(vars(item).values()) for item in items]]
            for key, items in data.whole_items.items()
        ],
        "orders": [
            [block, list(orders.shown.items()), sorted(orders.unknown)]
            for block, orders in data.orders.items()
        ],
        "set sizes": [[block, list(sizes.items())] for block, sizes in data.set_sizes.items()],
        "evidence": [_plain(evidence) for evidence in data.evidence],
        "unit items": list(data.material.unit_items.items()),
        "unanswered": [[*about, list(units)] for about, units in data.unanswered.items()],
    }
    return pack(
        {
            **{f"times {name}": getattr(data.times, name) for name in TIMES},
            **dict(_measured_arrays(data.measured)),
            "originals": np.array([*data.originals.items()], dtype=np.int64).reshape(-1, 2),
            "words": data.words,
            "lists": as_text(lists),
        }
    )


def unpack_facts(
    packed: bytes | memoryview, blocks: Sequence[BlockRecord], material: Material
) -> tuple[Material, dict[str, Any]] | None:
    """The material with what its units show, and the fields of `StudyData` that were packed; None
    where an earlier version of the program packed them, which may have known less."""
    arrays = unpack(packed)
    lists = from_text(arrays["lists"])
    if lists.get("edition") != EDITION:
        return None
    shown = {unit: tuple((key, item) for key, item in items) for unit, items in lists["unit items"]}
    material = replace(material, unit_items=shown)
    originals = wide(arrays["originals"]).tolist()
    return material, {
        "controls": tuple(ControlAnswer(*values) for values in lists["controls"]),
        "times": AnswerTimes(*(_wide_times(arrays, name) for name in TIMES)),
        "measured": {
            block.pk: _measured(arrays, block, material)
            for block in blocks
            if block.task_type.measured
        },
        "originals": dict(originals),
        "words": arrays["words"],
        "whole_items": {
            (block, name): [_whole_item(*values) for values in items]
            for block, name, items in lists["whole items"]
        },
        "orders": {block: _orders(*orders) for block, *orders in lists["orders"]},
        # Kept by an earlier version of the program, there are none.
        "set_sizes": {block: dict(sizes) for block, sizes in lists.get("set sizes", ())},
        "evidence": [_evidence(*values) for values in lists["evidence"]],
        "unanswered": {(b, r): tuple(units) for b, r, units in lists.get("unanswered", ())},
    }


def _wide_times(arrays: Arrays, name: str) -> Any:
    return wide(arrays[f"times {name}"])


def _measured_arrays(
    measured: Mapping[int, Measured],
) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
    for block, measures in measured.items():
        for name in MEASURED:
            yield f"{block} {name}", getattr(measures.answers, name)
        for name, values in measures.values.items():
            yield f"{block} measure {name}", values


def _measured(arrays: Arrays, block: BlockRecord, material: Material) -> Measured:
    codes = {name: wide(arrays[f"{block.pk} {name}"]) for name in MEASURED}
    values: dict[str, Any] = {
        measure.name: arrays[f"{block.pk} measure {measure.name}"]
        for measure in block.task_type.measured
    }
    return Measured(as_ratings(block, material, codes), values)


def _whole_item(
    item: int, source: int, facts: list[int], n_units: int, groups: list[dict[str, str]]
) -> WholeItem:
    return WholeItem(item, source, tuple(facts), n_units, tuple(groups))


def _orders(shown: Sequence[tuple[int, Sequence[int]]], unknown: Sequence[int]) -> Orders:
    return Orders({unit: tuple(items) for unit, items in shown}, frozenset(unknown))


def _plain(evidence: Evidence) -> list[Any]:
    chains = [sorted(chain) for chain in evidence.chains]
    return [evidence.source, evidence.chooser, sorted(evidence.chosen), chains]


def _evidence(source: int, chooser: str, chosen: list[int], chains: list[list[int]]) -> Evidence:
    return Evidence(source, chooser, frozenset(chosen), tuple(map(frozenset, chains)))
