"""How much has to differ between answers before an interval is given.

Where nearly all answers are the same, the few others decide on the statistic and on its error, and
an interval from either is wrong more often than not (see docs for the simulations).
"""

import numpy as np

from ..values.coding import FloatArray, IntArray, n_distinct

# Of coefficients: units, and clusters of them, in which some rating is not the commonest one.
RARE_UNITS, RARE_CLUSTERS = 10, 5
# Of means: clusters in which some value is not the commonest one.
DIFFERING_CLUSTERS = 3
# Of an equal share of the answers, what each rater has given before there is a live interval; where
# so many answer, what one of them still owes hardly moves a figure.
FAIR_SHARE, MANY_RATERS = 0.5, 10


def lack_of_rare_labels(
    unit: IntArray, code: IntArray, count: FloatArray, cluster: IntArray
) -> str:
    """Why ratings differ too little for a coefficient's interval; empty where they do enough.

    unit, code, count: (E,) how often each unit was given each value. cluster: (U,) of each unit.
    """
    commonest = int(np.argmax(np.bincount(code, count)))
    units = np.flatnonzero(np.bincount(unit[code != commonest]))
    n_clusters = n_distinct(cluster[units])
    if len(units) >= RARE_UNITS and n_clusters >= RARE_CLUSTERS:
        return ""
    return (
        f"too few answers differ from the commonest (in {len(units)} units of {n_clusters} "
        f"sources; {RARE_UNITS} of {RARE_CLUSTERS} are needed)"
    )


def lack_of_differences(values: FloatArray, cluster: IntArray) -> str:
    """The same for a mean of values (N,) in clusters (N,)."""
    distinct, code = np.unique(values, return_inverse=True)
    if len(distinct) == len(values):
        return ""
    commonest = int(np.argmax(np.bincount(code)))
    n_clusters = n_distinct(cluster[code != commonest])
    if n_clusters >= DIFFERING_CLUSTERS:
        return ""
    return (
        f"too few answers that differ from the commonest (in {n_clusters} sources; "
        f"{DIFFERING_CLUSTERS} are needed)"
    )


def lack_of_even_raters(rater: IntArray, planned: int) -> str:
    """Why figures that are looked at while answers come in do not speak of these raters yet: those
    who have answered little will move them. Empty where nobody is far behind.

    rater: (N,) who gave each rating. planned: how many raters each unit is to have.
    """
    given = np.unique(rater, return_counts=True)[1]
    if len(given) < planned:
        return f"not before {planned} raters have answered, as planned for each unit"
    if len(given) < MANY_RATERS and given.min() < FAIR_SHARE * given.mean():
        return "not before each rater has given half of an equal share of the answers"
    return ""
