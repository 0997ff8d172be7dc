"""Which differences a study of a given size can show, and how large a study has to be for one."""

from math import ceil, isnan

from ..values.estimate import Estimate

LEAST, MOST = 3, 1_000_000
LEAST_TESTED = 15  # sources below which the alternative annotator test is not made
BEYOND = "more sources needed than a million"
NOT_BELOW = "a judge whose gap is epsilon or more cannot pass, however many sources there are"


def detectable_difference(
    *, sources: int, sd: float, power: float = 0.8, level: float = 0.05
) -> Estimate:
    """The smallest difference of two systems that a study of so many sources is likely to show.

    Both systems are rated on every source, and the differences by source are tested by a two-sided
    paired t test, whose power is that of the noncentral t distribution.

    sources: 3 or more. sd: standard deviation of the differences by source, in the unit of the
    ratings, 0 or more. power: the chance to find a difference of that size. level: of the test; for
    several pairs of systems the level divided by their number.

    Returns an Estimate in the unit of sd; n_units are the sources. None is missing, nothing is
    undefined; no interval, since it is a plan. Raises ValueError for numbers out of range.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", section 2.3.
    """
    _refuse(sd=sd, power=power, level=level)
    if sources < LEAST:
        raise ValueError(f"at least {LEAST} sources")
    low, high = 0.0, 1.0
    while _power(high, sources, level, two_sided=True) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if _power(middle, sources, level, two_sided=True) < power:
            low = middle
        else:
            high = middle
    return Estimate(value=high * sd, n_units=sources, interval_method=_method(power, level))


def sources_for_difference(
    difference: float, *, sd: float, power: float = 0.8, level: float = 0.05
) -> Estimate:
    """How many sources a difference of two systems takes: `detectable_difference` turned round.

    difference: in the unit of sd, above 0. All else as there. Undefined: more than a million
    sources are needed. None is missing. Raises ValueError for numbers out of range.

    Source: as for `detectable_difference`.
    """
    _refuse(sd=sd, power=power, level=level)
    if not difference > 0:
        raise ValueError("a difference must be above 0")
    effect = difference / sd if sd else float("inf")
    return _sources(effect, power=power, level=level, least=LEAST, two_sided=True)


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
    return _sources(effect, power=power, level=corrected, least=LEAST_TESTED, two_sided=False)


def _refuse(*, sd: float, power: float, level: float) -> None:
    if not 0 < level < power < 1:
        raise ValueError("level and power lie between 0 and 1, and power above level")
    if not 0 <= sd < float("inf"):
        raise ValueError("a standard deviation is 0 or more")


def _method(power: float, level: float) -> str:
    return f"paired t test at {level:.3g}, power {power:g}"


def _sources(effect: float, *, power: float, level: float, least: int, two_sided: bool) -> Estimate:
    """The smallest number of sources at which the test has the power, by halving."""
    if effect == float("inf") or _power(effect, least, level, two_sided=two_sided) >= power:
        return Estimate(value=float(least), interval_method=_method(power, level))
    if _power(effect, MOST, level, two_sided=two_sided) < power:
        return Estimate.missing(BEYOND)
    low, high = least, MOST
    while high - low > 1:
        middle = (low + high) // 2
        if _power(effect, middle, level, two_sided=two_sided) < power:
            low = middle
        else:
            high = middle
    return Estimate(value=float(high), interval_method=_method(power, level))


def _power(effect: float, sources: int, level: float, *, two_sided: bool) -> float:
    """The chance that the test rejects, for an effect in standard deviations."""
    from scipy.stats import nct, t  # late, as importing it takes half a second

    degrees, shift = sources - 1, effect * sources**0.5
    if shift > 35:  # beyond what the noncentral distribution computes; it is 1 to all digits
        return 1.0
    critical = float(t.isf(level / (2 if two_sided else 1), degrees))
    above = float(nct.sf(critical, degrees, shift))
    below = float(nct.cdf(-critical, degrees, shift)) if two_sided else 0.0
    return above + (0.0 if isnan(below) else below)  # NaN where it is too small to compute
