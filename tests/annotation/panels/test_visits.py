from typing import Any

import pytest
from django.utils import timezone

from annotation.entry.arrival import Erased, NotOpen, arrive, arrive_from_panel, find_worker
from annotation.entry.consent import consent_hash, give_consent
from annotation.entry.invitations import invite
from annotation.messages.ending import ending
from annotation.models import Participation, Round, Study, Worker
from annotation.models.tombstones import tombstone
from annotation.panels.contract import Visit, VisitOutcome
from annotation.rights.withdrawal import leave
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease
from tests.cast import make_study

pytestmark = pytest.mark.django_db

CODES = {"completion_code": "DONE", "screenout_code": "OUT", "return_code": "BACK"}
FIRST, SECOND = Visit("W1", session="A1", study="H1"), Visit("W1", session="A2", study="H2")


@pytest.fixture
def study() -> Study:
    return make_study(sources=6, per_batch=1)


@pytest.fixture(autouse=True)
def _recruited(study: Study) -> None:
    study.recruitment = {"panel": "prolific", **CODES}
    study.save()


def come(study: Study, visit: Visit = FIRST, panel: str = "prolific") -> Participation:
    participation = arrive_from_panel(study=study, panel=panel, visit=visit)
    give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    return participation


def do_a_batch(participation: Participation) -> None:
    submit(assignment=answer_all(lease(participation)), now=timezone.now())


def outcome(participation: Participation) -> str | None:
    found = ending(participation)
    return None if found is None else found.outcome


def test_the_same_person_comes_to_the_same_place(study: Study) -> None:
    assert come(study) == come(study)
    assert Worker.objects.count() == 1


def test_equal_ids_on_two_panels_are_two_workers(study: Study) -> None:
    assert come(study).worker != come(study, panel="generic").worker


def test_the_panels_ids_stay_with_the_participation_under_a_pseudonym(study: Study) -> None:
    participation = come(study)
    participation.refresh_from_db()
    assert participation.panel_session["session"] == "A1"
    assert participation.panel_session["study"] == "H1"
    assert "W1" not in f"{participation} {participation.rater} {participation.panel_session}"


def test_coming_twice_in_one_session_changes_nothing(study: Study) -> None:
    before = come(study).panel_session
    assert come(study).panel_session == before


def test_nobody_new_comes_from_a_panel_into_a_study_that_is_not_open(study: Study) -> None:
    Study.objects.update(state=Study.State.CLOSED)
    with pytest.raises(NotOpen):
        arrive_from_panel(study=study, panel="prolific", visit=FIRST)
    assert not Worker.objects.exists()


def test_who_takes_part_still_comes_in_after_it_was_closed(study: Study) -> None:
    before = come(study)
    Study.objects.update(state=Study.State.CLOSED)
    assert arrive_from_panel(study=study, panel="prolific", visit=FIRST) == before


@pytest.mark.parametrize("replaced", [True, False])
def test_who_was_erased_is_known_again_and_stays_out(study: Study, replaced: bool) -> None:
    worker = come(study).worker
    worker.erased_at = timezone.now()
    if replaced:
        worker.external_id = tombstone("prolific", "W1")
    worker.save()
    with pytest.raises(Erased):
        arrive_from_panel(study=study, panel="prolific", visit=FIRST)
    invitation = invite(study=study, created_by=None)
    with pytest.raises(Erased):
        arrive(study=study, invitation=invitation, worker=worker)


def test_an_erased_id_is_recognised_under_a_former_key(settings: Any) -> None:
    Worker.objects.create(panel="prolific", external_id=tombstone("prolific", "W1"))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [settings.SECRET_KEY]
    assert find_worker(panel="prolific", external_id="W1") is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert find_worker(panel="prolific", external_id="W1") is None


def test_a_tombstone_tells_panels_and_ids_apart_and_neither_of_them() -> None:
    made = {tombstone(panel, one) for panel in ("prolific", "mturk") for one in ("W1", "W2")}
    assert len(made) == 4
    assert not any("W1" in one for one in made)
    assert max(map(len, made)) <= 200


