from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.entry.comprehension import needs_check, take_check
from annotation.entry.introduction import way_before_work
from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    Participation,
    Place,
    Review,
    Round,
    Study,
    Unit,
    User,
)
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.leases import NotActive
from annotation.work.ledger import earned
from annotation.work.qualification import (
    NotEnded,
    apply_rules,
    change_state,
    enter_round,
    reinstate_worker,
    remove_worker,
)
from annotation.work.review import exclude
from annotation.work.submission import submit
from tests.annotation.pilot_study import do_batch, fill, hand_in, make_pilot_study
from tests.annotation.workers import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import add_unit, make_study

pytestmark = pytest.mark.django_db
State = Participation.State


def history(person: Participation) -> list[tuple[str, str, str]]:
    rows = person.state_changes.values_list("before", "after", "reason")
    return [(before, after, reason) for before, after, reason in rows]


def state_of(person: Participation) -> tuple[str, str]:
    person.refresh_from_db()
    return person.state, person.round.name if person.round else ""


def why_nothing(person: Participation) -> Reason:
    nothing = lease_batch(participation=person, now=timezone.now())
    assert isinstance(nothing, NothingLeft)
    return nothing.why


# --- One state after another --------------------------------------------------------------------


def test_every_change_of_state_is_written_down_with_its_reason(owner: User) -> None:
    person = newcomer(make_study())
    assert change_state(participation=person, to=State.REMOVED, reason="rude", by=owner)
    (change,) = person.state_changes.all()
    assert (change.before, change.after, change.by) == ("consented", "removed", owner)
    assert state_of(person)[0] == "removed"


def test_the_same_change_twice_is_made_once() -> None:
    person = newcomer(make_study())
    assert change_state(participation=person, to=State.LEFT, reason="left")
    assert not change_state(participation=person, to=State.LEFT, reason="left")
    assert len(history(person)) == 1


def test_a_stale_copy_does_not_undo_what_happened_since(owner: User) -> None:
    person = newcomer(make_study())
    stale = Participation.objects.get(pk=person.pk)
    change_state(participation=person, to=State.REMOVED, reason="rude", by=owner)
    assert not change_state(participation=stale, to=State.QUALIFIED, reason="passed")
    assert stale.state == State.REMOVED


def test_only_a_researcher_brings_back_who_has_ended(owner: User) -> None:
    person = newcomer(make_study())
    change_state(participation=person, to=State.LEFT, reason="left")
    assert not change_state(participation=person, to=State.CONSENTED, reason="rule")
    assert change_state(participation=person, to=State.CONSENTED, reason="asked", by=owner)


def test_who_has_withdrawn_stays_so(owner: User) -> None:
    person = newcomer(make_study())
    change_state(participation=person, to=State.WITHDRAWN, reason="withdrew")
    assert not change_state(participation=person, to=State.CONSENTED, reason="oops", by=owner)


# --- Passing a round ----------------------------------------------------------------------------


def test_everybody_begins_in_the_first_round() -> None:
    batch = lease(newcomer(make_pilot_study()))
    roles = sorted(batch.assignment_units.values_list("place__role", flat=True))
    assert batch.round.name == "pilot"
    assert roles == ["negative", "normal", "normal", "positive", "positive"]


def test_passing_the_pilot_leads_on_to_the_main_round_at_once() -> None:
    person = newcomer(make_pilot_study())
    do_batch(person)
    assert state_of(person) == ("qualified", "main")
    assert history(person) == [("consented", "qualified", "pilot: 3 of 3 controls right")]
    assert earned(person) == [(Decimal("2.70"), "USD")]
    assert lease(person).round.name == "main"


@pytest.mark.parametrize(
    ("failing", "state"), [("screen_out", "screened_out"), ("end", "not_qualified")]
)
def test_one_failed_control_of_the_pilot_ends_with_its_base_pay(failing: str, state: str) -> None:
    person = newcomer(make_pilot_study(pilot={"failing": failing}))
    do_batch(person, wrong=1)
    assert state_of(person) == (state, "pilot")
    assert history(person) == [("consented", state, "pilot: 2 of 3 controls right")]
    assert earned(person) == [(Decimal("1.00"), "USD")]
    assert why_nothing(person) == Reason.ENDED


