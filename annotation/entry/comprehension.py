"""Ask whether the instructions were understood: early, with several tries, never a rejection.

Whoever fails every try is screened out, and paid for the time that it took.
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
    """The try was made already, or there is none left: nothing was recorded."""


@dataclass(frozen=True)
class Asked:
    """One question about the instructions. `right` is one of its options."""

    question: str
    options: tuple[str, ...]
    right: str
    explanation: str


@dataclass(frozen=True)
class Given:
    """A question with what was chosen in a try."""

    asked: Asked
    chosen: str

    @property
    def is_right(self) -> bool:
        return self.chosen == self.asked.right


def asked_of(study: Study) -> tuple[Asked, ...]:
    """The study's questions about its instructions."""
    return tuple(_asked(entry) for entry in study.comprehension)


def _asked(entry: Mapping[str, object]) -> Asked:
    options = entry["options"]
    assert isinstance(options, list)
    return Asked(
        question=str(entry["question"]),
        options=tuple(str(option) for option in options),
        right=str(entry["right"]),
        explanation=str(entry.get("explanation", "")),
    )


def needs_check(participation: Participation) -> bool:
    """Whether the worker still has to show that the instructions were understood."""
    asks = bool(participation.study.comprehension) and not has_passed_check(participation)
    return asks and not _is_forgiven(participation)


def _is_forgiven(participation: Participation) -> bool:
    """Whether a researcher brought the worker back, who has no try left."""
    used_up = tries_made(participation) >= participation.study.comprehension_tries
    return used_up and forgiven_until(participation) is not None


def has_passed_check(participation: Participation) -> bool:
    """Whether one of the worker's tries was right."""
    return _tries(participation).filter(passed=True).exists()


def tries_made(participation: Participation) -> int:
    """How many tries the worker has had."""
    return _tries(participation).count()


def last_try(participation: Participation) -> list[Given]:
    """The newest try with its questions as they were then; empty before the first."""
    newest = _tries(participation).last()
    if newest is None:
        return []
    return [Given(_asked(entry), entry["chosen"]) for entry in newest.answers]


def _tries(participation: Participation) -> QuerySet[ComprehensionTry]:
    return ComprehensionTry.objects.filter(participation=participation)


@transaction.atomic
def take_check(
    *, participation: Participation, number: int, chosen: Sequence[str]
) -> ComprehensionTry:
    """Record one try, `chosen` holding an option per question in order.

    `number` is the try that the page showed, from 1: a page sent twice counts once, and the
    second time is NotThisTry. Failing the last one is a paid screen-out.
    """
    # Under this lock a double click comes second, and finds its try made.
    Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    participation.refresh_from_db(fields=["state"])
    study, given = participation.study, _given(participation.study, chosen)
    made = tries_made(participation)
    if number != made + 1 or made >= study.comprehension_tries:
        raise NotThisTry
    if participation.state in Participation.ENDED or not needs_check(participation):
        raise NotThisTry
    taken = ComprehensionTry.objects.create(
        participation=participation,
        number=number,
        answers=[_record(one) for one in given],
        passed=all(one.is_right for one in given),
    )
    if not taken.passed and number >= study.comprehension_tries:
        _screen_out(participation)
    return taken


def _given(study: Study, chosen: Sequence[str]) -> list[Given]:
    return [Given(asked, choice) for asked, choice in zip(asked_of(study), chosen, strict=True)]


def _record(given: Given) -> dict[str, object]:
    """The question is kept with its answer: the study's words may change later."""
    asked = given.asked
    return {
        "question": asked.question,
        "options": list(asked.options),
        "right": asked.right,
        "explanation": asked.explanation,
        "chosen": given.chosen,
    }


def _screen_out(participation: Participation) -> None:
    change_state(participation=participation, to=State.SCREENED_OUT, reason=FAILED)
