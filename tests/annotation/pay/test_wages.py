from collections.abc import Sequence
from decimal import Decimal

import pytest

from annotation.models import Assignment, Participation, Study
from annotation.pay.wages import hourly_pay, lowest_tenth
from annotation.work.ledger import adjust, newest_row
from annotation.work.qualification import change_state
from tests.annotation.workers import POSTED, lease, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import took, work_through

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7], "7"),
        ([4, 1], "1.3"),
        # Place 0.1 * 4 = 0.4 between 10 and 20.
        ([50, 10, 40, 20, 30], "14"),
    ],
)
def test_the_lowest_tenth_ends_in_proportion_between_two_values(
    values: Sequence[int], expected: str
) -> None:
    assert lowest_tenth([Decimal(value) for value in values]) == Decimal(expected)


@pytest.fixture
def study() -> Study:
    """1.50 USD a batch."""
    return make_study(sources=6, overlap=4, per_batch=1, max_batches_per_worker=3)


def worked(study: Study, minutes: float, active: list[float | None] | None = None) -> Participation:
    batch: Assignment = work_through(newcomer(study), lambda _unit: POSTED)
    took(batch, minutes=minutes, active=active)
    return batch.participation


def test_median_and_tenth_over_workers_from_the_time_that_was_counted(study: Study) -> None:
    # 1.50 in 6, 9 and 15 minutes: 15.00, 10.00 and 6.00 an hour.
    for minutes in (6, 9, 15):
        worked(study, minutes=90, active=[minutes * 30.0, minutes * 30.0])
    (found,) = hourly_pay(study)
    assert found.median == Decimal("10.00")
    # Place 0.2 between 6 and 10.
    assert found.tenth == Decimal("6.80")
    assert (found.workers, found.batches, found.measured) == (3, 3, 3)
    assert found.currency == "USD"


def test_where_nothing_was_counted_the_lease_stands_in_and_it_is_said(study: Study) -> None:
    worked(study, minutes=9)
    worked(study, minutes=60, active=[270.0, 270.0])
    (found,) = hourly_pay(study)
    assert found.median == Decimal("10.00")
    assert (found.batches, found.measured) == (2, 1)


def test_a_worker_counts_once_with_all_batches_and_adjustments(study: Study) -> None:
    worker = worked(study, minutes=9)
    took(work_through(worker, lambda _unit: POSTED), minutes=21)
    adjust(
        participation=worker, amount=Decimal(2), note="Slow page", by=None, after=newest_row(worker)
    )
    (found,) = hourly_pay(study)
    # 3.00 + 2.00 in half an hour.
    assert (found.workers, found.median) == (1, Decimal("10.00"))


def test_what_a_screen_out_pays_beyond_its_batches_is_pay_for_them(study: Study) -> None:
    study.screenout_pay = Decimal("3.00")
    study.save()
    worker = worked(study, minutes=30)
    change_state(participation=worker, to=Participation.State.SCREENED_OUT, reason="test")
    (found,) = hourly_pay(study)
    # 3.00 and the bonus of 0.50 for half an hour: the base of 1.00 is made up to 3.00.
    assert found.median == Decimal("7.00")


@pytest.mark.parametrize(
    ("minimum", "half", "some"),
    [(None, False, False), ("6.00", False, False), ("8.00", False, True), ("12.00", True, True)],
)
def test_too_little_is_said_against_the_minimum_of_the_study(
    study: Study, minimum: str | None, half: bool, some: bool
) -> None:
    study.minimum_hourly_pay = None if minimum is None else Decimal(minimum)
    for minutes in (6, 9, 15):
        worked(study, minutes=minutes)
    (found,) = hourly_pay(study)
    assert (found.too_little, found.too_little_for_some) == (half, some)


def test_without_a_submitted_batch_there_is_no_hourly_pay(study: Study) -> None:
    lease(newcomer(study))
    assert hourly_pay(study) == []


def test_more_workers_take_no_more_queries(study: Study, django_assert_num_queries: object) -> None:
    for minutes in (6, 9, 15):
        worked(study, minutes=minutes)
    hourly_pay(study)  # PostgreSQL prepares a statement at its first use
    with django_assert_num_queries(2):  # type: ignore[operator]
        hourly_pay(study)