def test_nobody_has_two_ids(study: Study) -> None:
    participation = come(study)
    assert find_worker(panel="prolific", external_id="W1") == participation.worker
    assert find_worker(panel="prolific", external_id="W2") is None


# --- How a visit ends ---------------------------------------------------------------------------


def test_there_is_no_code_before_anything_was_done(study: Study) -> None:
    assert ending(come(study)) is None


def test_submitted_work_earns_the_completion_code_again_and_again(study: Study) -> None:
    participation = come(study)
    do_a_batch(participation)
    for _ in range(2):
        found = ending(come(study))
        assert found is not None
        assert (found.outcome, found.code, found.final) == (VisitOutcome.COMPLETED, "DONE", False)
        assert found.way_back is not None
        assert found.way_back.address.endswith("cc=DONE")


def test_training_alone_earns_no_code(study: Study) -> None:
    participation = come(study)
    do_a_batch(participation)
    Round.objects.update(shows_answers=True)
    assert ending(participation) is None


def test_who_leaves_without_work_gets_the_code_for_returning(study: Study) -> None:
    participation = come(study)
    leave(participation=participation)
    found = ending(participation)
    assert found is not None
    assert (found.outcome, found.code, found.final) == (VisitOutcome.RETURNED, "BACK", True)


def test_who_leaves_after_work_is_paid_for_it(study: Study) -> None:
    participation = come(study)
    do_a_batch(participation)
    leave(participation=participation)
    assert outcome(participation) == VisitOutcome.COMPLETED


@pytest.mark.parametrize("after_work", [True, False])
def test_a_screen_out_has_its_own_code(study: Study, after_work: bool) -> None:
    participation = come(study)
    if after_work:
        do_a_batch(participation)
    change_state(participation=participation, to=Participation.State.SCREENED_OUT, reason="test")
    found = ending(participation)
    assert found is not None
    assert (found.outcome, found.code) == (VisitOutcome.SCREENED_OUT, "OUT")


def test_who_was_removed_is_paid_for_what_was_submitted(study: Study) -> None:
    participation = come(study)
    do_a_batch(participation)
    change_state(participation=participation, to=Participation.State.REMOVED, reason="test")
    assert outcome(participation) == VisitOutcome.COMPLETED


def test_a_second_session_is_complete_only_by_work_of_its_own(study: Study) -> None:
    do_a_batch(come(study, FIRST))
    participation = come(study, SECOND)
    assert outcome(participation) is None
    do_a_batch(participation)
    assert outcome(participation) == VisitOutcome.COMPLETED
    assert outcome(come(study, FIRST)) == VisitOutcome.COMPLETED
    assert outcome(come(study, SECOND)) == VisitOutcome.COMPLETED


def test_one_batch_never_completes_two_sessions(study: Study) -> None:
    come(study, FIRST)
    do_a_batch(come(study, SECOND))
    assert outcome(come(study, FIRST)) is None
    assert outcome(come(study, SECOND)) == VisitOutcome.COMPLETED


def test_a_session_given_up_takes_nothing_from_the_next(study: Study) -> None:
    come(study, FIRST)
    participation = come(study, SECOND)
    do_a_batch(participation)
    assert outcome(participation) == VisitOutcome.COMPLETED


def test_who_was_screened_out_before_is_not_screened_out_for_pay_again(study: Study) -> None:
    participation = come(study, FIRST)
    change_state(participation=participation, to=Participation.State.SCREENED_OUT, reason="test")
    again = arrive_from_panel(study=study, panel="prolific", visit=SECOND)
    assert outcome(again) == VisitOutcome.RETURNED
    back = arrive_from_panel(study=study, panel="prolific", visit=FIRST)
    assert outcome(back) == VisitOutcome.SCREENED_OUT


def test_sessions_without_work_leave_no_trace(study: Study) -> None:
    for number in range(20):
        participation = come(study, Visit("W1", session=f"A{number}"))
    # But the worker's own stays, whatever others invent.
    assert [session["session"] for session in participation.panel_session["earlier"]] == ["A0"]
