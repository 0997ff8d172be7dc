"""Both sides of a submission: what is read, whose it is, which places it frees, what to do."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, PanelSubmission, Participation, Worker
from annotation.rights.erasure import erase_worker
from annotation.work.qualification import change_state
from annotation.work.review import exclude
from recruitment.submissions import RETURNED
from recruitment.table import LOOK, READY, counts_of, missing_there, rows_of
from tests.annotation.workers import counts, lease
from tests.recruitment.conftest import Scene

State = Participation.State


def told(scene: Scene) -> dict[str, tuple[str, str]]:
    """Worker -> what kind of thing there is to do, and in which words."""
    scene.refresh()
    return {
        row.participation.pseudonym if row.participation else "nobody": (
            row.advice.kind,
            str(row.advice.text),
        )
        for row in rows_of(scene.made)
    }


def test_reading_twice_changes_nothing(scene: Scene) -> None:
    scene.worked("aa11", "AWAITING REVIEW")
    scene.refresh()
    before = PanelSubmission.objects.values().get()
    scene.refresh()
    assert PanelSubmission.objects.values().get() == before
    assert (before["code"], before["visit"]) == ("completed", 1)


def test_no_id_of_a_person_is_stored_with_a_submission(scene: Scene) -> None:
    scene.fake.submit(scene.made.external_id, "5f1c0ffee5f1c0ffee5f1c0f")
    scene.refresh()
    (row,) = PanelSubmission.objects.values()
    assert not row["participation_id"]
    assert "c0ffee" not in str(row)


def test_each_case_says_what_to_do(scene: Scene) -> None:
    scene.worked("ready", "AWAITING REVIEW")
    scene.come("empty")
    scene.worked("nocode", "AWAITING REVIEW")
    scene.fake.submissions[list(scene.fake.submissions)[-1]]["study_code"] = "NOCODE"
    scene.worked("other", "AWAITING REVIEW")
    scene.fake.submissions[list(scene.fake.submissions)[-1]]["study_code"] = "MINE"
    scene.worked("excluded", "AWAITING REVIEW")
    exclude(
        assignments=Assignment.objects.filter(participation=scene.people["excluded"]),
        reason="Bad",
        by=None,
    )
    scene.come("screened")
    change_state(participation=scene.people["screened"], to=State.SCREENED_OUT, reason="Not passed")
    scene.fake.submit(scene.made.external_id, "stranger")
    said = told(scene)
    names = {who: said[person.pseudonym] for who, person in scene.people.items()}
    assert {who: kind for who, (kind, _words) in names.items()} == {
        "ready": READY,
        "empty": LOOK,
        "nocode": READY,
        "other": READY,
        "excluded": LOOK,
        "screened": LOOK,
    }
    assert "code is missing" in names["nocode"][1]
    assert "another code" in names["other"][1]
    assert "as a bonus" in names["screened"][1]
    assert said["nobody"][0] == LOOK


@pytest.mark.parametrize(
    ("status", "kind"),
    [("APPROVED", ""), ("REJECTED", ""), ("SCREENED OUT", LOOK), ("RETURNED", ""), ("ACTIVE", "")],
)
def test_decided_ones_ask_for_a_look_only_where_the_sides_differ(
    scene: Scene, status: str, kind: str
) -> None:
    scene.worked("aa11", status)
    assert told(scene)["worker-1"][0] == kind


def test_a_return_there_ends_the_part_here_and_frees_its_places(scene: Scene) -> None:
    session = scene.come("aa11", "ACTIVE")
    lease(scene.people["aa11"])
    assert sum(held for held, _counted in counts(scene.study)) == 2
    scene.fake.submissions[session]["status"] = "RETURNED"
    scene.refresh()
    scene.people["aa11"].refresh_from_db()
    assert scene.people["aa11"].state == State.LEFT
    assert scene.people["aa11"].state_changes.last().reason == RETURNED  # type: ignore[union-attr]
    assert sum(held for held, _counted in counts(scene.study)) == 0


def test_a_time_out_there_closes_the_batch_once_its_lease_has_run_out(scene: Scene) -> None:
    session = scene.come("aa11", "ACTIVE")
    batch = lease(scene.people["aa11"])
    scene.fake.submissions[session]["status"] = "TIMED-OUT"
    scene.refresh()
    batch.refresh_from_db()
    assert batch.state == Assignment.State.ACTIVE  # they may still be at work
    scene.refresh(timezone.now() + timedelta(minutes=61))
    batch.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert sum(held for held, _counted in counts(scene.study)) == 0
    scene.people["aa11"].refresh_from_db()
    assert scene.people["aa11"].state == State.CONSENTED


def test_who_came_back_in_another_session_keeps_their_places(scene: Scene) -> None:
    first = scene.worked("aa11", "ACTIVE")
    scene.come("aa11", "ACTIVE")
    lease(scene.people["aa11"])
    scene.fake.submissions[first]["status"] = "RETURNED"
    scene.refresh()
    scene.people["aa11"].refresh_from_db()
    assert not scene.people["aa11"].has_ended
    assert sum(held for held, _counted in counts(scene.study)) == 2


def test_who_is_here_and_not_in_the_list_there_is_named(scene: Scene) -> None:
    session = scene.come("aa11")
    del scene.fake.submissions[session]
    scene.refresh()
    assert missing_there(scene.made) == [scene.people["aa11"]]


def test_what_is_erased_stays_erased_when_it_is_read_again(scene: Scene) -> None:
    session = scene.worked("aa11")
    scene.refresh()
    erase_worker(worker=Worker.objects.get(external_id="aa11"), now=timezone.now())
    scene.refresh()
    (row,) = PanelSubmission.objects.all()
    assert session not in row.external_id
    assert row.participation == scene.people["aa11"]


def test_a_thousand_submissions_take_few_queries(
    scene: Scene, django_assert_max_num_queries: object
) -> None:
    for number in range(1_000):
        scene.fake.submit(scene.made.external_id, f"p{number}")
    for _ in range(2):
        with django_assert_max_num_queries(40):  # type: ignore[operator]
            scene.refresh()
    assert counts_of(scene.made) == [("AWAITING REVIEW", 1_000)]
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        assert len([row.advice for row in rows_of(scene.made)]) == 1_000
