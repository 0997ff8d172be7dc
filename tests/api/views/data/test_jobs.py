"""Background work by the API: stopped, and started once more."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Study, User
from exports.choice import WHOLE
from exports.jobs import ask_for_export
from jobs.models import Job, JobState
from jobs.runner import work
from tests.api.calls import get, post, send


@pytest.mark.operations("studies_jobs_again_create")
def test_what_was_stopped_is_started_once_more(program: Client, study: Study, owner: User) -> None:
    job = ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    there = f"studies/small/jobs/{job.pk}"
    assert send(program, f"{there}/cancel")["state"] == "cancelled"
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    assert post(program, f"jobs/{job.pk}/cancel/").status_code == 409
    assert send(program, f"{there}/again")["state"] == "queued"
    assert Job.objects.get(pk=job.pk).state == JobState.QUEUED
    assert post(program, f"jobs/{job.pk}/again/").status_code == 409
    assert get(program, f"jobs/{job.pk}/")["ended_at"] is None


@pytest.mark.operations("studies_exports_file_retrieve")
def test_a_worker_writes_the_file_of_an_export(
    program: Client, study: Study, tmp_path: Path, settings: Any
) -> None:
    settings.EXPORTS_ROOT = tmp_path
    asked = send(program, "studies/small/exports", {"format": "jsonl"})
    assert work(job_id=asked["id"])
    done = get(program, f"exports/{asked['id']}/")
    assert (done["state"], done["format_name"]) == ("done", "jsonl")
    file: Any = program.get(done["file"])
    assert len(b"".join(file.streaming_content)) == done["size"] > 0


def test_what_belongs_to_another_study_is_not_stopped(
    program: Client, study: Study, outsider: User
) -> None:
    foreign = Job.objects.create(kind="export", owner=outsider, asked_at=timezone.now())
    assert post(program, f"jobs/{foreign.pk}/cancel/").status_code == 404
    foreign.refresh_from_db()
    assert foreign.state == JobState.QUEUED
