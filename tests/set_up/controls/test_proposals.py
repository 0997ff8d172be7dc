"""Controls made of normal units: who is eligible, what becomes of the source, who decides."""

from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import (
    AssignmentUnit,
    LedgerRow,
    Participation,
    Place,
    Rater,
    Round,
    Study,
    Unit,
    User,
)
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.opening import missing_to_open
from annotation.rounds.places import open_places
from annotation.rounds.standing import controls_right
from annotation.work.assignment import NothingLeft, lease_batch
from annotation.work.control_answers import controls_met
from annotation.work.ledger import earned
from annotation.work.qualification import reinstate_worker
from annotation.work.review import exclude, undo
from annotation.work.submission import submit
from estimates.data.database import from_database
from exports.records import item_lines
from exports.tables.answers import exported
from set_up.controls.proposals import (
    NoRound,
    NotInUse,
    NotProposed,
    TooFew,
    check_control,
    retire_control,
)
from tests.annotation.pilot_study import do_batch, hand_in, make_pilot_study
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study
from tests.set_up.controls.proposals import propose, select_one_passage

pytestmark = pytest.mark.django_db
Check = Unit.Check


@pytest.fixture
def study() -> Study:
    """Six sources, each with one passage selected, that of the question."""
    return select_one_passage(make_study(sources=6))


def check(unit: Unit, owner: User, *, valid: bool = True) -> Unit:
    check_control(unit=unit, valid=valid, by=owner, now=timezone.now())
    unit.refresh_from_db()
    return unit


def question(unit: Unit, block: int = 0) -> Any:
    return unit.questions.get(block__position=block)


def test_a_positive_control_asks_what_the_unit_asked(study: Study) -> None:
    (control,) = propose(study, positive=1)
    original = study.units.get(key=control.proposal["made_from"])
    assert control.role == Unit.Role.POSITIVE
    for block in (0, 1):
        assert question(control, block).payload == question(original, block).payload
    assert question(control).reference == {"sentences": [0, 2]}
    assert list(control.items.all()) == list(original.items.all())
    assert set(control.subsets.all()) == set(original.subsets.all())


def test_a_negative_control_hides_the_reference_sentences_in_every_block(study: Study) -> None:
    (control,) = propose(study, negative=1)
    assert control.role == Unit.Role.NEGATIVE
    assert control.focus == {"passage": 1, "blanked": [0, 2]}
    assert [one["number"] for one in question(control).payload["sentences"]] == [1]
    assert question(control).reference == {"sentences": []}
    assert question(control, 1).payload["sentences"] == ["The bridge opened in spring.[0]"]


def test_the_draw_is_stored_and_the_same_seed_draws_the_same(study: Study) -> None:
    keys = [one.key for one in propose(study, positive=1, negative=1, seed=5)]
    assert Unit.objects.get(key=keys[0]).proposal == {
        "round": "main",
        "pool": "one_passage",
        "seed": 5,
        "made_from": keys[0].rpartition("/")[0],
    }
    other = select_one_passage(make_study("other", sources=6))
    assert [one.key for one in propose(other, positive=1, negative=1, seed=5)] == keys
    draws = {
        propose(select_one_passage(make_study(f"s{seed}", sources=6)), positive=1, seed=seed)[0].key
        for seed in range(4)
    }
    assert len(draws) > 1


def test_the_source_of_a_proposal_is_given_to_nobody(study: Study) -> None:
    controls = propose(study, positive=2, negative=1)
    sources = {one.source_id for one in controls}
    assert len(sources) == 3
    assert not Place.objects.filter(source__in=sources).exists()
    assert open_places(study) == 0
    given = lease(newcomer(study)), lease(newcomer(study))
    met = AssignmentUnit.objects.filter(assignment__in=given).values_list("source", flat=True)
    assert not sources & set(met)


def test_only_a_validated_control_is_given_to_workers(study: Study, owner: User) -> None:
    Round.objects.update(positive_per_batch=1)
    first, second = propose(study, positive=2)
    assert isinstance(_try_to_lease(study), NothingLeft)
    assert not AssignmentUnit.objects.exists()
    check(first, owner)
    batch = lease(newcomer(study))
    met = set(batch.assignment_units.values_list("unit", flat=True))
    assert first.pk in met
    assert second.pk not in met
    assert first.places.get().wanted is None


def _try_to_lease(study: Study) -> object:
    return lease_batch(participation=newcomer(study), now=timezone.now())


