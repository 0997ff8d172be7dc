"""Control accuracy: how often a rater gave the right answer where it was known beforehand.

Reported apart, for judges too: control units never enter any other estimate.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agreement import mean_by
from annotation.models import Annotation, Block, Question, Study
from results.data.options import Options
from results.data.parties import Parties, Party
from results.metrics.rows import Row

METRIC = "control_accuracy"
CHUNK = 500


@dataclass(frozen=True)
class ControlAnswer:
    """One answer to a control question, and whether it was right."""

    block: int
    unit: int
    source: int
    rater: int
    round: str
    counts: bool
    right: bool


def control_rows(
    study: Study, answers: Sequence[ControlAnswer], parties: Parties, options: Options
) -> Iterator[Row]:
    """Accuracy by rater, for counting rounds together and for every round by name."""
    for block in study.blocks.all():
        here = [answer for answer in answers if answer.block == block.pk]
        for party in (*parties.groups, *parties.singles):
            yield from _rows(block, party, here, options)


def control_answers(study: Study, *, excluded: bool = False) -> Iterator[ControlAnswer]:
    """Every standing answer to a control question of every round; pilots are told apart.

    excluded: with those that somebody excluded.
    """
    questions = _control_questions(study)
    standing = (
        Annotation.objects.filter(
            study=study,
            question__unit__in=study.units.checked_controls(),
            question__reference__isnull=False,
        )
        .standing(excluded=excluded)
        .order_by("pk")
        .values_list("question_id", "rater_id", "answer", "round__name", "round__counts")
    )
    judged: dict[tuple[int, str], bool] = {}  # thousands give the same answer to one control
    for question_id, rater, answer, round_name, counts in standing.iterator(CHUNK):
        question, given = questions[question_id], (question_id, json.dumps(answer))
        if given not in judged:
            judged[given] = _is_right(question, answer)
        yield ControlAnswer(
            block=question.block_id,
            unit=question.unit_id,
            source=question.unit.source_id,
            rater=rater,
            round=round_name or "",
            counts=counts is not False,
            right=judged[given],
        )


def _control_questions(study: Study) -> Mapping[int, Question]:
    questions = Question.objects.filter(
        study=study, unit__in=study.units.checked_controls(), reference__isnull=False
    )
    return {question.pk: question for question in questions.select_related("block", "unit")}


def _is_right(question: Question, answer: object) -> bool:
    return question.block.task_type.is_right(
        question.typed_payload, question.typed_answer(answer), question.typed_reference
    )


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
