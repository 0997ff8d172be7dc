"""Adjustments to what a worker has earned; what batches pay is tested with submitting."""

from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.models import Assignment, LedgerRow, Participation, Study, Unit, User
from annotation.rights.withdrawal import leave
from annotation.work.ledger import (
    AdjustmentRefused,
    adjust,
    earned,
    earned_each,
    newest_row,
    pay_missed_bonuses,
)
from annotation.work.submission import submit
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=3, per_batch=1)


@pytest.fixture
def worker(study: Study) -> Participation:
    """Somebody who has earned 1.00 + 0.50."""
    batch = lease(newcomer(study))
    return submit(assignment=answer_all(batch), now=timezone.now()).participation


def give(worker: Participation, amount: str, by: User | None = None) -> LedgerRow:
    return adjust(
        participation=worker,
        amount=Decimal(amount),
        note="A faulty link cost you time.",
        by=by,
        after=newest_row(worker),
    )


def test_an_adjustment_is_one_more_row_with_who_and_why(worker: Participation, owner: User) -> None:
    row = give(worker, "0.35", owner)
    assert (row.kind, row.amount, row.currency) == ("adjustment", Decimal("0.35"), "USD")
    assert (row.by, row.note) == (owner, "A faulty link cost you time.")
    assert earned(worker) == [(Decimal("1.85"), "USD")]


def test_pressing_twice_adjusts_once(worker: Participation) -> None:
    seen = newest_row(worker)
    once = {"participation": worker, "amount": Decimal(1), "note": "Thank you", "by": None}
    adjust(**once, after=seen)  # type: ignore[arg-type]
    with pytest.raises(AdjustmentRefused, match="has changed"):
        adjust(**once, after=seen)  # type: ignore[arg-type]
    assert earned(worker) == [(Decimal("2.50"), "USD")]


@pytest.mark.parametrize("amount", ["0", "-1.51"])
def test_an_adjustment_is_not_nothing_and_leaves_nobody_in_debt(
    worker: Participation, amount: str
) -> None:
    with pytest.raises(AdjustmentRefused):
        give(worker, amount)
    assert earned(worker) == [(Decimal("1.50"), "USD")]


def test_all_that_was_earned_can_be_taken_back(worker: Participation) -> None:
    give(worker, "-1.50")
    assert earned(worker) == []


def test_what_was_given_by_mistake_can_be_taken_back(worker: Participation) -> None:
    give(worker, "2.00")
    give(worker, "-2.00")
    assert earned(worker) == [(Decimal("1.50"), "USD")]


def test_an_adjustment_without_a_note_is_refused(worker: Participation) -> None:
    with pytest.raises(AdjustmentRefused, match="note"):
        adjust(participation=worker, amount=Decimal(1), note=" ", by=None, after=newest_row(worker))


def test_sums_are_whole_cents_on_every_database(study: Study, worker: Participation) -> None:
    for _ in range(10):
        give(worker, "0.10")
    other = newcomer(study)
    assert earned_each([worker.pk, other.pk]) == {worker.pk: [(Decimal("2.50"), "USD")]}
    ((total, _currency),) = earned(worker)
    assert str(total) == "2.50"
    assert earned(other) == []


def test_who_has_earned_nothing_yet_is_paid_in_the_currency_of_the_study(study: Study) -> None:
    study.rounds.update(currency="EUR")
    assert give(newcomer(study), "0.20").currency == "EUR"


def test_what_was_promised_at_the_lease_is_paid_whatever_the_study_says_later(study: Study) -> None:
    batch = lease(newcomer(study))
    lower = {"base_pay": "0.10", "bonus_pay": 0, "currency": "EUR", "pass_accuracy": 1.0}
    study.rounds.update(**lower)
    done = submit(assignment=answer_all(Assignment.objects.get(pk=batch.pk)), now=timezone.now())
    assert earned(done.participation) == [(Decimal("1.50"), "USD")]


def test_a_batch_that_is_closed_unfinished_pays_its_part_of_what_was_promised(study: Study) -> None:
    study.rounds.update(normal_per_batch=2)
    batch = lease(newcomer(study))
    study.rounds.update(base_pay="0.10")
    for part in (1, 2):
        answer_step(step_at(batch, 1, part))
    leave(participation=batch.participation)
    assert earned(batch.participation) == [(Decimal("0.50"), "USD")]


def test_a_missed_bonus_is_paid_once_and_only_where_the_mark_is_reached_now() -> None:
    study = make_pilot_study()
    failed = do_batch(newcomer(study), wrong={"negative"})
    both = do_batch(newcomer(study), wrong={"negative", "positive"})
    batches = Assignment.objects.filter(pk__in=[failed.pk, both.pk])
    assert pay_missed_bonuses(assignments=batches) == []
    negative = Unit.objects.filter(assignment_units__assignment=failed, role="negative")
    Unit.objects.filter(pk__in=negative).update(check_state=Unit.Check.RETIRED)
    (row,) = pay_missed_bonuses(assignments=batches)
    assert (row.assignment, row.kind, row.amount) == (failed, "bonus", Decimal("1.70"))
    assert pay_missed_bonuses(assignments=batches) == []
