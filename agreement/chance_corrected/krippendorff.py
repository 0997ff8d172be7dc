"""Krippendorff's alpha.

From ratings to an Estimate, module by module:

- `values.coding`: ids and values become integer codes; sets and rankings are packed for fast
  comparison.
- `values.ratings`: the codes become counts, how often each unit got each value (`count_units`).
- `distances`: how far apart two values are, by name; each names the `form` it can be summed in.
- `disagreement`: for each form, what every cluster of units adds to a few totals, and alpha as a
  function of these totals.
- `rare_values`: whether values are too rare for an interval yet.
- `bootstrap.resampling`: the totals of resamples of clusters, without building a resample.
- `bootstrap.crossed`: the same where raters are drawn as well as clusters.
- `bootstrap.intervals`: the alphas of the resamples become an interval, as a `Bootstrap` asks for.
- `values.estimate`: value, interval and n, or the reason why there is no value.
"""

import numpy as np

from ..bootstrap.crossed import CrossedUnits
from ..bootstrap.floors import lack_of_rare_labels
from ..bootstrap.intervals import (
    Bootstrap,
    Interval,
    Sampled,
    crossed_interval,
    interval_of,
)
from ..bootstrap.resampling import Draws
from ..bootstrap.scales import COEFFICIENTS
from ..values.coding import FloatArray
from ..values.estimate import Estimate
from ..values.ratings import FEWEST_UNITS, Ids, UnitCounts, Values, count_units, few_units
from .disagreement import Disagreement, prepare
from .distances import distance_named
from .rare_values import why_not_live

NO_VARIATION = "no variation: all ratings are equal"


def alpha(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    distance: str,
    clusters: Ids | None = None,
    least: int = FEWEST_UNITS,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Krippendorff's alpha of N ratings: 1 is perfect agreement, 0 what chance gives.

    Parameters
    ----------
    units, raters : (N,) ids, any hashable; a rating is one place in these parallel sequences.
    values : (N,) the ratings, or Coded. What one is depends on the distance:
        nominal: any hashable label; ordinal, interval, ratio: numbers (ratio: from 0 upwards);
        jaccard, masi: collections of labels, the empty one being a value like any other;
        kendall: whole rankings, each the ranks of the same candidates, ties being equal ranks, as
        a mapping from candidate to rank or as a sequence in a fixed order of candidates.
        None and NaN are missing ratings. An ordinal scale of words is given as numbers.
    distance : nominal, ordinal, interval, ratio, jaccard, masi or kendall (see `DISTANCES`).
    clusters : (N,) ids of what is resampled, usually the source; each unit when left out.
    least : how many units with two ratings are needed, 3: of one unit alpha is 0 whatever its
        ratings are, and of two it takes a few values only. 1 gives what the formula gives.
    bootstrap : how to make the interval (see `Bootstrap`); left out, there is none. Where it
        draws raters too, two copies of one rater are never paired: of a resample, alpha is that
        of the coincidences of different raters. A unit counts as many ratings as were drawn for
        it, if two raters were, and a pair of raters as often as both were, multiplied.

    Returns
    -------
    Estimate in about [-1, 1], unitless. Units with fewer than two ratings do not count, nor are
    they in n_units, n_raters and n_ratings (which, where nothing can be paired, count what there
    was). Undefined: no ratings; one rater only; no unit with two ratings; fewer than `least` such
    units; no variation.

    Raises ValueError for an unknown distance, sequences of different length, an infinite number,
    two ratings of one unit by one rater, a unit in two clusters, rankings of different
    candidates; TypeError for a value of the wrong kind.

    Time is linear in N for a given number of distinct values V, memory bounded: the V x V
    distances of sets and ratios are computed in pieces beyond 2,048 values. With raters drawn, time
    is linear in N and in the pairs of different values that meet in a unit, for every resample.

    Source: Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section "any metric,
    any number of observers, missing data"; set distances: Jaccard (1912), used unsquared, and
    Passonneau (2006), "Measuring Agreement on Set-valued Items (MASI)"; rankings: Kemeny (1959),
    "Mathematics without Numbers", as a share of its greatest value.
    """
    measure = distance_named(distance)
    counts = count_units(units, raters, values, kind=measure.kind, clusters=clusters)
    if counts.undefined is not None:
        return Estimate.missing(counts.undefined, **counts.n)
    if counts.n_units < least:
        return Estimate.missing(few_units(least), **counts.n)
    disagreement = prepare(counts, measure)
    value = float(disagreement.alpha(disagreement.contributions.total())[0])
    if counts.n_values < 2 or np.isnan(value):
        return Estimate.missing(NO_VARIATION, **counts.n)
    bounds = _interval(counts, disagreement, value, bootstrap)
    return Estimate(value=value, **vars(bounds), **counts.n)


def _interval(
    counts: UnitCounts, disagreement: Disagreement, value: float, bootstrap: Bootstrap | None
) -> Interval:
    lack = lack_of_rare_labels(counts.unit, counts.code, counts.count, counts.cluster)
    table, of_totals = disagreement.contributions, disagreement.alpha
    of = Sampled(table, of_totals, value, COEFFICIENTS, lack, why_not_live(counts, bootstrap))
    if bootstrap is None or not bootstrap.leaves_raters_out:
        return interval_of(of, bootstrap)
    units = CrossedUnits(counts)

    def of_draws(draws: Draws) -> FloatArray:
        return disagreement.alpha(disagreement.crossed_totals(units.drawn(draws)))

    return crossed_interval(of, of_draws, bootstrap, n_raters=counts.n_raters, cells=units.cells)
