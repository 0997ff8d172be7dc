"""Confidence sequences of means and of what behaves like one in large samples."""

from math import exp, log, sqrt


def mean_sequence(
    value: float, error: float, n: int, *, planned: int, confidence: float
) -> tuple[float, float] | None:
    """Anytime-valid interval around the mean of n independent sources.

    The means m for which w = n (value - m)^2 / ((n - 1) s^2), with s^2 = n error^2, is at most
    (a - 1) / (1 - a r), where r = 1 / (1 + n q), a = (r (1 - confidence)^2)^(-1 / n) and q the
    variance of the normal prior on the standardised effect. Exact at all looks together for
    normal values, however few; asymptotically for others, and for statistics that are means of
    influence values, of which `error` is the jackknife's.

    Parameters
    ----------
    value, error : the statistic and its standard error, in one unit.
    n : sources, 2 or more.
    planned : the number of sources at which the interval is to be narrowest, chosen before the
        data: q = (-2 log e + log(-2 log e) + 1) / planned with e = 1 - confidence.
    confidence : in (0, 1).

    Returns the bounds, or None where there are too few sources for any.

    Source: Lai (1976), "On confidence sequences", and Wang and Ramdas (2025), "Anytime-valid
    t-tests and confidence sequences for Gaussian means with unknown variance" (normal prior on the
    standardised effect); Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform
    central limit theory and asymptotic confidence sequences", theorem 2.2 (the limit for large n,
    with `planned`).
    """
    beyond = -2 * log(1 - confidence)
    r = 1 / (1 + n * (beyond + log(beyond) + 1) / planned)
    a = exp((beyond - log(r)) / n)
    if a * r >= 1:
        return None
    half = error * sqrt((n - 1) * (a - 1) / (1 - a * r))
    return value - half, value + half
