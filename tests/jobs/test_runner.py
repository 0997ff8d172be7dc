"""Jobs whose worker is killed, cancelled, doubled or poisoned."""

import time
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.utils import timezone

from jobs import reports
from jobs import sweep as sweeping
from jobs.kinds import JobFailed, JobPostponed
from jobs.limits import RESEND, USUAL
from jobs.models import Job, JobState
from jobs.queue import STOPPED, cancel, start_again
from jobs.reports import Report
from jobs.runner import work
from jobs.sweep import forget_old_jobs, sweep
from tests.jobs.conftest import Scripted

pytestmark = pytest.mark.django_db


def worked(job: Job) -> Job:
    work(job_id=job.pk)
    job.refresh_from_db()
    return job


def killed(job: Job, *, attempt: int = 1, silent: timedelta = USUAL.silence) -> None:
    """As a worker leaves it that was killed so long ago."""
    alive_at = timezone.now() - silent - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, attempt=attempt, alive_at=alive_at)
    job.refresh_from_db()


def raising(error: Exception) -> Any:
    def happens(_job: Job, _report: Report) -> None:
        raise error

    return happens


def test_a_job_is_done_once_however_often_its_message_comes(job: Job, kind: Scripted) -> None:
    kind.happens = lambda _job, _report: 7
    assert worked(job).state == JobState.DONE
    assert (job.outcome, job.reason, job.attempt) == ({"made": 7}, "", 1)
    assert job.seconds is not None
    assert not work(job_id=job.pk)
    assert kind.called == ["prepare", "run", "clear done"]


def test_a_second_worker_does_not_take_a_job_that_is_being_done(job: Job, kind: Scripted) -> None:
    kind.happens = lambda job, _report: work(job_id=job.pk)
    assert worked(job).outcome == {"made": False}


def test_two_workers_that_read_the_same_row_do_not_both_take_it(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Job.objects.filter

    def overtaken(*args: Any, **kwargs: Any) -> Any:
        if "attempt" in kwargs:  # the claim of the slower one
            read(pk=job.pk).update(state=JobState.RUNNING, attempt=1, alive_at=timezone.now())
        return read(*args, **kwargs)

    monkeypatch.setattr(Job.objects, "filter", overtaken)
    assert not work(job_id=job.pk)
    assert kind.called == []


def test_a_killed_workers_job_is_taken_up_by_another(
    job: Job, kind: Scripted, sent: list[int]
) -> None:
    now = timezone.now()
    killed(job, silent=USUAL.silence / 2)
    assert sweep(now=now) == 0
    assert not work(job_id=job.pk)
    killed(job)
    assert sweep(now=now) == 1
    assert sent == [job.pk]
    assert worked(job).state == JobState.DONE
    assert job.attempt == 2
    assert sweep(now=now + timedelta(hours=1)) == 0


def test_a_poison_job_is_given_up_after_some_workers_and_can_be_started_again(
    job: Job, kind: Scripted, sent: list[int]
) -> None:
    killed(job, attempt=USUAL.attempts)
    assert sweep(now=timezone.now()) == 0
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, STOPPED)
    assert kind.called == ["prepare", "clear failed"]
    assert start_again(job)
    assert worked(job).state == JobState.DONE


def test_a_worker_that_was_thought_dead_writes_nothing(job: Job, kind: Scripted) -> None:
    def overtaken(job: Job, _report: Report) -> None:
        Job.objects.filter(pk=job.pk).update(attempt=9)

    kind.happens = overtaken
    worked(job)
    assert (job.state, job.attempt, job.outcome) == (JobState.RUNNING, 9, None)


def test_a_cancelled_job_stops_at_its_next_report_and_writes_nothing(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 0)
    seen: list[int] = []

    def counts(job: Job, report: Report) -> None:
        for n in range(3):
            seen.append(n)
            report(n=n)
            cancel(job)

    kind.happens = counts
    worked(job)
    assert (seen, job.state, job.progress, job.outcome) == (
        [0, 1],
        JobState.CANCELLED,
        {"n": 0},
        None,
    )
    assert kind.called[-1] == "clear cancelled"


def test_progress_is_written_about_once_a_second(
    job: Job, kind: Scripted, django_assert_num_queries: Any
) -> None:
    def counts(_job: Job, report: Report) -> None:
        with django_assert_num_queries(0):
            for n in range(100):
                report(n=n)
        with django_assert_num_queries(1):
            report._last -= 1.1
            report(n=100)

    kind.happens = counts
    assert worked(job).progress == {"n": 100}


