"""Every estimate of a study: who agrees with whom, who scores what, as a whole and by group."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from agreement import RESAMPLES, Estimate
from annotation.models import Block
from results.data.options import Options
from results.data.parties import divide
from results.data.rows import Row
from results.data.study_data import StudyData
from results.metrics.agreement import AGREEMENT, RUN_TO_RUN
from results.metrics.averages import ATTRIBUTED, AVERAGES, QUARTILES, attributed
from results.metrics.biases import BIASES
from results.metrics.calibration import CALIBRATION
from results.metrics.correlations import CORRELATION, CORRELATION_ACROSS
from results.metrics.evidence import RETRIEVAL, choices
from results.metrics.kappas import ENTROPY, KAPPAS
from results.metrics.measures import DETECTIONS, MEASURES, SHARES, answers, asked_of_items
from results.metrics.positions import POSITIONS
from results.metrics.prediction_powered import PREDICTION_POWERED
from results.metrics.quality import (
    CONTROL_ACCURACY,
    MEDIAN_SECONDS,
    QUALITY,
    answer_times,
    control_answers,
)
from results.metrics.ranks import MEAN_RANKS, TAUS
from results.metrics.replacement import REPLACEMENT
from results.metrics.samples import (
    crowds,
    everyone,
    groups,
    judges,
    judges_among_people,
    judges_beside_means,
    judges_beside_people,
    judges_on_other_scales,
    pairs,
    pairs_as_raters,
    singles,
)
from results.metrics.statistic import Figure, Over, Sample, Scope, Statistic, Statistics
from results.metrics.systems import TESTS, WIN_SHARE, winners

BOOTSTRAP = "bootstrap"
RATERS_DRAWN = re.compile(r" and \d+ raters?\b")
NOT_DRAWN = "raters not resampled"
SHARED_NAME = "two blocks have a facet of this name, whose answers are not to be mixed"

# All that a report holds, in its order: statistics of one entry follow each other sample by sample.
STATISTICS: tuple[Statistics, ...] = (
    Statistics(crowds, (AGREEMENT, KAPPAS)),
    Statistics(judges, (RUN_TO_RUN,)),
    Statistics(pairs_as_raters, (AGREEMENT, KAPPAS)),
    Statistics(judges_among_people, (REPLACEMENT,)),
    Statistics(crowds, (QUALITY,)),
    Statistics(pairs, (CORRELATION, TAUS)),
    Statistics(everyone, (MEAN_RANKS,)),
    Statistics(groups, (TESTS,)),
    Statistics(winners, (WIN_SHARE,)),
    Statistics(winners, (TESTS,)),
    Statistics(crowds, (CALIBRATION,)),
    Statistics(judges_beside_people, (PREDICTION_POWERED,)),
    Statistics(groups, (ENTROPY, AVERAGES, QUARTILES)),
    Statistics(singles, (AVERAGES,)),
    Statistics(judges_on_other_scales, (CORRELATION_ACROSS,)),
    Statistics(asked_of_items, (SHARES,)),
    Statistics(judges_beside_means, (BIASES,)),
    Statistics(groups, (POSITIONS,)),
    Statistics(answers, (MEASURES, DETECTIONS), over=Over.BLOCKS),
    Statistics(attributed, (ATTRIBUTED,), over=Over.STUDY),
    Statistics(answer_times, (MEDIAN_SECONDS,), over=Over.STUDY),
    Statistics(choices, (RETRIEVAL,), over=Over.STUDY),
    Statistics(control_answers, (CONTROL_ACCURACY,), over=Over.STUDY),
)


@dataclass(frozen=True)
class Estimates:
    """The rows of a study, and which version of a judge its plain name stands for in them."""

    rows: tuple[Row, ...]
    versions: Mapping[str, int]


def estimate(data: StudyData, options: Options) -> Estimates:
    """All rows of a study's report."""
    if data.published:
        return Estimates(data.published, {})
    options, data = options.settled(data.epsilon), data.narrowed(options)
    active = _active(data)
    parties = divide([rater for rater in data.raters if rater.pk in active])
    scope = Scope(
        data=data,
        parties=parties,
        options=options,
        blocks={facet.name: block for block in data.blocks for facet in block.facets},
    )
    return Estimates(tuple(_study_rows(scope)), parties.versions)


def _study_rows(scope: Scope) -> Iterator[Row]:
    shared = _shared_names(scope.data.blocks)
    for name in sorted(shared):
        yield from _not_mixed(replace(scope, facet=name))
    for block in scope.data.blocks:
        names = [facet.name for facet in block.facets]
        for name in names:
            if name not in shared:
                yield from _rows(replace(scope, facet=name), Over.FACETS)
        if names[0] not in shared:
            yield from _rows(replace(scope, facet=names[0]), Over.BLOCKS)
    yield from _rows(scope, Over.STUDY)


def _active(data: StudyData) -> set[int]:
    """Who has answers that count, or answered a control."""
    counted = (np.unique(ratings.rater).tolist() for ratings in data.ratings.values())
    return {*chain.from_iterable(counted), *(answer.rater for answer in data.controls)}


def _shared_names(blocks: Sequence[Block]) -> set[str]:
    """Files that make such a study are refused; one may still be there from before."""
    times = Counter(facet.name for block in blocks for facet in block.facets)
    return {name for name, number in times.items() if number > 1}


def _not_mixed(scope: Scope) -> Iterator[Row]:
    """The rows of agreement without values."""
    crowd = next(crowds(scope))
    missing = Estimate.missing(SHARED_NAME, n_units=0, n_raters=0, n_ratings=0)
    for metric in AGREEMENT.silent(crowd):
        yield _row(AGREEMENT, crowd, Figure(metric, missing))


def _rows(scope: Scope, over: Over) -> Iterator[Row]:
    for statistics in STATISTICS:
        if statistics.over is over:
            for statistic, sample, figure in statistics.figures(scope):
                yield _row(statistic, sample, figure)


def _row(statistic: Statistic, sample: Sample, figure: Figure) -> Row:
    return Row(
        metric=figure.metric,
        facet=sample.facet,
        raters=figure.raters or sample.raters,
        group={**sample.group, **figure.group},
        aggregation=figure.aggregation or statistic.aggregation,
        consensus=sample.consensus,
        estimate=_saying_what_was_drawn(figure.estimate, sample.options),
    )


def _saying_what_was_drawn(estimate: Estimate, options: Options) -> Estimate:
    """Where raters were to be drawn and a bootstrap did not (of one rater, of a pair, of a
    statistic that cannot), `interval_method` says so."""
    method = estimate.interval_method
    if options.resample == RESAMPLES[0] or method is None:
        return estimate
    if BOOTSTRAP not in method or RATERS_DRAWN.search(method):
        return estimate
    return replace(estimate, interval_method=f"{method}; {NOT_DRAWN}")
