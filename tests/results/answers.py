"""Answers for the tests of results: who says what, in one line."""

from typing import Any

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Question, Rater, Round, Study


def make_rater(study: Study, name: str, kind: str = "human", *, version: int = 1) -> Rater:
    return Rater.objects.create(study=study, name=name, kind=kind, version=version)


def questions(study: Study, block: int = 0, role: str = "normal") -> list[Question]:
    """The questions of one block, in the order of their units."""
    found = Question.objects.filter(study=study, block__position=block, unit__role=role)
    return list(found.select_related("block", "unit").order_by("unit__pk"))


def choose(
    rater: Rater,
    question: Question,
    *sentences: int,
    round_: Round | None = None,
    surplus: bool = False,
    replicate: int = 0,
    supersede: bool = False,
) -> Annotation:
    """Answer a question of citation recovery."""
    answer = question.typed_answer({"sentences": list(sentences)})
    given = GivenAnswer(question, answer, round=round_, surplus=surplus, replicate=replicate)
    return record_answers(rater=rater, given=[given], supersede=supersede)[0]


def rate(rater: Rater, question: Question, value: float) -> Annotation:
    """Answer a question of the slider."""
    answer = question.typed_answer({"value": value})
    return record_answers(rater=rater, given=[GivenAnswer(question, answer)])[0]


def disagree(study: Study) -> Study:
    """Two people and a judge, who do not agree."""
    for at, (name, kind) in enumerate((("ada", "human"), ("bob", "human"), ("lexical", "judge"))):
        rater = make_rater(study, name, kind)
        for number, question in enumerate(questions(study)):
            choose(rater, question, *range(1 + (at + number) % 3))
        for number, question in enumerate(questions(study, block=1)):
            rate(rater, question, 20.0 * at + 7 * number)
    return study


def asked_in(page: Any) -> Any:
    """The questions on the page of a unit; templates inside it use the name for something else."""
    contexts: Any = page.context
    return next(one["asked"] for one in contexts if isinstance(one.get("asked"), list))
