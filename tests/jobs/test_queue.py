"""Asking for jobs, cancelling them, starting them again."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Study, User
from jobs import queue
from jobs.limits import RESEND, WORKERLESS
from jobs.models import Heartbeat, Job, JobState
from jobs.runner import work
from tests.jobs.conftest import Scripted

pytestmark = pytest.mark.django_db


def test_who_asks_for_the_same_while_it_is_under_way_gets_the_same_job(
    job: Job, kind: Scripted, study: Study, colleague: User
) -> None:
    assert queue.ask(kind, study=study, by=colleague, parameters={"of": 1}) == job
    assert queue.ask(kind, study=study, by=colleague, parameters={"of": 2}) != job
    assert queue.ask(kind, by=colleague, parameters={"of": 1}) != job
    work(job_id=job.pk)
    assert queue.ask(kind, study=study, by=colleague, parameters={"of": 1}) != job


def test_two_who_ask_at_the_same_moment_get_one_job(
    job: Job, kind: Scripted, study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([None, job])  # the first look comes before the other's job is stored
    monkeypatch.setattr(queue, "under_way", lambda _digest: next(looks))
    assert queue.ask(kind, study=study, by=owner, parameters={"of": 1}) == job
    assert Job.objects.count() == 1


def test_the_database_refuses_the_same_job_twice(job: Job) -> None:
    copy = Job(kind=job.kind, digest=job.digest, asked_at=job.asked_at)
    with pytest.raises(IntegrityError), transaction.atomic():
        copy.save()


def test_a_kind_may_be_asked_for_twice(
    kind: Scripted, study: Study, owner: User, sent: list[int]
) -> None:
    kind.is_once = False
    first, second = (queue.ask(kind, study=study, by=owner, parameters={}) for _ in range(2))
    assert first != second


def test_a_job_is_sent_when_its_row_is_there(
    kind: Scripted,
    study: Study,
    owner: User,
    sent: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = queue.ask(kind, study=study, by=owner, parameters={})
        assert sent == []
    assert sent == [job.pk]


def test_the_time_limits_of_the_kind_go_with_the_message(
    kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}
    monkeypatch.setattr(queue, "send_task", lambda *_of, **options: seen.update(options))
    queue.send(1, kind)
    assert (seen["time_limit"], seen["soft_time_limit"]) == (1800.0, 1740.0)
    assert seen["expires"] == RESEND  # so that two messages never wait for one job


@pytest.mark.parametrize(("waits", "state"), [(False, JobState.FAILED), (True, JobState.QUEUED)])
def test_without_a_broker_a_job_fails_in_a_sentence_unless_its_kind_waits(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch, waits: bool, state: JobState
) -> None:
    kind.waits = waits
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_options: False)
    queue.send_or_fail(job)
    job.refresh_from_db()
    assert job.state == state
    assert (job.reason == "") == waits
    assert waits or kind.called == ["clear failed"]


def test_a_cancelled_job_can_be_started_again_and_one_that_is_done_cannot(
    job: Job, kind: Scripted, sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    assert queue.cancel(job)
    assert not queue.cancel(job)
    assert kind.called == ["clear cancelled"]
    with django_capture_on_commit_callbacks(execute=True):
        assert queue.start_again(job)
    assert sent == [job.pk]
    assert not queue.start_again(job)
    assert work(job_id=job.pk)
    job.refresh_from_db()
    assert not queue.start_again(job)
    assert not queue.cancel(job)


def test_a_job_of_a_kind_that_repeats_is_done_again(job: Job, kind: Scripted) -> None:
    Job.objects.update(state=JobState.DONE, attempt=1)
    job.refresh_from_db()
    assert not queue.start_again(job)
    kind.repeats = True
    assert queue.start_again(job)
    job.refresh_from_db()
    assert (job.state, job.attempts_before) == (JobState.QUEUED, 1)


def test_a_job_is_not_started_again_beside_one_that_does_the_same(
    job: Job, kind: Scripted, study: Study, owner: User
) -> None:
    queue.cancel(job)
    queue.ask(kind, study=study, by=owner, parameters={"of": 1})
    assert not queue.start_again(job)


def test_what_cannot_be_had_any_more_is_not_started_again(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.cancel(job)
    monkeypatch.setattr(kind, "renew", lambda _job: False)
    assert not queue.start_again(job)


def test_a_lost_worker_is_noticed_sooner_where_no_worker_is_alive(job: Job, kind: Scripted) -> None:
    now = timezone.now()
    job.state, job.alive_at = JobState.RUNNING, now - WORKERLESS
    assert not queue.is_stopped(job, now)
    job.alive_at = now - WORKERLESS - timedelta(seconds=1)
    assert queue.is_stopped(job, now)
    job.kind = "import"  # whose worker may be silent for three minutes
    assert queue.is_stopped(job, now)
    Heartbeat.objects.create(worker="a", at=now)
    assert not queue.is_stopped(job, now)


def test_a_study_rests_for_as_long_as_its_last_job_took(kind: Scripted, study: Study) -> None:
    job = queue.ask_unless_resting(kind, study=study)
    assert job is not None
    assert queue.ask_unless_resting(kind, study=study) == job
    work(job_id=job.pk)
    ended = Job.objects.filter(pk=job.pk)
    now = timezone.now()
    ended.update(seconds=60, ended_at=now - timedelta(seconds=59))
    assert queue.ask_unless_resting(kind, study=study) is None
    ended.update(ended_at=now - timedelta(seconds=61))
    assert queue.ask_unless_resting(kind, study=study) not in (None, job)


def test_after_one_that_failed_it_rests_since_somebody_asked(kind: Scripted, study: Study) -> None:
    job = queue.ask_unless_resting(kind, study=study)
    assert job is not None
    queue.cancel(job)
    now = timezone.now()
    Job.objects.update(asked_at=now - timedelta(hours=1), ended_at=now - timedelta(minutes=1))
    assert queue.ask_unless_resting(kind, study=study) is None
    Job.objects.update(asked_at=now - timedelta(seconds=61), ended_at=now - timedelta(seconds=60))
    assert queue.ask_unless_resting(kind, study=study) is not None
    Job.objects.update(state=JobState.FAILED, asked_at=now - timedelta(seconds=60), ended_at=now)
    assert queue.ask_unless_resting(kind, study=study) is None
