"""Figures of a large study's workers: computed in the background, kept by revision."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Participation, Study, User
from annotation.rights.withdrawal import withdraw
from desk.people.workers import newest
from desk.people.workers.newest import FIGURES, newest_figures
from desk.people.workers.order import ORDERS, in_order
from desk.worker_records.agreement import agreement
from desk.worker_records.record import figures_of
from jobs.models import Job, JobState
from jobs.queue import ask_unless_resting
from jobs.runner import work
from tests.annotation.workers import POSTED, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import took, work_through
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Nobody counts its answers while a page waits."""
    monkeypatch.setattr(newest, "is_small", lambda _study: False)
    return study


@pytest.fixture
def study() -> Study:
    study = make_study(sources=4, positive=1, overlap=3, per_batch=2)
    for minutes in (4, 6, 9):
        took(work_through(newcomer(study), lambda _unit: POSTED), minutes=minutes)
    return study


def keys(study: Study) -> list[int]:
    return list(study.participations.order_by("number").values_list("pk", flat=True))


def count(study: Study) -> bool:
    """What a worker does, without the rest between two counts."""
    Job.objects.filter(study=study, state=JobState.DONE).update(seconds=0)
    job = ask_unless_resting(FIGURES, study=study)
    return job is not None and work(job_id=job.pk)


def test_what_is_kept_is_what_would_be_computed(large: Study) -> None:
    assert newest_figures(large, keys(large)) is None
    assert count(large)
    found = newest_figures(large, keys(large))
    assert found is not None
    assert not found.outdated
    computed = figures_of(large, keys(large), agreement(large))
    assert {key: repr(of) for key, of in found.figures.items()} == {
        key: repr(of) for key, of in computed.items()
    }
    assert {of.pace.seconds for of in computed.values() if of.pace} == {40.0, 60.0, 90.0}


def test_a_worker_is_asked_once_and_again_after_an_answer(large: Study) -> None:
    newest_figures(large, [])
    newest_figures(large, [])
    assert Job.objects.count() == 1
    assert count(large)
    Job.objects.update(seconds=0)
    newest_figures(large, [])
    assert Job.objects.count() == 1  # nothing has changed
    large.touch()
    found = newest_figures(large, [])
    assert found is not None
    assert found.outdated
    assert [job.state for job in Job.objects.order_by("pk")] == [JobState.DONE, JobState.QUEUED]


def test_the_newest_figures_stay_however_old_they_are(large: Study) -> None:
    count(large)
    large.touch()
    count(large)
    long_ago = timezone.now() - timedelta(days=30)
    Job.objects.update(ended_at=long_ago)
    large.touch()
    FIGURES.forget(timezone.now())
    found = newest_figures(large, [])
    assert found is not None
    assert (found.kept_at, found.outdated, len(found.figures)) == (long_ago, True, 3)
    assert Job.objects.filter(state=JobState.DONE).count() == 1


def test_a_withdrawal_leaves_no_figures(large: Study) -> None:
    count(large)
    withdraw(participation=Participation.objects.earliest("pk"), now=timezone.now())
    assert newest_figures(large, []) is None


def test_the_list_is_the_same_as_of_a_small_study_in_every_order(
    large: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(large)
    of_large = {order.name: in_order(large, order.name)[0] for order in ORDERS}
    monkeypatch.setattr(newest, "is_small", lambda _study: True)
    assert of_large == {order.name: in_order(large, order.name)[0] for order in ORDERS}
    assert of_large["time"] == keys(large)


def test_the_page_says_as_of_when_and_shows_pay_as_of_now(large: Study) -> None:
    owner = User.objects.create_user("owner")
    large.members.create(user=owner, role="owner")
    client, address = as_user(owner), reverse("desk:workers", args=[large.slug])
    assert "being computed" in client.get(address).content.decode()
    count(large)
    page = client.get(address).content.decode()
    assert "as of" not in page
    work_through(newcomer(large), lambda _unit: POSTED)
    page = client.get(address).content.decode()
    assert "newer answers are being counted" in page
    assert page.count("1.50 USD") == 4
