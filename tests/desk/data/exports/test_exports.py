"""The page of exports: who sees it, what it asks for, and the file at its end."""

from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Member, Study, User
from desk.data.exports.forms import TITLES
from exports import jobs
from exports.choice import WHOLE
from exports.formats import FORMATS
from jobs.limits import USUAL
from jobs.models import Job
from jobs.runner import work
from tests.cast import join
from tests.results.answers import disagree
from tests.sessions import as_user


@pytest.fixture(autouse=True)
def _root(settings: Settings, tmp_path: Path) -> None:
    settings.EXPORTS_ROOT = tmp_path


def address(name: str, *arguments: object) -> str:
    return reverse(f"desk:{name}", args=["small", *arguments])


def test_every_format_has_a_title() -> None:
    assert TITLES.keys() == FORMATS.keys()


def test_a_reviewer_asks_for_an_export_and_fetches_it(study: Study, outsider: User) -> None:
    join(disagree(study), outsider, Member.Role.REVIEWER)
    client = as_user(outsider)
    wanted = {"format": "dataset", "consensus": "median", "subset": "sample"}

    assert client.post(address("ask-for-export"), wanted).status_code == 302
    job = Job.objects.get()
    assert (job.parameters["format_name"], job.owner) == ("dataset", outsider)
    choice = job.parameters["choice"]
    assert (choice["consensus"], choice["subset"]) == ("median", "sample")
    waiting = client.get(address("exports")).content.decode()
    assert "Waiting for a worker." in waiting
    assert 'hx-trigger="every 2s"' in waiting
    work(job_id=job.pk)

    part = client.get(address("exports"), headers={"HX-Request": "true"}).content.decode()
    assert "<h1>" not in part
    assert "hx-trigger" not in part
    job.refresh_from_db()
    link = address("export-file", jobs.link_token(job))
    assert b"".join(client.get(link)).startswith(b"PK")


def test_a_wrong_format_is_refused_with_the_form(study: Study, owner: User) -> None:
    answer = as_user(owner).post(address("ask-for-export"), {"format": "doc"})

    assert answer.status_code == 400
    assert not Job.objects.exists()


def test_a_stopped_job_says_so_and_can_be_started_again(study: Study, owner: User) -> None:
    client, long_ago = as_user(owner), timezone.now() - USUAL.silence * 2
    job = jobs.ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    Job.objects.update(state="running", alive_at=long_ago)

    assert "was stopped" in client.get(address("exports")).content.decode()
    client.post(address("background-again", job.pk))
    job.refresh_from_db()
    assert job.state == "queued"
    client.post(address("cancel-background", job.pk))
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_viewers_and_outsiders_get_nothing(
    study: Study, owner: User, colleague: User, outsider: User
) -> None:
    job = jobs.ask_for_export(study=disagree(study), format_name="csv", choice=WHOLE, by=owner)
    work(job_id=job.pk)
    job.refresh_from_db()
    link = address("export-file", jobs.link_token(job))

    for user in (colleague, outsider):
        client = as_user(user)
        assert client.get(address("exports")).status_code in (403, 404)
        assert client.get(link).status_code in (403, 404)
        assert client.post(address("ask-for-export"), {"format": "csv"}).status_code in (403, 404)
        assert client.post(address("cancel-background", job.pk)).status_code in (403, 404)
    assert Job.objects.count() == 1
