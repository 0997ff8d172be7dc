"""The step towards more units, and how many would settle what is not settled."""

from math import ceil, floor, log10

from agreement import Estimate
from results.reading.answer import Goal, NextStep

# An estimate this near to its bound, in half widths of its interval, takes a hundred times as many.
NEAREST = 0.1
# More units are a question of the study's design.
MOST_UNITS = 20_000


def more_units(estimate: Estimate | None, bound: float, what: str) -> NextStep:
    """The step towards as many as make the interval leave out the bound, if the value stays."""
    needed = units_to_settle(estimate, bound)
    if needed is None:
        return NextStep("Plan more units.", Goal.PLAN)
    if needed > MOST_UNITS:
        text = f"More than {MOST_UNITS:,} units would be needed: change the design."
        return NextStep(text, Goal.PLAN)
    return NextStep(f"Plan about {needed:,} units, enough if the {what} stays the same.", Goal.PLAN)


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
