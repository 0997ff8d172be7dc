"""Raw agreement: how often two ratings of one unit are the same, uncorrected for chance."""

from agreement.coding import FloatArray
from agreement.crossed import CrossedUnits
from agreement.estimate import Estimate
from agreement.intervals import (
    Bootstrap,
    Interval,
    Method,
    Resample,
    bootstrap_interval,
    crossed_interval,
)
from agreement.means import mean_of_totals, sums_and_sizes
from agreement.ratings import Ids, UnitCounts, Values, count_units
from agreement.resampling import Draws


def raw_agreement(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    clusters: Ids | None = None,
    resamples: int = 0,
    seed: int = 0,
    confidence: float = 0.95,
    interval: Method = "percentile",
    resample: Resample = "sources",
) -> Estimate:
    """Share of equal pairs among the pairs of ratings of a unit, averaged over units.

    Parameters: as for `alpha`; a value is any hashable (a set as a frozenset, equal as a whole).
    With two raters it is the share of units on which they agree. With raters drawn, pairs are
    those of different raters, and a unit of which only copies of one are drawn drops out.

    Returns an Estimate in [0, 1] without a standard deviation. Units with fewer than two ratings
    do not count; None and NaN are missing ratings. Undefined: no ratings; one rater only; no
    unit with two ratings. (No variation is no obstacle: it is 1.) Errors as for `alpha`.

    Source: Fleiss (1971), "Measuring nominal scale agreement among many raters", equation 2 for a
    unit and 3 for the mean, with m_u ratings in place of a fixed number.
    """
    how = Bootstrap(
        resamples=resamples, seed=seed, confidence=confidence, method=interval, resample=resample
    )
    counts = count_units(units, raters, values, kind="label", clusters=clusters)
    if counts.undefined is not None:
        return Estimate.missing(counts.undefined, **counts.n)
    equal = counts.per_unit(counts.count * (counts.count - 1))
    share = equal / (counts.sizes * (counts.sizes - 1))
    bounds = _interval(counts, share, how)
    return Estimate(value=float(share.mean()), **vars(bounds), **counts.n)


def _interval(counts: UnitCounts, share: FloatArray, how: Bootstrap) -> Interval:
    if not how.crossed:
        contributions = sums_and_sizes(share, counts.cluster, counts.n_clusters)
        return bootstrap_interval(contributions, mean_of_totals, float(share.mean()), how)
    units = CrossedUnits(counts)

    def of_draws(draws: Draws) -> FloatArray:
        return units.drawn(draws).share_equal()

    return crossed_interval(
        of_draws,
        how,
        n_clusters=counts.n_clusters,
        n_raters=counts.n_raters,
        cells=units.cells,
    )
