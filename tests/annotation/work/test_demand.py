"""Retired units, units that are asked again, and units that come sooner or later."""

import pytest
from django.utils import timezone

from annotation.models import (
    Annotation,
    AssignmentUnit,
    FixedBatch,
    FixedBatchPlace,
    Place,
    Study,
    Unit,
)
from annotation.rounds.fixed_batches import fix_batches
from annotation.work.assignment import NothingLeft, lease_batch
from annotation.work.demand import ask_again, prioritise_units, reinstate_units, retire_units
from annotation.work.leases import release_expired_leases
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, counts, lease, newcomer, normal_units
from tests.cast import add_unit, make_study


def units(study: Study) -> list[int]:
    return list(study.units.order_by("pk").values_list("pk", flat=True))


def given(study: Study) -> set[int]:
    return {row.unit_id for row in normal_units(lease(newcomer(study)))}


def test_a_retired_unit_is_given_to_nobody_until_it_is_reinstated(db: None) -> None:
    study = make_study(sources=3, overlap=9, per_batch=3)
    first, *others = units(study)
    assert retire_units(study=study, units=[first]) == [first]
    assert given(study) == set(others)
    assert retire_units(study=study, units=[first]) == []
    assert reinstate_units(study=study, units=[first, *others]) == [first]
    assert given(study) == {first, *others}


def test_an_answer_under_way_counts_and_an_expired_lease_opens_nothing(db: None) -> None:
    study = make_study(sources=1, overlap=2, per_batch=1)
    submitting, leaving = (lease(newcomer(study)) for _ in range(2))
    retire_units(study=study, units=units(study))
    submit(assignment=answer_all(submitting), now=timezone.now())
    assert counts(study) == [(1, 1)]
    release_expired_leases(now=leaving.lease_until)
    assert counts(study) == [(0, 1)]
    assert isinstance(lease_batch(participation=newcomer(study), now=timezone.now()), NothingLeft)
    assert Annotation.objects.counted().filter(question__unit__in=units(study)).exists()


def test_asking_again_wants_more_and_counts_surplus_answers_first(db: None) -> None:
    study = make_study(sources=1, overlap=1, per_batch=1)
    late = lease(newcomer(study))
    release_expired_leases(now=late.lease_until)
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    submit(assignment=answer_all(late), now=timezone.now())
    late_unit = AssignmentUnit.objects.get(assignment=late)
    assert late_unit.outcome == AssignmentUnit.Outcome.SURPLUS
    assert ask_again(study=study, units=units(study), more=2) == units(study)
    late_unit.refresh_from_db()
    assert late_unit.outcome == AssignmentUnit.Outcome.COUNTED
    place = Place.objects.get()
    assert (place.wanted, place.counted, place.room) == (3, 2, 1)
    assert given(study) == set(units(study))


def test_controls_and_retired_units_are_not_asked_again(db: None) -> None:
    study = make_study(sources=2, positive=1)
    first, second, control = units(study)
    retire_units(study=study, units=[first, control])
    assert ask_again(study=study, units=[first, second, control], more=1) == [second]
    assert Unit.objects.get(pk=control).retired_at is None


def test_units_of_another_study_stay_as_they_are(db: None) -> None:
    study, other = make_study(), make_study("other")
    foreign = units(other)
    assert retire_units(study=study, units=foreign) == []
    assert ask_again(study=study, units=foreign, more=1) == []
    assert prioritise_units(study=study, units=foreign, priority=1) == []
    assert not Place.objects.filter(retired=True).exists()


@pytest.mark.parametrize("more", [0, 21])
def test_asking_for_none_or_too_many_is_refused(db: None, more: int) -> None:
    study = make_study()
    with pytest.raises(ValueError, match="more"):
        ask_again(study=study, units=units(study), more=more)


def test_units_are_given_out_by_priority_and_by_chance_among_equals(db: None) -> None:
    study = make_study(sources=6, overlap=1, per_batch=2)
    by_chance = list(Place.objects.order_by("shuffle").values_list("unit", flat=True))
    sooner, later = by_chance[4], by_chance[0]
    assert prioritise_units(study=study, units=[sooner], priority=2) == [sooner]
    prioritise_units(study=study, units=[later], priority=-1)
    assert given(study) == {sooner, by_chance[1]}
    assert given(study) == {by_chance[2], by_chance[3]}
    assert given(study) == {by_chance[5], later}


def test_a_unit_that_was_put_first_has_no_probability_of_being_drawn(db: None) -> None:
    study = make_study(sources=2, per_batch=2)
    first, second = units(study)
    prioritise_units(study=study, units=[first], priority=1)
    leased = {row.unit_id: row.inclusion for row in normal_units(lease(newcomer(study)))}
    assert leased[first] is None
    assert leased[second] is not None


def test_a_larger_overlap_keeps_what_was_asked_for_beyond_it(db: None) -> None:
    from imports.studies.changes import _change_overlap
    from imports.study_file.schema import StudyRecord

    study = make_study(sources=2, overlap=2)
    ask_again(study=study, units=units(study)[:1], more=3)
    _change_overlap(study, StudyRecord.model_construct(overlap=4), "study.yaml")
    assert list(Place.objects.order_by("unit").values_list("wanted", flat=True)) == [7, 4]


def test_new_places_of_retired_units_are_retired(db: None) -> None:
    from annotation.rounds.places import open_places

    study = make_study(sources=1)
    retire_units(study=study, units=units(study))
    Place.objects.all().delete()
    open_places(study)
    assert Place.objects.get().room == 0


class TestFixedBatches:
    """Batches that are made once are given out whole."""

    @pytest.fixture
    def study(self, db: None) -> Study:
        study = make_study(sources=4, overlap=2, per_batch=2, batches=Study.Batches.FIXED)
        fix_batches(study=study)
        return study

    def batch(self, study: Study) -> list[int]:
        first = FixedBatch.objects.filter(round__study=study).earliest("pk")
        places = FixedBatchPlace.objects.filter(batch=first)
        return list(places.values_list("place__unit", flat=True))

    def test_a_batch_is_given_out_without_its_retired_unit(self, study: Study) -> None:
        first, *rest = self.batch(study)
        retire_units(study=study, units=[first])
        met = [given(study) for _ in range(4)]
        assert met.count(set(rest)) == 2
        assert all(first not in batch for batch in met)

    def test_a_reinstated_unit_wants_what_the_rest_of_its_batch_wants(self, study: Study) -> None:
        first, second = self.batch(study)
        retire_units(study=study, units=[first])
        while given(study) != {second}:
            pass
        reinstate_units(study=study, units=[first])
        rooms = Place.objects.filter(unit__in=[first, second]).values_list("room", flat=True)
        assert list(rooms) == [1, 1]

    def test_asking_one_again_asks_its_whole_batch(self, study: Study) -> None:
        first, second = self.batch(study)
        ask_again(study=study, units=[first], more=1)
        asked = Place.objects.filter(wanted=3).values_list("unit", flat=True)
        assert set(asked) == {first, second}


def test_a_control_keeps_its_place_in_the_order_of_controls(db: None) -> None:
    study = make_study(sources=2, positive=1)
    control = add_unit(study, study.rounds.get(), 77, Unit.Role.POSITIVE)
    assert prioritise_units(study=study, units=[control.pk], priority=2) == []
