"""Which differences a study of a given size can show, and how large a study has to be for one."""

from collections.abc import Callable
from math import ceil, isnan, sqrt
from typing import NamedTuple

from ..values.estimate import Estimate

LEAST, MOST = 3, 1_000_000
LEAST_RATERS, MOST_RATERS = 2, 1000
LEAST_TESTED = 15  # sources below which the alternative annotator test is not made
BEYOND = "more sources needed than a million"
BEYOND_RATERS = "more raters needed than a thousand"
NOT_BELOW = "no number of sources is enough: the gap is epsilon or more"


class RaterPart(NamedTuple):
    """What raters like these add to the error of a difference of systems.

    raters: how many rate, 2 or more, each of whom rates all that is compared. sd: of raters x
    systems, how much more some raters like one system than others do (`Components.raters_sd`).
    systems: over how many it was pooled, 2 or more.
    """

    raters: int
    sd: float
    systems: int = 2


def detectable_difference(
    *,
    sources: int,
    sd: float,
    raters: RaterPart | None = None,
    power: float = 0.8,
    level: float = 0.05,
) -> Estimate:
    """The smallest difference of two systems that a study of so many sources is likely to show.

    Both systems are rated on every source. For these raters (raters None) the differences by source
    are tested by a two-sided paired t test, whose power is that of the noncentral t distribution.
    For raters like them the squared error is sd^2 / S + 2 sd_r^2 / R for S sources and R raters
    with the spread sd_r of raters x systems, and Student's t has Satterthwaite's degrees of
    freedom.

    sources: 3 or more. sd: standard deviation of the differences by source, in the unit of the
    ratings, 0 or more. power: the chance to find a difference of that size. level: of the test; for
    several pairs of systems the level divided by their number.

    Returns an Estimate in the unit of sd; n_units are the sources. None is missing, nothing is
    undefined; no interval, since it is a plan. Raises ValueError for numbers out of range.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", section 2.3;
    for raters and sources drawn: Westfall, Kenny and Judd (2014), "Statistical Power and Optimal
    Design in Experiments in Which Samples of Participants Respond to Samples of Stimuli",
    equation 1, without what raters differ in by source, which sd holds.
    """
    _refuse(sd=sd, power=power, level=level)
    _refuse_raters(raters)
    if sources < LEAST:
        raise ValueError(f"at least {LEAST} sources")
    error, degrees = _error(sources, sd, raters)
    low, high = 0.0, 1.0
    while _power(high, degrees, level, two_sided=True) < power:
        high *= 2
    while high - low > 1e-7 * high:
        middle = (low + high) / 2
        if _power(middle, degrees, level, two_sided=True) < power:
            low = middle
        else:
            high = middle
    return Estimate(
        value=high * error,
        n_units=sources,
        n_raters=None if raters is None else raters.raters,
        interval_method=_method(power, level, raters),
    )


def sources_for_difference(
    difference: float,
    *,
    sd: float,
    raters: RaterPart | None = None,
    power: float = 0.8,
    level: float = 0.05,
) -> Estimate:
    """How many sources a difference of two systems takes: `detectable_difference` turned round.

    difference: in the unit of sd, above 0. All else as there. Undefined: more than a million
    sources are needed, as where raters like these differ too much among themselves. None is
    missing. Raises ValueError for numbers out of range.

    Source: as for `detectable_difference`.
    """
    _refuse(sd=sd, power=power, level=level)
    _refuse_raters(raters)
    if not difference > 0:
        raise ValueError("a difference must be above 0")

    def is_enough(sources: int) -> bool:
        return _shows(difference, _error(sources, sd, raters), power, level)

    method = _method(power, level, raters)
    return _smallest(is_enough, LEAST, MOST, BEYOND, method)


def raters_for_difference(
    difference: float,
    *,
    sources: int,
    sd: float,
    raters: RaterPart,
    power: float = 0.8,
    level: float = 0.05,
) -> Estimate:
    """How many raters, each of whom rates all of so many sources, a difference takes.

    raters: `raters` counts for nothing. All else as for `sources_for_difference`. Undefined: more
    than a thousand raters are needed, as where the sources are too few. Source: as there.
    """
    _refuse(sd=sd, power=power, level=level)
    _refuse_raters(raters)
    if not difference > 0 or sources < LEAST:
        raise ValueError(f"a difference above 0 and at least {LEAST} sources")

    def is_enough(number: int) -> bool:
        error = _error(sources, sd, raters._replace(raters=number))
        return _shows(difference, error, power, level)

    method = _method(power, level, raters)
    return _smallest(is_enough, LEAST_RATERS, MOST_RATERS, BEYOND_RATERS, method)


