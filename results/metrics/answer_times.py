"""How long people were at an answer."""

from collections.abc import Iterator

import numpy as np

from agreement import Estimate
from results.data.options import Options
from results.data.parties import Parties
from results.data.rows import Row
from results.data.study_data import StudyData
from results.metrics.kappas import POOLED
from results.metrics.quality import NO_INTERVAL

METRIC = "median_seconds"


def pace_rows(data: StudyData, parties: Parties, options: Options) -> Iterator[Row]:
    """The median of the seconds that a crowd, or one of its raters, was active in an answer."""
    for block in data.blocks:
        for party in (*parties.crowds, *parties.singles):
            times = data.times.of(block.pk, party.raters)
            if not len(times.seconds):
                continue
            estimate = Estimate(
                value=float(np.median(times.seconds)),
                interval_method=NO_INTERVAL,
                n_raters=len(np.unique(times.rater)),
                n_ratings=len(times.seconds),
            )
            yield Row(
                metric=METRIC,
                facet=block.facets[0].name,
                raters=party.name,
                aggregation=POOLED,
                estimate=estimate,
            )
