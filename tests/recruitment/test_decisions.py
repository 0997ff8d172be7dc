"""Decisions reach Prolific once, whatever dies; what is refused says so."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.models import PanelDecision, PanelSubmission, User
from annotation.panels.prolific_api.errors import ProlificError
from recruitment import decisions
from recruitment.decisions import Category
from recruitment.publication import NotNow
from tests.recruitment.conftest import Scene
from tests.recruitment.kills import Killed, killing_at
from tests.services.prolific import Fault

Kind, State = PanelDecision.Kind, PanelDecision.State
WHY = (
    "You answered every question with the first choice, although the instructions ask to read. " * 2
)


@pytest.fixture
def three(scene: Scene) -> Scene:
    for who in ("aa11", "bb22", "cc33"):
        scene.worked(who, "AWAITING REVIEW")
    scene.refresh()
    return scene


def decide(scene: Scene, by: User, kind: PanelDecision.Kind = Kind.APPROVE, **reason: str) -> None:
    submissions = list(scene.made.submissions.all())
    intended = decisions.intend(submissions=submissions, kind=kind, by=by, **reason)
    decisions.send(intended, client=scene.client, now=timezone.now())


def states() -> list[str]:
    return list(PanelDecision.objects.order_by("pk").values_list("state", flat=True))


def test_approvals_go_out_together_and_are_confirmed_by_reading(three: Scene, owner: User) -> None:
    three.fake.in_background = True
    decide(three, owner)
    assert states() == [State.SENT] * 3
    assert three.fake.calls_to("bulk-approve") == 1
    three.fake.work_off()
    three.refresh()
    assert states() == [State.CONFIRMED] * 3
    assert set(three.fake.rewarded.values()) == {1}


def test_a_double_click_decides_once(three: Scene, owner: User) -> None:
    three.fake.in_background = True
    decide(three, owner)
    decide(three, owner)
    decide(three, owner, Kind.REJECT, category=Category.LOW_EFFORT, message=WHY)
    assert len(states()) == 3
    assert three.fake.calls_to("bulk-approve") == 1


def test_each_is_rewarded_once_wherever_the_process_dies(three: Scene, owner: User) -> None:
    at, finished = 0, False
    while not finished:
        before = transaction.savepoint()
        three.fake.rewarded.clear()
        for row in three.fake.submissions.values():
            row["status"] = "AWAITING REVIEW"
        with killing_at(at):
            try:
                decide(three, owner)
                three.refresh()
                finished = True
            except Killed:
                pass
        for minutes in (11, 22, 33):
            three.refresh(timezone.now() + timedelta(minutes=minutes))
            decide(three, owner)  # the person finds it undone, if it is, and presses again
        three.refresh()
        assert sorted(three.fake.rewarded.values()) == [1, 1, 1], f"after step {at}"
        assert set(states()) == {State.CONFIRMED}
        transaction.savepoint_rollback(before)
        at += 1
    assert at > 8


def test_a_rejection_needs_a_category_and_a_hundred_characters(three: Scene, owner: User) -> None:
    with pytest.raises(NotNow, match="reasons"):
        decide(three, owner, Kind.REJECT, category="RUDE", message=WHY)
    with pytest.raises(NotNow, match="100 characters"):
        decide(three, owner, Kind.REJECT, category=Category.LOW_EFFORT, message="Too quick.")
    assert not PanelDecision.objects.exists()
    decide(three, owner, Kind.REJECT, category=Category.LOW_EFFORT, message=WHY)
    three.refresh()
    assert states() == [State.CONFIRMED] * 3
    assert {row["status"] for row in three.fake.submissions.values()} == {"REJECTED"}


def test_a_request_to_return_is_never_repeated(three: Scene, owner: User) -> None:
    three.fake.faults = [Fault("request-return", 502, after=True, times=3)]
    with pytest.raises(ProlificError):
        decide(three, owner, Kind.ASK_RETURN, message="Nothing arrived.")
    for row in three.fake.submissions.values():
        row["return_requested"] = None  # as if it were not shown
    for minutes in (11, 22, 33):
        three.refresh(timezone.now() + timedelta(minutes=minutes))
    assert states() == [State.FAILED] * 3
    assert set(three.fake.asked_to_return.values()) == {1}


def test_what_prolific_refuses_has_failed_in_words(three: Scene, owner: User) -> None:
    three.fake.faults = [Fault("bulk-approve", 400, body={"error": {"detail": "Not yours."}})]
    with pytest.raises(ProlificError):
        decide(three, owner)
    assert states() == [State.FAILED] * 3
    assert PanelDecision.objects.filter(problem__contains="Not yours").count() == 3


def test_where_prolific_asks_to_wait_the_next_reading_sends_again(
    three: Scene, owner: User
) -> None:
    three.fake.faults = [Fault("bulk-approve", 429, times=4)]
    with pytest.raises(ProlificError):
        decide(three, owner)
    assert states() == [State.INTENDED] * 3
    three.refresh()
    three.refresh()
    assert states() == [State.CONFIRMED] * 3


def test_what_was_decided_otherwise_there_is_not_overwritten(three: Scene, owner: User) -> None:
    three.fake.in_background = True
    decide(three, owner)
    for row in three.fake.submissions.values():
        row["status"] = "REJECTED"
    three.fake.work_off()
    three.refresh()
    assert states() == [State.FAILED] * 3
    assert not three.fake.rewarded


def test_only_what_waits_for_a_review_is_decided_about(scene: Scene, owner: User) -> None:
    scene.worked("aa11", "RETURNED")
    scene.refresh()
    assert not decisions.intend(
        submissions=list(PanelSubmission.objects.all()), kind=Kind.APPROVE, by=owner
    )
