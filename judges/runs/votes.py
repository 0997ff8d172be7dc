"""Collect the votes of other judges: their answers to the questions of a jury."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from annotation.models import Annotation, Rater, Study
from judges.definitions.families import imported_judges
from judges.definitions.versions import UnknownJudge, judge_for
from judges.methods.contract import AnswerKey, Ask, Vote

# A judge's name with version, and its answers.
Voter = tuple[str, dict[AnswerKey, dict[str, object]]]


def with_votes(study: Study, asks: Sequence[Ask], names: Iterable[str]) -> list[Ask]:
    """The asks, each with the answers of the judges of those names to its question.

    A name is a judge of the study, or NAME@VERSION. In later replicates, a judge that answered
    only once votes with that answer.
    """
    voters = {name: _voter(study, name, asks) for name in names}
    return [replace(ask, votes=_votes(ask, voters)) for ask in asks]


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
