"""Studies made of files of other tools by the API: asked for, cancelled and begun anew."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Study, User
from jobs.models import JobState
from set_up.imports import jobs
from set_up.models import ImportJob, NewStudy
from tests.api.calls import listed, send
from tests.api.conftest import Caller
from tests.api.seeding import read_files

pytestmark = pytest.mark.django_db(transaction=True)
FILE = Path(__file__).parents[2] / "imports/formats/foreign/prodigy/choice.jsonl"
UNFIT = b'{"text": 5, "answer": "accept"}\n'


@pytest.fixture(autouse=True)
def here(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def upload(client: Client, **typed: str) -> Any:
    file = SimpleUploadedFile(FILE.name, FILE.read_bytes() + UNFIT)
    return client.post(
        "/api/v1/imports/", {"format": "prodigy", "title": "Ferries", "file": file} | typed
    )


def uploads(settings: Any) -> list[Path]:
    """What was uploaded and is kept; lists of records that were left out have longer names."""
    return [path for path in Path(settings.MEDIA_ROOT).glob("uploads/*") if len(path.name) < 64]


@pytest.mark.operations("imports_create", "imports_skipped_retrieve")
def test_files_of_a_tool_make_a_study_and_name_what_was_left_out(
    program: Client, owner: User, settings: Any
) -> None:
    asked = upload(program, skip="true")
    assert asked.status_code == 202, asked.content
    study = Study.objects.get(slug="ferries")
    assert (study.title, study.imported["format"]) == ("Ferries", "prodigy")
    assert study.members.get().user == owner
    done = program.get(asked["Location"]).json()
    assert (done["state"], done["made"], done["skipped"]) == ("done", True, 1)
    assert listed(program, "imports")["results"] == [done]
    there: Any = program.get(f"{asked['Location']}skipped/")
    (line,) = b"".join(there.streaming_content).splitlines()
    assert json.loads(line)["where"].startswith("choice.jsonl:")
    assert uploads(settings) == []


def test_a_switch_that_is_neither_yes_nor_no_is_named(program: Client, settings: Any) -> None:
    refused = upload(program, skip="perhaps")
    assert refused.status_code == 422
    assert [error["field"] for error in refused.json()["errors"]] == ["skip"]
    assert (ImportJob.objects.count(), uploads(settings)) == (0, [])


@pytest.mark.operations("imports_again_create")
def test_an_import_that_waits_is_cancelled_and_begun_anew(
    program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 0)  # a worker is to import it
    table = SimpleUploadedFile("wet.csv", b"text,rater,fluency\nIt was wet.,ann,4\n")
    read = program.post("/api/v1/readings/", {"files": [table]}).json()
    send(program, f"readings/{read['id']}/study", {"title": "Wet", "slug": "wet"})
    job = ImportJob.objects.get()
    assert job.state == JobState.QUEUED
    assert send(program, f"imports/{job.pk}/cancel")["state"] == "cancelled"
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert program.post(f"/api/v1/imports/{job.pk}/cancel/").status_code == 409
    begun = send(program, f"imports/{job.pk}/again", {"leave_out": True})
    job.refresh_from_db()
    assert job.draft is not None
    assert (begun["state"], job.state, job.draft.skip_unusable) == ("queued", "queued", True)


def test_files_that_were_read_are_forgotten_by_their_owner_alone(
    program: Client, owner: User, outsider: User, as_program: Caller
) -> None:
    row = read_files(owner)
    there = f"readings/{row.pk}/remove"
    assert as_program(outsider).post(f"/api/v1/{there}/").status_code == 404
    assert NewStudy.objects.get() == row
    assert send(program, there)["id"] == row.pk
    assert not NewStudy.objects.exists()
