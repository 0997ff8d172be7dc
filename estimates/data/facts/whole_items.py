"""Items as a whole: what a task type decides about them, their lengths, what they were made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from estimates.data.records import ITEM_NAMES, BlockRecord, ItemTexts, Records
from estimates.data.rows import Group
from estimates.data.table import FloatArray, Material
from tasktypes.measures import ItemMetric
from tasktypes.texts.material import is_known

HUNDRED = 100


@dataclass(frozen=True)
class WholeItem:
    """An item of which a yes or no is asked: what of its texts decides it (see
    `ItemMetric.facts`), how many units it has in the metric's subset, and its groups."""

    item_id: int
    source_id: int
    facts: tuple[int, ...]
    n_units: int
    groups: tuple[Group, ...]


def items_by_metric(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Mapping[tuple[int, str], Sequence[WholeItem]]:
    """(block id, name of an item metric) -> the items that it is asked of."""
    pairs = [
        (block, metric)
        for block in blocks
        for metric in block.task_type.item_metrics
        if metric.subset in material.subsets
    ]
    whole: dict[tuple[int, str], list[WholeItem]] = {(b.pk, m.name): [] for b, m in pairs}
    if pairs:
        units = {metric.subset: _units_per_item(material, metric.subset) for _, metric in pairs}
        for texts in records.item_texts():
            for block, metric in pairs:
                n_units = units[metric.subset].get(texts.item_id, 0)
                whole[block.pk, metric.name].extend(_whole(block, metric, texts, n_units))
    return whole


def _whole(
    block: BlockRecord, metric: ItemMetric, texts: ItemTexts, n_units: int
) -> Iterator[WholeItem]:
    facts = metric.facts(texts.source, texts.item, block.typed_options)
    if facts is not None:
        groups = _groups(texts, metric.subset)
        yield WholeItem(texts.item_id, texts.source_id, facts, n_units, groups)


def _units_per_item(material: Material, subset: str) -> dict[int, int]:
    counts: dict[int, int] = {}
    for unit in np.flatnonzero(material.subsets[subset]).tolist():
        for _, code in material.unit_items.get(unit, ()):
            item_id = material.item_ids[code]
            counts[item_id] = counts.get(item_id, 0) + 1
    return counts


def _groups(texts: ItemTexts, subset: str) -> tuple[Group, ...]:
    item = texts.item
    names = (item.system, item.evidence_source, item.condition, item.system_family)
    keys = {**dict(zip(ITEM_NAMES, names, strict=True)), "label": texts.source.verdict}
    single: list[Group] = [{key: name} for key, name in keys.items() if name]
    system, evidence = keys["system"], keys["evidence_source"]
    paired: list[Group] = []
    if system:
        paired.append({"setting": subset, "system": system})
    if system and evidence:
        paired.append({"system": system, "evidence_source": evidence})
    return ({}, {"setting": subset}, *single, *paired)


def count_words(records: Records, material: Material) -> FloatArray:
    """Words of each item of the material, in hundreds; NaN where the text is not known."""
    counted = {item: _words(sentences) for item, sentences in records.sentences()}
    of_items = [counted.get(item, 0) for item in material.item_ids]
    words = np.array(of_items, dtype=np.float64) / HUNDRED
    return np.where(words > 0, words, np.nan)


def _words(sentences: Sequence[Mapping[str, str]]) -> int:
    return sum(len(s["text"].split()) for s in sentences if is_known(s["text"]))


def originals_of(records: Records, material: Material) -> Mapping[int, int]:
    """Code of each item that was made wrong on purpose -> code of the one it was made from."""
    code_of = {item: code for code, item in enumerate(material.item_ids)}
    return {
        code_of[item]: code_of[original]
        for item, original in records.perturbed()
        if item in code_of and original in code_of
    }
