"""Severity of raters: how much lower than the others one rates the same units."""

from collections.abc import Hashable
from math import inf
from typing import Any

import numpy as np

from ..scores.clustered import student
from ..values.coding import FloatArray, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids, TidyRatings, Values, read_ratings, why_no_pairs

APART = "shares no unit with most raters, directly or through others"
ALONE = "no unit rated by somebody else"


def severity(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    clusters: Ids | None = None,
    reach: float = inf,
    confidence: float | None = 0.95,
) -> dict[Hashable, Estimate]:
    """How many points lower than the average rater each one rates the same units.

    The additive model of facets: a rating is unit + rater + error, fitted by least squares, with
    severities (the negative rater effects) that sum to 0 over the raters. It is the many-facet
    model on the scale of the ratings themselves; Linacre's own is of log-odds between neighbouring
    points of the scale, and is not fitted here.

    Parameters
    ----------
    units, raters, values, clusters : (N,) as for `alpha`, values being numbers.
    reach : the length of the scale; the bounds of a severity stay within it.
    confidence : of the intervals, by Student's t with an error over clusters; None for none.

    Returns for each rater an Estimate in points of the scale, above 0 for a stricter rater;
    n_units, n_ratings: the units with two ratings that the rater rated. Intervals are for one rater
    at a time, and missing below ten clusters. None and NaN are missing ratings. Undefined: as
    `alpha`; a rater who shares no unit with others, or is not linked to most raters by chains of
    shared units: severities of unlinked raters cannot be compared. Errors as for `alpha`.

    Source: Linacre (1989), "Many-Facet Rasch Measurement", for the design and the need of links;
    the additive model: Scheffe (1959), "The Analysis of Variance", section 4.4; its error over
    clusters: Liang and Zeger (1986).
    """
    tidy = read_ratings(units, raters, values, kind="number", clusters=clusters)
    names = _names(raters)
    if not len(tidy.unit):
        return {name: Estimate.missing(why_no_pairs(0)) for name in names}
    paired = tidy.of(np.bincount(tidy.unit)[tidy.unit] >= 2)
    fit = _Additive(paired, len(names))
    n_raters = len(np.unique(tidy.rater))
    lonely = why_no_pairs(n_raters) if n_raters < 2 else ALONE
    return {name: fit.estimate(code, confidence, reach, lonely) for name, code in names.items()}


def _names(raters: Ids) -> dict[Hashable, int]:
    """Rater -> its code."""
    codes, _ = code_ids(raters)
    plain: list[Any] = raters.tolist() if isinstance(raters, np.ndarray) else list(raters)
    return dict(zip(plain, codes.tolist(), strict=True))


class _Additive:
    """Least squares of rating = unit + rater, units taken out: L s = b over J raters."""

    def __init__(self, tidy: TidyRatings, n_raters: int) -> None:
        assert isinstance(tidy.domain, np.ndarray)
        self.unit, n_units = code_ids(tidy.unit)
        self.rater, self.n_raters = tidy.rater, n_raters
        value = tidy.domain[tidy.code]
        self.cluster, self.n_clusters = code_ids(tidy.cluster_of_unit[tidy.unit])
        self.sizes = np.bincount(self.unit, minlength=n_units).astype(np.float64)
        self.linked = self._links()
        self.rated = np.bincount(self.rater, minlength=n_raters)
        if self.linked.any():
            kept = self.linked[self.rater]
            # Its one eigenvalue of 0 is left as rounding, which must not be inverted.
            self.inverse = np.linalg.pinv(self._laplacian(kept), rcond=1e-9, hermitian=True)
            self.effects = self.inverse @ self._sums(self._centred(value))
            self.errors = self._errors(value)

    def _sums(self, values: FloatArray) -> FloatArray:
        kept = self.linked[self.rater]
        sums = np.bincount(self.rater[kept], weights=values[kept], minlength=self.n_raters)
        return np.asarray(sums, dtype=np.float64)

    def _centred(self, values: FloatArray) -> FloatArray:
        """The values minus the mean of their unit."""
        means = np.bincount(self.unit, weights=values, minlength=len(self.sizes)) / self.sizes
        return np.asarray(values - means[self.unit])

    def _together(self) -> FloatArray:
        """For every two raters the sum of 1 / size over the units that both rated: (J, J)."""
        from scipy.sparse import csr_array  # late, as importing it takes long

        shape = (len(self.sizes), self.n_raters)
        weight = 1 / np.sqrt(self.sizes[self.unit])
        incidence = csr_array((weight, (self.unit, self.rater)), shape=shape)
        return np.asarray((incidence.T @ incidence).toarray(), dtype=np.float64)

    def _links(self) -> Any:
        """Who belongs to the largest group of raters that are linked by units: (J,) of bool."""
        from scipy.sparse.csgraph import connected_components

        shared = self._together()
        rated = np.bincount(self.rater, minlength=self.n_raters) > 0
        _, group = connected_components(shared > 0, directed=False)
        sizes = np.bincount(group[rated]) if rated.any() else np.zeros(1)
        linked = rated & (group == int(sizes.argmax())) & (sizes.max() > 1)
        return np.asarray(linked)

    def _laplacian(self, kept: Any) -> FloatArray:
        counts = np.bincount(self.rater[kept], minlength=self.n_raters).astype(np.float64)
        shared = self._together() * np.outer(self.linked, self.linked)
        return np.asarray(np.diag(counts) - shared)

    def _errors(self, value: FloatArray) -> FloatArray:
        """Standard error of each effect, over clusters: (J,)."""
        from scipy.sparse import csr_array

        residual = self._centred(value - self.effects[self.rater])
        kept = self.linked[self.rater]
        shape = (self.n_clusters, self.n_raters)
        scores = csr_array((residual[kept], (self.cluster[kept], self.rater[kept])), shape=shape)
        meat = (scores.T @ scores).toarray() * self.n_clusters / max(self.n_clusters - 1, 1)
        return np.sqrt(np.maximum(np.diag(self.inverse @ meat @ self.inverse), 0))

    def estimate(self, rater: int, confidence: float | None, reach: float, lonely: str) -> Estimate:
        rated = int(self.rated[rater])
        if not self.linked[rater]:
            return Estimate.missing(APART if rated else lonely, n_units=rated, n_ratings=rated)
        own = self._clusters_of(rater)
        about = f"additive model by least squares, Student over {own} sources"
        effect = -float(self.effects[rater])
        error = float(self.errors[rater])
        n = {"n_units": rated, "n_ratings": rated}
        return student(effect, error, own, confidence, about, reach=reach, **n)

    def _clusters_of(self, rater: int) -> int:
        """How many clusters the rater's units lie in."""
        return len(np.unique(self.cluster[self.rater == rater]))
