"""Min F': whether systems differ, with sources and raters drawn from more of their kind."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import FEWEST_CLUSTERS, FEWEST_RATERS
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids

FEW_SYSTEMS = "fewer than two systems"
FEW_SOURCES = f"fewer than {FEWEST_CLUSTERS} sources with every system"
FEW_RATERS = f"fewer than {FEWEST_RATERS} raters of every system"
ALIKE = "the means do not vary"


class MinF(NamedTuple):
    """Whether systems differ: min F' with its p."""

    statistic: Estimate
    p_value: Estimate


def min_f(
    sources: Ids, raters: Ids, systems: Ids, values: Sequence[object] | npt.NDArray[Any]
) -> MinF:
    """Min F': whether k systems differ, for other sources and other raters.

    min F' = F1 F2 / (F1 + F2), of F1 over raters and F2 over sources, each from a table of means
    without empty cells (raters or sources that miss a system drop out); p from F with k - 1 and
    (F1 + F2)^2 / (F1^2 / n2 + F2^2 / n1) degrees, n1 and n2 being those of the errors of F1 and F2.

    Parameters : as for `system_differences`; None and NaN are missing.

    Returns a MinF; n_units counts the sources used. No intervals. Undefined: fewer than two
    systems; fewer than five sources or three raters who have all of them; means that do not vary.
    Errors as for `system_differences`.

    Source: Clark (1973), "The language-as-fixed-effect fallacy", section on min F'. It errs to
    the safe side where raters or sources do not differ.
    """
    numbers = as_floats(values)
    if len({len(sources), len(raters), len(systems), len(numbers)}) > 1:
        raise ValueError("sources, raters, systems and values differ in length")
    present = np.flatnonzero(~np.isnan(numbers))
    system, k = code_ids(code_ids(systems)[0][present])
    by_source, by_rater = (
        _complete_means(code_ids(ids)[0][present], system, numbers[present], k)
        for ids in (sources, raters)
    )
    n = Counts(n_units=len(by_source), n_raters=len(by_rater))
    reason = _too_little(k, len(by_source), len(by_rater))
    (of_raters, n1), (of_sources, n2) = (
        (0.0, 0) if reason else _f(table) for table in (by_rater, by_source)
    )
    if not reason and not (np.isfinite([of_raters, of_sources]).all() and of_raters + of_sources):
        reason = ALIKE
    if reason:
        nothing = Estimate.missing(reason, **n)
        return MinF(nothing, nothing)
    from scipy.special import fdtrc  # late, as importing it takes a fifth of a second

    together = of_raters + of_sources
    value = of_raters * of_sources / together
    degrees = together**2 / (of_raters**2 / n2 + of_sources**2 / n1)
    p_value = float(fdtrc(k - 1, degrees, value))
    text = f"min F' with {k - 1} and {degrees:.4g} degrees of freedom"
    return MinF(
        Estimate(value=value, interval_method=text, **n),
        Estimate(value=p_value, interval_method=text, **n),
    )


def _complete_means(block: IntArray, system: IntArray, values: FloatArray, k: int) -> FloatArray:
    """Means by block and system, of the blocks that have every system: (B, K)."""
    width = max(1, k)
    size = (int(block.max(initial=-1)) + 1) * width
    sums, sizes = (np.bincount(block * width + system, of, size) for of in (values, None))
    table = np.divide(sums, sizes, out=np.full(size, np.nan), where=sizes > 0)
    table = table.reshape(-1, width)
    return np.asarray(table[~np.isnan(table).any(axis=1)])


def _too_little(n_systems: int, n_sources: int, n_raters: int) -> str:
    if n_systems < 2:
        return FEW_SYSTEMS
    if n_sources < FEWEST_CLUSTERS:
        return FEW_SOURCES
    return FEW_RATERS if n_raters < FEWEST_RATERS else ""


def _f(table: FloatArray) -> tuple[float, int]:
    """F of the columns of a table (B, K) with its rows as blocks, and the error's degrees."""
    n_blocks, k = table.shape
    middle = table.mean()
    columns = table.mean(axis=0) - middle
    rest = table - table.mean(axis=1, keepdims=True) - columns
    degrees = (k - 1) * (n_blocks - 1)
    error = float((rest**2).sum()) / degrees
    if error <= (1e-12 * max(1.0, float(np.abs(table).max()))) ** 2:
        return np.inf, degrees
    return n_blocks * float((columns**2).sum()) / (k - 1) / error, degrees
