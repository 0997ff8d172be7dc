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
from exports import jobs
from exports.choice import WHOLE
from exports.files import write_archive
from jobs import queue, reports
from jobs.models import Job, JobState
from jobs.runner import work
from tests.results.answers import disagree


@pytest.fixture(autouse=True)
def root(settings: Settings, tmp_path: Path) -> Path:
    settings.EXPORTS_ROOT = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def job(study: Study, owner: User) -> Job:
    disagree(study)
    return jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)


def test_a_worker_writes_the_whole_archive_once(job: Job, study: Study) -> None:
    assert work(job_id=job.pk)
    assert not work(job_id=job.pk)

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.outcome == {"size": jobs.path_of(job).stat().st_size}
    with zipfile.ZipFile(jobs.path_of(job)) as archive:
        assert archive.testzip() is None
        assert "small-csv/wide.csv" in archive.namelist()
    assert jobs.job_of(study, jobs.link_token(job)) == job


def test_a_link_expires_and_cannot_be_made_up(
    job: Job, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(job_id=job.pk)
    job.refresh_from_db()
    token = jobs.link_token(job)

    assert jobs.job_of(study, signing.dumps([job.pk, job.attempt], salt="another")) is None
    assert jobs.job_of(study, f"{token}x") is None
    Job.objects.update(ended_at=timezone.now() - jobs.KEPT - timedelta(seconds=1))
    assert jobs.job_of(study, token) is None


def interrupt(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Let something happen while an archive is written; the worker then reports at once."""

    def interrupted(**options: Any) -> Path:
        meanwhile()
        return write_archive(**options)

    monkeypatch.setattr(jobs, "write_archive", interrupted)
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 0)


def test_a_cancelled_job_stops_and_leaves_no_file(
    job: Job, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, lambda: queue.cancel(job))

    assert not work(job_id=job.pk)

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not list(root.iterdir())
    assert not queue.cancel(job)
    assert queue.start_again(job)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_a_job_that_is_cancelled_when_its_file_is_written_leaves_no_file(
    job: Job, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(**options: Any) -> Path:
        path = write_archive(**options)
        queue.cancel(job)
        return path

    monkeypatch.setattr(jobs, "write_archive", written)
    assert not work(job_id=job.pk)
    assert list(root.iterdir()) == []


def test_an_unexpected_error_ends_the_job(
    job: Job, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise KeyError("broken")

    interrupt(monkeypatch, broken)

    with pytest.raises(KeyError):
        work(job_id=job.pk)

    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, queue.STOPPED)
    assert not list(root.iterdir())


def test_old_files_and_files_without_a_job_are_removed(job: Job, root: Path) -> None:
    work(job_id=job.pk)
    job.refresh_from_db()
    (root / "99-1.zip").write_text("of a study that was deleted")

    jobs.EXPORT.forget(timezone.now())
    assert list(root.iterdir()) == [jobs.path_of(job)]
    jobs.EXPORT.forget(timezone.now() + jobs.KEPT + timedelta(minutes=1))
    assert not Job.objects.exists()
    assert not list(root.iterdir())


def test_a_job_that_starts_again_is_sent_again_and_its_end_is_logged(
    job: Job,
    owner: User,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[int] = []

    def send(_task: str, pk: int, **_options: object) -> bool:
        sent.append(pk)
        return True

    monkeypatch.setattr(queue, "send_task", send)
    assert queue.cancel(job, by=owner)
    assert not queue.cancel(job, by=owner)
    with django_capture_on_commit_callbacks(execute=True):
        assert queue.start_again(job, by=owner)
    assert sent == [job.pk]
    logged = Change.objects.filter(study=job.study, by=owner).order_by("pk")
    actions = ["export.asked", "export.cancelled", "export.asked"]
    assert list(logged.values_list("action", flat=True)) == actions


def test_the_address_of_a_finished_job_leads_nowhere_once_its_file_is_gone(
    job: Job, study: Study, root: Path
) -> None:
    assert work(job_id=job.pk)
    job.refresh_from_db()
    token = signing.dumps([job.pk, job.attempt], salt=jobs.SALT)
    assert jobs.job_of(study, token) == job
    jobs.path_of(job).unlink()
    assert jobs.job_of(study, token) is None
