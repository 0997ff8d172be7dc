"""Decision studies: how reliable the mean of several raters would be."""

from collections.abc import Iterable
from dataclasses import replace

from ..values.estimate import Estimate


def mean_of_raters(single: Estimate, raters: float) -> Estimate:
    """Reliability of the mean of several ratings, from that of a single one.

    k c / (1 + (k - 1) c), for the value and its bounds: of ICC(2,1) this is ICC(2,k), the index of
    dependability of k raters, and of ICC(3,1) ICC(3,k), their generalizability.

    single: an intraclass correlation of one rating; one below 0, and a bound, counts as 0, since a
    mean of useless ratings is useless. raters: k, 1 or more; need not be whole.

    Returns an Estimate in [0, 1] with the counts and the interval's method of `single`; undefined
    and without an interval (bounds None) where `single` is. Nothing is missing. Raises ValueError
    for k below 1.

    Source: Spearman (1910) and Brown (1910); Brennan (2001), "Generalizability Theory", equations
    2.38 and 2.40.
    """
    if raters < 1:
        raise ValueError("a mean needs at least one rater")

    def of_mean(value: float | None) -> float | None:
        if value is None:
            return None
        single_one = min(max(value, 0.0), 1.0)
        return raters * single_one / (1 + (raters - 1) * single_one)

    return replace(
        single, value=of_mean(single.value), low=of_mean(single.low), high=of_mean(single.high)
    )


def decision_study(single: Estimate, raters: Iterable[int] = range(1, 11)) -> dict[int, Estimate]:
    """Number of raters per unit -> reliability of their mean: how many raters the next study needs.

    Parameters, missing and undefined values, intervals and errors as for `mean_of_raters`.

    Source: Brennan (2001), "Generalizability Theory", section 2.2.
    """
    return {number: mean_of_raters(single, number) for number in raters}
