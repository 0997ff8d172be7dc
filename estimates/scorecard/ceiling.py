"""People's own agreement as the yardstick of a judge's: the noise ceiling."""

from collections.abc import Iterator
from dataclasses import replace

from agreement import agreement_gap
from estimates.catalogue.scorecard import (
    AGREEMENT_AMONG_PEOPLE,
    AGREEMENT_GAP,
    AGREEMENT_WITH_PEOPLE,
)
from estimates.scorecard.near import Judges
from estimates.statistics.statistic import Figure, Statistic, can_agree


def _gaps(judges: Judges) -> Iterator[Figure]:
    """Of every judge people's agreement with each other, its own with them, and the difference."""
    for near in judges.near:
        gap = agreement_gap(near.closeness, bootstrap=judges.options.bootstrap)
        for metric, estimate in (
            (AGREEMENT_AMONG_PEOPLE, gap.among_people),
            (AGREEMENT_WITH_PEOPLE, gap.with_judge),
            (AGREEMENT_GAP, gap.gap),
        ):
            if metric == AGREEMENT_GAP or not estimate.undefined:  # its reason is said once
                of_people = replace(estimate, n_raters=near.n_people)
                yield Figure(metric, of_people, raters=near.pair.name)


CEILING = Statistic(compute=_gaps, applies=can_agree)
