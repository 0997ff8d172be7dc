"""How well a judge's scores tell units with people's yes from those with their no."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..bootstrap.scales import SHARES
from ..scores.dominance import dominance, interval_of_left_out
from ..values.coding import as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

ONE_SIDE = "people gave one of the two labels only"


def ranking_area(
    scores: Sequence[object] | npt.NDArray[Any],
    positive: Sequence[bool] | npt.NDArray[np.bool_],
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Area under the ROC curve: how often a unit with yes has the higher score than one with no.

    Parameters
    ----------
    scores : (N,) the judge's, in any unit, of which only the order counts; a missing one (None or
        NaN) drops out.
    positive : (N,) whether people's label is yes.
    clusters : (N,) ids of what the interval leaves out; each unit by itself when left out, where
        the jackknife is DeLong's interval, apart from its t and its scale.
    bootstrap : as for `alpha`; the interval is a jackknife, whatever method it asks for.

    Returns an Estimate in [0, 1], ties half: 1/2 by chance. n_units counts units. Undefined: no
    unit with yes, or none with no. Raises ValueError for different lengths.

    Source: Hanley and McNeil (1982), "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve"; DeLong, DeLong and Clarke-Pearson (1988), "Comparing the areas
    under two or more correlated receiver operating characteristic curves"; for clusters Obuchowski
    (1997), "Nonparametric analysis of clustered ROC curve data".
    """
    numbers, yes = as_floats(scores), np.asarray(positive, dtype=bool)
    cluster = np.arange(len(numbers)) if clusters is None else code_ids(clusters)[0]
    if {len(yes), len(cluster)} != {len(numbers)}:
        raise ValueError("scores, labels and clusters differ in length")
    present = ~np.isnan(numbers)
    numbers, yes, cluster = numbers[present], yes[present], code_ids(cluster[present])[0]
    if not yes.any() or yes.all():
        return Estimate.missing(ONE_SIDE, n_units=len(numbers))
    found = dominance(numbers[yes], numbers[~yes], own=cluster[yes], others=cluster[~yes])
    without = np.full(int(cluster.max()) + 1, np.nan)
    without[: len(found.without)] = found.without
    bounds = interval_of_left_out(found.value, without, bootstrap, SHARES)
    return Estimate(value=found.value, n_units=len(numbers), **vars(bounds))
