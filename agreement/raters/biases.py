"""Biases of a judge compared with people: towards its own model family, and towards length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS
from ..scores.means import mean_by
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids

Numbers = Sequence[object] | npt.NDArray[Any]

# Width of the published scale, and how far above the human mean a score has to lie.
SPAN, MARGIN = 5.0, 2.0
NO_PAIRS = "no score has a human mean beside it"
NO_OWN = "no text of the judge's own family"
NO_OTHERS = "no text of another family"
TOO_FEW = "fewer than four scores with a length and a human mean"
EQUAL_LENGTHS = "no variation: all texts are equally long"
ENTANGLED = "the lengths follow from the human means"
# Sums of squares below that share of the largest are rounding.
ROUNDING = 1e-9


def ego_centric_share(
    scores: Numbers,
    humans: Numbers,
    *,
    low: float,
    high: float,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Share of a judge's scores that lie at least 2 points above the human mean, of 0 to 5.

    Parameters
    ----------
    scores, humans : (N,) the judge's score and the mean of people for the same thing, both on the
        scale from low to high, which is mapped linearly to 0..5; None or NaN where missing.
    low, high : the ends of that scale, low < high.
    clusters : (N,) ids of what is resampled, usually the source; each pair when left out.
    bootstrap : as for `alpha`.

    Returns an Estimate in [0, 1] without a standard deviation; n_units and n_ratings count the
    pairs that have both numbers. Undefined: no such pair. Raises ValueError for low >= high,
    different lengths and infinite numbers.

    Source: the published comparison of FinGrAct, Prometheus and G-Eval counts such scores.
    """
    above = _far_above(scores, humans, low, high)
    estimate = mean_by(
        above,
        clusters=clusters,
        ends=(0, 1),
        bootstrap=bootstrap,
    )
    if estimate.value is None:
        return Estimate.missing(NO_PAIRS, n_units=0, n_ratings=0)
    return Estimate(**{**vars(estimate), "sd": None, "sd_ddof": None})


