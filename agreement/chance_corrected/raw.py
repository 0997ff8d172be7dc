"""Raw agreement: how often two ratings of one unit are the same, uncorrected for chance."""

from ..bootstrap.crossed import CrossedUnits
from ..bootstrap.floors import lack_of_differences
from ..bootstrap.intervals import (
    Bootstrap,
    Interval,
    Sampled,
    crossed_interval,
    interval_of,
)
from ..bootstrap.resampling import Draws
from ..bootstrap.scales import SHARES
from ..scores.means import mean_of_totals, sums_and_sizes
from ..values.coding import FloatArray
from ..values.estimate import Estimate
from ..values.ratings import Ids, UnitCounts, Values, count_units
from .rare_values import why_behind


def raw_agreement(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Share of equal pairs among the pairs of ratings of a unit, averaged over units.

    Parameters: as for `alpha`; a value is any hashable (a set as a frozenset, equal as a whole).
    With two raters it is the share of units on which they agree. With raters drawn, pairs are
    those of different raters, and a unit of which only copies of one are drawn drops out.

    Returns an Estimate in [0, 1] without a standard deviation. Units with fewer than two ratings
    do not count; None and NaN are missing ratings. Undefined: no ratings; one rater only; no
    unit with two ratings. (Where all ratings are equal it is 1.) Errors as for `alpha`.

    Source: Fleiss (1971), "Measuring nominal scale agreement among many raters", equation 2 for a
    unit and 3 for the mean, with m_u ratings in place of a fixed number.
    """
    counts = count_units(units, raters, values, kind="label", clusters=clusters)
    if counts.undefined is not None:
        return Estimate.missing(counts.undefined, **counts.n)
    equal = counts.per_unit(counts.count * (counts.count - 1))
    share = equal / (counts.sizes * (counts.sizes - 1))
    bounds = _interval(counts, share, bootstrap)
    return Estimate(value=float(share.mean()), **vars(bounds), **counts.n)


def _interval(counts: UnitCounts, share: FloatArray, bootstrap: Bootstrap | None) -> Interval:
    table, value = sums_and_sizes(share, counts.cluster, counts.n_clusters), float(share.mean())
    lack, behind = lack_of_differences(share, counts.cluster), why_behind(counts, bootstrap)
    of = Sampled(table, mean_of_totals, value, SHARES, lack, behind, share=True)
    if bootstrap is None or not bootstrap.leaves_raters_out:
        return interval_of(of, bootstrap)
    units = CrossedUnits(counts)

    def of_draws(draws: Draws) -> FloatArray:
        return units.drawn(draws).share_equal()

    return crossed_interval(of, of_draws, bootstrap, n_raters=counts.n_raters, cells=units.cells)
