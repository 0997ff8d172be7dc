"""An export that holds the answers of somebody who took them back is no longer given out."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Participation, Study, User
from annotation.rights.withdrawal import withdraw
from annotation.work.submission import submit
from exports import jobs
from exports.choice import WHOLE
from exports.files import write_archive
from jobs import queue
from jobs.models import Job, JobState
from jobs.runner import work
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def root(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.EXPORTS_ROOT = tmp_path / "exports"
    monkeypatch.setattr(queue, "send_task", lambda *_args, **_options: True)
    return tmp_path / "exports"


def worked(study: Study) -> Participation:
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    return person


def take_back(person: Participation) -> bool:
    return withdraw(participation=person, now=timezone.now())


def ask(study: Study, owner: User) -> Job:
    return jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)


def written(study: Study, owner: User) -> Job:
    job = ask(study, owner)
    assert work(job_id=job.pk)
    job.refresh_from_db()
    return job


def ratings_in(job: Job) -> str:
    with zipfile.ZipFile(jobs.path_of(job)) as archive:
        return archive.read("small-csv/ratings.csv").decode()


def test_a_ready_file_goes_with_the_answers_and_can_be_written_again(
    study: Study, owner: User
) -> None:
    person, other = worked(study), worked(study)
    job = written(study, owner)
    path, token = jobs.path_of(job), jobs.link_token(job)
    assert person.pseudonym in ratings_in(job)

    take_back(person)

    job.refresh_from_db()
    assert (job.state, path.exists(), jobs.job_of(study, token)) == (
        JobState.WITHDRAWN,
        False,
        None,
    )
    client = as_user(owner)
    assert client.get(reverse("desk:export-file", args=[study.slug, token])).status_code == 404
    page = client.get(reverse("desk:exports", args=[study.slug])).content.decode()
    assert f"Withdrawn on {timezone.now():%Y-%m-%d}" in page
    assert "Write it again" in page
    assert study.changes.filter(action="export.withdrawn", subject="csv").count() == 1

    again = reverse("desk:background-again", args=[study.slug, job.pk])
    assert client.post(again).status_code == 302
    assert work(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    ratings = ratings_in(job)
    assert person.pseudonym not in ratings
    assert other.pseudonym in ratings


def test_a_file_without_their_answers_stays(study: Study, owner: User) -> None:
    worked(study)
    before = written(study, owner)
    person, without = worked(study), newcomer(study)
    take_back(without)
    take_back(person)
    before.refresh_from_db()
    assert before.state == JobState.DONE
    assert jobs.job_of(study, jobs.link_token(before)) == before


def test_files_of_other_studies_stay(study: Study, owner: User) -> None:
    person, other = worked(study), make_study("other")
    worked(other)
    job = written(other, owner)
    take_back(person)
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_withdrawal_that_is_undone_takes_no_file(study: Study, owner: User) -> None:
    person = worked(study)
    job = written(study, owner)
    with transaction.atomic():
        take_back(person)
        transaction.set_rollback(True)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert person.pseudonym in ratings_in(job)


def interrupt(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Let something happen when an archive is written and not yet given out."""

    def interrupted(**options: Any) -> Path:
        path = write_archive(**options)
        meanwhile()
        return path

    monkeypatch.setattr(jobs, "write_archive", interrupted)


def test_a_file_that_is_just_being_written_is_not_given_out(
    study: Study, owner: User, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = worked(study)
    job = ask(study, owner)
    interrupt(monkeypatch, lambda: take_back(person))
    assert not work(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.WITHDRAWN
    assert list(root.iterdir()) == []


def test_a_file_written_before_others_see_the_withdrawal_is_not_given_out(
    study: Study, owner: User, root: Path
) -> None:
    """Asked for, taken up and written between the erasure and its commit."""
    person = worked(study)
    with transaction.atomic():
        take_back(person)
        job = Job.objects.create(
            study=study,
            kind=jobs.EXPORT.name,
            parameters={"format_name": "csv"},
            asked_at=timezone.now(),
            ended_at=timezone.now(),
            state=JobState.DONE,
        )
        jobs.path_of(job).parent.mkdir(exist_ok=True)
        jobs.path_of(job).write_bytes(b"with answers")
    job.refresh_from_db()
    assert (job.state, list(root.iterdir())) == (JobState.WITHDRAWN, [])


def test_a_file_that_could_not_be_removed_then_goes_with_the_next_sweep(
    study: Study, owner: User, root: Path
) -> None:
    person = worked(study)
    job = written(study, owner)
    take_back(person)
    jobs.path_of(job).write_bytes(b"with answers")
    jobs.EXPORT.forget(timezone.now())
    assert list(root.iterdir()) == []
