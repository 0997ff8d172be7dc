"""Intraclass correlations and variance components of ratings: how much is due to the units."""

from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.intervals import Bootstrap, Interval, bootstrap_intervals
from ..bootstrap.scales import COEFFICIENTS, SHARES
from ..chance_corrected.krippendorff import NO_VARIATION
from ..values.coding import FloatArray
from ..values.estimate import Counts, Estimate
from ..values.ratings import FEWEST_UNITS, Ids, Values, few_units, read_ratings, why_no_pairs
from .crossed import RATINGS, SQUARES, Crossed, one_way, two_way
from .exact_intervals import intervals_by_squares

ROUNDING = 1e-9
NOTHING_LEFT = "the variances are estimated as 0 or below"
NOT_CROSSED = "raters cannot be told apart from units: too few raters share units"
# Column of the figures: three correlations, then three shares of the variance.
ONE_WAY, AGREEMENT, CONSISTENCY, OF_UNITS, OF_RATERS, RESIDUAL = range(6)
SCALES = (*[COEFFICIENTS] * OF_UNITS, *[SHARES] * 3)


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """Reliability of a single rating, and where ratings differ.

    one_way: ICC(1,1), each unit rated by raters of its own. agreement: ICC(2,1), raters drawn from
    many, whose severity counts as error. consistency: ICC(3,1), without that error. variances:
    of units, raters and what is left, in squared units of the ratings, below 0 where the estimate
    is; None where they cannot be told apart. shares: of the same in their sum, those below 0
    taken as 0. mean_raters: harmonic mean of the ratings per unit; NaN-free, 0 without any.
    """

    one_way: Estimate
    agreement: Estimate
    consistency: Estimate
    shares: tuple[Estimate, Estimate, Estimate]
    variances: tuple[float, float, float] | None = None
    mean_raters: float = 0.0


def reliability(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Reliability:
    """Intraclass correlations ICC(1,1), ICC(2,1), ICC(3,1) and variance components.

    A rating is mean + unit + rater + residual, the three of them random with variances u, r and e:
    ICC(2,1) = u / (u + r + e), ICC(3,1) = u / (u + e). ICC(1,1) = u / (u + w) takes all that
    differs within a unit as error w. That is a generalizability study of one facet, raters, with
    ICC(2,1) the index of dependability of one rating and ICC(3,1) its generalizability.

    Parameters
    ----------
    units, raters, values, clusters : (N,) as for `alpha`, values being numbers. Missing ratings are
        allowed: variances are those of Henderson's first method, which is the analysis of variance
        of a complete table. Units with one rating do not count.
    bootstrap : None for no intervals. Of a complete table whose units are independent, intervals
        of the correlations are those of the F distribution. By the jackknife they are so in any
        table, approximately, but for ICC(2,1), which has a generalized one; all of these speak of
        other raters. Other intervals resample clusters, raters held fixed.

    Returns Reliability; correlations are at most 1 and may be below 0, as variances may. Undefined:
    no ratings; one rater only; no unit with two ratings; fewer than three such units; no variation;
    and all but ICC(1,1) where raters share too few units, or their variances are estimated as 0 or
    below. None and NaN are missing ratings. Errors as `alpha`.

    Source: Shrout and Fleiss (1979), "Intraclass Correlations: Uses in Assessing Rater
    Reliability"; McGraw and Wong (1996), "Forming Inferences About Some Intraclass Correlation
    Coefficients", table 7, for intervals; Henderson (1953), "Estimation of Variance and Covariance
    Components", method 1; Brennan (2001), "Generalizability Theory", sections 2.1 and 7.1.
    """
    tidy = read_ratings(units, raters, values, kind="number", clusters=clusters)
    if not (len(tidy.unit) and (np.bincount(tidy.unit) >= 2).any()):
        n_raters = len(np.unique(tidy.rater))
        n_units = len(np.unique(tidy.unit))
        return _nothing(
            why_no_pairs(n_raters),
            Counts(n_units=n_units, n_raters=n_raters, n_ratings=len(tidy.unit)),
        )
    table = Crossed.of(tidy.of(np.bincount(tidy.unit)[tidy.unit] >= 2))
    if table.n["n_units"] < FEWEST_UNITS or not table.varies:
        few = table.n["n_units"] < FEWEST_UNITS
        return _nothing(few_units(FEWEST_UNITS) if few else NO_VARIATION, table.n)
    return _reliability(table, bootstrap)


def _nothing(reason: str, n: Counts) -> Reliability:
    nothing = Estimate.missing(reason, **n)
    return Reliability(
        one_way=nothing,
        agreement=nothing,
        consistency=nothing,
        shares=(nothing, nothing, nothing),
    )


def _reliability(table: Crossed, bootstrap: Bootstrap | None) -> Reliability:
    totals = table.contributions.total()
    values, variances = _figures(totals)[0], two_way(totals)[0]
    reason = NOT_CROSSED if np.isnan(variances).any() else NOTHING_LEFT
    bounds = bootstrap_intervals(table.contributions, _figures, values, bootstrap, SCALES)
    if bootstrap is not None:
        seed = bootstrap.seed if bootstrap.method == "jackknife" else None
        if seed is not None or (table.complete and table.independent):
            by_squares = intervals_by_squares(table, bootstrap.confidence, seed=seed)
            bounds = [*by_squares, *bounds[OF_UNITS:]]
    estimates = [
        _estimate(value, bound, table.n, reason)
        for value, bound in zip(values.tolist(), bounds, strict=True)
    ]
    units, raters, residual = estimates[OF_UNITS:]
    first, second, third = variances.tolist()
    return Reliability(
        one_way=estimates[ONE_WAY],
        agreement=estimates[AGREEMENT],
        consistency=estimates[CONSISTENCY],
        shares=(units, raters, residual),
        variances=None if np.isnan(variances).any() else (first, second, third),
        mean_raters=table.mean_raters,
    )


def _estimate(value: float, bound: Interval, n: Counts, reason: str) -> Estimate:
    if np.isnan(value):
        return Estimate.missing(reason, **n)
    return replace(Estimate(value=value, **n), **vars(bound))


def _figures(totals: FloatArray) -> FloatArray:
    """(r, K) totals -> (r, 6) correlations and shares, NaN where undefined."""
    single, crossed = one_way(totals), two_way(totals)
    positive = np.maximum(crossed, 0)
    units, residual = crossed[:, 0], crossed[:, 2]
    least = ROUNDING * totals[:, SQUARES] / totals[:, RATINGS]
    return np.concatenate(
        [
            np.stack(
                [
                    _ratio(single[:, 0], single.sum(axis=1), least),
                    _ratio(units, crossed.sum(axis=1), least),
                    _ratio(units, units + residual, least),
                ],
                axis=1,
            ),
            _ratio(positive, positive.sum(axis=1, keepdims=True), least[:, None]),
        ],
        axis=1,
    )


def _ratio(above: FloatArray, below: FloatArray, least: FloatArray) -> FloatArray:
    """NaN where the divisor is not above `least`, which rounding may leave of nothing."""
    below = np.broadcast_to(below, above.shape)
    ratio = np.full(above.shape, np.nan)
    np.divide(above, below, out=ratio, where=below > least)
    return ratio
