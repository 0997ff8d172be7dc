"""Agreement of any number of raters beyond chance: Fleiss' kappa, Gwet's AC1 and AC2."""

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from ..bootstrap.crossed import CrossedCounts, CrossedUnits
from ..bootstrap.floors import lack_of_rare_labels
from ..bootstrap.intervals import (
    Bootstrap,
    Interval,
    Sampled,
    crossed_interval,
    interval_of,
)
from ..bootstrap.resampling import Contributions, Draws, Statistic
from ..bootstrap.scales import COEFFICIENTS
from ..values.coding import FloatArray
from ..values.estimate import Estimate
from ..values.ratings import FEWEST_UNITS, Ids, UnitCounts, Values, count_units, few_units
from .krippendorff import NO_VARIATION
from .rare_values import why_not_live
from .weights import Scale

# Shares of the labels (r, V) and the scale -> expected disagreement (r,).
Expectation = Callable[[FloatArray, Scale], FloatArray]


def fleiss_kappa(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    clusters: Ids | None = None,
    least: int = FEWEST_UNITS,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Fleiss' kappa: share of agreeing pairs beyond what the labels' shares give by chance.

    kappa = 1 - (1 - p_a) / (1 - sum p_k^2): p_a the share of equal pairs of ratings of a unit,
    mean over units with two or more ratings; p_k the share of label k in a unit, mean over all
    units.

    Parameters : as for `alpha`; values are labels; it does not matter which rater gave which.

    Returns an Estimate in [-1, 1], unitless. None and NaN are missing ratings; a unit with one
    rating counts for the p_k only, and in n_units. Undefined: no ratings; one rater only; no unit
    with two ratings; fewer than `least` such units; no variation. Errors as for `alpha`.

    Source: Fleiss (1971), "Measuring nominal scale agreement among many raters", equations 2 to
    7; unequal numbers of ratings as in Gwet (2014), "Handbook of Inter-Rater Reliability",
    section 2.5.
    """
    counts = count_units(units, raters, values, kind="label", clusters=clusters, least=1)
    return _beyond_chance(
        counts, Scale(counts.domain, None, "none"), _by_product, least=least, bootstrap=bootstrap
    )


def gwet_ac(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    weights: str = "none",
    labels: Sequence[Hashable] | None = None,
    clusters: Ids | None = None,
    least: int = FEWEST_UNITS,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Gwet's AC1 (weights "none") or AC2 (linear, quadratic), stable where one label prevails.

    AC = (p_a - p_e) / (1 - p_e): p_a the weighted agreement of the pairs of ratings of a unit,
    mean over units with two or more; p_e = T / (q (q - 1)) sum p_k (1 - p_k) with T the sum of
    the agreement weights 1 - w over all pairs of the q labels, and p_k as for `fleiss_kappa`.

    Parameters
    ----------
    units, raters, values : (N,) as for `alpha`, values being labels.
    weights : none, linear or quadratic in the steps between two labels (see `WEIGHTS`).
    labels : the whole scale in its order, used or not; needed with weights. Without it q counts
        the labels that occur, and a label nobody used changes nothing.
    clusters, least, bootstrap : as for `alpha`.

    Returns an Estimate in [-1, 1], unitless. None and NaN are missing ratings; a unit with one
    rating counts for the p_k only, and in n_units. Undefined: no ratings; one rater only; no unit
    with two ratings; fewer than `least` such units; no variation where no second label is known
    (with `labels`, ratings that are all equal give 1). Raises ValueError for unknown weights,
    weights without `labels`, a value outside `labels`, and as `alpha` does.

    Source: Gwet (2008), "Computing inter-rater reliability and its variance in the presence of
    high agreement", equations 7 and 8; weights and missing ratings as in Gwet (2014), "Handbook
    of Inter-Rater Reliability", sections 3.5 and 4.4.
    """
    counts = count_units(units, raters, values, kind="label", clusters=clusters, least=1)
    return _beyond_chance(
        counts,
        Scale(counts.domain, labels, weights),
        _by_spread,
        least=least,
        bootstrap=bootstrap,
    )


def _by_product(shares: FloatArray, _scale: Scale) -> FloatArray:
    """Expected disagreement of two ratings drawn from the labels' shares."""
    return np.asarray(1 - (shares**2).sum(axis=1))


def _by_spread(shares: FloatArray, scale: Scale) -> FloatArray:
    """Expected disagreement where raters guess in proportion to how mixed the labels are."""
    agreeing = scale.size**2 - scale.total()
    mixed = (shares * (1 - shares)).sum(axis=1)
    return np.asarray(1 - agreeing / (scale.size * (scale.size - 1)) * mixed)


def _beyond_chance(
    counts: UnitCounts,
    scale: Scale,
    expected: Expectation,
    *,
    least: int,
    bootstrap: Bootstrap | None,
) -> Estimate:
    if counts.undefined is not None:
        return Estimate.missing(counts.undefined, **counts.n)
    if int((counts.sizes >= 2).sum()) < least:
        return Estimate.missing(few_units(least), **counts.n)
    if scale.size < 2:
        return Estimate.missing(NO_VARIATION, **counts.n)
    contributions = _contributions(counts, scale)

    def coefficient(totals: FloatArray) -> FloatArray:
        """NaN where no unit has two ratings or no disagreement was to be expected."""
        apart, pairable, n_units = totals[:, :3].T
        shares = totals[:, 3:] / n_units[:, None]
        chance = expected(shares, scale) * pairable
        ratio = np.full(len(chance), np.nan)
        # Shares of a single label may miss 1 by rounding: what is left then is no chance.
        np.divide(apart, chance, out=ratio, where=chance > 1e-12 * pairable)
        return 1 - ratio

    value = float(coefficient(contributions.total())[0])
    if np.isnan(value):
        return Estimate.missing(NO_VARIATION, **counts.n)
    bounds = _interval(counts, scale, contributions, coefficient, bootstrap)
    return Estimate(value=value, **vars(bounds), **counts.n)


def _interval(
    counts: UnitCounts,
    scale: Scale,
    contributions: Contributions,
    coefficient: Statistic,
    bootstrap: Bootstrap | None,
) -> Interval:
    value = float(coefficient(contributions.total())[0])
    lack = lack_of_rare_labels(counts.unit, counts.code, counts.count, counts.cluster)
    of = Sampled(
        contributions, coefficient, value, COEFFICIENTS, lack, why_not_live(counts, bootstrap)
    )
    if bootstrap is None or not bootstrap.crossed:
        return interval_of(of, bootstrap)
    units = CrossedUnits(counts)
    first, second = units.pairs if scale.weights != "none" else (units.by_code[:0],) * 2
    between = scale.between(counts.code[first], counts.code[second])

    def of_draws(draws: Draws) -> FloatArray:
        return coefficient(_crossed_totals(units.drawn(draws), scale, between))

    return crossed_interval(of, of_draws, bootstrap, n_raters=counts.n_raters, cells=units.cells)


def _crossed_totals(drawn: CrossedCounts, scale: Scale, between: FloatArray) -> FloatArray:
    """The columns of `_contributions` (r, 3 + V), of resamples of clusters and raters.

    between: how far apart the values of `CrossedUnits.pairs` are; unused without weights.
    """
    unit = drawn.units.counts.unit
    apart = drawn.n_apart
    if scale.weights != "none":
        first, second = drawn.units.pairs
        weights = 2 * drawn.count[:, first] * drawn.count[:, second] * between
        apart = np.stack([np.bincount(unit[first], row, apart.shape[1]) for row in weights])
    pairable, rated = drawn.n_pairs > 0, drawn.ratings > 0
    shares = np.divide(apart, drawn.n_pairs, where=pairable, out=np.zeros_like(apart))
    sizes = np.where(rated, drawn.ratings, 1)[:, unit]
    of_labels = drawn.count / sizes * drawn.clusters[:, unit]
    figures = [shares, pairable, rated]
    return np.concatenate(
        [
            np.stack([(figure * drawn.clusters).sum(axis=1) for figure in figures], axis=1),
            drawn.units.by_value(of_labels),
        ],
        axis=1,
    )


def _contributions(counts: UnitCounts, scale: Scale) -> Contributions:
    """Columns: disagreement of units with two or more ratings, their number, the number of all
    units, then the sum over units of the share of each label.
    """
    pairable = counts.sizes >= 2
    both = np.maximum(counts.sizes * (counts.sizes - 1), 1)
    figures = [_disagreement(counts, scale) / both, pairable, np.ones(len(pairable))]
    shares = counts.count / counts.sizes[counts.unit]
    return Contributions.from_cells(
        np.concatenate([np.tile(counts.cluster, 3), counts.cluster[counts.unit]]),
        np.concatenate([np.repeat([0, 1, 2], len(pairable)), 3 + counts.code]),
        np.concatenate([*figures, shares]).astype(np.float64),
        shape=(counts.n_clusters, 3 + counts.n_values),
    )


def _disagreement(counts: UnitCounts, scale: Scale) -> FloatArray:
    """Weighted disagreement summed over the ordered pairs of ratings of each unit: (U,)."""
    if scale.weights == "none":
        return np.asarray(counts.sizes**2 - counts.per_unit(counts.count**2))
    apart = np.zeros(len(counts.sizes))
    for i, j in counts.pairs():
        between = scale.between(counts.code[i], counts.code[j])
        weights = 2 * counts.count[i] * counts.count[j] * between
        apart += np.bincount(counts.unit[i], weights=weights, minlength=len(apart))
    return apart
