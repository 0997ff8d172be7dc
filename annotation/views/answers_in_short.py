"""A batch before it is submitted: every text with the answers about it, each in a few words."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.utils.text import Truncator

from annotation.work.drafts import answer_form
from annotation.work.steps import Step, Steps

# Characters of a text and of an answer that are shown.
SUBJECT, ANSWER = 140, 160


class AnsweredStep(NamedTuple):
    """A question with its answer in a few words; empty where there is none yet."""

    part: int
    complete: bool
    opens: bool
    frozen: bool
    url: str
    answer: str


class AnsweredUnit(NamedTuple):
    """A text, by what its first question shows of it, with its questions."""

    position: int
    subject: str
    questions: list[AnsweredStep]


def answered_units(steps: Steps) -> Iterator[AnsweredUnit]:
    """The texts of a batch, in order. A later question may show more of a text than its first."""
    for position, group in groupby(steps.all, key=lambda step: step.position):
        unit = list(group)
        first = unit[0].question
        subject = first.block.task_type.subject(first.typed_payload)
        yield AnsweredUnit(position, _cut(subject, SUBJECT), [_answered(step) for step in unit])


def _answered(step: Step) -> AnsweredStep:
    answer = _cut(_in_short(step), ANSWER)
    return AnsweredStep(step.part, step.complete, step.opens, step.frozen, step.url, answer)


def _in_short(step: Step) -> str:
    draft = step.draft
    if draft is None or not draft.complete:
        return ""
    form = answer_form(step.question, draft.posted)
    if not form.is_valid():
        return ""
    kind = step.question.block.task_type
    return kind.summary(step.question.typed_payload, form.answer())


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else Truncator(text).chars(length)
