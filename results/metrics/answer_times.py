"""How long people were at an answer."""

from collections.abc import Iterator

import numpy as np

from agreement import Estimate
from annotation.models import Annotation, Study
from results.data.options import Options
from results.data.parties import Parties
from results.metrics.kappas import POOLED
from results.metrics.quality import NO_INTERVAL
from results.metrics.rows import Row

METRIC = "median_seconds"
CHUNK = 5000


def pace_rows(study: Study, parties: Parties, options: Options) -> Iterator[Row]:
    """The median of the seconds that a crowd, or one of its raters, was active in an answer."""
    times = _times(study, options)
    for block in study.blocks.all():
        for party in (*parties.crowds, *parties.singles):
            known = [times.get((block.pk, rater), []) for rater in sorted(party.raters)]
            seconds = np.array([one for of in known for one in of], dtype=np.float64)
            if not len(seconds):
                continue
            estimate = Estimate(
                value=float(np.median(seconds)),
                interval_method=NO_INTERVAL,
                n_raters=sum(1 for of in known if of),
                n_ratings=len(seconds),
            )
            yield Row(
                metric=METRIC,
                facet=block.facets[0].name,
                raters=party.name,
                aggregation=POOLED,
                estimate=estimate,
            )


def _times(study: Study, options: Options) -> dict[tuple[int, int], list[float]]:
    """(block, rater) -> seconds of each counted answer; one streamed query."""
    rows = (
        Annotation.objects.filter(study=study, active_seconds__isnull=False)
        .counted(excluded=options.excluded)
        .order_by("pk")
        .values_list("question__block_id", "rater_id", "active_seconds")
    )
    found: dict[tuple[int, int], list[float]] = {}
    for block, rater, seconds in rows.iterator(CHUNK):
        if seconds is not None:
            found.setdefault((block, rater), []).append(seconds)
    return found
