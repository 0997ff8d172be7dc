from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import tasks
from annotation.models import Assignment, Participation, Study
from annotation.rights.withdrawal import leave
from annotation.work.leases import (
    NoMoreTime,
    NotActive,
    extend_lease,
    release_expired_leases,
    renew_lease,
)
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, answer_step, counts, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def study() -> Study:
    return make_study(sources=2, overlap=1, per_batch=2, lease_minutes=60)


def test_a_lease_that_ran_out_gives_all_its_room_back_and_keeps_its_drafts(study: Study) -> None:
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    answer_step(step_at(batch))
    assert release_expired_leases(now=now + HOUR) == 1
    batch.refresh_from_db()
    assert batch.state == Assignment.State.EXPIRED
    assert counts(study) == [(0, 0), (0, 0)]
    assert not batch.assignment_units.filter(holds=True).exists()
    assert batch.drafts.count() == 1


def test_releasing_twice_gives_back_once(study: Study) -> None:
    now = timezone.now()
    lease(newcomer(study), now=now)
    assert [release_expired_leases(now=now + HOUR) for _ in range(2)] == [1, 0]
    assert counts(study) == [(0, 0), (0, 0)]


def test_a_lease_that_still_runs_is_left_alone(study: Study) -> None:
    now = timezone.now()
    lease(newcomer(study), now=now)
    assert release_expired_leases(now=now + HOUR - timedelta(seconds=1)) == 0


def test_the_background_task_releases_what_has_run_out(study: Study) -> None:
    lease(newcomer(study), now=timezone.now() - 2 * HOUR)
    assert tasks.release_expired_leases() == 1


def test_who_comes_back_holds_again_what_still_has_room(study: Study) -> None:
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    release_expired_leases(now=now + HOUR)
    renew_lease(assignment=batch, now=now + 2 * HOUR)
    assert counts(study) == [(1, 0), (1, 0)]
    assert (batch.state, batch.lease_until) == (Assignment.State.ACTIVE, now + 3 * HOUR)
    assert batch.assignment_units.filter(holds=True).count() == 2


def test_who_comes_back_takes_no_room_from_those_who_came_meanwhile(study: Study) -> None:
    now = timezone.now()
    old = lease(newcomer(study), now=now)
    lease(newcomer(study), now=now + HOUR)
    renew_lease(assignment=old, now=now + HOUR)
    assert counts(study) == [(1, 0), (1, 0)]
    assert not old.assignment_units.filter(holds=True).exists()
    assert old.is_open


def test_coming_back_in_time_changes_nothing(study: Study) -> None:
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    renew_lease(assignment=batch, now=now + HOUR / 2)
    assert batch.lease_until == now + HOUR


def test_one_click_begins_the_lease_anew(study: Study) -> None:
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    extend_lease(assignment=batch, now=now + HOUR / 2)
    assert batch.lease_until == now + HOUR / 2 + HOUR
    assert counts(study) == [(1, 0), (1, 0)]


def test_a_submitted_batch_can_be_neither_extended_nor_revived(study: Study) -> None:
    batch = answer_all(lease(newcomer(study)))
    submit(assignment=batch, now=timezone.now())
    for verb in (extend_lease, renew_lease):
        with pytest.raises(NotActive):
            verb(assignment=batch, now=timezone.now())


def test_leaving_gives_the_room_back_and_keeps_what_was_earned() -> None:
    study = make_study(sources=4, overlap=1, per_batch=2)
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    batch = lease(person)
    answer_step(step_at(batch))
    leave(participation=person)
    batch.refresh_from_db()
    person.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert person.state == Participation.State.LEFT
    assert sorted(counts(study)) == [(0, 0), (0, 0), (0, 1), (0, 1)]
    assert batch.drafts.count() == 1
    assert person.ledger.count() == 2


def test_leaving_without_a_batch_or_twice_is_harmless(study: Study) -> None:
    person = newcomer(study)
    for _ in range(2):
        leave(participation=person)
    assert counts(study) == [(0, 0), (0, 0)]


def test_more_time_is_given_as_often_as_the_study_says() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2, max_extensions=2)
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    for _ in range(2):
        extend_lease(assignment=batch, now=now + HOUR / 2)
    with pytest.raises(NoMoreTime):
        extend_lease(assignment=batch, now=now + HOUR)
    batch.refresh_from_db()
    assert (batch.extensions, batch.lease_until) == (2, now + HOUR / 2 + HOUR)


def test_without_more_time_who_comes_back_answers_late_and_is_paid() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2, max_extensions=0)
    now = timezone.now()
    batch = lease(newcomer(study), now=now)
    release_expired_leases(now=now + HOUR)
    renew_lease(assignment=batch, now=now + HOUR)
    assert (batch.state, counts(study)) == (Assignment.State.EXPIRED, [(0, 0), (0, 0)])
    submit(assignment=answer_all(batch), now=now + HOUR)
    assert counts(study) == [(0, 1), (0, 1)]
    assert batch.late
    assert batch.ledger.exists()
