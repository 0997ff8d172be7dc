"""How large the difference of two systems is, in units that do not depend on the scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.floors import lack_of_differences
from ..bootstrap.intervals import Bootstrap
from ..bootstrap.scales import COEFFICIENTS, NUMBERS, SHARES
from ..scores.dominance import dominance, interval_of_left_out
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

NO_PAIRS = "no source on which both systems were rated"
ONE_PAIR = "fewer than two sources on which both systems were rated"
NO_SPREAD = "no variation: neither system differs between sources"

Numbers = Sequence[object] | npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class EffectSizes:
    """superiority: of the first system on the same source. cliff_delta: over all pairs of sources.
    standardised: the difference of means over the mean standard deviation."""

    superiority: Estimate
    cliff_delta: Estimate
    standardised: Estimate


def effect_sizes(
    first: Numbers,
    second: Numbers,
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> EffectSizes:
    """Three effect sizes of two systems rated on the same N sources.

    superiority: the share of sources on which the first system's figure is higher, ties half; the
    common language effect size of paired figures, in [0, 1], 1/2 without a difference.
    cliff_delta: P(first > second) - P(first < second) over all N x N pairs of sources, in [-1, 1].
    standardised: Cohen's d_av, the mean difference over the mean of both sample standard
    deviations (n - 1); no correction for few sources. 0 without a difference.

    Parameters
    ----------
    first, second : (N,) the systems' figures on each source, in one unit; a source where one of
        them is missing (None or NaN) drops out.
    clusters : (N,) ids of what intervals leave out; each source by itself when left out.
    bootstrap : as for `alpha`, None for no intervals; they are jackknives whatever it asks for.

    Raters are held fixed. n_units counts sources. Undefined: no source with both; of d_av, fewer
    than two, or no variation between sources in either. Raises ValueError for different lengths
    and infinite numbers.

    Source: Grissom and Kim (2012), "Effect Sizes for Research", chapters 5 and 6; McGraw and Wong
    (1992), "A common language effect size statistic"; Cliff (1993), "Dominance statistics: Ordinal
    analyses to answer ordinal questions"; Cumming (2012), "Understanding the New Statistics", and
    Lakens (2013), "Calculating and reporting effect sizes to facilitate cumulative science",
    equation 10.
    """
    x, y = as_floats(first), as_floats(second)
    cluster = np.arange(len(x)) if clusters is None else code_ids(clusters)[0]
    if {len(y), len(cluster)} != {len(x)}:
        raise ValueError("figures and clusters differ in length")
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    x, y, cluster = x[both], y[both], code_ids(cluster[both])[0]
    if not len(x):
        nothing = Estimate.missing(NO_PAIRS, n_units=0)
        return EffectSizes(superiority=nothing, cliff_delta=nothing, standardised=nothing)
    return EffectSizes(
        superiority=_superiority(x, y, cluster, bootstrap),
        cliff_delta=_cliff_delta(x, y, cluster, bootstrap),
        standardised=_standardised(x, y, cluster, bootstrap),
    )


def superiority_of(
    first: Numbers,
    second: Numbers,
    *,
    first_clusters: Ids,
    second_clusters: Ids,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """The probability of superiority of two systems rated on different inputs.

    How often a figure of the first is higher than one of the second, over all pairs of the two,
    ties half: Mann and Whitney's U over n m, Vargha and Delaney's A, in [0, 1]. first, second:
    (n,), (m,) figures, of which missing ones drop out. first_clusters, second_clusters: of each
    figure, usually its source; the jackknife leaves out one after the other.

    n_units counts figures of both. Undefined: one of them has none. Errors as for `effect_sizes`.

    Source: Vargha and Delaney (2000), "A critique and improvement of the CL common language effect
    size statistics of McGraw and Wong".
    """
    x, y = as_floats(first), as_floats(second)
    if len(x) != len(first_clusters) or len(y) != len(second_clusters):
        raise ValueError("figures and clusters differ in length")
    here, there = ~np.isnan(x), ~np.isnan(y)
    n_units = int(here.sum() + there.sum())
    if not here.any() or not there.any():
        return Estimate.missing("one of the systems has no figure", n_units=n_units)
    cluster, _ = code_ids([*first_clusters, *second_clusters])
    cluster, _ = code_ids(cluster[np.concatenate([here, there])])
    own, others = cluster[: here.sum()], cluster[here.sum() :]
    found = dominance(x[here], y[there], own=own, others=others)
    bounds = interval_of_left_out(found.value, found.without, bootstrap, SHARES)
    return Estimate(value=found.value, n_units=n_units, **vars(bounds))


def _superiority(
    x: FloatArray, y: FloatArray, cluster: IntArray, bootstrap: Bootstrap | None
) -> Estimate:
    wins = (np.sign(x - y) + 1) / 2
    totals = _without_each([wins, np.ones(len(x))], cluster)
    lack = lack_of_differences(wins, cluster)
    with np.errstate(invalid="ignore"):
        without = totals[:, 0] / totals[:, 1]
    bounds = interval_of_left_out(float(wins.mean()), without, bootstrap, SHARES, lack)
    return Estimate(value=float(wins.mean()), n_units=len(x), **vars(bounds))


def _cliff_delta(
    x: FloatArray, y: FloatArray, cluster: IntArray, bootstrap: Bootstrap | None
) -> Estimate:
    found = dominance(x, y, own=cluster, others=cluster)
    value = 2 * found.value - 1
    bounds = interval_of_left_out(value, 2 * found.without - 1, bootstrap, COEFFICIENTS)
    return Estimate(value=value, n_units=len(x), **vars(bounds))


def _standardised(
    x: FloatArray, y: FloatArray, cluster: IntArray, bootstrap: Bootstrap | None
) -> Estimate:
    if len(x) < 2:
        return Estimate.missing(ONE_PAIR, n_units=len(x))
    # Sums of squares lose their digits where numbers are large and alike.
    x, y = x - (middle := float(np.concatenate([x, y]).mean())), y - middle
    columns = [np.ones(len(x)), x, y, x * x, y * y]
    value = float(_d_av(np.array([[column.sum() for column in columns]]))[0])
    if np.isnan(value):
        return Estimate.missing(NO_SPREAD, n_units=len(x))
    without = _d_av(_without_each(columns, cluster))
    bounds = interval_of_left_out(value, without, bootstrap, NUMBERS)
    return Estimate(value=value, n_units=len(x), **vars(bounds))


def _without_each(columns: Sequence[FloatArray], cluster: IntArray) -> FloatArray:
    """Totals of K columns (N,) without each of G clusters: (G, K)."""
    own = np.stack([np.bincount(cluster, column) for column in columns], axis=1)
    return np.asarray(own.sum(axis=0) - own)


def _d_av(totals: FloatArray) -> FloatArray:
    """(r, 5) numbers of sources, sums and sums of squares -> (r,), NaN where nothing varies."""
    n, sums, squares = totals[:, :1], totals[:, 1:3], totals[:, 3:]
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = squares - sums**2 / n
        variances = np.where(rest > 1e-12 * squares, rest, 0.0) / (n - 1)
        spread = np.sqrt(variances).mean(axis=1)
        apart = (sums[:, 0] - sums[:, 1]) / n[:, 0]
        return np.where(spread > 0, apart / spread, np.nan)
