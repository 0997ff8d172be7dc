"""Figures of a large study's workers: computed in the background, kept by revision."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Participation, Study, User
from annotation.rights.withdrawal import withdraw
from desk.models import KeptFigures
from desk.people.workers.order import ORDERS, in_order
from desk.worker_records import kept
from desk.worker_records.agreement import agreement
from desk.worker_records.kept import keep_figures, newest_figures
from desk.worker_records.paradata import conduct
from desk.worker_records.record import figures_of
from tests.annotation.workers import POSTED, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import took, work_through
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every study is large; the studies whose figures a worker was asked for."""
    studies: list[int] = []

    def send(_task: str, study: int, **_options: Any) -> bool:
        studies.append(study)
        return True

    monkeypatch.setattr(kept, "is_small", lambda _study: False)
    monkeypatch.setattr(kept, "send_task", send)
    return studies


@pytest.fixture
def study() -> Study:
    study = make_study(sources=4, positive=1, overlap=3, per_batch=2)
    for minutes in (4, 6, 9):
        took(work_through(newcomer(study), lambda _unit: POSTED), minutes=minutes)
    return study


def keys(study: Study) -> list[int]:
    return list(study.participations.order_by("number").values_list("pk", flat=True))


def test_what_is_kept_is_what_would_be_computed(study: Study, sent: list[int]) -> None:
    assert newest_figures(study, keys(study)) is None
    assert sent == [study.pk]
    assert keep_figures(study=study)
    newest = newest_figures(study, keys(study))
    assert newest is not None
    assert not newest.outdated
    computed = figures_of(study, keys(study), agreement(study))
    assert {key: repr(of) for key, of in newest.figures.items()} == {
        key: repr(of) for key, of in computed.items()
    }
    assert {of.pace.seconds for of in computed.values() if of.pace} == {40.0, 60.0, 90.0}


def test_a_worker_is_asked_once_and_again_after_an_answer(study: Study, sent: list[int]) -> None:
    newest_figures(study, [])
    newest_figures(study, [])
    assert sent == [study.pk]
    assert keep_figures(study=study)
    KeptFigures.objects.update(requested_until=None, running_until=None)
    assert not keep_figures(study=study)  # nothing has changed
    study.touch()
    newest = newest_figures(study, [])
    assert newest is not None
    assert newest.outdated
    assert sent == [study.pk] * 2


def test_of_two_workers_one_computes(study: Study, sent: list[int]) -> None:
    KeptFigures.objects.create(study=study, running_until=timezone.now() + kept.LONGEST)
    assert not keep_figures(study=study)
    assert KeptFigures.objects.get().revision is None


def test_a_withdrawal_leaves_no_figures(study: Study, sent: list[int]) -> None:
    keep_figures(study=study)
    withdraw(participation=Participation.objects.earliest("pk"), now=timezone.now())
    assert not KeptFigures.objects.exists()


def test_a_withdrawal_leaves_none_of_a_computation_that_began_before(
    study: Study, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:

    def withdrawn_meanwhile(study: Study) -> Any:
        conducts = conduct(study)
        withdraw(participation=Participation.objects.earliest("pk"), now=timezone.now())
        newest_figures(study, [])  # somebody opens the page, so that there is a row again
        return conducts

    monkeypatch.setattr(kept, "conduct", withdrawn_meanwhile)
    assert not keep_figures(study=study)
    row = KeptFigures.objects.get()
    assert (row.revision, row.figures, row.running_until) == (None, {}, None)


def test_the_list_is_the_same_as_of_a_small_study_in_every_order(
    study: Study, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_figures(study=study)
    large = {order.name: in_order(study, order.name)[0] for order in ORDERS}
    monkeypatch.setattr(kept, "is_small", lambda _study: True)
    assert large == {order.name: in_order(study, order.name)[0] for order in ORDERS}
    assert large["time"] == keys(study)


def test_the_page_says_as_of_when_and_shows_pay_as_of_now(study: Study, sent: list[int]) -> None:
    owner = User.objects.create_user("owner")
    study.members.create(user=owner, role="owner")
    client, address = as_user(owner), reverse("desk:workers", args=[study.slug])
    assert "being computed" in client.get(address).content.decode()
    keep_figures(study=study)
    page = client.get(address).content.decode()
    assert "as of" not in page
    work_through(newcomer(study), lambda _unit: POSTED)
    page = client.get(address).content.decode()
    assert "newer answers are being counted" in page
    assert page.count("1.50 USD") == 4
