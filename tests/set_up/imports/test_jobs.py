"""Imports in the background: whole or not at all, cancelled, taken up, and told in one sentence."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Change, Source, Study, User
from files.errors import ImportFailure
from imports.material.storage import MaterialWriter
from imports.uploads import keep_upload, kept_upload
from jobs import queue, reports
from jobs.models import JobState
from jobs.reports import Report
from jobs.runner import work
from jobs.sweep import sweep
from set_up.imports import jobs
from set_up.imports.jobs import IMPORT
from set_up.models import ImportJob, NewStudy
from set_up.new_study.drafts import begin_from_template, forget_old_drafts
from set_up.new_study.found_files import take_files

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]
ROWS = 60


@pytest.fixture(autouse=True)
def sent(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was sent to the workers; uploads lie in a folder of the test, and groups are small."""
    messages: list[int] = []

    def send(_name: str, row_id: int, **_expires: object) -> bool:
        messages.append(row_id)
        return True

    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr("imports.material.storage.BATCH", ROWS // 3)
    monkeypatch.setattr(queue, "send_task", send)
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 0)
    return messages


def draft_of(by: User, rows: int = ROWS, more: str = "", **keys: Any) -> NewStudy:
    draft = begin_from_template(by=by, slug="likert")
    lines = [f"Report {n // 2}.,{'alder' if n % 2 else 'birch'},It burned.\n" for n in range(rows)]
    text = "document,system,summary\n" + "".join(lines) + more
    take_files(draft=draft, uploads={"x.csv": keep_upload([text.encode()])})
    draft.keys |= {"title": "Large", "slug": "large", **keys}
    draft.save()
    return draft


def asked(draft: NewStudy) -> ImportJob:
    return jobs.ask_for_import(draft=draft, by=draft.owner)


def worked(job: ImportJob) -> ImportJob:
    work(job_id=job.pk)
    job.refresh_from_db()
    return job


def after_the_first_group(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    flush = MaterialWriter.flush

    def flushed(self: MaterialWriter) -> None:
        flush(self)
        happens()

    monkeypatch.setattr(MaterialWriter, "flush", flushed)


def test_a_worker_makes_the_study_and_the_draft_is_gone(
    owner: User, sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    draft = draft_of(owner)
    with django_capture_on_commit_callbacks(execute=True):
        job = asked(draft)
        assert asked(draft) == job  # pressed twice
    assert sent == [job.pk]
    worked(job)
    assert (job.state, job.rows, job.percent, job.reason) == (JobState.DONE, ROWS, 100, "")
    assert job.study is not None
    assert (job.study.slug, job.study.state) == ("large", Study.State.DRAFT)
    assert (job.study.sources.count(), job.study.units.count()) == (ROWS // 2, ROWS)
    assert job.study.members.get().user == owner
    assert list(job.study.imported["items"]) == ["outputs.jsonl"]
    assert not NewStudy.objects.exists()
    assert Change.objects.get(action="study.made").by == owner
    assert not work(job_id=job.pk)  # a message that comes twice


def test_nobody_sees_a_study_before_it_is_whole(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, seen = asked(draft_of(owner)), list[int]()
    after_the_first_group(monkeypatch, lambda: seen.append(Study.objects.count()))
    worked(job)
    assert len(seen) > 2
    assert set(seen) == {0}


def test_a_row_that_does_not_fit_refuses_the_import_in_one_sentence_with_its_line(
    owner: User,
) -> None:
    draft = draft_of(owner, more="Report.,alder,\n")
    job = worked(asked(draft))
    assert (job.state, job.reason) == (JobState.FAILED, "x.csv:62: summary: empty")
    assert not Study.with_unfinished.exists()
    assert not Source.objects.exists()
    assert NewStudy.objects.get() == draft


def test_rows_that_are_left_out_are_counted_and_kept_in_a_file(owner: User) -> None:
    draft = draft_of(owner, more="Report.,alder,\nShort\n")
    draft.skip_unusable = True
    draft.save()
    job = worked(asked(draft))
    assert (job.state, job.rows, job.skipped) == (JobState.DONE, ROWS, 2)
    path = kept_upload(job.skipped_digest)
    assert path is not None
    first, second = path.read_text().splitlines()
    assert '"where": "x.csv:62", "field": "summary", "reason": "empty"' in first
    assert '"reason": "1 cells under 3 names", "record": ["Short"]' in second
    assert job.study is not None
    assert job.study.imported["skipped_file"] == job.skipped_digest
    later = timezone.now() + timedelta(days=99)
    IMPORT.forget(later)
    forget_old_drafts(now=later)
    assert kept_upload(job.skipped_digest)
    assert not ImportJob.objects.exists()


def test_a_cancelled_import_leaves_nothing_but_the_draft(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = asked(draft_of(owner))
    after_the_first_group(monkeypatch, lambda: queue.cancel(job))
    worked(job)
    assert job.state == JobState.CANCELLED
    assert not Study.with_unfinished.exists()
    assert not Source.objects.exists()
    assert NewStudy.objects.exists()
    assert not queue.cancel(job)
    monkeypatch.undo()


def test_what_cannot_become_a_study_is_not_sent(owner: User, study: Study) -> None:
    wrong: dict[str, Any] = {"another study": {"slug": study.slug}, "overlap": {"overlap": "many"}}
    for words, keys in wrong.items():
        with pytest.raises(ImportFailure, match=words):
            asked(draft_of(owner, **keys))
    assert not ImportJob.objects.exists()


def killed_after_the_first_group(job: ImportJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker leaves that is killed: it takes nothing back and reports nothing."""

    def killed(*_of: object, **_too: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        after_the_first_group(patch, killed)
        patch.setattr("imports.studies.unfinished.remove_study", killed)
        patch.setattr(Report, "fail", killed)
        with pytest.raises(SystemExit):
            work(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    assert Study.with_unfinished.filter(pk=job.unfinished or 0).exists()


def test_the_job_of_a_killed_worker_is_taken_up(
    owner: User, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = asked(draft_of(owner))
    killed_after_the_first_group(job, monkeypatch)
    now = timezone.now()
    assert sweep(now=now) == 0  # it may be at work
    assert not work(job_id=job.pk)
    ImportJob.objects.update(alive_at=now - IMPORT.limits.silence * 2)
    assert sweep(now=now) == 1
    assert sent[-1] == job.pk
    worked(job)
    assert (job.state, job.attempt, job.rows) == (JobState.DONE, 2, ROWS)
    assert Study.with_unfinished.count() == 1


def test_a_job_that_kills_its_workers_fails_visibly_and_can_be_started_again(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = asked(draft_of(owner))
    for _ in range(IMPORT.limits.attempts):
        killed_after_the_first_group(job, monkeypatch)
        ImportJob.objects.update(alive_at=timezone.now() - IMPORT.limits.silence * 2)
    assert sweep(now=timezone.now()) == 0
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, queue.STOPPED)
    assert not Study.with_unfinished.exists()
    assert jobs.start_again(job=job)
    job.refresh_from_db()
    assert worked(job).state == JobState.DONE
    assert not jobs.start_again(job=job)
