"""Collect the votes of other judges: their answers to the questions of a jury."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from annotation.models import Annotation, Block, Rater, Study
from judges.definitions.families import imported_judges
from judges.definitions.study_judges import judge_exists
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for, method_of
from judges.methods.asks import AnswerKey, Ask, Vote
from judges.methods.contract import Method
from judges.models import Call
from judges.runs.plans.asks import served_blocks

# A judge's name with version, and its answers.
Voter = tuple[str, dict[AnswerKey, dict[str, object]]]


def with_votes(study: Study, asks: Sequence[Ask], names: Iterable[str]) -> list[Ask]:
    """The asks, each with the answers of the judges of those names to its question.

    A name is a judge of the study, or NAME@VERSION. In later replicates, a judge that answered
    only once votes with that answer.
    """
    voters = {name: _voter(study, name, asks) for name in names}
    return [replace(ask, votes=_votes(ask, voters)) for ask in asks]


def missing_voters(study: Study, method: Method[Any]) -> list[str]:
    """The names of voters that do not exist, where too few others are left for any answer."""
    names = method.voters()
    absent = [name for name in names if not judge_exists(study, name)]
    return absent if len(names) - len(absent) < method.votes_needed else []


def blocks_with_votes(
    study: Study, method: Method[Any], blocks: Sequence[Block]
) -> Sequence[Block]:
    """Those of the blocks in which enough voters answer; all blocks for a method without voters.

    A voter answers a block where it has, or a run of it is to. Before any has begun, that is each
    block that it can answer.
    """
    names = method.voters()
    if not names:
        return blocks
    answered = [_answered_blocks(study, name) for name in names]
    if not any(answered):
        answered = [_possible_blocks(study, name) for name in names]
    enough = method.votes_needed
    return [block for block in blocks if sum(block.pk in ids for ids in answered) >= enough]


def _answered_blocks(study: Study, name: str) -> set[int]:
    rater = _rater(study, name)
    if rater is None:
        return set()
    answers = rater.annotations.filter(superseded_at=None, excluded_reason="")
    asked = Call.objects.filter(run__rater=rater, run__probe_set=None).order_by()
    asked = asked.filter(status=Call.Status.PLANNED)
    return {
        block.pk
        for block in study.blocks.all()
        if answers.filter(question__block=block).exists()
        or asked.filter(question__block=block).exists()
    }


def _possible_blocks(study: Study, name: str) -> set[int]:
    try:
        method = method_of(judge_for(study, name))
    except (UnknownJudge, BadJudge):
        return set()
    return {block.pk for block in served_blocks(study, method)}


def _voter(study: Study, name: str, asks: Sequence[Ask]) -> Voter:
    """The judge of that name and its answers; none where it is no rater of the study."""
    rater = _rater(study, name)
    if rater is None:
        return name, {}
    annotations = Annotation.objects.filter(
        rater=rater,
        question__in={ask.question_id for ask in asks},
        superseded_at=None,
        excluded_reason="",
    )
    rows = annotations.values_list("question", "replicate", "answer")
    answers = {(question, replicate): answer for question, replicate, answer in rows}
    return f"{rater.name}@{rater.version}", answers


def _rater(study: Study, name: str) -> Rater | None:
    """The judge as a rater of the study; an imported judge of that name comes first."""
    imported = imported_judges(study).filter(name=name).order_by("-version").first()
    if imported is not None:
        return imported
    try:
        judge = judge_for(study, name)
    except UnknownJudge:
        return None
    return study.raters.filter(name=judge.name, version=judge.version).first()


def _votes(ask: Ask, voters: dict[str, Voter]) -> dict[str, Vote]:
    votes = {}
    for name, (by, answers) in voters.items():
        answer = answers.get(ask.key, answers.get((ask.question_id, 0)))
        if answer is not None:
            votes[name] = Vote(by, ask.task_type.Answer.model_validate(answer))
    return votes
