"""The step towards more units, and how many would settle what is not settled."""

from math import ceil, floor, log10

from agreement import Estimate
from results.reading.answer import Goal, NextStep
from results.reading.planned_tests import LEAST, PlannedTest

# An estimate this near to its bound, in half widths of its interval, takes a hundred times as many.
NEAREST = 0.1
# More units, or people, are a question of the study's design.
MOST_UNITS, MOST_PEOPLE = 20_000, 200
MORE_PEOPLE = NextStep("Have more people answer, so that the result holds for others.", Goal.PLAN)
NAME_PEOPLE = NextStep(
    "Import files that say who gave which answer, to see how far this holds for others.", Goal.STUDY
)


def towards_a_difference(test: PlannedTest | None, *, for_others: bool) -> NextStep:
    """What makes the largest difference show, if it stays the same: more sources, more people, or
    neither. for_others: for raters like these, as these show it already."""
    if test is None:
        return NextStep("Plan more units.", Goal.PLAN)
    return _towards_others(test) if for_others else _towards_these(test)


def _towards_these(test: PlannedTest) -> NextStep:
    needed = _at_most(test.units_of_these, MOST_UNITS)
    if needed is None:
        text = f"More than {MOST_UNITS:,} sources would be needed: change the design."
        return NextStep(text, Goal.PLAN)
    if needed <= test.sources:
        return NextStep("Plan more units.", Goal.PLAN)
    text = f"Plan about {needed:,} sources, enough for these raters if the difference stays"
    others = _at_most(test.units_of_others, MOST_UNITS)
    more = " For others, have more people answer, too." if test.raters and others is None else ""
    return NextStep(f"{text} the same.{more}", Goal.PLAN)


def _towards_others(test: PlannedTest) -> NextStep:
    if test.raters is None:
        return NextStep(f"Have at least {LEAST} people answer the same units.", Goal.STUDY)
    sources = _at_most(test.units_of_others, MOST_UNITS)
    people = _at_most(test.people_of_others, MOST_PEOPLE)
    if (sources or MOST_UNITS) <= test.sources or (people or MOST_PEOPLE) <= test.raters.raters:
        text = "Have a few more people answer, or plan some more units: little is missing."
        return NextStep(text, Goal.PLAN)
    same = "if the difference stays the same, others like them would find it"
    if sources is not None and people is not None:
        text = f"Have about {people:,} people answer, or plan about {sources:,} sources: {same}."
    elif people is not None:
        text = f"Have about {people:,} people answer: {same}. More units alone show nothing more."
    elif sources is not None:
        text = f"Plan about {sources:,} sources: {same}. More people alone show nothing more."
    else:
        text = (
            "For others, neither more units nor more people alone show so small a difference: "
            "change the design."
        )
    return NextStep(text, Goal.PLAN)


def _at_most(needed: Estimate | None, most: int) -> int | None:
    """Upwards to two digits; None where it cannot be or is more."""
    if needed is None or needed.value is None or needed.value > most:
        return None
    return rounded(needed.value)


def units_to_settle(estimate: Estimate | None, bound: float) -> int | None:
    """About how many units make the interval leave out the bound, if the value stays.

    n (h / d)^2 for n units, half a width h and a distance d of the value from the bound, since
    intervals narrow with the root of n; two digits. None where it is no question of units.
    """
    if estimate is None or estimate.value is None or not estimate.n_units:
        return None
    if estimate.low is None or estimate.high is None:
        return None
    half, apart = (estimate.high - estimate.low) / 2, abs(estimate.value - bound)
    if not half or apart < NEAREST * half:
        return None
    needed = estimate.n_units * (half / apart) ** 2
    return rounded(needed) if needed > estimate.n_units else None


def rounded(count: float) -> int:
    """Upwards to two digits: more is not known."""
    power = max(0, floor(log10(max(count, 1))) - 1)
    return int(ceil(count / 10**power) * 10**power)