def _error(sources: int, sd: float, raters: RaterPart | None) -> tuple[float, float]:
    """The standard error of a difference, and its degrees of freedom (Satterthwaite 1946), pooled
    over the systems."""
    if raters is None:
        return sd / sqrt(sources), sources - 1
    of_sources, of_raters = sd**2 / sources, 2 * raters.sd**2 / raters.raters
    total, more = of_sources + of_raters, raters.systems - 1
    degrees = (sources - 1) * more, (raters.raters - 1) * more
    squares = of_sources**2 / degrees[0] + of_raters**2 / degrees[1]
    return sqrt(total), total**2 / squares if squares else float(degrees[0])


def _shows(difference: float, of: tuple[float, float], power: float, level: float) -> bool:
    """Whether a study with that standard error, on so many degrees, shows the difference."""
    error, degrees = of
    return not error or _power(difference / error, degrees, level, two_sided=True) >= power


def _smallest(
    is_enough: Callable[[int], bool], least: int, most: int, beyond: str, method: str
) -> Estimate:
    """The smallest number that is enough, by halving."""
    if is_enough(least):
        return Estimate(value=float(least), interval_method=method)
    if not is_enough(most):
        return Estimate.missing(beyond)
    low, high = least, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return Estimate(value=float(high), interval_method=method)


def _refuse_raters(raters: RaterPart | None) -> None:
    if raters is None:
        return
    if raters.raters < LEAST_RATERS or raters.systems < LEAST_RATERS:
        raise ValueError("at least two raters and two systems")
    if not 0 <= raters.sd < float("inf"):
        raise ValueError("a standard deviation is 0 or more")


def sources_for_replacement(
    *,
    gap: float,
    sd: float,
    epsilon: float,
    people: int,
    power: float = 0.8,
    level: float = 0.05,
) -> Estimate:
    """How many sources the alternative annotator test takes to pass a judge.

    The judge passes when it beats at least half of the people, each by a one-sided t test over
    sources at the level that Benjamini and Yekutieli's correction leaves for half of m people:
    level ceil(m / 2) / (m sum 1 / k). The size given is that at which one such test has the power;
    tests of the people that share sources agree mostly, so that the verdict has about the same.

    gap: how much more often the person alone is the nearer one than the judge alone, 0 for an equal
    judge. sd: standard deviation of that difference (1, 0 or -1) over sources, averaged within
    each. epsilon: as in `alternative_annotator_test`. people: 3 or more, each of whom rates all.

    Returns an Estimate of the number of sources, 15 or more, as the test demands. Undefined: a gap
    of epsilon or more; more than a million. None is missing; no interval. Raises ValueError for
    numbers out of range.

    Source: Calderon, Reichart and Dror (2025), "The Alternative Annotator Test"; Benjamini and
    Yekutieli (2001); Cohen (1988), section 2.2.
    """
    _refuse(sd=sd, power=power, level=level)
    if people < LEAST:
        raise ValueError(f"at least {LEAST} people")
    if gap >= epsilon:
        return Estimate.missing(NOT_BELOW, n_raters=people)
    half = ceil(people / 2)
    corrected = level * half / (people * sum(1 / k for k in range(1, people + 1)))
    effect = (epsilon - gap) / sd if sd else float("inf")

    def is_enough(sources: int) -> bool:
        shift = effect * sqrt(sources)
        return _power(shift, sources - 1, corrected, two_sided=False) >= power

    return _smallest(is_enough, LEAST_TESTED, MOST, BEYOND, _method(power, corrected))


def _refuse(*, sd: float, power: float, level: float) -> None:
    if not 0 < level < power < 1:
        raise ValueError("level and power lie between 0 and 1, and power above level")
    if not 0 <= sd < float("inf"):
        raise ValueError("a standard deviation is 0 or more")


def _method(power: float, level: float, raters: RaterPart | None = None) -> str:
    test = "paired t test" if raters is None else "t test over sources and raters"
    return f"{test} at {level:.3g}, power {power:g}"


def _power(effect: float, degrees: float, level: float, *, two_sided: bool) -> float:
    """The chance that the test rejects, for an effect in standard errors."""
    from scipy.special import nctdtr, stdtrit  # late, as importing it takes a fifth of a second

    if effect > 35:  # beyond what the noncentral distribution computes; it is 1 to all digits
        return 1.0
    critical = float(stdtrit(degrees, 1 - level / (2 if two_sided else 1)))
    above = 1 - float(nctdtr(degrees, effect, critical))
    below = float(nctdtr(degrees, effect, -critical)) if two_sided else 0.0
    return above + (0.0 if isnan(below) else below)  # NaN where it is too small to compute
