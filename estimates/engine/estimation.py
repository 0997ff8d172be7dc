"""Every estimate of a study: agreement and scores, as a whole and by group."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from agreement import RESAMPLES, Estimate
from agreement.bootstrap.intervals import ONE_RATER, THESE_RATERS
from agreement.values.ratings import NO_PAIRS
from agreement.values.ratings import ONE_RATER as ONE_NUMBER
from estimates import scorecard
from estimates.data.options import Options
from estimates.data.parties import Parties, divide
from estimates.data.records import BlockRecord
from estimates.data.rows import NUMBERED, Row, RowKey
from estimates.data.study_data import StudyData
from estimates.metrics import (
    agreement,
    averages,
    biases,
    calibration,
    copies,
    correlations,
    evidence,
    kappas,
    limits,
    measures,
    meta_evaluation,
    prediction_powered,
    prevalence,
    quality,
    reliability,
    replacement,
    severity,
    similarity,
)
from estimates.metrics.systems import comparisons, effects, positions, ranks
from estimates.metrics.systems import differences as systems
from estimates.statistics import common_units, samples
from estimates.statistics.common_units import of_the_whole, on_common_units
from estimates.statistics.statistic import Figure, Granularity, Sample, Scope, Statistic, Statistics

RESAMPLED = ("bootstrap", "jackknife")
RATERS_DRAWN = re.compile(r" and \d+ raters?\b")
NOT_DRAWN = "raters not resampled"
SHARED_NAME = "two blocks have a facet of this name, whose answers are not to be mixed"

# Everything in a report, in order: the statistics of one entry are computed sample by sample.
STATISTICS: tuple[Statistics, ...] = (
    Statistics(samples.crowds, (agreement.AGREEMENT, kappas.KAPPAS)),
    Statistics(samples.crowds, (prevalence.PREVALENCE, reliability.RELIABILITY)),
    Statistics(samples.judges, (agreement.RUN_TO_RUN,)),
    Statistics(samples.pairs_as_raters, (agreement.AGREEMENT, kappas.KAPPAS)),
    Statistics(samples.pairs_as_raters, (prevalence.PREVALENCE, reliability.RELIABILITY_BESIDE)),
    Statistics(samples.judges_beside_means, (limits.LIMITS,)),
    Statistics(samples.judges_among_people, (replacement.REPLACEMENT,)),
    *scorecard.SCORECARD,
    Statistics(samples.crowds, (quality.QUALITY, copies.EQUAL_ANSWERS, severity.SEVERITY)),
    Statistics(samples.pairs, (correlations.CORRELATION, ranks.TAUS)),
    Statistics(samples.judges_beside_people, (meta_evaluation.PAIRS,)),
    Statistics(samples.judges_in_other_facets, (meta_evaluation.PAIRS,)),
    Statistics(meta_evaluation.rankers, (meta_evaluation.DIFFERENCES,)),
    Statistics(samples.everyone, (ranks.MEAN_RANKS, ranks.BEST_WORSTS)),
    Statistics(samples.groups, (systems.TESTS, systems.COVERAGE)),
    Statistics(effects.compared, (effects.EFFECTS, effects.UNPAIRED)),
    Statistics(comparisons.winners, (comparisons.STRENGTHS, comparisons.WINS)),
    Statistics(comparisons.winners, (comparisons.HEADS, comparisons.TESTS)),
    Statistics(samples.crowds, (calibration.CALIBRATION,)),
    Statistics(samples.judges_beside_people, (prediction_powered.PREDICTION_POWERED,)),
    Statistics(samples.groups, (kappas.ENTROPY, averages.AVERAGES, averages.QUARTILES)),
    Statistics(samples.singles, (averages.AVERAGES,)),
    Statistics(samples.judges_in_other_facets, (correlations.CORRELATION_ACROSS,)),
    Statistics(measures.asked_of_items, (measures.SHARES,)),
    Statistics(samples.judges_beside_means, (biases.BIASES,)),
    Statistics(samples.judges_beside_other_means, (biases.EGO_CENTRIC_ACROSS,)),
    Statistics(samples.groups, (positions.POSITIONS,)),
    Statistics(
        on_common_units(samples.pairs_as_raters),
        (of_the_whole(agreement.AGREEMENT), of_the_whole(kappas.KAPPAS)),
    ),
    Statistics(on_common_units(samples.pairs), (correlations.CORRELATION, ranks.TAUS)),
    Statistics(on_common_units(samples.judges_in_other_facets), (correlations.CORRELATION_ACROSS,)),
    Statistics(on_common_units(samples.groups), (of_the_whole(averages.AVERAGES),)),
    Statistics(on_common_units(samples.judges_beside_means), (of_the_whole(biases.BIASES),)),
    Statistics(
        on_common_units(samples.judges_beside_other_means),
        (of_the_whole(biases.EGO_CENTRIC_ACROSS),),
    ),
    Statistics(measures.answers, (measures.MEASURES, measures.DETECTIONS), Granularity.BLOCKS),
    Statistics(
        on_common_units(measures.answers), (of_the_whole(measures.MEASURES),), Granularity.BLOCKS
    ),
    Statistics(common_units.asked_units, (common_units.UNANSWERED_SHARE,), Granularity.BLOCKS),
    Statistics(averages.attributed, (averages.ATTRIBUTED,), Granularity.STUDY),
    Statistics(quality.answer_times, (quality.MEDIAN_SECONDS,), Granularity.STUDY),
    Statistics(evidence.choices, (evidence.RETRIEVAL,), Granularity.STUDY),
    Statistics(quality.control_answers, (quality.CONTROL_ACCURACY,), Granularity.STUDY),
)

# Of every person beside every judge, which is only made when it is asked for, and then alone.
OF_SIMILARITY: tuple[Statistics, ...] = (
    Statistics(similarity.people_beside_judges, (similarity.SIMILARITY,), Granularity.STUDY),
)


class RepeatedRow(ValueError):
    """A report with two rows of one key, which is an error of the program."""


@dataclass(frozen=True)
class Estimates:
    """The rows of a study, and which version of a judge its plain name stands for in them."""

    rows: tuple[Row, ...]
    versions: Mapping[str, int]


def estimate(data: StudyData, options: Options) -> Estimates:
    """All rows of a study's report."""
    if data.published:
        return Estimates(tuple(_each_once(data.published)), {})
    options, data = options.settled(data.epsilon), data.narrowed(options)
    active = _active(data)
    parties = divide([rater for rater in data.raters if rater.pk in active])
    blocks = {facet.name: block for block in data.blocks for facet in block.facets}
    scope = Scope(data=data, parties=parties, options=options, blocks=blocks)
    return Estimates(tuple(_each_once(_study_rows(scope))), parties.versions)


