"""Agreement of all answers given until a point in time, to see whether it settles."""

from datetime import datetime

import numpy as np
from django.utils.translation import gettext as _

from agreement import Estimate, alpha
from annotation.models import Annotation, Study
from results.data.options import Options
from results.data.ratings import Ratings
from results.data.table import FloatArray
from results.figures.from_ratings import Material
from results.figures.plots import Curve, Nothing, Plot, Series
from results.metrics.catalogue import alpha_of
from results.reading.titles import metric_title, party_title

STEPS = 20
# Seconds: answers that came in faster were imported together.
SHORTEST = 60.0
# The times of more answers take longer to read than a page may.
MOST_ANSWERS = 50_000


def agreement_over_time(study: Study, material: Material, options: Options) -> Plot:
    """At most twenty points in time with equally many answers between them."""
    crowds = [crowd for crowd in material.parties.crowds if crowd.several]
    theirs = material.ratings.once()
    answers = theirs.by([pk for crowd in crowds for pk in crowd.raters])
    if not len(answers):
        return Nothing(_("no answers of people"))
    if len(answers) > MOST_ANSWERS:
        return Nothing(_("more than %d answers: their times are not read here") % MOST_ANSWERS)
    at = _times(study, answers, options)
    points = _points(at)
    if not points:
        return Nothing(_("every answer was replaced since these figures were computed"))
    if points[-1] - points[0] < SHORTEST:
        return Nothing(_("all answers came in within a minute, as imported ones do"))
    series = [
        Series(
            party_title(crowd.name),
            [_until(answers, at, time, crowd.raters) for time in points],
        )
        for crowd in crowds
        if np.isin(answers.rater, list(crowd.raters)).any()
    ]
    if not any(any(party.points) for party in series):
        return Nothing(_("no two raters have answered the same question"))
    measure = metric_title(alpha_of(answers.facet.distance))
    return Curve(measure, [datetime.fromtimestamp(t).astimezone() for t in points], series)


def _times(study: Study, ratings: Ratings, options: Options) -> FloatArray:
    """When each rating was given, in seconds; one query. A correction has its own time."""
    rows = (
        Annotation.objects.filter(
            study=study,
            replicate=0,
            question__block=_block_of(study, ratings.facet.name),
            rater__in=np.unique(ratings.rater).tolist(),
        )
        .counted(excluded=options.excluded)
        .order_by()
        .values_list("question__unit_id", "rater_id", "created_at")
    )
    time_of = {(unit, rater): time for unit, rater, time in rows.iterator()}
    units = np.array(ratings.material.unit_ids)[ratings.unit]
    keys = zip(units.tolist(), ratings.rater.tolist(), strict=True)
    # A rating whose answer was replaced since it was kept is left out.
    return np.array([time_of[key].timestamp() if key in time_of else np.nan for key in keys])


def _block_of(study: Study, facet: str) -> int:
    return next(
        block.pk
        for block in study.blocks.all()
        if any(candidate.name == facet for candidate in block.facets)
    )


def _points(at: FloatArray) -> list[float]:
    times = np.unique(at[~np.isnan(at)])
    if len(times) <= STEPS:
        return [float(time) for time in times]
    return [
        float(time) for time in times[np.linspace(0, len(times) - 1, STEPS).round().astype(int)]
    ]


def _until(
    ratings: Ratings,
    at: FloatArray,
    time: float,
    raters: frozenset[int],
) -> Estimate | None:
    """None as long as α is not defined."""
    part = ratings.take((at <= time) & np.isin(ratings.rater, list(raters)))
    if not len(part):
        return None
    estimate = alpha(part.place, part.rater, part.values, distance=part.facet.distance)
    return None if estimate.value is None else estimate
