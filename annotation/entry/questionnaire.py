"""A questionnaire about the person, before the first batch or after the last.

What people tell in it is personal data: it is erased with them, and in no export that does not ask
for it.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.models import Assignment, Participation, Study

State = Participation.State

# What a text may have, in characters.
LONGEST = 1000


def questions(study: Study, when: str) -> list[Mapping[str, Any]]:
    """The questions that are asked `before` or `after` the work, as `Study.questionnaire` has
    them."""
    asked = study.questionnaire.get("questions", ())
    return [question for question in asked if question["asked"] == when]


def is_due(participation: Participation, when: str) -> bool:
    """Whether the worker has still to be asked. Leaving every question open is an answer, too."""
    return bool(questions(participation.study, when)) and when not in participation.questionnaire


def may_answer(participation: Participation, when: str) -> bool:
    """Whether the worker can answer now: after the work once some is done, and never once they have
    withdrawn."""
    if participation.state == State.WITHDRAWN or not questions(participation.study, when):
        return False
    return when == "before" or _has_worked(participation)


def is_due_at_the_end(participation: Participation) -> bool:
    """Whether somebody who gets no more batches is still to be asked; not who has left the study or
    done no work."""
    if participation.state in (State.LEFT, State.WITHDRAWN):
        return False
    return is_due(participation, "after") and _has_worked(participation)


def _has_worked(participation: Participation) -> bool:
    return participation.assignments.filter(state=Assignment.State.SUBMITTED).exists()


@transaction.atomic
def keep_answers(*, participation: Participation, when: str, answers: Mapping[str, Any]) -> None:
    """Store what was told, by question; what was left open is not in it. Answering again replaces
    it. The words of a question are stored with its answer, since the study's may change later."""
    told = [{"question": question, "answer": answer} for question, answer in answers.items()]
    locked = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    if locked.state == State.WITHDRAWN:
        return
    participation.questionnaire = {**locked.questionnaire, when: told}
    participation.save(update_fields=["questionnaire"])
