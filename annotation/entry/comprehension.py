"""The comprehension check: questions about the instructions before the first batch.

Workers have several tries. Those who fail all of them are screened out and paid for their time; no
work of theirs is rejected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import ComprehensionTry, Participation, Study
from annotation.rounds.standing import forgiven_until
from annotation.work.qualification import change_state

State = Participation.State

# The reason of a screen-out, as it is kept.
FAILED = "comprehension check failed"


class NotThisTry(Exception):
    """This try was recorded already, or none is left. Nothing was recorded."""


@dataclass(frozen=True)
class CheckQuestion:
    """A question about the instructions. `right` is one of its options."""

    text: str
    options: tuple[str, ...]
    right: str
    explanation: str


@dataclass(frozen=True)
class CheckAnswer:
    """A question with the option chosen in a try."""

    question: CheckQuestion
    chosen: str

    @property
    def is_right(self) -> bool:
        return self.chosen == self.question.right


def check_questions(study: Study) -> tuple[CheckQuestion, ...]:
    """The study's questions about its instructions."""
    return tuple(_check_question(entry) for entry in study.comprehension)


def _check_question(entry: Mapping[str, object]) -> CheckQuestion:
    options = entry["options"]
    assert isinstance(options, list)
    return CheckQuestion(
        text=str(entry["question"]),
        options=tuple(str(option) for option in options),
        right=str(entry["right"]),
        explanation=str(entry.get("explanation", "")),
    )


def needs_check(participation: Participation) -> bool:
    """Whether the worker still has to show that the instructions were understood."""
    asks = bool(participation.study.comprehension) and not has_passed_check(participation)
    return asks and not _is_forgiven(participation)


def _is_forgiven(participation: Participation) -> bool:
    """Whether a researcher reinstated the worker after the last try."""
    used_up = tries_made(participation) >= participation.study.comprehension_tries
    return used_up and forgiven_until(participation) is not None


def has_passed_check(participation: Participation) -> bool:
    """Whether the worker has passed one of their tries."""
    return _tries(participation).filter(passed=True).exists()


def tries_made(participation: Participation) -> int:
    """How many tries the worker has had."""
    return _tries(participation).count()


def last_try(participation: Participation) -> list[CheckAnswer]:
    """The latest try with its questions as they were then; empty before the first."""
    newest = _tries(participation).last()
    if newest is None:
        return []
    return [CheckAnswer(_check_question(entry), entry["chosen"]) for entry in newest.answers]


def _tries(participation: Participation) -> QuerySet[ComprehensionTry]:
    return ComprehensionTry.objects.filter(participation=participation)


@transaction.atomic
def take_check(
    *, participation: Participation, number: int, chosen: Sequence[str]
) -> ComprehensionTry:
    """Record one try, `chosen` holding an option per question in order.

    `number` is the try that the page was for, from 1: a page sent twice is recorded once, and
    raises NotThisTry the second time. Failing the last try is a paid screen-out.
    """
    # The lock makes the second request of a double click wait and find the try recorded.
    Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    participation.refresh_from_db(fields=["state"])
    study, answers = participation.study, _answers(participation.study, chosen)
    n_tries = tries_made(participation)
    if number != n_tries + 1 or n_tries >= study.comprehension_tries:
        raise NotThisTry
    if participation.state in Participation.ENDED or not needs_check(participation):
        raise NotThisTry
    new_try = ComprehensionTry.objects.create(
        participation=participation,
        number=number,
        answers=[_record(answer) for answer in answers],
        passed=all(answer.is_right for answer in answers),
    )
    if not new_try.passed and number >= study.comprehension_tries:
        _screen_out(participation)
    return new_try


def _answers(study: Study, chosen: Sequence[str]) -> list[CheckAnswer]:
    return [
        CheckAnswer(question, choice)
        for question, choice in zip(check_questions(study), chosen, strict=True)
    ]


def _record(answer: CheckAnswer) -> dict[str, object]:
    """The question is stored with its answer, since the study's texts may change later."""
    question = answer.question
    return {
        "question": question.text,
        "options": list(question.options),
        "right": question.right,
        "explanation": question.explanation,
        "chosen": answer.chosen,
    }


def _screen_out(participation: Participation) -> None:
    change_state(participation=participation, to=State.SCREENED_OUT, reason=FAILED)
