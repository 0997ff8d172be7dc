"""How many units make the interval of α narrow enough, by simulated studies."""

from dataclasses import replace

from agreement import pilot_from
from annotation.models import Rater, Study
from estimates.report.newest import newest_ratings
from results.reading.answer import NextStep
from results.reading.steps import MOST_UNITS, rounded
from results.reading.wording import number
from results.studies.plan import SIMULATIONS
from results.studies.size import Size, sizes_for
from tasktypes.facets import Facet

# Reading and simulating more answers than that takes seconds.
MOST_RATINGS = 50_000


def planned(study: Study, facet: Facet, width: float) -> Size | None:
    """The units that make the interval of α that wide, with as many people for each as now, by
    simulated studies; None where there are that many already, or where the answers are too many, or
    agree too oddly, to simulate."""
    newest = newest_ratings(study, facet)
    if newest is None or len(newest.ratings) > MOST_RATINGS:
        return None
    people = study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True)
    ratings = newest.ratings.by(list(people)).once()
    try:
        pilot = pilot_from(ratings.place, ratings.rater, ratings.values, distance=facet.distance)
    except ValueError:
        return None
    now = len(set(ratings.place.tolist()))
    each = max(2, round(len(ratings) / now))
    (size,) = sizes_for(
        pilot, width=width, raters=(each,), most=MOST_UNITS, simulations=SIMULATIONS
    )
    return None if size.units.value is not None and size.units.value <= now else size


def with_units(step: NextStep, size: Size | None) -> NextStep:
    """The step with the number of units, as far as there is one."""
    if step.width is None or size is None or size.units.value is None:
        return step
    units, half = rounded(size.units.value), number(step.width / 2)
    text = f"{step.text}: about {units:,} with {size.raters} people each make α ± {half}."
    return replace(step, text=text)
