"""Why kappa may be low although raters agree: how lopsided the answers are, and how unlike."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.intervals import Bootstrap, bootstrap_intervals
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS, SHARES, Scale
from ..values.coding import FloatArray, IntArray, code_ids
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

NOT_TWO_LABELS = "not of two labels"
NOT_TWO_RATERS = "not of two raters"
ONE_LABEL = "one label only"


@dataclass(frozen=True, kw_only=True)
class PrevalenceAndBias:
    """What kappa and alpha depend on beside agreement.

    commonest: share of the commonest label among the ratings. prevalence: of two labels the share
    of the first minus that of the second, 0 where both are as common. bias: of two raters and two
    labels the first rater's share of the first label minus the second's. adjusted: agreement
    corrected for chance as if all labels were equally common and raters alike (PABAK).
    """

    commonest: Estimate
    prevalence: Estimate
    bias: Estimate
    adjusted: Estimate


def prevalence_and_bias(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    labels: Sequence[Hashable] | None = None,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> PrevalenceAndBias:
    """The prevalence and bias indices beside kappa, and kappa adjusted for both.

    With the counts a (both said the first label), b, c (they differ) and d of n units by two
    raters: prevalence (a - d) / n, bias (b - c) / n, adjusted 2 p - 1 with p = (a + d) / n. Of q
    labels and any number of raters, adjusted = (q p - 1) / (q - 1) with p as in `raw_agreement`
    (Bennett's S; the kappa of Brennan and Prediger).

    Parameters
    ----------
    units, raters, values, clusters, bootstrap : as for `cohen_kappa`, for any number of raters.
    labels : what could be chosen, the first of which is the one that the indices speak of; what
        occurs, in the order of appearance, when left out.

    Returns a PrevalenceAndBias of the ratings of units with two or more; commonest lies in (0, 1],
    prevalence and bias in [-1, 1], adjusted in [-1 / (q - 1), 1]. None and NaN are missing ratings.
    Undefined: as `raw_agreement`; prevalence and bias where there are more or fewer than two
    labels, bias where there are not two raters, adjusted where there is one label, or fewer than
    three units. Errors as for
    `cohen_kappa`.

    Source: Byrt, Bishop and Carlin (1993), "Bias, prevalence and kappa", equations for PI, BI and
    PABAK; Brennan and Prediger (1981), "Coefficient kappa: some uses, misuses, and alternatives".
    """
    tidy = read_ratings(units, raters, values, kind="label", clusters=clusters)
    n_raters = len(np.unique(tidy.rater))
    paired = tidy.of(np.bincount(tidy.unit)[tidy.unit] >= 2) if len(tidy.unit) else tidy
    assert isinstance(tidy.domain, list)
    offered = list(tidy.domain if labels is None else labels)
    outside = [label for label in tidy.domain if label not in offered]
    if outside:
        raise ValueError(f"{outside[0]!r} is not among the labels")
    if not len(paired.unit):
        nothing = Estimate.missing(
            why_no_pairs(n_raters), n_raters=n_raters, n_ratings=len(tidy.unit)
        )
        return PrevalenceAndBias(
            commonest=nothing, prevalence=nothing, bias=nothing, adjusted=nothing
        )
    return _Answers(paired, offered).estimates(bootstrap)


class _Answers:
    """Contributions of clusters: units, agreement, then the labels of all; with two raters and two
    labels also those of either rater."""

    def __init__(self, tidy: TidyRatings, offered: list[Hashable]) -> None:
        assert isinstance(tidy.domain, list)
        place = {label: at for at, label in enumerate(offered)}
        self.size = len(offered)
        label = np.array([place[value] for value in tidy.domain], dtype=np.int64)[tidy.code]
        rater, self.n_raters = code_ids(tidy.rater)
        unit, self.n_units = code_ids(tidy.unit)
        cluster, _ = code_ids(tidy.cluster_of_unit[tidy.unit])
        self.n_ratings = len(unit)
        self.two = self.size == 2 and self.n_raters == 2
        self.contributions = self._contributions(unit, label, rater, cluster)
        totals = self.contributions.total()[0, 2 : 2 + self.size]
        self.most = int(totals.argmax())

    def _contributions(
        self, unit: IntArray, label: IntArray, rater: IntArray, cluster: IntArray
    ) -> Contributions:
        of_unit = np.zeros(self.n_units, dtype=np.int64)
        of_unit[unit] = cluster
        counts = np.bincount(unit * self.size + label, minlength=self.n_units * self.size)
        by_label = counts.reshape(self.n_units, self.size).astype(np.float64)
        sizes = by_label.sum(axis=1)
        equal = (by_label * (by_label - 1)).sum(axis=1) / (sizes * (sizes - 1))
        ones = np.ones(len(unit))
        zeros = np.zeros(self.n_units, dtype=np.int64)
        rows, weights = [of_unit, of_unit, cluster], [np.ones(self.n_units), equal, ones]
        columns = [zeros, zeros + 1, 2 + label]
        if self.two:
            rows, weights = [*rows, cluster], [*weights, ones]
            columns.append(2 + self.size * (1 + rater) + label)
        return Contributions.from_cells(
            np.concatenate(rows),
            np.concatenate(columns),
            np.concatenate(weights),
            shape=(int(cluster.max()) + 1, 2 + (3 if self.two else 1) * self.size),
        )

    def figures(self, totals: FloatArray) -> FloatArray:
        """(r, K) totals -> (r, 4) in the order of PrevalenceAndBias, NaN where undefined."""
        q = self.size
        shares = _shares(totals[:, 2 : 2 + q])
        figures = np.full((len(totals), 4), np.nan)
        figures[:, 0] = shares[:, self.most]
        if q == 2:
            figures[:, 1] = shares[:, 0] - shares[:, 1]
        if self.two:
            first, second = (_shares(totals[:, at : at + 2]) for at in (4, 6))
            figures[:, 2] = first[:, 0] - second[:, 0]
        if q > 1:
            figures[:, 3] = (q * totals[:, 1] / totals[:, 0] - 1) / (q - 1)
        return figures

    def estimates(self, bootstrap: Bootstrap | None) -> PrevalenceAndBias:
        values = self.figures(self.contributions.total())[0]
        scales = (SHARES, COEFFICIENTS, COEFFICIENTS, Scale(-1 / max(self.size - 1, 1), 1.0))
        bounds = bootstrap_intervals(self.contributions, self.figures, values, bootstrap, scales)
        two = None if self.size == 2 else NOT_TWO_LABELS
        reasons = (
            None,
            two,
            two or (None if self.n_raters == 2 else NOT_TWO_RATERS),
            ONE_LABEL
            if self.size < 2
            else few_units(FEWEST_UNITS)
            if self.n_units < FEWEST_UNITS
            else None,
        )
        n = Counts(n_units=self.n_units, n_raters=self.n_raters, n_ratings=self.n_ratings)
        commonest, prevalence, bias, adjusted = (
            Estimate.missing(reason, **n)
            if reason is not None
            else replace(Estimate(value=float(value), **n), **vars(bound))
            for value, bound, reason in zip(values, bounds, reasons, strict=True)
        )
        return PrevalenceAndBias(
            commonest=commonest, prevalence=prevalence, bias=bias, adjusted=adjusted
        )


def _shares(counts: FloatArray) -> FloatArray:
    sizes = counts.sum(axis=1, keepdims=True)
    shares = np.full(counts.shape, np.nan)
    np.divide(counts, sizes, out=shares, where=sizes > 0)
    return shares
