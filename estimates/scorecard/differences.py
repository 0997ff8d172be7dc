"""Two judges, or two versions of one, on the same units: which is nearer to people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from agreement import Contrast, Estimate, advantage_difference, contrast, holm
from annotation.rater_names import is_baseline
from estimates.catalogue.scorecard import (
    ALT_ADVANTAGE_DIFFERENCE,
    JUDGE_DIFFERENCE,
    JUDGE_DIFFERENCE_P,
)
from estimates.data.groups import MOST_JUDGES, OTHER_JUDGE
from estimates.data.ratings import Ratings, join
from estimates.scorecard.near import DISTANCES, Judges, Near
from estimates.statistics.statistic import Figure, Statistic, can_agree


def _differences(judges: Judges) -> Iterator[Figure]:
    """Agreement with people of each judge minus that of each later one, p values corrected for
    all pairs; minus that of each baseline, corrected for all of these; and of each judge minus that
    of its older versions."""
    yield from _tested(_pairs(judges), judges)
    baselines = [near for near in judges.newest if is_baseline(near.name)]
    yield from _tested([(near, low) for near in _compared(judges) for low in baselines], judges)
    for newest in judges.newest:
        for older in judges.older_than(newest):
            each = _difference(newest, older, judges)
            yield _figure(JUDGE_DIFFERENCE, newest, older, each.estimate)


def _compared(judges: Judges) -> list[Near]:
    """The newest judges that are no baselines."""
    return [near for near in judges.newest if not is_baseline(near.name)]


def _pairs(judges: Judges) -> list[tuple[Near, Near]]:
    compared = _compared(judges)
    return list(combinations(compared, 2)) if len(compared) <= MOST_JUDGES else []


def _tested(pairs: Sequence[tuple[Near, Near]], judges: Judges) -> Iterator[Figure]:
    tested = [_difference(first, second, judges) for first, second in pairs]
    corrected = holm([each.p_value.value for each in tested])
    for (first, second), each, p_value in zip(pairs, tested, corrected, strict=True):
        yield _figure(JUDGE_DIFFERENCE, first, second, each.estimate)
        if p_value is not None:
            of_pair = replace(each.p_value, value=p_value, n_raters=first.n_people)
            yield _figure(JUDGE_DIFFERENCE_P, first, second, of_pair)


def _difference(first: Near, second: Near, judges: Judges) -> Contrast:
    mine, others = first.both(second)
    return contrast(
        first.closeness.judge[mine] - second.closeness.judge[others],
        clusters=first.about.source[mine],
        reach=1,
        confidence=judges.options.confidence,
    )


def _figure(metric: str, first: Near, second: Near, estimate: Estimate) -> Figure:
    of_people = replace(estimate, n_raters=first.n_people)
    return Figure(metric, of_people, raters=first.pair.name, group={OTHER_JUDGE: second.name})


def _advantages(judges: Judges) -> Iterator[Figure]:
    """How much more often each judge wins over people than each later one."""
    for first, second in _pairs(judges) if not judges.numbered else []:
        shared = _shared(first, second)
        ids = [next(iter(near.pair.second.raters)) for near in (first, second)]
        estimate = advantage_difference(
            shared.place,
            shared.rater.tolist(),
            shared.values,
            judges=(ids[0], ids[1]),
            distance=DISTANCES[shared.facet.kind],
            clusters=shared.source,
            bootstrap=judges.options.bootstrap,
        )
        if estimate.value is not None:
            yield Figure(
                ALT_ADVANTAGE_DIFFERENCE,
                estimate,
                raters=first.pair.name,
                group={OTHER_JUDGE: second.name},
            )


def _shared(first: Near, second: Near) -> Ratings:
    """The people's ratings of what both judged, and those of the two."""
    people = first.people.take(np.isin(first.people.place, second.judge.place))
    return join(people, join(first.judge, second.judge))


DIFFERENCES = Statistic(compute=_differences, applies=can_agree)
# As of the alternative annotator test: ranks are no values of their own.
ADVANTAGES = Statistic(
    compute=_advantages, applies=lambda facet: not facet.ranks and can_agree(facet)
)
