"""The settings of a study: its title, and what ends it."""

import pytest
from django.urls import reverse

from annotation.models import Change, Member, Source, Study, User
from annotation.models.changes import Change as Row
from jobs.models import Job
from jobs.runner import work
from tests.annotation.workers import newcomer
from tests.cast import join, make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(owner: User) -> Study:
    made = make_study("draft", state=Study.State.DRAFT)
    join(made, owner, Member.Role.OWNER)
    return made


def test_an_owner_changes_the_title_and_it_is_noted(draft: Study, owner: User) -> None:
    client, address = as_user(owner), reverse("desk:settings", args=[draft.slug])
    client.post(address, {"title": "Another title"})
    assert Study.objects.get().title == "Another title"
    noted = Row.objects.get()
    assert (noted.action, noted.detail["before"]) == ("study.renamed", "A small study")
    assert client.post(address, {"title": ""}).status_code == 422
    assert client.post(address, {"title": "x" * 201}).status_code == 422


def test_a_draft_is_deleted_once_its_address_is_typed(draft: Study, owner: User) -> None:
    client, button = as_user(owner), reverse("desk:delete", args=[draft.slug])
    refused = client.post(button, {"slug": "draf"})
    assert refused.status_code == 422
    assert "Type draft to confirm" in refused.content.decode()
    assert Study.objects.exists()
    sent = client.post(button, {"slug": " draft "})
    assert sent.status_code == 302
    assert not Study.with_unfinished.exists()
    assert not Source.objects.exists()
    assert Change.objects.get(action="study.deleted").slug == "draft"


def test_a_large_draft_is_gone_at_once_and_removed_by_a_worker(
    draft: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_sources = draft.sources.count()
    monkeypatch.setattr("desk.studies.archive.AT_ONCE", n_sources - 1)
    sent = as_user(owner).post(reverse("desk:delete", args=["draft"]), {"slug": "draft"})
    assert sent.status_code == 302
    assert not Study.objects.exists()
    assert Source.objects.exists()
    make_study("draft")  # the name is free
    job = Job.objects.get(kind="remove_study")
    assert work(job_id=job.pk)
    assert [study.slug for study in Study.with_unfinished.all()] == ["draft"]
    assert not Source.objects.exclude(study__slug="draft").exists()
    job.refresh_from_db()
    assert job.outcome == {"sources": n_sources}


@pytest.mark.parametrize("state", [Study.State.OPEN, Study.State.CLOSED])
def test_what_has_been_open_is_kept(draft: Study, owner: User, state: Study.State) -> None:
    Study.objects.update(state=state)
    refused = as_user(owner).post(reverse("desk:delete", args=["draft"]), {"slug": "draft"})
    assert "has been open" in refused.content.decode()
    assert Study.objects.exists()


def test_a_draft_that_somebody_took_part_in_is_kept(draft: Study, owner: User) -> None:
    Study.objects.update(state=Study.State.OPEN)
    draft.refresh_from_db()
    newcomer(draft)
    Study.objects.update(state=Study.State.DRAFT)
    client = as_user(owner)
    page = client.get(reverse("desk:settings", args=["draft"])).content.decode()
    assert "People have taken part" in page
    assert reverse("desk:delete", args=["draft"]) not in page
    assert client.post(reverse("desk:delete", args=["draft"]), {"slug": "draft"}).status_code == 422
    assert Study.objects.exists()
