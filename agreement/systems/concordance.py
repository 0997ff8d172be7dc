"""Kendall's W: how alike the raters of a unit rank its systems."""

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..scores.means import mean_by
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import NO_RATINGS, ONE_RATER, Ids
from .ranks import Numbers, groups_of_raters, rank_within, refuse_twice, rows_of

NO_RANKINGS = "no unit has two complete rankings that do not tie everything"


def kendall_w(
    units: Ids,
    raters: Ids,
    systems: Ids,
    values: Numbers,
    *,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Kendall's coefficient of concordance between the raters of a unit, mean over units.

    W = 12 S / (m^2 (n^3 - n) - m T) for m raters of n systems: S the squared deviations of the
    systems' rank sums from their mean, T the sum of t^3 - t over groups of t tied systems of each
    rater. 1: all rank alike; 0: the rank sums are equal.

    Parameters : as for `mean_ranks`, without `ties` (W takes mean ranks).

    Returns an Estimate in [0, 1] with the population standard deviation over units. A ranking
    with a missing value, or without a system that others of the unit ranked, does not count; nor
    does a unit with fewer than two rankings or systems, or where every rater ties all. Undefined:
    no ratings; one rater only; no such unit. Raises ValueError as `mean_ranks`.

    Source: Kendall and Babington Smith (1939), "The problem of m rankings"; ties: Kendall (1948),
    "Rank Correlation Methods", chapter 6.
    """
    ranking = groups_of_raters(units, raters)
    refuse_twice(ranking, systems)
    ranks = rank_within(ranking, values)
    present = np.flatnonzero(~np.isnan(ranks))
    unit, rater = code_ids(units)[0], code_ids(raters)[0]
    cluster = unit if clusters is None else code_ids(clusters)[0]
    concordances = _concordances(ranks, unit, code_ids(systems)[0], ranking, present)
    used = np.concatenate([rows for _, rows in concordances]) if concordances else present
    n = Counts(
        n_units=len(np.unique(unit[used])),
        n_raters=len(np.unique(rater[used])),
        n_ratings=len(used),
    )
    if not concordances:
        several = NO_RANKINGS if n["n_raters"] > 1 else ONE_RATER
        return Estimate.missing(several if n["n_raters"] else NO_RATINGS, **n)
    first = [rows[0] for _, rows in concordances]
    mean = mean_by(
        [w for w, _ in concordances],
        unit[first],
        clusters=cluster[first],
        ends=(0, 1),
        bootstrap=bootstrap,
    )
    return Estimate(**{**vars(mean), **n})


def _concordances(
    ranks: FloatArray, unit: IntArray, system: IntArray, ranking: IntArray, present: IntArray
) -> list[tuple[float, IntArray]]:
    """W of each unit that has one, and the rows of the ranks that entered."""
    concordances = []
    for rows in rows_of(unit[present].tolist()).values():
        own = present[rows]
        table, kept = _complete(ranks[own], system[own], ranking[own])
        w = _concordance(table)
        if w is not None:
            concordances.append((w, own[kept]))
    return concordances


def _complete(
    ranks: FloatArray, system: IntArray, ranking: IntArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The rankings of one unit that rank all its systems, (m, n), and which ranks these are."""
    code, n_systems = code_ids(system)
    who, n_rankings = code_ids(ranking)
    table = np.full((n_rankings, n_systems), np.nan)
    table[who, code] = ranks
    whole = ~np.isnan(table).any(axis=1)
    return table[whole], whole[who]


def _concordance(table: FloatArray) -> float | None:
    """W of rankings (m, n), None where it does not exist."""
    m, n = table.shape
    if m < 2 or n < 2:
        return None
    sums = table.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    # 12 sum (rank - mean)^2 = n^3 - n - T for each rater, so the denominator is m times their sum.
    greatest = m * float(((table - (n + 1) / 2) ** 2).sum())
    return spread / greatest if greatest > 0 else None
