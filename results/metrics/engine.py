"""Every estimate of a study: who agrees with whom, who scores what, as a whole and by group."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.models import Block
from results.data.options import Options
from results.data.parties import Parties, divide
from results.data.ratings import Ratings, ratings_of
from results.data.rows import Row
from results.data.study_data import StudyData
from results.metrics.agreement import (
    agreement_between,
    agreement_of_runs,
    agreement_within,
    fold,
    no_agreement,
)
from results.metrics.answer_times import pace_rows
from results.metrics.attribution import attribution_rows
from results.metrics.averages import averages
from results.metrics.biases import bias_rows
from results.metrics.calibration import calibration_rows
from results.metrics.controls import control_rows
from results.metrics.correlations import correlations
from results.metrics.entropies import entropy_rows
from results.metrics.evidence import retrieval_rows
from results.metrics.interval_notes import say_what_was_drawn
from results.metrics.measures import measure_rows
from results.metrics.positions import position_rows
from results.metrics.prediction_powered import prediction_rows
from results.metrics.quality import quality_rows
from results.metrics.ranks import rank_rows
from results.metrics.replacement import replacement_rows
from results.metrics.shares import share_rows
from results.metrics.systems import comparison_rows
from results.metrics.wins import winning_rows

SHARED_NAME = "two blocks have a facet of this name, whose answers are not to be mixed"


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
    active = {*np.unique(data.table.rater).tolist(), *(answer.rater for answer in data.controls)}
    parties = divide([rater for rater in data.table.raters if rater.pk in active])
    rows = (*_rated(data, parties, options), *control_rows(data, parties, options))
    return Estimates(tuple(say_what_was_drawn(rows, options)), parties.versions)


def _rated(data: StudyData, parties: Parties, options: Options) -> Iterator[Row]:
    rated = {name: ratings_of(data.table, name) for name in data.table.material.facets}
    shared = _shared_names(data.blocks)
    for name in sorted(shared):
        yield from no_agreement(rated[name], parties.crowds[0], SHARED_NAME)
    for block in data.blocks:
        for facet in block.facets:
            if facet.name in shared:
                continue
            ratings = rated[facet.name]
            yield from _facet_rows(ratings, parties, options)
            for scores in rated.values():
                if facet.name in scores.facet.compared_with:
                    yield from correlations(ratings, scores, parties, options)
            yield from share_rows(data, block, ratings, parties.groups, options)
            yield from bias_rows(ratings, data.words, parties, options)
            yield from position_rows(data, block, ratings, parties.groups, options)
        if block.facets[0].name not in shared:
            yield from measure_rows(data, block, parties, options)
    yield from attribution_rows(rated, parties.groups, options)
    yield from pace_rows(data, parties, options)
    yield from retrieval_rows(data, options)


def _shared_names(blocks: Sequence[Block]) -> set[str]:
    """Files that make such a study are refused; one may still be there from before."""
    times = Counter(facet.name for block in blocks for facet in block.facets)
    return {name for name, number in times.items() if number > 1}


def _facet_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    # Scores of machines, each on a scale of its own, may correlate but cannot agree.
    if not ratings.facet.compared_with:
        yield from _agreement(ratings, parties, options)
        yield from replacement_rows(ratings, parties, options)
        yield from quality_rows(ratings, parties)
    yield from correlations(ratings, ratings, parties, options)
    yield from rank_rows(ratings, parties, options)
    yield from comparison_rows(ratings, parties, options)
    yield from winning_rows(ratings, parties, options)
    yield from calibration_rows(ratings, parties, options)
    yield from prediction_rows(ratings, parties, options)
    for party in parties.groups:
        yield from entropy_rows(ratings, party, options)
        yield from averages(ratings, party, options)
    for party in parties.singles:
        yield from averages(ratings, party, options, whole_only=True)


def _agreement(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    folded = fold(ratings)
    for crowd in parties.crowds:
        yield from agreement_within(ratings, crowd, options)
    for judge in parties.judges:
        yield from agreement_of_runs(ratings, judge, options)
    for pair in parties.pairs:
        yield from agreement_between(folded if pair.first.several else ratings, pair, options)
