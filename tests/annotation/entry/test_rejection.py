"""Who comes from a panel and finds nothing to do goes back with a code, on every page."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Assignment, ComprehensionTry, Participation, Study
from annotation.panels.contract import Visit
from annotation.work.ledger import earned
from annotation.work.submission import submit
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

CODES = {"completion_code": "DONE-1", "screenout_code": "OUT-2", "return_code": "BACK-3"}
CHECK = [{"question": "Where?", "options": ["Here", "There"], "right": "Here", "explanation": ""}]


@pytest.fixture
def study() -> Study:
    """One batch alone, for one person."""
    return prolific(make_study(sources=1, overlap=1, per_batch=1))


@pytest.fixture
def checked() -> Study:
    return prolific(
        make_study(sources=1, overlap=1, per_batch=1, comprehension=CHECK, screenout_pay="0.40")
    )


def prolific(study: Study) -> Study:
    study.recruitment = {"panel": "prolific", **CODES}
    study.save()
    return study


def come(client: Client, study: Study, session: str = "7c") -> Participation:
    query = f"?PROLIFIC_PID=5f2a&STUDY_ID=6b&SESSION_ID={session}"
    client.post(reverse("annotation:arrive", args=[study.slug, "prolific"]) + query)
    participation = Participation.objects.get(study=study, worker__external_id="5f2a")
    give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    return participation


def start(client: Client, study: Study) -> Any:
    return client.post(reverse("annotation:start", args=[study.slug]))


def lobby(client: Client, study: Study) -> str:
    page = client.get(reverse("annotation:lobby", args=[study.slug]), follow=True)
    return page.content.decode()


def codes(page: str) -> list[str]:
    return re.findall(r"<code>(.*?)</code>", page)


def fill_up(study: Study) -> None:
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())


def close(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)


def pass_check(client: Client, study: Study) -> Any:
    given = {"number": "1", "question-0": "0"}
    return client.post(reverse("annotation:comprehension", args=[study.slug]), given)


def test_who_finds_a_full_study_gets_the_code_for_returning(client: Client, study: Study) -> None:
    come(client, study)
    fill_up(study)
    page = start(client, study).content.decode()
    assert "Everything has been answered" in page
    assert codes(page) == ["BACK-3"]
    assert "complete?cc=BACK-3" in page


def test_who_finds_a_closed_study_gets_it_in_the_overview(client: Client, study: Study) -> None:
    come(client, study)
    close(study)
    page = lobby(client, study)
    assert codes(page) == ["BACK-3"]
    assert "Start" not in page
    assert codes(start(client, study).content.decode()) == ["BACK-3"]


def test_without_a_code_the_page_says_to_return_the_task(client: Client, study: Study) -> None:
    Study.objects.update(recruitment={"panel": "prolific", "completion_code": "DONE-1"})
    come(client, study)
    fill_up(study)
    assert "Please return the task" in start(client, study).content.decode()


def test_who_may_yet_get_a_batch_is_given_no_code(client: Client, study: Study) -> None:
    come(client, study)
    lease(newcomer(study))
    page = start(client, study).content.decode()
    assert "Nothing is available right now" in page
    assert codes(page) == codes(lobby(client, study)) == []


def test_who_has_an_open_batch_in_a_closed_study_goes_on_with_it(
    client: Client, study: Study
) -> None:
    lease(come(client, study))
    close(study)
    page = lobby(client, study)
    assert "Continue where you stopped" in page
    assert codes(page) == []


def test_a_second_session_without_work_is_returned(client: Client, study: Study) -> None:
    submit(assignment=answer_all(lease(come(client, study, "one"))), now=timezone.now())
    assert codes(lobby(client, study)) == ["DONE-1"]
    come(client, study, "two")
    assert codes(start(client, study).content.decode()) == ["BACK-3"]


def test_after_the_last_batch_nobody_is_offered_another(client: Client, study: Study) -> None:
    Study.objects.update(max_batches_per_worker=1)
    batch = submit(assignment=answer_all(lease(come(client, study))), now=timezone.now())
    done = client.get(reverse("annotation:done", args=[batch.public_id])).content.decode()
    for page in (done, lobby(client, study)):
        assert "Start another batch" not in page
        assert codes(page) == ["DONE-1"]
    come(client, study, "two")
    assert codes(lobby(client, study)) == ["BACK-3"]


def test_as_long_as_there_may_be_another_it_is_offered(client: Client, study: Study) -> None:
    batch = submit(assignment=answer_all(lease(come(client, study))), now=timezone.now())
    done = client.get(reverse("annotation:done", args=[batch.public_id])).content.decode()
    assert "Start another batch" in done
    assert "Start another batch" in lobby(client, study)


def test_who_awaits_an_invitation_is_offered_no_batch(client: Client) -> None:
    study = make_pilot_study(slug="staged")
    study.recruitment = {"panel": "prolific", **CODES, "invite_qualified": True}
    study.save()
    batch = do_batch(come(client, study))
    done = client.get(reverse("annotation:done", args=[batch.public_id])).content.decode()
    for page in (done, lobby(client, study)):
        assert "Start" not in page
        assert codes(page) == ["DONE-1"]


# --- Who passed the check of the instructions ---------------------------------------------------


def test_who_passed_the_check_in_vain_is_screened_out_for_pay(
    client: Client, checked: Study
) -> None:
    worker = come(client, checked)
    fill_up(checked)
    page = pass_check(client, checked).content.decode()
    assert "Everything has been answered" in page
    assert codes(page) == ["OUT-2"]
    assert "0.40 USD" in page
    assert codes(start(client, checked).content.decode()) == ["OUT-2"]
    assert earned(worker) == [(Decimal("0.40"), "USD")]
    worker.refresh_from_db()
    assert worker.state == Participation.State.SCREENED_OUT
    end = lobby(client, checked)
    assert "no batch was left for you" in end
    assert "check questions" not in end
    assert codes(end) == ["OUT-2"]


def test_in_a_closed_study_the_overview_leads_there(client: Client, checked: Study) -> None:
    worker = come(client, checked)
    ComprehensionTry.objects.create(participation=worker, number=1, answers=[], passed=True)
    close(checked)
    page = lobby(client, checked)
    assert "Finish here" in page
    assert codes(page) == []
    assert codes(start(client, checked).content.decode()) == ["OUT-2"]
    assert earned(worker) == [(Decimal("0.40"), "USD")]


def test_who_has_not_passed_it_returns_the_task(client: Client, checked: Study) -> None:
    worker = come(client, checked)
    close(checked)
    assert codes(lobby(client, checked)) == ["BACK-3"]
    assert earned(worker) == []


def test_who_ever_had_a_batch_is_not_turned_away(client: Client, checked: Study) -> None:
    worker = come(client, checked)
    ComprehensionTry.objects.create(participation=worker, number=1, answers=[], passed=True)
    submit(assignment=answer_all(lease(worker)), now=timezone.now())
    page = start(client, checked).content.decode()
    assert codes(page) == ["DONE-1"]
    assert earned(worker) == [(Decimal("1.50"), "USD")]
    assert Assignment.objects.count() == 1


def test_a_later_session_is_not_paid_for_it_again(client: Client, checked: Study) -> None:
    worker = come(client, checked)
    fill_up(checked)
    pass_check(client, checked)
    visit = Visit("5f2a", session="later", study="6b")
    arrive_from_panel(study=checked, panel="prolific", visit=visit)
    assert codes(lobby(client, checked)) == ["BACK-3"]
    assert earned(worker) == [(Decimal("0.40"), "USD")]
