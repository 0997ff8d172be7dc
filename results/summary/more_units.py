"""How many units would settle what is not shown."""

from dataclasses import replace
from math import ceil, floor, log10

from agreement import Estimate, pilot_from
from annotation.models import Rater, Study
from estimates.report.newest import newest_ratings
from results.studies.plan import MOST_UNITS, SIMULATIONS
from results.studies.size import Size, sizes_for
from results.summary.card import Goal, Step
from results.summary.words import number
from tasktypes.facets import Facet

# Reading and simulating more answers than that takes seconds.
MOST_RATINGS = 50_000
# An estimate this near to its bound, in half widths of its interval, takes a hundred times as many.
NEAREST = 0.1


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


def planned(study: Study, facet: Facet, width: float) -> Size | None:
    """The units that make the interval of α that wide, with as many people for each as now, by
    simulated studies; None where the answers are too many, or agree too oddly, to simulate."""
    newest = newest_ratings(study, facet)
    if newest is None or len(newest.ratings) > MOST_RATINGS:
        return None
    people = study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True)
    ratings = newest.ratings.by(list(people)).once()
    try:
        pilot = pilot_from(ratings.place, ratings.rater, ratings.values, distance=facet.distance)
    except ValueError:
        return None
    each = max(2, round(len(ratings) / len(set(ratings.place.tolist()))))
    (size,) = sizes_for(
        pilot, width=width, raters=(each,), most=MOST_UNITS, simulations=SIMULATIONS
    )
    return size


def with_units(step: Step, size: Size | None) -> Step:
    """The step with the number of units, as far as there is one."""
    if step.width is None or size is None or size.units.value is None:
        return step
    units, half = rounded(size.units.value), number(step.width / 2)
    text = f"{step.text}: about {units:,} with {size.raters} people each make α ± {half}."
    return replace(step, text=text)


def more_units(needed: int | None, what: str) -> Step:
    """The step towards so many units, if what was measured stays as large."""
    if needed is None:
        return Step("Plan more units.", Goal.PLAN)
    if needed > MOST_UNITS:
        return Step(
            f"More than {MOST_UNITS:,} units would be needed: change the design.", Goal.PLAN
        )
    return Step(f"Plan about {needed:,} units, enough if the {what} stays as it is.", Goal.PLAN)
