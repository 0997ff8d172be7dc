"""Where a judge is nearer to people, and where it is not: system, verdict, length, round."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import contrast, holm
from estimates.catalogue.scorecard import SLICE_DIFFERENCE, SLICE_P
from estimates.data.groups import LABEL, ROUND, SYSTEM, parts
from estimates.data.ratings import Ratings
from estimates.data.rows import Group
from estimates.data.table import BoolArray, FloatArray
from estimates.scorecard.near import Judges
from estimates.statistics.statistic import Figure, Statistic, can_agree

LENGTH = "length"
# Thirds of the texts by their number of words.
LENGTHS = ("short", "medium", "long")
KEYS = (SYSTEM, LABEL, LENGTH, ROUND)
# More parts by one key than that are none that one looks at one by one.
MOST_SLICES = 30


def _slices(judges: Judges) -> Iterator[Figure]:
    """Agreement with people in each part minus that on all other units; p values are corrected for
    all parts of a judge."""
    for near in judges.newest:
        slices = list(_parts(near.about, judges.scope.data.words))
        tested = [
            contrast(
                near.closeness.judge,
                inside,
                clusters=near.about.source,
                reach=1,
                confidence=judges.options.confidence,
            )
            for _, inside in slices
        ]
        corrected = holm([each.p_value.value for each in tested])
        for (group, _), each, p_value in zip(slices, tested, corrected, strict=True):
            estimate = replace(each.estimate, n_raters=near.n_people)
            yield Figure(SLICE_DIFFERENCE, estimate, group=group, raters=near.pair.name)
            if p_value is not None:
                p = replace(each.p_value, value=p_value, n_raters=near.n_people)
                yield Figure(SLICE_P, p, group=group, raters=near.pair.name)


def _parts(about: Ratings, words: FloatArray) -> Iterator[tuple[Group, BoolArray]]:
    """Every part that has units outside of it as well."""
    by_key: dict[str, list[tuple[Group, BoolArray]]] = {key: [] for key in KEYS}
    for group, inside in (*parts(about, {SYSTEM, LABEL, ROUND}), *_lengths(about, words)):
        if len(group) == 1 and inside.any() and not inside.all():
            by_key[next(iter(group))].append((group, inside))
    for slices in by_key.values():
        if len(slices) <= MOST_SLICES:
            yield from slices


def _lengths(about: Ratings, words: FloatArray) -> Iterator[tuple[Group, BoolArray]]:
    """Thirds by length, where the texts are known and differ in it."""
    if not len(words):
        return
    lengths = np.where(about.item >= 0, words[about.item], np.nan)
    known = lengths[~np.isnan(lengths)]
    if not len(known) or np.isnan(lengths).any():
        return
    third = np.searchsorted(np.quantile(known, [1 / 3, 2 / 3]), lengths, side="left")
    for code, name in enumerate(LENGTHS):
        yield {LENGTH: name}, third == code


SLICES = Statistic(compute=_slices, applies=can_agree)
