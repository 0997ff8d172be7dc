"""What a task type measures of whole answers, and what it decides about whole items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agreement import Bootstrap, Estimate, mean_by
from agreement.values.rounding import even
from estimates.data.facts.whole_items import WholeItem
from estimates.data.groups import CONDITION_IN_OWN
from estimates.data.ratings import Ratings
from estimates.data.rows import PER_ITEM
from estimates.data.table import FloatArray, IntArray
from estimates.metrics.averages import MEAN, POPULATION, Numbers, scores, stand_for
from estimates.statistics.statistic import EVERY, Figure, Rated, Scope, Statistic
from tasktypes.measures import ItemMetric, Measure

NONE_COMPLETE = "no item with answers to all of its units"
NO_PAIR = "no item made wrong on purpose beside its original"


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(Rated):
    """A party's answers in a block: one rating for each, whose number is none.

    values: per measure one number per answer, NaN where undefined.
    """

    measures: tuple[Measure, ...]
    values: Mapping[str, FloatArray]


def answers(scope: Scope) -> Iterator[Answers]:
    """The answers of every party, where the block's task type has measures."""
    measures = scope.block.task_type.measured
    for party in (*scope.parties.groups, *scope.parties.singles) if measures else ():
        measured = scope.data.measured[scope.block.pk].by(party)
        yield Answers.by(
            party,
            scope,
            measured.answers,
            alone=party in scope.parties.singles,
            measures=measures,
            values=measured.values,
        )


def _means(sample: Answers) -> Iterator[Numbers]:
    """Every measure, and whether an answer has none, where there are such answers."""
    for measure in sample.measures:
        values = sample.values[measure.name]
        reason = f"undefined for every answer ({measure.undefined})"
        yield stand_for(sample, measure.name, values, POPULATION, reason)
        undefined = np.isnan(values)
        if undefined.any():
            share = undefined.astype(np.float64)
            yield stand_for(sample, f"{measure.name}_undefined", share, POPULATION)


def _detections(sample: Answers) -> Iterator[Numbers]:
    """Of the items that were made wrong on purpose, those that a flag finds, or that have less of
    a measure than their original; ties apart. Beside them what it says of the originals."""
    ratings, originals = sample.ratings, sample.scope.data.originals
    if sample.alone or not originals or not len(ratings):
        return
    items, first = np.unique(ratings.item, return_index=True)
    original = np.array([originals.get(item, -1) for item in items.tolist()], dtype=np.int64)
    changed = original >= 0
    about = replace(sample, ratings=ratings.take(first[changed]))
    untouched = np.isin(items, original[changed])
    about_originals = replace(sample, ratings=ratings.take(first[untouched]))
    for measure in sample.measures:
        means = _item_means(ratings.item, sample.values[measure.name], items)
        reason = _missing_reason(measure, means[changed])
        for name, values in _found(measure, means, _at(means, items, original)).items():
            yield stand_for(about, name, values[changed], POPULATION, reason, of_items=True)
        before = (f"original_{measure.name}", means[untouched], POPULATION, reason)
        yield stand_for(about_originals, *before, of_items=True)


def _missing_reason(measure: Measure, means: FloatArray) -> str:
    """Why nothing can be said of the changed items, should that be so."""
    if len(means) and np.isnan(means).all():
        return f"undefined for every item made wrong on purpose ({measure.undefined})"
    return NO_PAIR


def _found(measure: Measure, means: FloatArray, before: FloatArray) -> dict[str, FloatArray]:
    """Per item 1 where the measure finds fault with it, NaN where that is undefined."""
    if measure.flag:
        return {f"detection_{measure.name}": means}
    unknown = np.isnan(means) | np.isnan(before)
    means, before = even(np.stack([means, before]))
    return {
        f"detection_{measure.name}": np.where(unknown, np.nan, means < before),
        f"detection_{measure.name}_tied": np.where(unknown, np.nan, means == before),
    }


def _item_means(item: IntArray, values: FloatArray, items: IntArray) -> FloatArray:
    """Mean of each item over the answers that have the measure; NaN without one."""
    defined = ~np.isnan(values)
    place = np.searchsorted(items, item[defined])
    sums = np.bincount(place, weights=values[defined], minlength=len(items))
    sizes = np.bincount(place, minlength=len(items))
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


def _at(means: FloatArray, items: IntArray, wanted: IntArray) -> FloatArray:
    """The means of the wanted items; NaN for one that nobody answered."""
    place = np.minimum(np.searchsorted(items, wanted), len(items) - 1)
    return np.where(items[place] == wanted, means[place], np.nan)


@dataclass(frozen=True, eq=False, kw_only=True)
class YesNoRatings(Rated):
    """The ratings that decide a yes or no about whole items."""

    metric: ItemMetric


def asked_of_items(scope: Scope) -> Iterator[YesNoRatings]:
    """The answers of every party in the facet of each of the block's item metrics."""
    for metric in scope.block.task_type.item_metrics:
        if metric.facet == scope.facet and metric.subset in scope.ratings.material.subsets:
            for party in scope.parties.groups:
                ratings = scope.ratings.by(party.raters)
                yield YesNoRatings.by(party, scope, ratings, metric=metric)


def _shares(sample: YesNoRatings) -> Iterator[Figure]:
    """The share of items with yes, as a whole and by group of items."""
    groups: dict[tuple[tuple[str, str], ...], list[tuple[WholeItem, float]]] = {(): []}
    for item, value in _decide(sample):
        for group in item.groups:
            groups.setdefault(tuple(group.items()), []).append((item, value))
    for key, decided in groups.items():
        estimate = _share(decided, sample.options.bootstrap)
        yield Figure(sample.metric.name, estimate, group=dict(key))


def _decide(sample: YesNoRatings) -> Iterator[tuple[WholeItem, float]]:
    """Items with answers to all of their units. One that lacks answers is left out even when
    those it has already fail it, or the share would only fall as answers come in."""
    block, metric = sample.scope.block, sample.metric
    by_item = _scores_by_item(sample.ratings, metric.subset)
    for item in sample.scope.data.whole_items[block.pk, metric.name]:
        of_units = by_item.get(item.item_id, [])
        if len(of_units) == item.n_units:
            yes = metric.decide(of_units, item.facts, block.typed_options)
            if yes is not None:
                yield item, float(yes)


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


def _share(decided: Sequence[tuple[WholeItem, float]], bootstrap: Bootstrap | None) -> Estimate:
    if not decided:
        return Estimate.missing(NONE_COMPLETE, n_units=0)
    return mean_by(
        [value for _, value in decided],
        [item.item_id for item, _ in decided],
        clusters=[item.source_id for item, _ in decided],
        ends=(0, 1),
        bootstrap=bootstrap,
    )


MEASURES = replace(MEAN, values=_means, by=(*EVERY, CONDITION_IN_OWN))
DETECTIONS = replace(MEASURES, values=_detections)
SHARES = Statistic(compute=_shares, aggregation=PER_ITEM)
