"""People who come one after another come to share units with each other, not with one partner."""

from collections import Counter
from itertools import combinations

import pytest
from django.utils import timezone

from annotation.models import AssignmentUnit, Place, Study
from annotation.work.assignment import NothingLeft, lease_batch
from annotation.work.demand import prioritise_units
from annotation.work.partners import bring_together
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def come_one_after_another(study: Study, people: int) -> None:
    """Each holds batches until there is none for them; answers do not matter here."""
    for _ in range(people):
        person = newcomer(study)
        while not isinstance(lease_batch(participation=person, now=timezone.now()), NothingLeft):
            person.assignments.filter(state="active").update(
                state="submitted", submitted_at=timezone.now()
            )


def shared_units(study: Study) -> Counter[tuple[int, int]]:
    people: dict[int, list[int]] = {}
    rows = AssignmentUnit.objects.filter(assignment__participation__study=study)
    for unit, worker in rows.values_list("unit", "worker").order_by("worker"):
        people.setdefault(unit, []).append(worker)
    return Counter(pair for of in people.values() for pair in combinations(of, 2))


def test_six_people_one_after_another_all_share_units() -> None:
    """63 units of two answers in batches of 21, one each: before, 3 of 15 pairs shared 21 units."""
    study = make_study(sources=63, overlap=2, per_batch=21, max_batches_per_worker=1)
    come_one_after_another(study, 6)
    shared = shared_units(study)
    assert len(shared) >= 14
    assert max(shared.values()) <= 9


def test_every_unit_gets_its_answers_all_the_same() -> None:
    study = make_study(sources=30, overlap=3, per_batch=5, max_batches_per_worker=4)
    come_one_after_another(study, 8)
    assert set(Place.objects.values_list("held", flat=True)) == {3}


def test_what_has_priority_goes_first_whoever_began_it() -> None:
    study = make_study(sources=12, overlap=2, per_batch=2)
    lease(newcomer(study))
    urgent = list(
        study.units.filter(places__held=0).order_by("pk").values_list("pk", flat=True)[:2]
    )
    prioritise_units(study=study, units=urgent, priority=Place.Priority.FIRST)
    batch = lease(newcomer(study))
    assert {one.unit_id for one in batch.assignment_units.all()} == set(urgent)


def test_where_one_answer_is_wanted_nobody_has_partners() -> None:
    study = make_study(sources=3, overlap=1)
    assert bring_together(1, study.rounds.get(), set()) == []


def test_the_first_person_takes_places_in_their_order() -> None:
    study = make_study(sources=6, overlap=2, per_batch=3)
    assert bring_together(1, study.rounds.get(), set()) == []
    batch = lease(newcomer(study))
    first = Place.objects.order_by("turn").values_list("pk", flat=True)[:3]
    assert {one.place_id for one in batch.assignment_units.all()} == set(first)