def test_the_thread_of_a_worker_reports_while_the_job_computes(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "REPORT_SECONDS", 0.01)
    written: list[int] = []

    class Rows:
        def update(self, **_of: object) -> int:
            written.append(1)
            return len(written) < 3  # then the job is another's, and the thread ends

    report = Report(job)
    report._mine = Rows()  # type: ignore[assignment]
    with report.alive():
        for _ in range(500):
            if len(written) == 3:
                break
            time.sleep(0.01)
    assert len(written) == 3


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (JobFailed("no such file"), "no such file"),
        (SoftTimeLimitExceeded(), "it took longer than 30 minutes"),
    ],
)
def test_a_job_that_cannot_be_done_says_why(
    job: Job, kind: Scripted, error: Exception, reason: str
) -> None:
    kind.happens = raising(error)
    assert not work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, reason)
    assert kind.called[-1] == "clear failed"


def test_an_error_of_the_program_is_seen_and_ends_the_job(job: Job, kind: Scripted) -> None:
    kind.happens = raising(ValueError("of a program"))
    with pytest.raises(ValueError, match="of a program"):
        work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, STOPPED)


def test_a_database_that_stays_away_ends_a_job_after_some_tries(job: Job, kind: Scripted) -> None:
    kind.happens = raising(OperationalError("database or disk is full"))
    states = []
    for _ in range(USUAL.attempts):
        with pytest.raises(OperationalError):
            work(job_id=job.pk)
        job.refresh_from_db()
        states.append(job.state)
    assert states == [JobState.QUEUED, JobState.QUEUED, JobState.FAILED]
    assert not work(job_id=job.pk)


def test_a_postponed_job_is_sent_when_its_time_has_come_and_given_up_after_some_tries(
    job: Job, kind: Scripted, sent: list[int]
) -> None:
    later = timezone.now() + timedelta(minutes=7)
    kind.happens = raising(JobPostponed("nobody answers", until=later))
    worked(job)
    assert (job.state, job.reason, job.next_at) == (JobState.QUEUED, "nobody answers", later)
    assert sweep(now=later - timedelta(seconds=1)) == 0
    assert sweep(now=later) == 1
    for _ in range(USUAL.attempts - 1):
        worked(job)
    assert (job.state, job.reason) == (JobState.FAILED, "nobody answers")


def test_a_lost_message_is_sent_again(job: Job, sent: list[int]) -> None:
    now = timezone.now()
    assert sweep(now=now) == 0
    later = now + RESEND + timedelta(seconds=1)
    assert sweep(now=later) == 1
    assert sweep(now=later) == 0
    assert sent == [job.pk]


def test_a_job_that_is_postponed_as_soon_as_it_is_sent_keeps_its_time(
    job: Job, kind: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = timezone.now() + timedelta(hours=1)
    kind.happens = raising(JobPostponed("nobody answers", until=later))

    def work_at_once(job_id: int, _kind: Scripted) -> bool:
        work(job_id=job_id)
        return True

    monkeypatch.setattr(sweeping, "send", work_at_once)
    assert sweep(now=timezone.now() + RESEND) == 1
    job.refresh_from_db()
    assert job.next_at == later


def test_a_job_of_a_kind_that_is_not_known_stays_as_it_is(job: Job, sent: list[int]) -> None:
    Job.objects.update(kind="of another version")
    assert not work(job_id=job.pk)
    assert sweep(now=timezone.now() + timedelta(hours=1)) == 0


def test_jobs_that_ended_long_ago_are_forgotten(job: Job, kind: Scripted) -> None:
    later = timezone.now() + USUAL.kept + timedelta(minutes=1)
    forget_old_jobs(now=later)
    assert Job.objects.exists()
    worked(job)
    forget_old_jobs(now=timezone.now())
    assert Job.objects.exists()
    forget_old_jobs(now=later)
    assert not Job.objects.exists()


def test_a_worker_that_died_while_its_clock_was_ahead_is_not_waited_for(
    job: Job, kind: Scripted, sent: list[int]
) -> None:
    sent.clear()
    now = timezone.now()
    killed(job, silent=timedelta(hours=-3))
    assert sweep(now=now) == 1
    assert sent == [job.pk]
    kind.happens = lambda _job, _report: 7
    assert worked(job).state == JobState.DONE


def test_a_job_that_was_sent_by_a_clock_that_was_ahead_is_sent_again(
    job: Job, sent: list[int]
) -> None:
    sent.clear()
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(next_at=now + timedelta(hours=1))
    assert sweep(now=now) == 0
    Job.objects.filter(pk=job.pk).update(next_at=now + timedelta(hours=3))
    assert sweep(now=now) == 1
    assert sent == [job.pk]
