"""The pages of workers' rights: what they show, to whom, and what they do."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.models import (
    Annotation,
    Assignment,
    LedgerRow,
    Participation,
    Study,
    Worker,
)
from annotation.panels.contract import Visit
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.worker_client import Person, framed_prefix
from tests.annotation.workers import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db

PAGES = ("my-data", "my-data-file", "withdraw", "debrief")


@pytest.fixture
def study() -> Study:
    return make_study(positive=1, negative=1)


@pytest.fixture
def person(study: Study) -> Person:
    """A worker with a submitted batch."""
    found = Person(study)
    answer_all(found.batch)
    found.submit()
    return found


def address(name: str, study: Study) -> str:
    return reverse(f"annotation:{name}", args=[study.slug])


def page(client: Client, name: str, study: Study) -> str:
    return client.get(address(name, study)).content.decode()


def export(client: Client, study: Study) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page(client, "my-data-file", study))
    return found


def erase(client: Client, study: Study) -> Any:
    return client.post(address("withdraw", study), {"choice": "erase"})


@pytest.mark.parametrize("name", PAGES)
def test_nobody_else_gets_a_workers_page(
    study: Study, person: Person, owner: Any, outsider: Any, name: str
) -> None:
    other = make_study("other")
    for user in (None, owner, outsider):
        client = Client()
        if user is not None:
            client.force_login(user)
        assert client.get(address(name, study)).status_code == 403
        if name == "withdraw":
            assert client.post(address(name, study)).status_code == 403
    assert person.client.get(address(name, other)).status_code == 404
    assert not Annotation.objects.exclude(withdrawn_at=None).exists()


def test_the_export_holds_everything_about_the_worker(study: Study, person: Person) -> None:
    Assignment.objects.update(comment="my words", feedback="their words")
    stored = export(person.client, study)
    worker = Worker.objects.get()
    assert stored["worker"]["id_on_the_panel"] == worker.external_id
    assert stored["participation"]["pseudonym"] == "worker-1"
    assert stored["consents"][0]["version"] == "1"
    assert [row["amount"] for row in stored["pay"]] == ["1.00", "0.50"]
    (batch,) = stored["batches"]
    assert (batch["comment"], batch["feedback"]) == ("my words", "their words")
    assert batch["submitted_at"]
    assert len(batch["answers"]) == len(batch["drafts"]) == 8
    assert {"sentences": [0, 2]} in [one["answer"] for one in batch["answers"]]
    assert {"sentences": ["0", "2"]} in [one["posted"] for one in batch["drafts"]]


def test_the_export_tells_neither_right_answers_nor_roles_nor_others(
    study: Study, person: Person
) -> None:
    stranger = newcomer(study)
    submit(assignment=answer_all(lease(stranger)), now=timezone.now())
    stored = export(person.client, study)
    del stored["consents"]  # the ethics board's own reference is in there
    text = json.dumps(stored)
    for word in ("role", "positive", "negative", "reference", "control", "Alder", "claim-"):
        assert word not in text
    assert stranger.worker.external_id not in text
    assert "worker-2" not in text
    assert len(stored["batches"]) == 1


def test_withdrawing_is_asked_once_more_and_then_done(study: Study, person: Person) -> None:
    asked = page(person.client, "withdraw", study)
    assert "1.50 USD" in asked
    assert "kept until you have been paid" in asked
    assert not Annotation.objects.exclude(withdrawn_at=None).exists()
    assert "erased after 24 hours" in asked
    done = person.client.post(address("withdraw", study))
    assert done.status_code == 200
    text = done.content.decode()
    for words in ("You have withdrawn", "DONE-1", "1.50 USD", "kept until you have been paid"):
        assert words in text
    assert "you can take your withdrawal back" in text
    assert not Annotation.objects.filter(withdrawn_at=None).exists()
    assert person.client.get(address("withdraw", study)).status_code == 302
    assert person.client.post(address("withdraw", study)).status_code == 200
    stored = export(person.client, study)
    kept = stored["withdrawn"]["kept_until_then"]["answer"]
    assert {"sentences": [0, 2]} in [one["answer"] for one in kept]
    person.client.post(address("withdraw", study), {"choice": "erase"})
    stored = export(person.client, study)
    assert stored["withdrawn"] is None
    emptied = stored["batches"][0]
    assert [one["answer"] for one in emptied["answers"]] == [{}] * 8
    assert emptied["drafts"] == []


def test_a_withdrawal_is_taken_back_on_the_same_page(study: Study, person: Person) -> None:
    person.client.post(address("withdraw", study))
    for name in ("end", "my-data"):
        assert "Withdraw and erase my answers" not in page(person.client, name, study)
    offered = page(person.client, "my-data", study)
    assert "Take my withdrawal back" in offered
    assert "Erase now" in offered
    back = person.client.post(address("withdraw", study), {"choice": "take-back"}, follow=True)
    assert "You are in the study again, with all your answers." in back.content.decode()
    assert Participation.objects.get().state == Participation.State.CONSENTED
    assert {"sentences": [0, 2]} in [
        one["answer"] for one in export(person.client, study)["batches"][0]["answers"]
    ]
    erase(person.client, study)
    late = person.client.post(address("withdraw", study), {"choice": "take-back"}, follow=True)
    assert "this cannot be taken back any more" in late.content.decode()
    assert not Annotation.objects.filter(withdrawn_at=None).exists()


@pytest.mark.parametrize("way", ["withdraw", "leave"])
def test_before_the_end_the_page_counts_what_closing_the_open_batch_pays(
    study: Study, way: str
) -> None:
    person = Person(study)
    for part in (1, 2):
        answer_step(step_at(person.batch, 1, part))
    answer_step(step_at(person.batch, 2, 1))
    asked = page(person.client, way, study)
    end = person.client.post(address(way, study), follow=True).content.decode()
    assert LedgerRow.objects.get().amount == Decimal("0.25")
    for text in (asked, end):
        assert "<bdi>0.25 USD</bdi>" in text
    assert "0.25 USD for the part of your open batch that you have finished (1 of 4)" in asked
    assert "open batch" not in end
    if way == "withdraw":
        assert "is kept until you have been paid" in asked
        assert "is kept until you have been paid" in end


def test_an_open_batch_with_nothing_finished_pays_and_keeps_nothing(study: Study) -> None:
    asked = page(Person(study).client, "withdraw", study)
    assert "nothing yet" in asked
    assert "is kept until" not in asked
    assert "open batch" not in asked


def test_after_the_erasure_the_return_link_ends(study: Study) -> None:
    person = Person(study)
    token = Participation.objects.get().token
    done = erase(person.client, study).content.decode()
    assert "The name or number you came with is erased" in done
    assert f"/return/{token}/" not in done
    assert Client().get(reverse("annotation:return", args=[token])).status_code == 404
    assert "You have withdrawn" in page(person.client, "end", study)


def test_in_a_panels_frame_the_last_page_leads_nowhere_that_has_ended() -> None:
    study = make_study()
    recruitment = {"panel": "mturk", "frame_origins": ["https://panel.example.org"]}
    Study.objects.update(recruitment=recruitment)
    study.refresh_from_db()
    visit = Visit(worker="W1", session="A1", study="H1")
    arrive_from_panel(study=study, panel="mturk", visit=visit)
    prefix = framed_prefix(study.participations.get())
    client = Client()
    asked = client.get(prefix + address("withdraw", study)).content.decode()
    assert prefix + address("my-data", study) in asked
    done = client.post(prefix + address("withdraw", study), {"choice": "erase"})
    assert done.status_code == 200
    assert prefix not in done.content.decode()
    assert Worker.objects.get().erased_at is not None
    assert client.get(prefix + address("my-data", study)).status_code == 404


def test_who_was_screened_out_keeps_the_code_when_they_withdraw(study: Study) -> None:
    person = Person(study)
    recruitment = {"panel": "invitation", "screenout_code": "OUT-1", "return_code": "BACK-1"}
    Study.objects.update(recruitment=recruitment)
    change_state(
        participation=person.batch.participation,
        to=Participation.State.SCREENED_OUT,
        reason="main: 0 of 2 controls right",
    )
    done = person.client.post(address("withdraw", study)).content.decode()
    assert "OUT-1" in done
    assert "BACK-1" not in done


def test_the_content_warning_comes_before_any_claim(study: Study) -> None:
    Study.objects.update(content_warning="Some texts are about violence.")
    person = Person(study)
    for name in ("lobby", "consent"):
        text = page(person.client, name, study)
        assert "Some texts are about violence." in text
        assert "bridge" not in text


def test_the_debrief_waits_for_the_end_unless_it_is_asked_for(study: Study) -> None:
    Study.objects.update(debrief="Nothing here was invented by us.", verdicts={"false": "Untrue."})
    person = Person(study)
    answer_all(person.batch)
    early = page(person.client, "debrief", study)
    assert "bridge number" not in early
    person.submit()
    done = person.client.get(person.of_batch("done")).content.decode()
    assert "bridge number" not in done
    assert address("debrief", study) in done
    asked = page(person.client, "debrief", study)
    for words in ("Nothing here was invented by us.", "Untrue.", "bridge number", "go on"):
        assert words in asked
    Study.objects.update(max_batches_per_worker=1)
    done = person.client.get(person.of_batch("done")).content.decode()
    for words in ("Nothing here was invented by us.", "Untrue.", "bridge number"):
        assert words in done


def test_the_debrief_tells_only_of_claims_that_the_worker_met(study: Study, person: Person) -> None:
    met = {unit.source.claim for unit in person.batch.assignment_units.select_related("source")}
    text = page(person.client, "debrief", study)
    for source in study.sources.all():
        assert (source.claim in text) == (source.claim in met)


def test_where_no_claim_has_a_verdict_nothing_is_said_of_false_ones(study: Study) -> None:
    ask, look = "may be false", address("debrief", study)
    assert ask in page(Person(study).client, "consent", study)
    study.sources.update(verdict="")
    person = Person(study)
    assert ask not in page(person.client, "consent", study)
    answer_all(person.batch)
    person.submit()
    assert look not in person.client.get(person.of_batch("done")).content.decode()
    person.client.post(address("leave", study))
    assert look not in page(person.client, "end", study)
    Study.objects.update(debrief="It was about bridges.")
    for name in ("end", "debrief"):
        assert "What this study was about" in page(person.client, name, study)
    told = page(person.client, "debrief", study)
    assert "It was about bridges." in told
    assert "were false" not in told


def test_the_last_page_names_each_way_out_once(study: Study, person: Person) -> None:
    person.client.post(address("leave", study))
    assert page(person.client, "end", study).count(address("my-data", study)) == 1


def test_a_changed_consent_text_comes_before_anything_else(study: Study, person: Person) -> None:
    Study.objects.update(consent_text="Other words.", consent_version="2")
    sent = person.client.post(address("start", study))
    assert sent.headers["Location"] == address("consent", study)
    # But nobody has to agree to anything to get at their data, or to take it back.
    for name in PAGES:
        assert person.client.get(address(name, study)).status_code == 200
