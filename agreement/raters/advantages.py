"""Whether one judge wins over people more often than another does."""

from collections.abc import Hashable

import numpy as np

from ..bootstrap.intervals import Bootstrap, bootstrap_interval
from ..bootstrap.scales import COEFFICIENTS
from ..chance_corrected.distances import Distance, distance_named
from ..scores.shares import totals_of
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids, TidyRatings, Values, read_ratings
from .alternative import LEAST_SOURCES, LEAST_UNITS
from .wins import Wins, wins_over_people

# Codes of units and people become one number.
MOST_RATERS = 1 << 32
NOBODY = f"no person shares {LEAST_UNITS} units of {LEAST_SOURCES} sources with both judges"


def advantage_difference(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    judges: tuple[Hashable, Hashable],
    distance: str,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """The advantage probability of one judge minus that of another, on the units of both.

    Each judge stands beside every person, both held against the other people, as in
    `alternative_annotator_test`; a tie is a win. An interval that holds 0: the judges' advantages
    overlap, and neither is shown to be the better one.

    Parameters
    ----------
    units, raters, values, distance, clusters : as for `alternative_annotator_test`; every rater
        but the two judges is a person.
    judges : the ids of the two.
    bootstrap : as for `alpha`.

    Returns an Estimate in [-1, 1], the mean over people; n_raters counts them and n_units the
    units. People with fewer than 30 units shared with both, or 15 clusters of them, are left out.
    Undefined: nobody has so many. None and NaN are missing ratings. Errors as for `alpha`.

    Source: the advantage probability of Calderon, Reichart and Dror (2025), section 3; its paired
    difference is ours.
    """
    measure = distance_named(distance)
    tidy = read_ratings(units, raters, values, kind=measure.kind, clusters=clusters)
    codes = dict(zip(raters, code_ids(raters)[0].tolist(), strict=True))
    first, second = (codes.get(judge, -1) for judge in judges)
    mine, others = _beside(tidy, first, second, measure), _beside(tidy, second, first, measure)
    _, at, also = np.intersect1d(_keys(mine), _keys(others), return_indices=True)
    apart = mine.judge[at].astype(np.float64) - others.judge[also]
    return _mean_over_people(mine.person[at], mine.unit[at], mine.cluster[at], apart, bootstrap)


def _beside(tidy: TidyRatings, judge: int, other: int, measure: Distance) -> Wins:
    """The judge beside the people, without the other judge."""
    return wins_over_people(tidy.of(tidy.rater != other), judge, measure)


def _keys(wins: Wins) -> IntArray:
    return wins.unit * MOST_RATERS + wins.person


def _mean_over_people(
    person: IntArray,
    unit: IntArray,
    cluster: IntArray,
    values: FloatArray,
    bootstrap: Bootstrap | None,
) -> Estimate:
    enough = [name for name in np.unique(person).tolist() if _enough(person == name, cluster)]
    kept = np.isin(person, enough)
    n = Counts(n_units=len(np.unique(unit[kept])), n_raters=len(enough), n_ratings=int(kept.sum()))
    if not enough:
        return Estimate.missing(NOBODY, **n)
    rows = [person[kept] == name for name in enough]
    columns = [values[kept] * row for row in rows] + [row.astype(np.float64) for row in rows]
    totals = totals_of(columns, code_ids(cluster[kept])[0])
    value = float(_mean_of_means(totals.total())[0])
    bounds = bootstrap_interval(totals, _mean_of_means, value, bootstrap, scale=COEFFICIENTS)
    return Estimate(value=value, **vars(bounds), **n)


def _enough(own: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], cluster: IntArray) -> bool:
    return int(own.sum()) >= LEAST_UNITS and len(np.unique(cluster[own])) >= LEAST_SOURCES


def _mean_of_means(totals: FloatArray) -> FloatArray:
    """(r, 2P) sums and sizes -> (r,), NaN where a person has no unit in the resample."""
    sums, sizes = np.split(totals, 2, axis=1)
    means = np.divide(sums, sizes, out=np.full(sums.shape, np.nan), where=sizes > 0)
    return np.asarray(means.mean(axis=1))
