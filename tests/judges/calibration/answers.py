"""Answers of people that baselines are fitted on."""

from typing import Any

from annotation.models import Annotation, Question, Rater, Study


def people(study: Study, answer: Any, *, names: tuple[str, ...] = ("ann", "bo")) -> None:
    """Each of them answers every question so, or as the function says of a question."""
    for name in names:
        rater, _ = Rater.objects.get_or_create(study=study, name=name, kind=Rater.Kind.HUMAN)
        for question in Question.objects.filter(study=study).select_related("unit__source"):
            given = answer(question) if callable(answer) else answer
            Annotation.objects.create(study=study, question=question, rater=rater, answer=given)