def estimate_some(
    data: StudyData, parties: Parties, options: Options, statistics: Sequence[Statistics]
) -> tuple[Row, ...]:
    """The rows of these statistics of facets alone, for these parties; no facet whose name two
    blocks share."""
    blocks = {facet.name: block for block in data.blocks for facet in block.facets}
    scope = Scope(data=data, parties=parties, options=options, blocks=blocks)
    names = [name for name in data.ratings if name not in _shared_names(data.blocks)]
    each = (_rows(replace(scope, facet=name), Granularity.FACETS, statistics) for name in names)
    return tuple(_each_once(chain.from_iterable(each)))


def _each_once(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows as they come. RepeatedRow where two share a key: whoever looks one up by it would
    get either figure."""
    keys: set[RowKey] = set()
    for row in rows:
        if row.key in keys:
            raise RepeatedRow(f"two rows with one key: {row.key}")
        keys.add(row.key)
        yield row


def _active(data: StudyData) -> set[int]:
    """The raters with answers that count or answers to controls."""
    counted = (np.unique(ratings.rater).tolist() for ratings in data.ratings.values())
    return {*chain.from_iterable(counted), *(answer.rater for answer in data.controls)}


def _study_rows(scope: Scope) -> Iterator[Row]:
    if scope.options.likeness:
        yield from _rows(scope, Granularity.STUDY, OF_SIMILARITY)
        return
    shared = _shared_names(scope.data.blocks)
    for name in sorted(shared):
        yield from _not_mixed(replace(scope, facet=name))
    for block in scope.data.blocks:
        names = [facet.name for facet in block.facets]
        for name in names:
            if name not in shared:
                yield from _rows(replace(scope, facet=name), Granularity.FACETS)
        if names[0] not in shared:
            yield from _rows(replace(scope, facet=names[0]), Granularity.BLOCKS)
    yield from _rows(scope, Granularity.STUDY)


def _shared_names(blocks: Sequence[BlockRecord]) -> set[str]:
    """Files that make such a study are refused; one may still be there from before."""
    times = Counter(facet.name for block in blocks for facet in block.facets)
    return {name for name, number in times.items() if number > 1}


def _not_mixed(scope: Scope) -> Iterator[Row]:
    """The rows of agreement without values."""
    crowd = replace(next(samples.crowds(scope)), missing_reason=SHARED_NAME)
    for metric in agreement.AGREEMENT.missing(crowd):
        yield _row(agreement.AGREEMENT, crowd, Figure(metric, crowd.nothing))


def _rows(
    scope: Scope, granularity: Granularity, entries: Sequence[Statistics] = ()
) -> Iterator[Row]:
    for statistics in entries or STATISTICS:
        if statistics.granularity is granularity:
            for statistic, sample, figure in statistics.figures(scope):
                yield _row(statistic, sample, figure)


def _row(statistic: Statistic, sample: Sample, figure: Figure) -> Row:
    estimate = _saying_what_was_drawn(figure.estimate, sample.options)
    return Row(
        metric=figure.metric,
        facet=sample.facet,
        raters=figure.raters or sample.raters,
        group={**sample.group, **figure.group},
        aggregation=figure.aggregation or statistic.aggregation,
        consensus=sample.consensus,
        estimate=_of_numbers(estimate) if sample.numbered else estimate,
    )


def _of_numbers(estimate: Estimate) -> Estimate:
    """Of people who are numbers within a unit: how many they are is not known, and the interval is
    that of the answers as they are given."""
    if estimate.undefined == ONE_NUMBER:
        estimate = replace(estimate, undefined=NO_PAIRS)
    estimate = replace(
        estimate, n_raters=None, others_low=None, others_high=None, others_method=NUMBERED
    )
    if estimate.confidence is None:
        return estimate
    return replace(
        estimate,
        these_low=estimate.low,
        these_high=estimate.high,
        these_method=estimate.interval_method,
    )


def _saying_what_was_drawn(estimate: Estimate, options: Options) -> Estimate:
    """Where raters were to be drawn and a bootstrap did not (of one rater, of a pair, of a
    statistic that cannot), `interval_method` says so."""
    method = estimate.interval_method
    if options.resample == RESAMPLES[0] or method is None or estimate.low is None:
        return estimate
    if not method.startswith(RESAMPLED) and RESAMPLED[0] not in method:
        return estimate
    if RATERS_DRAWN.search(method) or THESE_RATERS in method or ONE_RATER in method:
        return estimate
    return replace(estimate, interval_method=f"{method}; {NOT_DRAWN}")
