"""How many units make the interval of α narrow enough, by simulated studies."""

from dataclasses import replace

from estimates.report.cache import Report
from results.reading.answer import NextStep
from results.reading.steps import rounded
from results.reading.wording import number
from results.studies.size import Size, agreement_of, pilot_of, sizes_for
from tasktypes.facets import Facet


def planned(report: Report, facet: Facet, width: float) -> Size | None:
    """The units that make the interval of α that wide, with as many people for each as now, by
    simulated studies; None where there are that many already, or where the answers agree too oddly
    to simulate."""
    now = agreement_of(report, facet)
    try:
        pilot = pilot_of(report, facet)
    except ValueError:
        return None
    each = max(2, round((now.n_ratings or 0) / (now.n_units or 1)))
    (size,) = sizes_for(pilot, width=width, raters=(each,))
    enough = size.units.value is not None and size.units.value <= (now.n_units or 0)
    return None if enough else size


def with_units(step: NextStep, size: Size | None) -> NextStep:
    """The step with the number of units, as far as there is one."""
    if step.width is None or size is None or size.units.value is None:
        return step
    units, half = rounded(size.units.value), number(step.width / 2)
    text = f"{step.text}: about {units:,} with {size.raters} people each make α ± {half}."
    return replace(step, text=text)
