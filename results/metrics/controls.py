"""Control accuracy: how often a rater gave the right answer where it was known beforehand.

Reported apart, for judges too: control units never enter any other estimate.
"""

from collections.abc import Iterable, Iterator

from agreement import mean_by
from annotation.models import Block
from results.data.controls import ControlAnswer
from results.data.options import Options
from results.data.parties import Parties, Party
from results.data.rows import Row
from results.data.study_data import StudyData

METRIC = "control_accuracy"


def control_rows(data: StudyData, parties: Parties, options: Options) -> Iterator[Row]:
    """Accuracy by rater, for counting rounds together and for every round by name."""
    for block in data.blocks:
        here = [answer for answer in data.controls if answer.block == block.pk]
        for party in (*parties.groups, *parties.singles):
            yield from _rows(block, party, here, options)


def _rows(
    block: Block, party: Party, answers: Iterable[ControlAnswer], options: Options
) -> Iterator[Row]:
    theirs = [answer for answer in answers if answer.rater in party.raters]
    parts = {"": [answer for answer in theirs if answer.counts]}
    for answer in theirs:
        if answer.round:
            parts.setdefault(answer.round, []).append(answer)
    for name, part in parts.items():
        if part:
            yield _row(block, party, {"round": name} if name else {}, part, options)


def _row(
    block: Block,
    party: Party,
    group: dict[str, str],
    answers: list[ControlAnswer],
    options: Options,
) -> Row:
    estimate = mean_by(
        [float(answer.right) for answer in answers],
        clusters=[answer.source for answer in answers],
        units=[answer.unit for answer in answers],
        raters=[answer.rater for answer in answers],
        bootstrap=options.bootstrap_of(several=party.several),
    )
    return Row(
        metric=METRIC,
        facet=block.facets[0].name,
        raters=party.name,
        group=group,
        aggregation="pooled",
        estimate=estimate,
    )
