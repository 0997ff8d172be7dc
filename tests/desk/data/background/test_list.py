"""The list of background work: of a study, and of the installation."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Member, Study, User
from jobs.kinds import kinds
from jobs.models import Heartbeat, Job, JobState
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

EVERYWHERE = "/background/"
HTMX = {"HX-Request": "true"}
CHOICE = {"format_name": "csv", "choice": {}}


def put(study: Study | None, kind: str = "export", **fields: object) -> Job:
    """A job as it may stand in the table."""
    parameters = {"title": "Secret title"} if kind == "import" else CHOICE
    fields = {"parameters": parameters, "asked_at": timezone.now()} | fields
    return Job.objects.create(study=study, kind=kind, **fields)


def listed(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def address(study: Study) -> str:
    return reverse("desk:background-work", args=[study.slug])


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator")


def test_all_kinds_of_jobs_are_listed_the_newest_first(
    study: Study, owner: User, address: str
) -> None:
    put(study, owner=owner, state=JobState.DONE, seconds=12.3)
    put(study, "audit_frame", parameters={}, state=JobState.FAILED, reason="it took too long")
    put(study, state=JobState.RUNNING, alive_at=timezone.now(), progress={"lines": 1234})

    page = listed(as_user(owner), address)

    assert page.index("1,234 lines") < page.index("it took too long") < page.index("12 s")
    assert "by owner" in page
    assert f'href="{reverse("desk:exports", args=[study.slug])}">Export</a>' in page
    assert kinds()["audit_frame"].title in page
    assert 'aria-current="page">Background work' in page
    assert "No background worker is running" in page


def test_the_list_follows_what_is_under_way(study: Study, owner: User, address: str) -> None:
    job, client = put(study), as_user(owner)
    waiting = listed(client, address)
    assert f'hx-get="{address}" hx-trigger="every 2s"' in waiting
    assert f'<noscript><p><a href="{address}">' in waiting
    part = client.get(address, headers=HTMX).content.decode()
    assert part.lstrip().startswith('<section id="background-work"')

    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)

    assert "hx-trigger" not in listed(client, address)


def test_a_job_is_cancelled_and_started_again_from_the_list(
    study: Study, owner: User, address: str
) -> None:
    job, client, back = put(study), as_user(owner), {"next": f"{address}?page=1"}
    cancel = reverse("desk:cancel-background", args=[study.slug, job.pk])
    again = reverse("desk:background-again", args=[study.slug, job.pk])
    page = listed(client, address)
    assert cancel in page
    assert again not in page

    assert client.post(cancel, back)["Location"] == f"{address}?page=1"
    page = listed(client, address)
    assert "Cancelled" in page
    assert again in page

    assert client.post(again, back)["Location"] == f"{address}?page=1"
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_a_job_without_a_page_of_its_own_leads_back_to_the_list(
    study: Study, owner: User, address: str
) -> None:
    job, client = put(study, "index_texts", parameters={}), as_user(owner)
    cancel = reverse("desk:cancel-background", args=[study.slug, job.pk])
    assert client.post(cancel)["Location"] == address
    assert client.get(reverse("desk:background", args=[study.slug, job.pk])).status_code == 404


def test_a_job_whose_worker_is_lost_says_so(study: Study, owner: User, address: str) -> None:
    job = put(study, state=JobState.RUNNING, alive_at=timezone.now() - timedelta(hours=1))
    Heartbeat.objects.create(worker="another", at=timezone.now())

    page = listed(as_user(owner), address)

    assert "Worker stopped" in page
    assert reverse("desk:background-again", args=[study.slug, job.pk]) in page


def test_an_import_is_seen_by_whoever_asked_for_it(
    study: Study, owner: User, outsider: User, address: str
) -> None:
    join(study, outsider, Member.Role.OWNER)
    put(study, "import", owner=owner, state=JobState.DONE)

    assert "Secret title" in listed(as_user(owner), address)
    assert "Import" not in listed(as_user(outsider), address)


def test_messages_are_on_their_own_page(study: Study, owner: User, address: str) -> None:
    put(study, "delivery", parameters={"key": "k"})
    assert "Message" not in listed(as_user(owner), address)


def test_a_viewer_sees_no_list_and_an_outsider_no_page(
    study: Study, colleague: User, outsider: User, address: str
) -> None:
    assert as_user(colleague).get(address).status_code == 403
    assert as_user(outsider).get(address).status_code == 404


def test_a_job_of_another_study_is_out_of_reach(study: Study, owner: User) -> None:
    other = put(make_study("other"))
    for name in ("cancel-background", "background-again"):
        address = reverse(f"desk:{name}", args=[study.slug, other.pk])
        assert as_user(owner).post(address).status_code == 404
    other.refresh_from_db()
    assert other.state == JobState.QUEUED


def test_the_list_takes_the_same_queries_whatever_its_length(
    study: Study, owner: User, address: str, django_assert_max_num_queries: object
) -> None:
    client = as_user(owner)
    for _ in range(60):
        put(study, owner=make_user(f"asker-{_}") if _ % 10 == 0 else owner)
        if _ in (0, 59):
            with django_assert_max_num_queries(8):  # type: ignore[operator]
                page = listed(client, address)
    assert "Page 1 of 3" in page
    assert "?&amp;page=2" in page


def test_the_operator_sees_the_jobs_of_every_study_without_what_they_are_about(
    study: Study, operator: User, owner: User
) -> None:
    put(study, owner=owner)
    put(None, "import", owner=owner, state=JobState.FAILED, reason="no unit Secret")
    client = as_user(operator)

    page = listed(client, EVERYWHERE)
    assert "small" in page
    assert "Import" in page
    assert "Secret" not in page
    assert ">csv<" not in page
    assert reverse("desk:exports", args=[study.slug]) not in page

    join(study, operator, Member.Role.OWNER)
    assert ">csv<" in listed(client, EVERYWHERE)


def test_the_operator_ends_any_job_and_starts_it_again(study: Study, operator: User) -> None:
    job, client, back = put(study), as_user(operator), {"next": EVERYWHERE}
    cancel = reverse("desk:cancel-background", args=[job.pk])
    assert cancel in listed(client, EVERYWHERE)
    assert client.post(cancel, back)["Location"] == EVERYWHERE
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    client.post(reverse("desk:background-again", args=[job.pk]), back)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_for_others_the_list_of_the_installation_does_not_exist(study: Study, owner: User) -> None:
    job, client = put(study), as_user(owner)
    assert client.get(EVERYWHERE).status_code == 404
    for name in ("cancel-background", "background-again"):
        assert client.post(reverse(f"desk:{name}", args=[job.pk])).status_code == 404
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert Client().get(EVERYWHERE).status_code == 302
