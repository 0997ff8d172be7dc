"""Find what a figure of the page shows, by what it is asked for."""

from collections.abc import Callable, Mapping

import numpy as np

from annotation.models import Study
from results.caching import Report
from results.choosing import Choice
from results.groups import belonging
from results.narrowing import narrow_ratings
from results.newest import newest_ratings
from results.parties import divide
from results.pictures import Material, against_people, heat_map, spread
from results.plots import Plot, systems_plot
from results.ratings import Ratings
from results.timing import agreement_over_time

FROM_RATINGS: Mapping[str, Callable[[Material, str, str], Plot]] = {
    "heat": heat_map,
    "against": against_people,
    "spread": spread,
}
SYSTEMS, TIME = "systems", "time"


def find_plot(report: Report, choice: Choice, asked: Mapping[str, str]) -> Plot | None:
    """The figure; None where there is no such facet or kind of figure, or where the ratings of a
    large study are still being counted."""
    study = report.study
    facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
    facet, kind = facets.get(asked.get("facet", "")), asked.get("kind", SYSTEMS)
    if facet is None or kind not in (SYSTEMS, TIME, *FROM_RATINGS):
        return None
    if kind == SYSTEMS:
        return systems_plot(report, facet.name, choice)
    newest = newest_ratings(study, facet)
    if newest is None:
        return None
    ratings = narrow_ratings(study, newest.ratings, choice.options)
    material = _material(study, ratings, choice)
    if kind == TIME:
        return agreement_over_time(study, material, choice.options)
    return FROM_RATINGS[kind](material, asked.get("judge", ""), asked.get("crowd", ""))


def _material(study: Study, ratings: Ratings, choice: Choice) -> Material:
    ratings = ratings.take(belonging(ratings, choice.group))
    active = np.unique(ratings.rater).tolist()
    raters = list(study.raters.filter(pk__in=active).order_by("kind", "name", "version"))
    return Material(ratings, divide(raters), {rater.pk: rater for rater in raters})