@pytest.mark.parametrize(
    ("base", "earned_by_both"), [("0.00", "0.30"), ("0.10", "0.30"), ("1.00", "1.00")]
)
def test_a_round_that_screens_out_pays_what_a_screen_out_pays_at_least(
    base: str, earned_by_both: str
) -> None:
    pilot = {"base_pay": base, "shows_answers": True}
    person = newcomer(make_pilot_study(pilot=pilot, screenout_pay="0.30"))
    do_batch(person, wrong=3)
    assert state_of(person) == ("screened_out", "pilot")
    assert earned(person) == [(Decimal(earned_by_both), "USD")]
    # The rules are applied again before every batch.
    assert why_nothing(person) == Reason.ENDED
    assert earned(person) == [(Decimal(earned_by_both), "USD")]


def test_answers_of_the_pilot_are_not_excluded_when_it_is_failed() -> None:
    person = newcomer(make_pilot_study())
    batch = do_batch(person, wrong=1)
    assert not batch.annotations.exclude(excluded_reason="").exists()


def test_a_round_of_several_batches_is_decided_over_all_of_them() -> None:
    person = newcomer(
        make_pilot_study(
            pilot={"max_batches": 2, "pass_accuracy": 0.8},
            pilot_sources=4,
            pilot_controls=(4, 2),
        )
    )
    do_batch(person, wrong=1)
    assert state_of(person) == ("consented", "pilot")
    do_batch(person)
    assert state_of(person) == ("qualified", "main")
    assert history(person)[-1][2] == "pilot: 5 of 6 controls right"


def test_a_mark_out_of_reach_is_failed_before_the_last_batch() -> None:
    person = newcomer(
        make_pilot_study(pilot={"max_batches": 2}, pilot_sources=4, pilot_controls=(4, 2))
    )
    do_batch(person, wrong=1)
    assert state_of(person)[0] == "screened_out"


def test_who_is_to_be_invited_waits_until_then() -> None:
    study = make_pilot_study()
    study.recruitment |= {"invite_qualified": True}
    study.save()
    person = newcomer(study)
    do_batch(person)
    assert state_of(person) == ("qualified", "pilot")
    assert why_nothing(person) == Reason.AWAITS_INVITATION
    assert enter_round(participation=person, round_=Round.objects.get(name="main"))
    assert lease(person).round.name == "main"


def test_nobody_enters_an_earlier_round_or_one_after_the_end() -> None:
    study = make_pilot_study()
    pilot, main = study.rounds.all()
    person = newcomer(study)
    do_batch(person)
    assert not enter_round(participation=person, round_=pilot)
    other = newcomer(study)
    do_batch(other, wrong=3)
    assert not enter_round(participation=other, round_=main)


def test_rules_that_an_interrupted_process_left_undone_are_applied_before_the_next_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = newcomer(make_pilot_study())
    with monkeypatch.context() as patch:
        patch.setattr("annotation.work.submission.apply_rules", lambda **_: None)
        do_batch(person)
    assert state_of(person) == ("consented", "pilot")
    assert lease(person).round.name == "main"


def test_a_pilot_whose_units_have_all_answers_still_lets_people_qualify() -> None:
    study = make_pilot_study(pilot_sources=2, overlap=1)
    do_batch(newcomer(study))
    batch = do_batch(newcomer(study))
    outcomes = batch.assignment_units.filter(place__role="normal").values_list("outcome", flat=True)
    assert set(outcomes) == {"surplus"}
    assert set(Place.objects.filter(round__name="pilot", role="normal").values_list("counted")) == {
        (1,)
    }


def test_nobody_is_tried_for_a_round_that_has_nothing_left() -> None:
    study = make_pilot_study(sources=1, overlap=1)
    person = newcomer(study)
    do_batch(person)
    batch = lease(person)
    assert why_nothing(newcomer(study)) == Reason.HELD_BY_OTHERS
    hand_in(batch)
    assert why_nothing(newcomer(study)) == Reason.ALL_ANSWERED


