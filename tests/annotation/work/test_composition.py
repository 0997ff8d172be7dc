"""Which units a batch is composed of. Leasing it, and many workers at once, are tested beside."""

import pytest

from annotation.models import Participation, Place, Source, Study, Unit
from annotation.work.choice import ChosenPlace
from annotation.work.composition import Reason, compose
from tests.annotation.pilot_study import make_pilot_study
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def composed(study: Study, person: Participation | None = None, seed: int = 1) -> list[ChosenPlace]:
    batch = compose(person or newcomer(study), study.rounds.get(), seed)
    assert isinstance(batch, list), batch
    return batch


def why_none(study: Study, person: Participation) -> Reason:
    reason = compose(person, study.rounds.get(), 1)
    assert isinstance(reason, Reason), reason
    return reason


def roles(batch: list[ChosenPlace]) -> list[str]:
    units = Unit.objects.in_bulk([place.unit for place in batch])
    return sorted(units[place.unit].role for place in batch)


def share_a_source(study: Study, *units: Unit) -> Source:
    """Let units be of one source: for a worker they count as one text met."""
    source = units[0].source
    Unit.objects.filter(pk__in=[unit.pk for unit in units]).update(source=source)
    Place.objects.filter(unit__in=units).update(source=source)
    return source


def test_a_batch_holds_as_many_units_of_each_role_as_its_round_says() -> None:
    study = make_study(sources=4, positive=2, negative=2, per_batch=3)
    assert roles(composed(study)) == ["negative", "normal", "normal", "normal", "positive"]


@pytest.mark.parametrize("seed", range(5))
def test_no_batch_holds_a_control_and_a_normal_unit_of_one_source(seed: int) -> None:
    study = make_study(sources=2, positive=1, per_batch=2)
    control, normal = study.units.get(role="positive"), study.units.filter(role="normal")[0]
    share_a_source(study, control, normal)
    batch = composed(study, seed=seed)
    assert roles(batch) == ["normal", "positive"]
    assert normal.pk not in {place.unit for place in batch}


@pytest.mark.parametrize("seed", range(5))
def test_no_batch_holds_two_controls_of_one_source(seed: int) -> None:
    study = make_study(sources=2, positive=1, negative=2, per_batch=1)
    share_a_source(study, study.units.get(role="positive"), study.units.filter(role="negative")[0])
    sources = [place.source for place in composed(study, seed=seed)]
    assert len(set(sources)) == len(sources) == 3


@pytest.mark.parametrize("seed", range(5))
def test_no_batch_holds_two_normal_units_of_one_source(seed: int) -> None:
    study = make_study(sources=3, per_batch=3)
    share_a_source(study, *study.units.all()[:2])
    assert len(composed(study, seed=seed)) == 2


def test_nobody_meets_a_source_again_in_a_later_batch() -> None:
    study = make_study(sources=4, positive=2, per_batch=2)
    person = newcomer(study)
    first = answer_all(lease(person))
    met = set(first.assignment_units.values_list("source", flat=True))
    assert met.isdisjoint(place.source for place in composed(study, person))


def test_who_has_met_all_controls_gets_no_batch() -> None:
    study = make_study(sources=4, positive=1, per_batch=2)
    person = newcomer(study)
    answer_all(lease(person))
    assert why_none(study, person) == Reason.ALL_MET


def test_units_without_room_are_given_only_where_a_round_must_be_passed() -> None:
    study = make_pilot_study(pilot_sources=2, overlap=1)
    pilot, main = study.rounds.order_by("position")
    normal = Place.objects.filter(role="normal")
    normal.filter(round=pilot).update(counted=1)
    person = newcomer(study)
    batch = compose(person, pilot, 1)
    assert isinstance(batch, list)
    assert roles(batch) == ["negative", "normal", "normal", "positive", "positive"]
    assert not any(place.holds for place in batch)
    normal.filter(round=main).update(counted=1)
    assert isinstance(compose(person, main, 1), Reason)


def test_only_normal_units_with_room_are_held() -> None:
    study = make_study(sources=2, positive=1, per_batch=2, overlap=2)
    for place in composed(study):
        stored = Place.objects.get(pk=place.place)
        assert place.holds == (stored.role == "normal")
        assert place.holds == (place.inclusion is not None)
    assert set(Place.objects.filter(role="normal").values_list("room", flat=True)) == {1}


def test_the_seed_alone_decides_the_order_of_a_batch() -> None:
    study = make_study(sources=6, positive=3, overlap=5, per_batch=4)
    orders = []
    for seed in (1, 1, 2):
        orders.append([place.unit for place in composed(study, seed=seed)])
        Place.objects.update(held=0)
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_a_retired_unit_completes_no_batch_of_a_round_that_must_be_passed() -> None:
    study = make_pilot_study(pilot_sources=2, overlap=1)
    pilot = study.rounds.get(name="pilot")
    normal = Place.objects.filter(round=pilot, role="normal")
    normal.update(counted=1)
    retired, kept = normal
    Place.objects.filter(pk=retired.pk).update(retired=True)
    batch = compose(newcomer(study), pilot, 1)
    assert isinstance(batch, list)
    assert {place.place for place in batch} & {retired.pk, kept.pk} == {kept.pk}


def test_who_has_met_every_unit_is_told_so_while_others_have_room() -> None:
    study = make_study(sources=2, overlap=2, per_batch=2)
    person = newcomer(study)
    answer_all(lease(person))
    assert why_none(study, person) == Reason.ALL_MET


def test_people_qualify_for_a_round_that_has_no_normal_units_of_its_own() -> None:
    study = make_pilot_study()
    pilot, main = study.rounds.order_by("position")
    Place.objects.filter(round=main, role="normal").delete()
    assert isinstance(compose(newcomer(study), pilot, 1), list)
