"""Hear other judges: what they have answered to the questions that a method is asked."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from annotation.models import Annotation, Rater, Study
from judges.definitions.families import imported_judges
from judges.definitions.versions import UnknownJudge, judge_for
from judges.methods.contract import Ask, Vote

Place = tuple[int, int]
Heard = tuple[str, dict[Place, dict[str, object]]]


def with_votes(study: Study, asks: Sequence[Ask], names: Iterable[str]) -> list[Ask]:
    """The asks, each with what the judges of those names answered to its question.

    A name is a judge of the study, or NAME@VERSION. In a later replicate a judge that answered
    once votes with that answer.
    """
    heard = {name: _answers(study, name, asks) for name in names}
    return [replace(ask, votes=_votes(ask, heard)) for ask in asks]


def _answers(study: Study, name: str, asks: Sequence[Ask]) -> Heard:
    """Who it is, by name and version, and what they answered."""
    rater = _rater(study, name)
    if rater is None:
        return name, {}
    found = Annotation.objects.filter(
        rater=rater,
        question__in={ask.question_id for ask in asks},
        superseded_at=None,
        excluded_reason="",
    )
    rows = found.values_list("question", "replicate", "answer")
    answers = {(question, replicate): answer for question, replicate, answer in rows}
    return f"{rater.name}@{rater.version}", answers


def _rater(study: Study, name: str) -> Rater | None:
    """The judge as a rater of the study, an imported one under its own name first."""
    imported = imported_judges(study).filter(name=name).order_by("-version").first()
    if imported is not None:
        return imported
    try:
        judge = judge_for(study, name)
    except UnknownJudge:
        return None
    return study.raters.filter(name=judge.name, version=judge.version).first()


def _votes(ask: Ask, heard: dict[str, Heard]) -> dict[str, Vote]:
    votes = {}
    for name, (by, answers) in heard.items():
        answer = answers.get((ask.question_id, ask.replicate), answers.get((ask.question_id, 0)))
        if answer is not None:
            votes[name] = Vote(by, ask.task_type.Answer.model_validate(answer))
    return votes
