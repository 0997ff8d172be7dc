"""What a task type measures of whole answers: means, what is undefined, and faults found."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from agreement.rounding import even
from annotation.models import Block
from results.data.measured import Measured
from results.data.options import Options
from results.data.parties import Parties, Party
from results.data.rows import Row
from results.data.study_data import StudyData
from results.data.table import FloatArray, IntArray
from results.metrics.averages import EVERY, POPULATION, WHOLE, average_rows
from tasktypes.contract import Measure

NO_PAIR = "no item made wrong on purpose beside its original"


def measure_rows(
    data: StudyData, block: Block, parties: Parties, options: Options
) -> Iterator[Row]:
    """Every measure of a block's task type, by party, as a whole and by group."""
    measures = block.task_type.measured
    if not measures:
        return
    measured = data.measured[block.pk]
    for party in parties.groups:
        theirs = measured.by(party)
        yield from _averages(theirs, measures, party, options)
        yield from _detections(theirs, measures, party, data.originals, options)
    for party in parties.singles:
        yield from _averages(measured.by(party), measures, party, options, keys=WHOLE)


def _averages(
    theirs: Measured,
    measures: tuple[Measure, ...],
    party: Party,
    options: Options,
    *,
    keys: Collection[str] = EVERY,
) -> Iterator[Row]:
    """Means over items, and the share of answers that have none, where there are such."""
    about: dict[str, Any] = {"ddof": POPULATION, "keys": keys}
    for measure in measures:
        values = theirs.values[measure.name]
        yield from average_rows(
            theirs.answers,
            {measure.name: values},
            party,
            options,
            reason=f"undefined for every answer ({measure.undefined})",
            **about,
        )
        undefined = np.isnan(values)
        if undefined.any():
            share = {f"{measure.name}_undefined": undefined.astype(np.float64)}
            yield from average_rows(theirs.answers, share, party, options, **about)


def _detections(
    theirs: Measured,
    measures: tuple[Measure, ...],
    party: Party,
    originals: Mapping[int, int],
    options: Options,
) -> Iterator[Row]:
    """Of the items that were made wrong on purpose, the share that a flag finds, or that has less
    of a measure than its original; ties apart."""
    if not originals or not len(theirs.answers):
        return
    items, first = np.unique(theirs.answers.item, return_index=True)
    about = theirs.answers.take(first)
    original = np.array([originals.get(item, -1) for item in items.tolist()], dtype=np.int64)
    changed = original >= 0
    for measure in measures:
        means = _item_means(theirs.answers.item, theirs.values[measure.name], items)
        found = _found(measure, means, _at(means, items, original))
        rows = average_rows(
            about.take(changed),
            {name: values[changed] for name, values in found.items()},
            party,
            options,
            ddof=POPULATION,
            reason=NO_PAIR,
            of_raters=False,  # means of all who answered
        )
        for row in rows:
            yield replace(row, estimate=replace(row.estimate, n_raters=None, n_ratings=None))


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
    known = ~np.isnan(values)
    place = np.searchsorted(items, item[known])
    sums = np.bincount(place, weights=values[known], minlength=len(items))
    sizes = np.bincount(place, minlength=len(items))
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


def _at(means: FloatArray, items: IntArray, wanted: IntArray) -> FloatArray:
    """The means of the wanted items; NaN for one that nobody answered."""
    place = np.minimum(np.searchsorted(items, wanted), len(items) - 1)
    return np.where(items[place] == wanted, means[place], np.nan)
