import pytest

from annotation.models import Assignment, Study
from annotation.work.batch_times import TimeSpent, batch_times, times_spent
from desk.worker_records.timing import Pace, paces
from tests.annotation.workers import POSTED, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import took, work_through

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=4, overlap=1, per_batch=1, max_batches_per_worker=4)


@pytest.fixture
def batch(study: Study) -> Assignment:
    """Two questions about one unit."""
    return work_through(newcomer(study), lambda _unit: POSTED)


def test_time_with_the_page_in_view_goes_before_the_lease(batch: Assignment, study: Study) -> None:
    took(batch, minutes=30, active=[20.0, 60.0])
    (time,) = batch_times(study)
    assert (time.seconds, time.answers, time.measured) == (80.0, 2, True)
    assert paces(study, [batch.participation_id]) == {batch.participation_id: Pace(40.0, 1, 1)}


@pytest.mark.parametrize("active", [None, [None, None], [20.0, None], [20.0, 0.0]])
def test_without_it_for_every_answer_time_runs_from_lease_to_submission(
    batch: Assignment, study: Study, active: list[float | None] | None
) -> None:
    took(batch, minutes=4, active=active)
    (time,) = batch_times(study)
    assert time.seconds == pytest.approx(240.0)
    assert not time.measured
    pace = paces(study, [batch.participation_id])[batch.participation_id]
    assert pace.seconds == pytest.approx(120.0)
    assert (pace.measured, pace.batches) == (0, 1)


def test_a_clock_that_was_set_back_meanwhile_makes_no_time_negative(
    batch: Assignment, study: Study
) -> None:
    took(batch, minutes=-180)
    (time,) = batch_times(study)
    assert (time.seconds, time.measured) == (0.0, False)
    assert times_spent(study) == [TimeSpent(batch.participation_id, 0.0, 1, 0)]


def test_the_median_runs_over_the_questions_of_all_batches(batch: Assignment, study: Study) -> None:
    other = work_through(batch.participation, lambda _unit: POSTED)
    took(batch, minutes=30, active=[10.0, 20.0])
    took(other, minutes=2)
    # 10, 20 and twice a half of 120 seconds.
    who = batch.participation_id
    assert paces(study, [who])[who].seconds == pytest.approx((20 + 60) / 2)
    assert paces(study, [who])[who].measured == 1


def test_times_of_some_batches_or_people_are_theirs_alone(batch: Assignment, study: Study) -> None:
    other = work_through(newcomer(study), lambda _unit: POSTED)
    assert [one.assignment for one in batch_times(study, assignments=[other.pk])] == [other.pk]
    (time,) = batch_times(study, [batch.participation_id])
    assert time.participation == batch.participation_id
