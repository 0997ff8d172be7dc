"""Equivalence of two means: whether their difference is shown to lie within a margin."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..values.coding import as_floats
from ..values.estimate import Counts, Estimate
from ..values.ratings import NO_RATINGS, Ids
from .clustered import LEAST_CLUSTERS, Clusters

FEW_SOURCES = f"fewer than {LEAST_CLUSTERS} sources"
ROUNDING = 1e-12  # errors smaller than this are those of equal differences


def equivalence_p(
    differences: Sequence[object] | npt.NDArray[Any],
    *,
    margin: float,
    clusters: Ids | None = None,
) -> Estimate:
    """p of two one-sided tests (TOST) that a mean difference lies within -margin and margin.

    The mean m of the differences is tested against being margin or more, and against being -margin
    or less, each by Student's t; p is the larger of the two. A small p shows equivalence, which a
    large p of a test of difference never does. At level 0.05 it is the same as asking whether the
    90 % interval of m lies within the margins.

    Parameters
    ----------
    differences : (N,) paired differences, in any unit; None and NaN are missing and drop out.
    margin : the largest difference that does not matter, in the same unit, above 0; to be chosen
        before the data are seen.
    clusters : (N,) ids of what is independent, such as the source of a unit; each difference when
        left out. The error of m is that of the clusters' sums, with their number - 1 degrees of
        freedom.

    Returns an Estimate of p in [0, 1]; n_units counts the differences. No interval. Undefined: no
    ratings; fewer than ten clusters. Where the differences do not vary, p is 0 within the margins
    and 1 else. Raises ValueError for a margin that is not above 0, an infinite number or clusters
    of another length; TypeError for a value that is no number.

    Source: Schuirmann (1987), "A Comparison of the Two One-Sided Tests Procedure and the Power
    Approach for Assessing the Equivalence of Average Bioavailability"; the error over clusters:
    Liang and Zeger (1986).
    """
    if not margin > 0:
        raise ValueError("a margin must be above 0")
    values = as_floats(differences)
    present = ~np.isnan(values)
    grouped = Clusters.of(
        None if clusters is None else np.asarray(clusters)[present], present.sum()
    )
    values, n = values[present], Counts(n_units=int(present.sum()))
    if not len(values) or grouped.number < LEAST_CLUSTERS:
        return Estimate.missing(FEW_SOURCES if len(values) else NO_RATINGS, **n)
    mean = float(values.mean())
    p_value = _largest_p(mean, grouped.error(values - mean), grouped.number - 1, margin)
    about = f"two one-sided t tests over {grouped.number} sources, margin {margin:g}"
    return Estimate(value=p_value, interval_method=about, **n)


def _largest_p(mean: float, error: float, degrees: int, margin: float) -> float:
    if error < ROUNDING:
        return 0.0 if abs(mean) < margin else 1.0
    from scipy.stats import t  # late, as importing it takes half a second

    return float(t.sf((margin - abs(mean)) / error, degrees))
