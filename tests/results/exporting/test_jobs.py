"""Exports in the background: who writes them, what stops them, and when they are gone."""

import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import signing
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Change, Study, User
from results.exporting import jobs
from results.exporting.choice import WHOLE
from results.exporting.files import write_archive
from results.exporting.jobs import State
from results.models import ExportJob
from tests.results.answers import disagree


@pytest.fixture(autouse=True)
def root(settings: Settings, tmp_path: Path) -> Path:
    settings.EXPORTS_ROOT = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def job(study: Study, owner: User) -> ExportJob:
    disagree(study)
    return jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)


def test_a_job_is_sent_when_its_row_is_there(
    study: Study,
    owner: User,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[int] = []

    def send(_task: str, pk: int, **_options: object) -> bool:
        sent.append(pk)
        return True

    monkeypatch.setattr(jobs, "send_task", send)

    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)

    assert sent == [job.pk]


def test_a_broker_that_is_down_is_said_in_the_row(
    study: Study,
    owner: User,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "send_task", lambda *_args, **_options: False)

    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)

    job.refresh_from_db()
    assert (job.state, job.reason[:23]) == (State.FAILED, "no worker can be reache")


def test_a_worker_writes_the_whole_archive_once(job: ExportJob, study: Study) -> None:
    assert jobs.write_job(job_id=job.pk)
    assert not jobs.write_job(job_id=job.pk)

    job.refresh_from_db()
    assert job.state == State.DONE
    assert job.size == jobs.path_of(job).stat().st_size
    with zipfile.ZipFile(jobs.path_of(job)) as archive:
        assert archive.testzip() is None
        assert "small-csv/wide.csv" in archive.namelist()
    assert jobs.job_of(study, jobs.link_token(job)) == job


def test_a_link_expires_and_cannot_be_made_up(
    job: ExportJob, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.write_job(job_id=job.pk)
    job.refresh_from_db()
    token = jobs.link_token(job)

    assert jobs.job_of(study, signing.dumps([job.pk, job.attempt], salt="another")) is None
    assert jobs.job_of(study, f"{token}x") is None
    ExportJob.objects.update(ended_at=timezone.now() - jobs.KEPT - timedelta(seconds=1))
    assert jobs.job_of(study, token) is None


def interrupt(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Let something happen while an archive is written; the worker then reports at once."""

    def interrupted(**options: Any) -> Path:
        meanwhile()
        return write_archive(**options)

    monkeypatch.setattr(jobs, "write_archive", interrupted)
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0)


def test_a_cancelled_job_stops_and_leaves_no_file(
    job: ExportJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, lambda: jobs.cancel(job=job))

    assert not jobs.write_job(job_id=job.pk)

    job.refresh_from_db()
    assert job.state == State.CANCELLED
    assert not list(root.iterdir())
    assert not jobs.cancel(job=job)
    assert jobs.start_again(job=job)
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_a_killed_worker_is_noticed_and_the_job_starts_again(job: ExportJob) -> None:
    now = timezone.now()
    running = ExportJob.objects.filter(pk=job.pk)
    running.update(state=State.RUNNING, attempt=1, alive_at=now)
    job.refresh_from_db()
    assert not jobs.is_stopped(job, now)
    assert not jobs.start_again(job=job)

    # There is no worker at all in this test, so half a minute of silence is enough.
    running.update(alive_at=now - timedelta(seconds=40))
    job.refresh_from_db()
    assert jobs.is_stopped(job, now)
    assert jobs.start_again(job=job)
    assert jobs.write_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (State.DONE, 2)


def test_a_message_delivered_again_takes_over_from_a_silent_worker(job: ExportJob) -> None:
    silent = timezone.now() - jobs.SILENCE - timedelta(seconds=1)
    ExportJob.objects.update(state=State.RUNNING, attempt=1, alive_at=silent)

    assert jobs.write_job(job_id=job.pk)


def test_a_worker_that_was_thought_dead_writes_no_more(
    job: ExportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, lambda: ExportJob.objects.update(attempt=7))

    assert not jobs.write_job(job_id=job.pk)

    job.refresh_from_db()
    assert (job.state, job.attempt) == (State.RUNNING, 7)


def test_an_unexpected_error_ends_the_job(
    job: ExportJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise KeyError("broken")

    interrupt(monkeypatch, broken)

    with pytest.raises(KeyError):
        jobs.write_job(job_id=job.pk)

    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, jobs.STOPPED)
    assert not list(root.iterdir())


def test_old_files_and_files_without_a_job_are_removed(job: ExportJob, root: Path) -> None:
    jobs.write_job(job_id=job.pk)
    job.refresh_from_db()
    (root / "99-1.zip").write_text("of a study that was deleted")

    assert jobs.remove_old_exports(now=timezone.now()) == 1
    assert jobs.path_of(job).is_file()
    assert jobs.remove_old_exports(now=timezone.now() + jobs.KEPT + timedelta(minutes=1)) == 1
    assert not ExportJob.objects.exists()
    assert not list(root.iterdir())


def test_a_job_that_starts_again_is_sent_again_and_its_end_is_logged(
    job: ExportJob,
    owner: User,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[int] = []

    def send(_task: str, pk: int, **_options: object) -> bool:
        sent.append(pk)
        return True

    monkeypatch.setattr(jobs, "send_task", send)
    assert jobs.cancel(job=job, by=owner)
    assert not jobs.cancel(job=job, by=owner)
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.start_again(job=job, by=owner)
    assert sent == [job.pk]
    logged = Change.objects.filter(study=job.study, by=owner).order_by("pk")
    actions = ["export.asked", "export.cancelled", "export.asked"]
    assert list(logged.values_list("action", flat=True)) == actions


def test_the_address_of_a_finished_job_leads_nowhere_once_its_file_is_gone(
    job: ExportJob, root: Path
) -> None:
    assert jobs.write_job(job_id=job.pk)
    job.refresh_from_db()
    token = signing.dumps([job.pk, job.attempt], salt=jobs.SALT)
    assert jobs.job_of(job.study, token) == job
    jobs.path_of(job).unlink()
    assert jobs.job_of(job.study, token) is None