def test_a_round_without_a_mark_leads_on_after_its_last_batch() -> None:
    study = make_pilot_study(pilot={"pass_accuracy": None, "max_batches": 1})
    person = newcomer(study)
    do_batch(person, wrong=3)
    assert state_of(person) == ("consented", "main")


def test_batches_are_limited_by_round() -> None:
    study = make_pilot_study(main={"max_batches": 1})
    person = newcomer(study)
    do_batch(person)
    do_batch(person)
    assert why_nothing(person) == Reason.LIMIT


def test_in_training_every_unit_with_a_right_answer_is_graded() -> None:
    warm_up = {"shows_answers": True, "positive_per_batch": 0, "negative_per_batch": 0}
    study = make_pilot_study(pilot=warm_up, pilot_sources=0)
    round_ = study.rounds.get(name="pilot")
    for number in (2000, 2001, 2002):
        add_unit(study, round_, number, Unit.Role.TRAINING)
    good, bad = newcomer(study), newcomer(study)
    do_batch(good)
    do_batch(bad, wrong=["training"])
    assert state_of(good) == ("qualified", "main")
    assert history(bad)[-1][1:] == ("screened_out", "pilot: 0 of 2 controls right")


# --- Staying in a round -------------------------------------------------------------------------


def removed(study: Study) -> tuple[Participation, list[Assignment]]:
    """Somebody who fails two of the four controls of two main batches."""
    person = newcomer(study)
    do_batch(person)
    return person, [do_batch(person, wrong=1), do_batch(person, wrong=1)]


def test_too_few_controls_right_removes_the_worker_from_the_round() -> None:
    person, batches = removed(make_pilot_study())
    assert state_of(person) == ("removed", "main")
    assert history(person)[-1] == ("qualified", "removed", "main: 2 of 4 controls right")
    assert why_nothing(person) == Reason.ENDED
    answers = Annotation.objects.filter(assignment__in=batches)
    assert set(answers.values_list("excluded_reason", flat=True)) == {"main: 2 of 4 controls right"}
    assert {review.by for review in Review.objects.all()} == {None}
    assert earned(person) == [(Decimal("8.10"), "USD")]  # 1.00 + 1.70 + 2 x 2.70


def test_nobody_is_removed_before_enough_controls() -> None:
    person = newcomer(make_pilot_study())
    do_batch(person)
    do_batch(person, wrong=2)
    assert state_of(person) == ("qualified", "main")


def test_the_mark_itself_is_enough() -> None:
    study = make_pilot_study(main={"keep_accuracy": 0.75})
    person = newcomer(study)
    do_batch(person)
    do_batch(person, wrong=1)
    do_batch(person)
    assert state_of(person) == ("qualified", "main")


def test_only_answers_of_the_round_are_excluded() -> None:
    person, _ = removed(make_pilot_study())
    pilot = Annotation.objects.filter(assignment__participation=person, round__name="pilot")
    assert pilot.exists()
    assert not pilot.exclude(excluded_reason="").exists()


def test_the_units_of_who_was_removed_are_given_to_others() -> None:
    study = make_pilot_study(sources=4, overlap=1)
    removed(study)
    normal = Place.objects.filter(round__name="main", role="normal")
    assert set(normal.values_list("counted", "room")) == {(0, 1)}
    other = newcomer(study)
    do_batch(other)
    do_batch(other)
    do_batch(other)
    assert set(normal.values_list("counted", "room")) == {(1, 0)}


def test_bringing_a_worker_back_takes_their_answers_in_and_starts_the_rules_afresh(
    owner: User,
) -> None:
    study = make_pilot_study(sources=8)
    person, batches = removed(study)
    reinstate_worker(participation=person, reason="the controls were wrong", by=owner)
    assert state_of(person) == ("qualified", "main")
    answers = Annotation.objects.filter(assignment__in=batches)
    assert set(answers.values_list("excluded_reason", "surplus")) == {("", False)}
    apply_rules(participation=person)
    assert state_of(person)[0] == "qualified"
    do_batch(person)
    assert state_of(person)[0] == "qualified"


