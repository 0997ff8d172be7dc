"""manage.py worker_data: access and erasure for a worker who asks by mail."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Annotation, Participation, Study, Withdrawal
from annotation.panels.contract import Visit
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease
from tests.cast import make_study

pytestmark = pytest.mark.django_db

WHO = ("--panel", "prolific", "--id", "5f2a")


@pytest.fixture
def study() -> Study:
    study = make_study()
    for external_id in ("5f2a", "other"):
        person = arrive_from_panel(study=study, panel="prolific", visit=Visit(worker=external_id))
        give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
        submit(assignment=answer_all(lease(person)), now=timezone.now())
    return study


def ask(*given: str) -> str:
    out = StringIO()
    call_command("worker_data", *given, stdout=out)
    return out.getvalue()


def test_it_prints_what_the_workers_own_page_gives_them(study: Study) -> None:
    text = ask(study.slug, *WHO)
    stored = json.loads(text)
    assert stored["worker"]["id_on_the_panel"] == "5f2a"
    assert stored["participation"]["pseudonym"] == "worker-1"
    assert len(stored["batches"][0]["answers"]) == 4
    assert "other" not in text


def test_it_withdraws_them_and_nobody_else_once(study: Study) -> None:
    assert "worker-1 has withdrawn: all answers are out" in ask(study.slug, *WHO, "--withdraw")
    states = Participation.objects.order_by("number").values_list("state", flat=True)
    assert list(states) == ["withdrawn", "consented"]
    assert Annotation.objects.filter(withdrawn_at=None).count() == 4
    with pytest.raises(CommandError, match="withdrawn before"):
        ask(study.slug, *WHO, "--withdraw")
    assert Withdrawal.objects.exists()
    assert "all answers erased" in ask(study.slug, *WHO, "--erase")
    assert not Withdrawal.objects.exists()
    with pytest.raises(CommandError, match="erased before"):
        ask(study.slug, *WHO, "--erase")
    assert study.changes.filter(action="worker.withdrawn", subject="worker-1").count() == 2


def test_it_gives_a_new_personal_link_and_ends_the_old_one(study: Study, client: Client) -> None:
    person = Participation.objects.get(number=1)
    old = reverse("annotation:return", args=[person.token])
    new = ask(study.slug, *WHO, "--link").strip()
    assert client.get(old).status_code == 404
    assert client.get(new)["Location"] == reverse("annotation:lobby", args=[study.slug])
    assert study.changes.filter(action="worker.link_given", subject="worker-1").exists()


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (("none", *WHO), "no study 'none'"),
        (("small", "--panel", "prolific", "--id", "5f"), "no worker of the panel prolific"),
        (("small", "--panel", "mturk", "--id", "5f2a"), "no worker of the panel mturk"),
        (("empty", *WHO), "is in empty"),
    ],
)
def test_who_is_not_there_is_said_in_one_line(
    study: Study, given: tuple[str, ...], fault: str
) -> None:
    make_study("empty")
    with pytest.raises(CommandError, match=fault):
        ask(*given)