def test_a_decision_is_kept_with_its_maker_and_made_once(study: Study, owner: User) -> None:
    (control,) = propose(study, positive=1)
    checked = check(control, owner)
    assert (checked.check_state, checked.checked_by) == (Check.VALIDATED, owner)
    assert checked.checked_at is not None
    with pytest.raises(NotProposed):
        check(control, owner, valid=False)
    assert control.places.count() == 1


def test_the_source_of_a_rejected_control_returns_to_the_pool(study: Study, owner: User) -> None:
    (control,) = propose(study, negative=1)
    rejected = check(control, owner, valid=False)
    assert rejected.check_state == Check.REJECTED
    assert rejected.places.count() == 0
    place = Place.objects.get(source=rejected.source)
    assert (place.role, place.wanted) == (Unit.Role.NORMAL, 2)
    assert open_places(study) == 0
    assert rejected.source_id not in {one.source_id for one in propose(study, positive=5)}


def test_without_its_round_a_control_cannot_be_validated(study: Study, owner: User) -> None:
    (control,) = propose(study, positive=1)
    Round.objects.update(name="renamed")
    with pytest.raises(NoRound):
        check(control, owner)
    control.refresh_from_db()
    assert control.check_state == Check.PROPOSED


def test_what_a_worker_has_met_becomes_no_control(study: Study) -> None:
    batch = lease(newcomer(study))
    met = set(batch.assignment_units.values_list("source", flat=True))
    assert len(met) == 2
    assert not met & {one.source_id for one in propose(study, positive=4)}
    with pytest.raises(TooFew):
        propose(study, positive=1)


@pytest.mark.parametrize(("kind", "eligible"), [("human", 5), ("judge", 6), ("simulated", 6)])
def test_what_people_have_answered_becomes_no_control(
    study: Study, kind: str, eligible: int
) -> None:
    rater = Rater.objects.create(study=study, name="r", kind=kind, origin="imported")
    asked = study.questions.filter(block__position=0)[0]
    record_answers(rater=rater, given=[GivenAnswer(asked, asked.typed_answer(asked.reference))])
    assert len(propose(study, positive=eligible)) == eligible


def test_sources_with_controls_or_examples_are_passed_over() -> None:
    study = select_one_passage(make_study(sources=2, positive=1))
    study.units.filter(pk=study.units.first().pk).update(role=Unit.Role.EXAMPLE)  # type: ignore[union-attr]
    with pytest.raises(TooFew) as few:
        propose(study, positive=2)
    assert (few.value.wanted, few.value.possible) == (2, 1)


def test_too_few_means_none(study: Study) -> None:
    with pytest.raises(TooFew, match="6 positive controls wanted, 5 can be made"):
        propose(study, positive=6, negative=1)
    assert not study.units.exclude(role=Unit.Role.NORMAL).exists()
    assert Place.objects.count() == 6


def test_the_pool_of_one_part_wants_one_right_sentence(study: Study) -> None:
    with pytest.raises(TooFew):
        propose(study, positive=1, pool="one_part")
    asked = study.questions.filter(block__position=0)[3]
    asked.reference = {"sentences": [2]}
    asked.save()
    (control,) = propose(study, positive=1, pool="one_part")
    assert control.source == asked.unit.source


def test_a_decision_makes_figures_out_of_date(study: Study, owner: User) -> None:
    for number, valid in enumerate((True, False)):
        (control,) = propose(study, positive=1, seed=number)
        before = Study.objects.get().revision
        check(control, owner, valid=valid)
        assert Study.objects.get().revision == before + 1


# --- Retiring -----------------------------------------------------------------------------------


def retire(unit: Unit, owner: User) -> list[LedgerRow]:
    owed = retire_control(unit=unit, by=owner, now=timezone.now())
    unit.refresh_from_db()
    return owed


def failed(study: Study) -> tuple[Participation, Unit]:
    """Somebody who failed the pilot by the one negative control."""
    person = newcomer(study)
    do_batch(person, wrong=["negative"])
    person.refresh_from_db()
    assert person.state == Participation.State.SCREENED_OUT
    return person, study.units.get(role="negative", places__round__name="pilot")


def test_a_retired_control_is_given_to_nobody_and_measures_nobody(owner: User) -> None:
    study = make_pilot_study(pilot_controls=(2, 2))
    person = newcomer(study)
    do_batch(person, wrong=["negative"])
    met = person.assignments.get().assignment_units.get(unit__role="negative").unit
    before = Study.objects.get().revision
    retire(met, owner)
    assert (met.check_state, met.checked_by) == (Check.RETIRED, owner)
    assert Study.objects.get().revision == before + 1
    assert sum(controls_right([person.assignments.get().pk], study.rounds.all()[0]).values()) == 2
    assert [one.right for one in controls_met(study, participations=[person.pk])] == [True] * 2
    assert [answer.right for answer in from_database(study).controls] == [True, True]
    for _ in range(3):
        units = lease(newcomer(study)).assignment_units.all()
        assert met.pk not in {one.unit_id for one in units}
    open_places(study)
    assert met.places.get().wanted == 0


