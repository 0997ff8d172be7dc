"""Cohen's kappa: two raters, each with a distribution of labels of their own."""

from collections.abc import Hashable, Sequence

import numpy as np

from ..bootstrap.floors import lack_of_rare_labels
from ..bootstrap.intervals import Bootstrap, Sampled, interval_of
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS
from ..values.coding import FloatArray, IntArray
from ..values.estimate import Counts, Estimate
from ..values.ratings import (
    FEWEST_UNITS,
    Ids,
    TidyRatings,
    Values,
    few_units,
    read_ratings,
    why_no_pairs,
)
from .krippendorff import NO_VARIATION
from .rare_values import why_pairs_too_rare
from .weights import Scale


def cohen_kappa(
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
    """Cohen's kappa of two raters: 1 is perfect agreement, 0 what their label shares give.

    kappa = 1 - sum w_ij o_ij / sum w_ij e_ij over pairs of labels i, j, with o the share of units
    that got i from one rater and j from the other, and e the product of the raters' own shares.

    Parameters
    ----------
    units, raters, values : (N,) as for `alpha`, values being labels; exactly two raters.
    weights : none (every disagreement counts 1), linear or quadratic in the steps between two
        labels of `labels` (see `WEIGHTS`).
    labels : the whole scale from one end to the other, used or not; needed with weights.
    clusters, least, bootstrap : as for `alpha`.

    Returns an Estimate in [-1, 1], unitless. Units that only one of the two rated do not count;
    None and NaN are missing ratings. Undefined: no ratings; one rater only; no unit with two
    ratings; fewer than `least` such units; no variation (both gave one and the same label
    throughout). Where one or both are constant on different labels it is 0.

    Raises ValueError for a third rater, unknown weights, weights without `labels`, a value
    outside `labels`, and as `alpha` does.

    Source: Cohen (1960), "A coefficient of agreement for nominal scales", equation 1; Cohen
    (1968), "Weighted kappa", equation 2.
    """
    tidy = read_ratings(units, raters, values, kind="label", clusters=clusters)
    scale = Scale(tidy.domain, labels, weights)
    n_raters = len(np.unique(tidy.rater))
    if n_raters > 2:
        raise ValueError(f"Cohen's kappa compares two raters, not {n_raters}")
    first, second, cluster = _pairs(tidy)
    if not len(first):
        n = Counts(n_units=len(np.unique(tidy.unit)), n_raters=n_raters, n_ratings=len(tidy.unit))
        return Estimate.missing(why_no_pairs(n_raters), **n)
    n = Counts(n_units=len(first), n_raters=2, n_ratings=2 * len(first))
    if len(first) < least:
        return Estimate.missing(few_units(least), **n)
    table = _Table(first, second, cluster, scale)
    value = float(table.kappa(table.contributions.total())[0])
    if np.isnan(value):
        return Estimate.missing(NO_VARIATION, **n)
    place = np.tile(np.arange(len(first)), 2)
    lack = lack_of_rare_labels(place, np.append(first, second), np.ones(len(place)), cluster)
    rare = why_pairs_too_rare(first, second, cluster)
    of = Sampled(table.contributions, table.kappa, value, COEFFICIENTS, lack, rare)
    bounds = interval_of(of, bootstrap)
    return Estimate(value=value, **vars(bounds), **n)


def _pairs(tidy: TidyRatings) -> tuple[IntArray, IntArray, IntArray]:
    """Codes by the one and by the other rater of the units that both rated, and the clusters."""
    tidy = tidy.of(np.lexsort((tidy.rater, tidy.unit)))
    at = np.flatnonzero(tidy.unit[1:] == tidy.unit[:-1])
    _, cluster = np.unique(tidy.cluster_of_unit[tidy.unit[at]], return_inverse=True)
    return tidy.code[at], tidy.code[at + 1], cluster.astype(np.int64)


class _Table:
    """Contributions: column 0 the observed disagreement, then V counts of either rater."""

    def __init__(self, first: IntArray, second: IntArray, cluster: IntArray, scale: Scale) -> None:
        self.scale = scale
        self.n_values = len(scale.places)
        observed = scale.between(first, second)
        ones = np.ones(len(first))
        self.contributions = Contributions.from_cells(
            np.tile(cluster, 3),
            np.concatenate([np.zeros_like(first), 1 + first, 1 + self.n_values + second]),
            np.concatenate([observed, ones, ones]),
            shape=(int(cluster.max()) + 1, 1 + 2 * self.n_values),
        )

    def kappa(self, totals: FloatArray) -> FloatArray:
        """(r, 1 + 2V) totals -> (r,) kappas, NaN where no disagreement was to be expected."""
        observed = totals[:, 0]
        first, second = np.split(totals[:, 1:], 2, axis=1)
        n = first.sum(axis=1)
        expected = self._expected(first, second, n)
        ratio = np.full(len(n), np.nan)
        np.divide(n * observed, expected, out=ratio, where=expected > 0)
        return 1 - ratio

    def _expected(self, first: FloatArray, second: FloatArray, n: FloatArray) -> FloatArray:
        if self.scale.weights == "none":
            return np.asarray(n**2 - (first * second).sum(axis=1))
        codes = np.arange(self.n_values)
        apart = self.scale.between(codes[:, None], codes[None, :])
        return np.asarray(((first @ apart) * second).sum(axis=1))
