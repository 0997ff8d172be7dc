"""Shares of items that a task type decides as a whole, such as transparent explanations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from agreement import Estimate, mean_by
from annotation.models import Block
from results.data.options import Options
from results.data.parties import Party
from results.data.ratings import Ratings
from results.data.rows import Row
from results.data.study_data import StudyData
from results.data.whole_items import WholeItem
from results.metrics.averages import PER_ITEM, scores
from tasktypes.contract import ItemMetric

NONE_COMPLETE = "no item with answers to all of its units"


def share_rows(
    data: StudyData,
    block: Block,
    ratings: Ratings,
    parties: Iterable[Party],
    options: Options,
) -> Iterator[Row]:
    """The item metrics of a block for each party, as a whole and by group of items."""
    for metric in block.task_type.item_metrics:
        if metric.facet != ratings.facet.name or metric.subset not in ratings.material.subsets:
            continue
        items = data.whole_items[block.pk, metric.name]
        for party in parties:
            theirs = ratings.by(party.raters)
            if len(theirs):
                decided = _decide(metric, items, _scores_by_item(theirs, metric.subset), block)
                yield from _rows(metric, party, decided, options)


def _scores_by_item(ratings: Ratings, subset: str) -> dict[int, list[float]]:
    """Item id -> the F1 of each of its units in the subset, averaged over answers."""
    material = ratings.material
    f1 = scores(ratings)["f1"]
    used = material.subsets[subset][ratings.unit] & (ratings.item >= 0) & ~np.isnan(f1)
    units, which = np.unique(ratings.unit[used], return_inverse=True)
    means = np.bincount(which, weights=f1[used]) / np.bincount(which)
    by_item: dict[int, list[float]] = {}
    for unit, mean in zip(units.tolist(), means.tolist(), strict=True):
        for _, code in material.unit_items[unit]:
            by_item.setdefault(material.item_ids[code], []).append(mean)
    return by_item


def _decide(
    metric: ItemMetric,
    items: Sequence[WholeItem],
    known: Mapping[int, list[float]],
    block: Block,
) -> list[tuple[WholeItem, float]]:
    """Items with answers to all of their units. One that lacks answers is left out even when
    those it has already fail it, or the share would only ever sink on the way."""
    decided = []
    for item in items:
        given = known.get(item.item_id, [])
        if len(given) == item.n_units:
            yes = metric.decide(given, item.facts, block.typed_options)
            if yes is not None:
                decided.append((item, float(yes)))
    return decided


def _rows(
    metric: ItemMetric,
    party: Party,
    decided: Sequence[tuple[WholeItem, float]],
    options: Options,
) -> Iterator[Row]:
    by_group: dict[tuple[tuple[str, str], ...], list[tuple[WholeItem, float]]] = {(): []}
    for item, value in decided:
        for group in item.groups:
            by_group.setdefault(tuple(group.items()), []).append((item, value))
    for key, members in by_group.items():
        yield Row(
            metric=metric.name,
            facet=metric.facet,
            raters=party.name,
            group=dict(key),
            aggregation=PER_ITEM,
            estimate=_share(members, options),
        )


def _share(decided: Sequence[tuple[WholeItem, float]], options: Options) -> Estimate:
    if not decided:
        return Estimate.missing(NONE_COMPLETE, n_units=0)
    return mean_by(
        [value for _, value in decided],
        [item.item_id for item, _ in decided],
        clusters=[item.source_id for item, _ in decided],
        bootstrap=options.bootstrap,
    )