def test_who_failed_by_a_wrong_control_gets_the_bonus_and_can_come_back(owner: User) -> None:
    person, control = failed(make_pilot_study())
    assert earned(person) == [(Decimal("1.00"), "USD")]
    (owed,) = retire(control, owner)
    assert (owed.kind, owed.amount) == ("bonus", Decimal("1.70"))
    assert earned(person) == [(Decimal("2.70"), "USD")]
    reinstate_worker(participation=person, reason="a control was wrong", by=owner)
    assert lease(person).round.name == "main"


def test_a_batch_that_fails_without_the_control_too_gets_no_bonus(owner: User) -> None:
    study = make_pilot_study()
    person = newcomer(study)
    do_batch(person, wrong=["negative", "positive"])
    assert retire(study.units.get(role="negative", places__round__name="pilot"), owner) == []
    assert earned(person) == [(Decimal("1.00"), "USD")]


def test_a_control_retired_while_it_is_answered_does_not_count(owner: User) -> None:
    study = make_pilot_study()
    person = newcomer(study)
    batch = lease(person)
    retire(study.units.get(role="negative", places__round__name="pilot"), owner)
    hand_in(batch, wrong=["negative"])
    person.refresh_from_db()
    assert person.state == Participation.State.QUALIFIED
    assert earned(person) == [(Decimal("2.70"), "USD")]


def test_answers_to_a_retired_control_can_be_excluded_and_taken_in_again(owner: User) -> None:
    person, control = failed(make_pilot_study())
    retire(control, owner)
    batch = list(person.assignments.all())
    exclude(assignments=batch, reason="?", by=owner)
    undo(assignments=batch, by=owner)
    assert set(batch[0].assignment_units.values_list("outcome", flat=True)) == {"counted"}
    assert Place.objects.get(unit=control).wanted == 0


def test_fixed_batches_go_on_without_a_retired_control(owner: User) -> None:
    study = make_study(sources=4, positive=2, batches=Study.Batches.FIXED)
    fix_batches(study=study)
    (one, other) = study.units.filter(role="positive")
    retire(one, owner)
    met = [lease(newcomer(study)).assignment_units.filter(unit__role="positive") for _ in range(2)]
    assert {unit.unit_id for units in met for unit in units} == {other.pk}


def test_a_retired_control_is_missing_to_open(owner: User) -> None:
    study = make_study(positive=4, sources=8)
    assert missing_to_open(study) == []
    retire(study.units.filter(role="positive")[0], owner)
    assert "4 positive units of different sources" in missing_to_open(study)[0]


def test_a_retired_control_is_neither_exported_nor_asked_of_judges(owner: User) -> None:
    study = make_study(positive=1)
    control = study.units.get(role="positive")
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    assert exported(study).filter(question__unit=control).exists()
    retire(control, owner)
    assert not exported(study).filter(question__unit=control).exists()
    assert control.key not in "".join(item_lines(study))


def test_only_a_control_in_use_is_retired_and_once(study: Study, owner: User) -> None:
    (proposed,) = propose(study, positive=1)
    normal = study.units.filter(role="normal").first()
    assert normal is not None
    for unit in (proposed, normal):
        with pytest.raises(NotInUse):
            retire(unit, owner)
    check(proposed, owner)
    retire(proposed, owner)
    with pytest.raises(NotInUse):
        retire(proposed, owner)


# --- The command ------------------------------------------------------------------------------


def command(*args: str) -> str:
    out = StringIO()
    call_command("propose_controls", *args, stdout=out)
    return out.getvalue()


def test_the_command_lists_what_it_proposed(study: Study) -> None:
    said = command("small", "--round", "main", "--positive", "1", "--negative", "2", "--seed", "3")
    for unit in study.units.filter(check_state=Check.PROPOSED):
        assert unit.key in said
    assert "3 proposed for round main, to be validated" in said


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("none", "--round", "main", "--positive", "1"), "no study 'none'"),
        (("small", "--round", "pilot", "--positive", "1"), "no such round: pilot .it has: main."),
        (("small", "--round", "main"), "together at least one"),
        (("small", "--round", "main", "--positive", "9"), "9 positive controls wanted, 6 can be"),
    ],
)
def test_the_command_says_what_is_wrong(study: Study, args: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        command(*args, "--seed", "1")
