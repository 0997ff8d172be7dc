"""A study in two rounds, pilot and main, and workers who are right or wrong on purpose."""

from collections.abc import Collection
from typing import Any

from django.utils import timezone

from annotation.models import Assignment, Participation, Round, Study, Unit
from annotation.work.steps import Steps
from annotation.work.submission import submit
from tests.annotation.workers import NONE, answer_all, answer_step, lease
from tests.cast import add_units, make_study

RIGHT = {Unit.Role.NEGATIVE: NONE}
WRONG = {"sentences": ["1"]}


def make_pilot_study(
    *,
    sources: int = 8,
    pilot_sources: int = 3,
    pilot_controls: tuple[int, int] = (2, 1),
    pilot: dict[str, Any] | None = None,
    main: dict[str, Any] | None = None,
    **fields: Any,
) -> Study:
    """Pilot: 2 normal, 2 positive, 1 negative, all controls to be right. Main: 2 + 1 + 1, 70 %."""
    options = {"positive": 5, "negative": 5, "per_batch": 2, "overlap": 2} | fields
    study = make_study(sources=sources, **options)
    Round.objects.filter(study=study, name="main").update(
        **{"position": 1, "keep_accuracy": 0.7, "bonus_pay": 0, "base_pay": "2.70"} | (main or {})
    )
    first = Round.objects.create(
        study=study,
        position=0,
        name="pilot",
        **{
            "counts": False,
            "normal_per_batch": 2,
            "positive_per_batch": 2,
            "negative_per_batch": 1,
            "pass_accuracy": 1.0,
            "expected_minutes": 7,
            "base_pay": "1.00",
            "bonus_pay": "1.70",
        }
        | (pilot or {}),
    )
    roles = [Unit.Role.NORMAL] * pilot_sources
    roles += [Unit.Role.POSITIVE] * pilot_controls[0] + [Unit.Role.NEGATIVE] * pilot_controls[1]
    add_units(study, first, enumerate(roles, start=1000))
    return study


def do_batch(person: Participation, *, wrong: int | Collection[str] = 0) -> Assignment:
    """Lease the next batch, answer it with so many controls wrong (or those roles), submit it."""
    return hand_in(lease(person), wrong=wrong)


def hand_in(batch: Assignment, *, wrong: int | Collection[str] = 0) -> Assignment:
    fill(batch, wrong=wrong)
    return submit(assignment=batch, now=timezone.now())


def fill(batch: Assignment, *, wrong: int | Collection[str] = 0) -> None:
    """Answer everything, the first `wrong` controls wrongly."""
    left = wrong if isinstance(wrong, int) else 0
    roles = () if isinstance(wrong, int) else wrong
    for step in [one for one in Steps(batch).unanswered if one.part == 1]:
        role = step.batch_unit.unit.role
        fails = role in roles
        if role in Unit.CONTROLS and left:
            left, fails = left - 1, True
        answer_step(step, WRONG if fails else RIGHT.get(Unit.Role(role)))
    answer_all(batch)