def test_bringing_a_worker_back_leaves_excluded_what_was_excluded_for_another_reason(
    owner: User,
) -> None:
    person, (faulty, other) = removed(make_pilot_study(sources=8))
    reinstate_worker(participation=person, reason="looked at", by=owner)
    exclude(assignments=[faulty], reason="a faulty link", by=owner)
    remove_worker(participation=person, reason="no longer wanted", by=owner)
    reinstate_worker(participation=person, reason="wanted again", by=owner)
    reasons = {
        batch.pk: set(batch.annotations.values_list("excluded_reason", flat=True))
        for batch in (faulty, other)
    }
    assert reasons == {faulty.pk: {"a faulty link"}, other.pk: {""}}


def test_only_who_has_ended_is_brought_back(owner: User) -> None:
    person = newcomer(make_study())
    with pytest.raises(NotEnded):
        reinstate_worker(participation=person, reason="?", by=owner)


@pytest.mark.parametrize("failing", ["screen_out", "end"])
def test_who_failed_a_round_and_is_brought_back_has_passed_it(failing: str, owner: User) -> None:
    person = newcomer(make_pilot_study(pilot={"failing": failing}))
    do_batch(person, wrong=1)
    reinstate_worker(participation=person, reason="a control was wrong", by=owner)
    assert state_of(person) == ("consented", "pilot")
    assert lease(person).round.name == "main"


def test_who_left_or_failed_the_check_goes_on_where_they_were(owner: User) -> None:
    study = make_study()
    asked = {"question": "Why?", "options": ["a", "b"], "right": "a", "explanation": ""}
    study.comprehension, study.comprehension_tries = [asked], 1
    study.save()
    person = newcomer(study)
    take_check(participation=person, number=1, chosen=["b"])
    assert state_of(person)[0] == "screened_out"
    reinstate_worker(participation=person, reason="the question was unclear", by=owner)
    assert not needs_check(person)
    assert way_before_work(person) is None
    change_state(participation=person, to=State.LEFT, reason="left")
    reinstate_worker(participation=person, reason="by mistake", by=owner)
    assert state_of(person)[0] == "consented"
    assert lease(person)


# --- In the middle of a batch -------------------------------------------------------------------


def test_who_is_removed_in_the_middle_of_a_batch_keeps_what_was_typed_and_is_paid_for_it(
    owner: User,
) -> None:
    study = make_study(sources=3, per_batch=3, overlap=1)
    person = newcomer(study)
    batch = lease(person)
    answer_step(step_at(batch, 1, 1))
    answer_step(step_at(batch, 1, 2))
    answer_step(step_at(batch, 2, 1))
    remove_worker(participation=person, reason="rude", by=owner)
    batch.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert batch.drafts.filter(complete=True).count() == 3
    assert earned(person) == [(Decimal("0.34"), "USD")]  # a third of 1.00, rounded up
    assert not AssignmentUnit.objects.filter(holds=True).exists()
    assert set(Place.objects.values_list("room", flat=True)) == {1}
    with pytest.raises(NotActive):
        submit(assignment=batch, now=timezone.now())


def test_what_was_not_begun_is_not_paid(owner: User) -> None:
    person = newcomer(make_study())
    lease(person)
    remove_worker(participation=person, reason="rude", by=owner)
    assert earned(person) == []


def test_a_submitted_batch_is_paid_once_when_its_worker_is_removed(owner: User) -> None:
    person = newcomer(make_study())
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    remove_worker(participation=person, reason="rude", by=owner)
    assert earned(person) == [(Decimal("1.50"), "USD")]


def test_a_removed_worker_who_is_removed_again_changes_nothing(owner: User) -> None:
    person = newcomer(make_study())
    fill(lease(person))
    assert remove_worker(participation=person, reason="rude", by=owner)
    assert not remove_worker(participation=person, reason="rude", by=owner)
