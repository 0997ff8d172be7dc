"""Workers who know the right answers of a study of citation recovery followed by a slider."""

from collections.abc import Callable

from django.utils import timezone

from annotation.models import Assignment, Question
from annotation.work.drafts import save_draft, show_question
from annotation.work.steps import Step, Steps
from annotation.work.submission import submit
from tests.annotation.workers import RECOVERY, SLIDER

Posted = dict[str, list[str]]


def right(question: Question) -> Posted:
    """What somebody who knows the answer chooses."""
    assert question.reference is not None
    sentences = question.reference["sentences"]
    return {"sentences": [str(one) for one in sentences]} if sentences else {"none": ["on"]}


def wrong(question: Question) -> Posted:
    """What is certainly not the answer."""
    assert question.reference is not None
    return {"none": ["on"]} if question.reference["sentences"] else {"sentences": ["0"]}


def fill(batch: Assignment, choose: Callable[[Step], Posted], *, utility: int = 50) -> None:
    """Answer every question; `choose` says what is chosen for the first one of a unit."""
    for part in (1, 2):
        for step in [one for one in Steps(batch).unanswered if one.part == part]:
            kind = step.question.block.task_type_slug
            assert kind in (RECOVERY, SLIDER)
            draft = show_question(step=step, now=timezone.now())
            save_draft(
                assignment=batch,
                question=step.question,
                posted=choose(step) if kind == RECOVERY else {"value": [str(utility)]},
                revision=draft.revision,
            )


def answer_rightly(batch: Assignment) -> Assignment:
    """Answer every question rightly and submit the batch."""
    fill(batch, lambda step: right(Question.objects.get(pk=step.question.pk)))
    return submit(assignment=batch, now=timezone.now())