def ego_centric_difference(
    scores: Numbers,
    humans: Numbers,
    own: Sequence[bool] | npt.NDArray[np.bool_],
    *,
    low: float,
    high: float,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """`ego_centric_share` of texts by the judge's own family minus that of the others'.

    own : (N,) whether the text is by a model of the judge's family. The other parameters and
    errors as for `ego_centric_share`.

    Returns an Estimate in [-1, 1], above 0 where the judge overrates its own family more than
    others; pairs with a missing number drop out. Undefined: no pair has both numbers, no text of
    the own family, or none of another; such resamples are left out of the interval.

    Source: as for `ego_centric_share`; the interval is that of a difference of two ratios of sums.
    """
    above = _far_above(scores, humans, low, high)
    complete = np.flatnonzero(~np.isnan(above))
    kind = np.where(np.asarray(own, dtype=bool)[complete], 0, 1)
    n = Counts(n_units=len(complete), n_ratings=len(complete))
    if not len(complete):
        return Estimate.missing(NO_PAIRS, **n)
    if len(np.unique(kind)) < 2:
        return Estimate.missing(NO_OWN if kind[0] else NO_OTHERS, **n)
    cluster, n_clusters = _cluster_codes(clusters, complete, len(above))
    contributions = Contributions.from_cells(
        np.tile(cluster, 2),
        np.concatenate([kind, 2 + kind]),
        np.concatenate([above[complete], np.ones(len(complete))]),
        shape=(n_clusters, 4),
    )
    value = float(_difference(contributions.total())[0])
    bounds = bootstrap_interval(contributions, _difference, value, bootstrap, scale=COEFFICIENTS)
    return Estimate(value=value, **vars(bounds), **n)


def length_slope(
    scores: Numbers,
    lengths: Numbers,
    humans: Numbers,
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Slope of a judge's scores over the length of the text, the human mean held fixed.

    b of the least squares plane score = a + b length + c human: how many points more the judge
    gives to a text that is one unit longer and that people find equally good. Where the human
    means do not vary they are fixed already, and b is the slope of score over length.

    Parameters
    ----------
    scores, lengths, humans : (N,) numbers about the same texts, None or NaN where missing; the
        result is in points per unit of the lengths, so give hundreds of words for points per 100.
    clusters, bootstrap : as for `ego_centric_share`.

    Returns an Estimate, any number; n_units and n_ratings count the texts with all three.
    Undefined: fewer than four of them; lengths that do not vary, or that follow from the human
    means; resamples where they do so are left out of the interval.

    Source: Yule (1907), "On the Theory of Correlation for any Number of Variables, Treated by a
    New System of Notation" (partial regression).
    """
    columns = [as_floats(column) for column in (lengths, humans, scores)]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("scores, lengths and humans differ in length")
    complete = np.flatnonzero(~np.isnan(columns[0] + columns[1] + columns[2]))
    n = Counts(n_units=len(complete), n_ratings=len(complete))
    if len(complete) < 4:
        return Estimate.missing(TOO_FEW, **n)
    (x, x_scale), (h, _), (y, y_scale) = (_standardised(column[complete]) for column in columns)
    if not x_scale:
        return Estimate.missing(EQUAL_LENGTHS, **n)
    cluster, n_clusters = _cluster_codes(clusters, complete, len(columns[0]))
    products = [np.ones(len(x)), x, h, y, x * x, x * h, h * h, x * y, h * y]
    contributions = Contributions.from_cells(
        np.tile(cluster, len(products)),
        np.repeat(np.arange(len(products)), len(complete)),
        np.concatenate(products),
        shape=(n_clusters, len(products)),
    )
    unit = y_scale / x_scale

    def slope(totals: FloatArray) -> FloatArray:
        return _slope(totals) * unit

    value = float(slope(contributions.total())[0])
    if np.isnan(value):
        return Estimate.missing(ENTANGLED, **n)
    bounds = bootstrap_interval(contributions, slope, value, bootstrap)
    return Estimate(value=value, **vars(bounds), **n)


def _far_above(scores: Numbers, humans: Numbers, low: float, high: float) -> FloatArray:
    """1 where a score lies far above the human mean, 0 where not, NaN where one is missing."""
    if low >= high:
        raise ValueError(f"a scale cannot run from {low:g} to {high:g}")
    judge, people = as_floats(scores), as_floats(humans)
    if len(judge) != len(people):
        raise ValueError(f"{len(judge)} scores for {len(people)} human means")
    apart = (judge - people) * SPAN / (high - low)
    # 3.4 - 1.4 is less than 2 by the last binary digit.
    return np.where(np.isnan(apart), np.nan, (apart >= MARGIN - ROUNDING).astype(np.float64))


def _difference(totals: FloatArray) -> FloatArray:
    """(r, 4) sums of own and others, then their numbers -> (r,), NaN where one has none."""
    means = np.full((len(totals), 2), np.nan)
    np.divide(totals[:, :2], totals[:, 2:], out=means, where=totals[:, 2:] > 0)
    return np.asarray(means[:, 0] - means[:, 1])


def _standardised(values: FloatArray) -> tuple[FloatArray, float]:
    """Values about 0 in units of their deviation, and that unit; zeros where they are equal."""
    centred = values - values.mean()
    scale = float(np.sqrt(np.mean(centred**2)))
    if scale <= ROUNDING * max(1.0, float(np.abs(values).max())):
        return np.zeros(len(values)), 0.0
    return centred / scale, scale


def _slope(totals: FloatArray) -> FloatArray:
    """(r, 9) sums of 1, x, h, y and products -> (r,) partial slopes, NaN where undetermined."""
    n, x, h, y, xx, xh, hh, xy, hy = totals.T
    xx, xh, hh = xx - x * x / n, xh - x * h / n, hh - h * h / n
    xy, hy = xy - x * y / n, hy - h * y / n
    fixed = hh <= ROUNDING * n  # in units of variance: people do not vary here
    hh = np.where(fixed, 1.0, hh)
    xh, hy = np.where(fixed, 0.0, xh), np.where(fixed, 0.0, hy)
    left = xx * hh - xh * xh
    slopes = np.full(len(totals), np.nan)
    determined = (left > ROUNDING * np.maximum(xx * hh, n)) & (xx > ROUNDING * n)
    np.divide(xy * hh - hy * xh, left, out=slopes, where=determined)
    return slopes


def _cluster_codes(clusters: Ids | None, complete: IntArray, length: int) -> tuple[IntArray, int]:
    if clusters is None:
        return np.arange(len(complete)), len(complete)
    if len(clusters) != length:
        raise ValueError(f"{len(clusters)} clusters for {length} scores")
    return code_ids(code_ids(clusters)[0][complete])
