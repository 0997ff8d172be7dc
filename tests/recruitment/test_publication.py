"""The draft is made once from the study's own keys, and published with its cost in view."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.models import PanelStudy, Round, Study, User
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import ProlificError, TooLittleMoney
from recruitment import drafts, publication
from recruitment.publication import NotNow
from recruitment.refresh import refresh
from tests.recruitment.kills import Killed, killing_at
from tests.services.prolific import FakeProlific, Fault

State = PanelStudy.State
KEY = "k" * 22
LINK = "https://jurybox.example.org/arrive/small/prolific/?PROLIFIC_PID={{%PROLIFIC_PID%}}"


def body(study: Study, key: str = KEY) -> dict[str, Any]:
    proposed = drafts.proposal(study)
    fields = {
        "name": proposed.name,
        "description": proposed.description,
        "minutes": proposed.minutes,
        "reward_minor": proposed.reward_minor,
        "places": proposed.places,
        "devices": ["desktop"],
        "signed": True,
    }
    return drafts.body_of(study, fields=fields, link=LINK, key=key)


def make(study: Study, by: User, client: Prolific, key: str = KEY) -> PanelStudy:
    return publication.make_draft(
        study=study, body=body(study, key), key=key, by=by, client=client, now=timezone.now()
    )


def test_the_draft_comes_from_the_studys_own_keys(sent_study: Study) -> None:
    sent_study.screenout_pay = Decimal("0.30")
    sent = body(sent_study)
    assert (sent["name"], sent["reward"]) == ("A small study", 100)
    assert sent["estimated_completion_time"] == 7
    assert sent["total_available_places"] == 12 * 6 / 2
    assert sent["internal_name"] == f"small {KEY}"
    completed, screened_out, returned = sent["completion_codes"]
    assert (completed["code"], completed["actions"]) == ("DONE", [{"action": "MANUALLY_REVIEW"}])
    assert screened_out["actions"][0] == {
        "action": "FIXED_SCREEN_OUT_PAYMENT",
        "fixed_screen_out_reward": 30,
        "slots": 36,
    }
    assert (returned["code"], returned["actions"][0]["action"]) == ("BACK", "REQUEST_RETURN")


def test_training_adds_its_minutes_and_not_its_pay(sent_study: Study) -> None:
    Round.objects.update(position=1)
    Round.objects.create(
        study=sent_study,
        position=0,
        name="training",
        counts=False,
        shows_answers=True,
        expected_minutes=3,
        base_pay="0.20",
    )
    proposed = drafts.proposal(sent_study)
    assert (proposed.minutes, proposed.measured, proposed.reward_minor) == (10, 0, 100)


def test_what_is_missing_is_said_before_anything_is_sent(sent_study: Study) -> None:
    assert drafts.obstacles(sent_study) == []
    sent_study.recruitment = {"panel": "prolific", "completion_code": "A", "return_code": "A"}
    assert "two of the codes are equal" in drafts.obstacles(sent_study)[0]
    sent_study.recruitment = {}
    assert any("recruit from prolific" in line for line in drafts.obstacles(sent_study))


def test_the_same_form_makes_one_draft(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    first, second = (make(sent_study, owner, client_there) for _ in range(2))
    assert first == second
    assert (first.state, first.status, first.currency) == (State.MADE, "UNPUBLISHED", "USD")
    assert len(fake.studies) == 1


def test_one_draft_is_made_wherever_the_process_dies(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    at, finished = 0, False
    while not finished:
        before = transaction.savepoint()
        fake.studies.clear()
        with killing_at(at):
            try:
                make(sent_study, owner, client_there)
                finished = True
            except Killed:
                pass
        later = timezone.now() + timedelta(minutes=5)
        for made in PanelStudy.objects.all():
            refresh(made=made, client=client_there, now=later)
            publication.send_draft(made, client=client_there, now=later)
        make(sent_study, owner, client_there)
        assert len(fake.studies) == 1, f"after step {at}"
        transaction.savepoint_rollback(before)
        at += 1
    assert at > 4


def test_an_answer_that_is_lost_is_looked_for_and_not_repeated(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    fake.faults = [Fault("studies/", 502, after=True)]
    with pytest.raises(ProlificError):
        make(sent_study, owner, client_there)
    made = make(sent_study, owner, client_there)
    assert made.state == State.SENT
    with pytest.raises(NotNow):
        make(sent_study, owner, client_there, key="l" * 22)
    later = timezone.now() + timedelta(minutes=3)
    publication.finish_draft(made, client=client_there, now=later)
    assert made.state == State.MADE
    assert len(fake.studies) == 1


def test_a_refused_draft_says_why_and_may_be_dropped(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    fake.faults = [Fault("studies/", 400, body={"error": {"detail": {"reward": ["Too low."]}}})]
    with pytest.raises(ProlificError, match="reward: Too low"):
        make(sent_study, owner, client_there)
    made = PanelStudy.objects.get()
    assert "Too low" in made.problem
    publication.give_up(made=made, by=owner)
    assert make(sent_study, owner, client_there, key="l" * 22).state == State.MADE


def publish(made: PanelStudy, by: User, client: Prolific) -> PanelStudy:
    cost = made.cost_minor
    return publication.move(made=made, action="PUBLISH", by=by, client=client, expected_cost=cost)


def test_a_study_is_published_paused_resumed_and_stopped(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    made = publish(make(sent_study, owner, client_there), owner, client_there)
    assert made.status == "ACTIVE"
    spent = fake.balance
    publish(made, owner, client_there)  # a second click
    assert (fake.balance, fake.calls_to("/transition/")) == (spent, 1)
    for action, status in (("PAUSE", "PAUSED"), ("START", "ACTIVE"), ("STOP", "AWAITING REVIEW")):
        publication.move(made=made, action=action, by=owner, client=client_there)
        assert made.status == status
    with pytest.raises(NotNow, match="awaiting review"):
        publication.move(made=made, action="START", by=owner, client=client_there)


def test_publishing_is_refused_where_money_state_or_currency_forbid_it(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    made = make(sent_study, owner, client_there)
    fake.balance = 10
    with pytest.raises(TooLittleMoney, match=r"has 0\.10 USD, the study costs 48\.00"):
        publish(made, owner, client_there)
    made.cost_minor = 1
    with pytest.raises(NotNow, match="cost has changed"):
        publish(made, owner, client_there)
    fake.currency = "GBP"
    with pytest.raises(NotNow, match="pays in GBP"):
        publish(made, owner, client_there)
    made.study.state = Study.State.DRAFT
    with pytest.raises(NotNow, match="Open the study here"):
        publish(made, owner, client_there)
    assert fake.calls_to("/transition/") == 0


def test_more_than_is_left_of_the_budget_is_not_published(
    sent_study: Study, owner: User, fake: FakeProlific, client_there: Prolific
) -> None:
    made = make(sent_study, owner, client_there)
    made.study.budget = {"amount": "35.99"}
    with pytest.raises(NotNow, match=r"36\.00 USD, but 35\.99 are left"):
        publish(made, owner, client_there)
    made.study.budget = {"amount": "36.00"}
    assert publish(made, owner, client_there).status == "ACTIVE"
