"""How close people's answers are to a judge's and to each other's, unit by unit."""

from dataclasses import dataclass

import numpy as np

from ..chance_corrected.distances import Distance, distance_named
from ..values.coding import FloatArray, IntArray
from ..values.ratings import TidyRatings


@dataclass(frozen=True, eq=False)
class BesideJudge:
    """People's ratings of the units that a judge and two people or more rated, sorted by unit.

    unit, person, code: (N,). judged: (U,) the judge's code of a unit, -1 for none. start, size:
    (U,) where its ratings begin, and how many people rated it. cluster: (U,). measure, domain:
    distances of codes.
    """

    unit: IntArray
    person: IntArray
    code: IntArray
    judged: IntArray
    start: IntArray
    size: IntArray
    cluster: IntArray
    measure: Distance
    domain: object


def beside_judge(tidy: TidyRatings, judge: int, measure: Distance) -> BesideJudge:
    """People's ratings beside those of the judge with that code."""
    n_units, is_judge = len(tidy.cluster_of_unit), tidy.rater == judge
    judged = np.full(n_units, -1, dtype=np.int64)
    judged[tidy.unit[is_judge]] = tidy.code[is_judge]
    domain = tidy.domain
    if measure.form == "ranks":  # of the whole table, as alpha takes them
        counts = np.bincount(tidy.code).astype(np.float64)
        domain, measure = np.cumsum(counts) - counts / 2, distance_named("interval")
    people = tidy.of(~is_judge)
    size = np.bincount(people.unit, minlength=n_units)
    people = people.of((judged[people.unit] >= 0) & (size[people.unit] >= 2))
    people = people.of(np.lexsort((people.rater, people.unit)))
    start = np.searchsorted(people.unit, np.arange(n_units))
    cluster = tidy.cluster_of_unit
    return BesideJudge(
        *(people.unit, people.rater, people.code, judged, start, size, cluster, measure, domain)
    )


def similarity_by_unit(judged: BesideJudge, own: IntArray) -> tuple[FloatArray, FloatArray, float]:
    """What each unit adds to the similarity to the judge and to people: (n,) each, whose means are
    the similarities; and the mean distance to people's answers on different units.

    A unit adds the mean distances of either answer to all answers of the other side, minus those
    of all pairs, minus the distance on the unit: the first-order term of the similarity.
    """
    units, n = judged.unit[own], len(own)
    place, theirs, weight = _others(judged, own)
    codes, at = np.unique(
        np.concatenate([judged.judged[units], judged.code[theirs]]), return_inverse=True
    )
    values, mine = np.unique(judged.code[own], return_inverse=True)
    between = judged.measure.between(judged.domain, values[:, None], codes[None, :])
    from_mine = np.bincount(mine, minlength=len(values)) / n @ between
    each = (
        (np.arange(n), at[:n], np.ones(n)),
        (place, at[n:], weight),
    )
    added = []
    for unit, other, share in each:
        usual = between @ (np.bincount(other, share, len(codes)) / n)
        chance = float(usual[mine].mean())
        met = np.bincount(unit, share * (from_mine[other] - between[mine[unit], other]), n)
        added.append(usual[mine] + met - chance)
    return added[0], added[1], chance


def _others(judged: BesideJudge, own: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The other people's ratings of the units of these ratings: which of the units each belongs to,
    where it is, and its weight: 1 over their number."""
    units = judged.unit[own]
    size = judged.size[units]
    place = np.repeat(np.arange(len(own)), size)
    step = np.arange(len(place)) - np.repeat(np.cumsum(size) - size, size)
    theirs = judged.start[units][place] + step
    others = theirs != own[place]
    place, theirs = place[others], theirs[others]
    return place, theirs, 1.0 / (size[place] - 1)


@dataclass(frozen=True, eq=False)
class Added:
    """What each rating of a person adds to their similarity to the judge and to people, (N,) each
    in the order of `BesideJudge`; NaN where it was not looked at. chance: rater code -> their mean
    distance to people's answers on different units."""

    judge: FloatArray
    people: FloatArray
    chance: dict[int, float]


def similarity_by_rating(judged: BesideJudge, *, most: int) -> Added:
    """Of all people; of one with more than `most` ratings, of so many evenly spread."""
    judge, people = np.full((2, len(judged.unit)), np.nan)
    chance: dict[int, float] = {}
    order = np.argsort(judged.person, kind="stable")
    codes, sizes = np.unique(judged.person[order], return_counts=True)
    for code, end, size in zip(
        codes.tolist(), np.cumsum(sizes).tolist(), sizes.tolist(), strict=True
    ):
        rows = order[end - size : end]
        spread = np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(np.int64)
        own = rows[spread]
        judge[own], people[own], chance[code] = similarity_by_unit(judged, own)
    return Added(judge, people, chance)


def of_others(judged: BesideJudge, added: Added) -> tuple[Added, IntArray]:
    """What the other people of a rating's unit add on average to their similarity to the judge, and
    to their similarity to people other than whose rating it is; and how many they are: (N,) each.
    Neither is defined (0) with fewer than two, who would have nobody else to be close to.

    What others add by being close to this person is, over units, what this person adds by being
    close to them; so it can be taken away from the mean.
    """
    there = ~np.isnan(added.judge)
    n_others = np.bincount(judged.unit, there, len(judged.judged))[judged.unit] - there
    several = n_others >= 2
    judge = np.where(several, sum_of_others(judged, added.judge) / np.maximum(n_others, 1), 0.0)
    people = sum_of_others(judged, added.people) - np.nan_to_num(added.people)
    people = np.where(several, people / np.maximum(n_others - 1, 1), 0.0)
    return Added(judge, people, added.chance), n_others


def sum_of_others(judged: BesideJudge, values: FloatArray) -> FloatArray:
    """The sum of the other people's values on the same unit: (N,)."""
    filled = np.nan_to_num(values)
    return np.asarray(np.bincount(judged.unit, filled, len(judged.judged))[judged.unit] - filled)
