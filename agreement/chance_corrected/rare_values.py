"""Whether enough was seen of rare values for an interval while answers still come in."""

import numpy as np
import numpy.typing as npt

from ..bootstrap.definitions import Bootstrap
from ..bootstrap.floors import lack_of_even_raters
from ..values.coding import IntArray
from ..values.ratings import UnitCounts

# Sources that agree on another value than the commonest one, and sources that disagree. With
# fewer, the spread of agreement is not yet to be seen in the ratings: see docs/statistics.md.
LEAST_SOURCES = 5
# More different numbers are a continuous scale, on which nobody agrees exactly.
MOST_POINTS = 11

FEW_AGREE = f"too few sources: fewer than {LEAST_SOURCES} agree on another value than the commonest"
FEW_DISAGREE = f"too few sources: fewer than {LEAST_SOURCES} disagree"


def why_not_live(counts: UnitCounts, bootstrap: Bootstrap | None) -> str:
    """Why there is no live interval of a coefficient of these ratings; "" where there may be one,
    or none is asked for."""
    if bootstrap is None or bootstrap.live is None:
        return ""
    return why_behind(counts, bootstrap) or why_too_rare(counts)


def why_behind(counts: UnitCounts, bootstrap: Bootstrap | None) -> str:
    """The same of any figure: raters who have answered little yet."""
    if bootstrap is None or bootstrap.live is None:
        return ""
    return lack_of_even_raters(counts.rater, bootstrap.live_raters)


def why_too_rare(counts: UnitCounts) -> str:
    """Why there is no live interval of these ratings' agreement; "" where there may be one."""
    if isinstance(counts.domain, np.ndarray) and counts.n_values > MOST_POINTS:
        return ""
    commonest = int(np.bincount(counts.code, weights=counts.count).argmax())
    agreeing = (counts.count >= 2) & (counts.code != commonest)
    several = np.bincount(counts.unit, minlength=len(counts.sizes)) > 1
    return why_too_few(counts.cluster[counts.unit[agreeing]], counts.cluster[several])


def why_pairs_too_rare(first: IntArray, second: IntArray, cluster: IntArray) -> str:
    """The same of two raters. first, second, cluster: (n,) codes of the labels, and clusters."""
    commonest = int(np.bincount(np.concatenate([first, second])).argmax())
    equal: npt.NDArray[np.bool_] = first == second
    return why_too_few(cluster[equal & (first != commonest)], cluster[~equal])


def why_too_few(agree: IntArray, disagree: IntArray) -> str:
    """agree, disagree: the clusters that do, in any number of copies."""
    if len(np.unique(agree)) < LEAST_SOURCES:
        return FEW_AGREE
    return FEW_DISAGREE if len(np.unique(disagree)) < LEAST_SOURCES else ""
