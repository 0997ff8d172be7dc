"""Confidence sequences of shares, which hold at any number of sources and of looks."""

from math import log

import numpy as np

from ..values.coding import FloatArray

# Shares of the wealth that are bet on every source: small ones win in large studies.
BETS = 0.99 * 0.7 ** np.arange(16)
# Halvings of the interval in which a bound is looked for.
HALVINGS = 40
SMALLEST = 1e-9


def share_sequence(
    sums: FloatArray, sizes: FloatArray, counts: FloatArray, *, confidence: float
) -> tuple[float, float]:
    """Anytime-valid interval of the share sum(sums) / sum(sizes) of independent sources.

    Whoever bets that the share is larger than m stakes c of their wealth on every source, which
    multiplies it by 1 - c n / N + c x / (N m), with x the source's sum, n its size and N the
    largest size. If m is the share, the mean wealth over the bets c of `BETS` is a martingale that
    ever reaches 2 / (1 - confidence) with probability (1 - confidence) / 2 at most (Ville). The
    lower bound is the largest m at which it has; the upper one is that of the opposite answer. The
    order of the sources does not matter.

    Parameters
    ----------
    sums : (G,) of the values of each source, which lie within 0 and 1.
    sizes : (G,) how many values that is, above 0.
    counts : (G,) how many sources have that sum and size.
    confidence : in (0, 1).

    Returns the bounds, within 0 and 1; for sources of different size N should be known beforehand.
    Raises ValueError for a sum outside 0 and its size.

    Source: Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by
    betting", the hedged capital with a mixture of constant bets (diversified Kelly betting);
    sources of several values as for a ratio, E[x - m n] = 0.
    """
    if ((sums < -SMALLEST) | (sums > sizes + SMALLEST)).any():
        raise ValueError("the values of a share lie within 0 and 1")
    largest = sizes.max()
    x, n = np.clip(sums, 0, sizes) / largest, sizes / largest
    low = _lower(x, n, counts, confidence)
    return low, 1 - _lower(n - x, n, counts, confidence)


def _lower(x: FloatArray, n: FloatArray, counts: FloatArray, confidence: float) -> float:
    """The largest share against which enough was won; 0 where there is none."""
    goal = log(2 / (1 - confidence))
    low, high = SMALLEST, float((counts * x).sum() / (counts * n).sum())
    if high <= low or _log_wealth(x, n, counts, low) < goal:
        return 0.0
    for _ in range(HALVINGS):  # the wealth falls with the share that it is bet against
        middle = (low + high) / 2
        if _log_wealth(x, n, counts, middle) >= goal:
            low = middle
        else:
            high = middle
    return low


def _log_wealth(x: FloatArray, n: FloatArray, counts: FloatArray, share: float) -> float:
    """Logarithm of the mean wealth over all bets."""
    gains = 1 + BETS[:, None] * (x / share - n)[None, :]
    logs = np.log(gains) @ counts
    most = float(logs.max())
    return most + log(float(np.exp(logs - most).mean()))
