from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import (
    Assignment,
    FixedBatch,
    FixedBatchPlace,
    Item,
    Participation,
    Study,
    Unit,
)
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.places import open_places
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.submission import submit
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import answer_all, counts, lease, newcomer
from tests.cast import add_unit, make_study

pytestmark = pytest.mark.django_db


def make_fixed(**fields: Any) -> Study:
    study = make_study(batches=Study.Batches.FIXED, **fields)
    fix_batches(study=study)
    return study


def units(batch: Assignment) -> tuple[int, ...]:
    return tuple(batch.assignment_units.order_by("position").values_list("unit", flat=True))


def composed() -> dict[int, tuple[str, ...]]:
    return {
        batch.number: tuple(batch.batch_places.values_list("place__unit__key", flat=True))
        for batch in FixedBatch.objects.all()
    }


def work(person: Participation) -> int:
    """All the batches that there are for this person."""
    n = 0
    while isinstance(batch := lease_batch(participation=person, now=timezone.now()), Assignment):
        submit(assignment=answer_all(batch), now=timezone.now())
        n += 1
    return n


def test_every_normal_unit_is_in_one_batch_with_its_controls() -> None:
    make_fixed(sources=7, positive=2, negative=2, per_batch=3)
    sizes = sorted(batch.batch_places.count() for batch in FixedBatch.objects.all())
    normal = FixedBatchPlace.objects.filter(place__role="normal")
    assert sizes == [3, 5, 5]
    assert normal.count() == normal.values("place").distinct().count() == 7


def test_the_same_seed_makes_the_same_batches() -> None:
    make_fixed(sources=7, positive=2, per_batch=3, seed=5)
    first = composed()
    Study.objects.all().delete()
    make_fixed(sources=7, positive=2, per_batch=3, seed=5)
    assert composed() == first


def test_a_fixed_batch_is_given_whole_to_several_workers_in_one_order() -> None:
    study = make_fixed(sources=4, positive=1, per_batch=2, overlap=2)
    given = [units(lease(newcomer(study))) for _ in range(4)]
    assert len(set(given)) == 2
    assert sorted(map(given.count, set(given))) == [2, 2]
    assert counts(study) == [(2, 0)] * 4


def test_nobody_gets_more_than_the_overlap() -> None:
    study = make_fixed(sources=4, per_batch=2, overlap=1)
    assert [work(newcomer(study)) for _ in range(2)] == [2, 0]
    assert counts(study) == [(0, 1)] * 4


def test_a_batch_that_was_given_back_is_given_out_again() -> None:
    study = make_fixed(sources=2, per_batch=2, overlap=1)
    person = newcomer(study)
    lease(person, now=timezone.now() - timedelta(days=1))
    assert lease(newcomer(study)).assignment_units.count() == 2


def test_no_batch_holds_a_source_twice_and_none_starves_for_that() -> None:
    study = make_study(batches=Study.Batches.FIXED, sources=4, per_batch=2, overlap=1)
    round_ = study.rounds.get()
    for source in study.sources.all():
        _second_item(study, source.pk)
    open_places(study)
    assert fix_batches(study=study) == 4
    for batch in round_.batches.all():
        sources = list(batch.batch_places.values_list("place__source", flat=True))
        assert len(sources) == len(set(sources))
    people = [newcomer(study) for _ in range(4)]
    assert sum(map(work, people)) == 4
    assert set(counts(study)) == {(0, 1)}


def _second_item(study: Study, source: int) -> None:
    item = Item.objects.create(study=study, source_id=source, key=f"second/{source}", sentences=[])
    unit = Unit.objects.create(study=study, source_id=source, key=item.key)
    unit.subsets.add(study.subsets.get(name="sample"))
    for question in study.questions.filter(unit__source=source):
        question.pk, question.unit = None, unit
        question.save()


def test_a_worker_never_meets_a_control_twice() -> None:
    study = make_fixed(sources=6, positive=2, per_batch=1, overlap=1)
    assert work(newcomer(study)) == 2
    nothing = lease_batch(participation=newcomer(study), now=timezone.now())
    assert isinstance(nothing, Assignment)


def test_what_is_added_later_goes_into_batches_of_its_own() -> None:
    study = make_fixed(sources=4, per_batch=2)
    before = composed()
    add_unit(study, study.rounds.get(), 500, Unit.Role.NORMAL)
    assert fix_batches(study=study) == 1
    assert fix_batches(study=study) == 0
    after = composed()
    assert {number: after[number] for number in before} == before


def test_studies_with_composed_batches_fix_none() -> None:
    assert fix_batches(study=make_study()) == 0


def test_a_fixed_pilot_without_room_still_lets_people_qualify() -> None:
    study = make_pilot_study(pilot_sources=2, overlap=1, batches=Study.Batches.FIXED)
    fix_batches(study=study)
    for _ in range(2):
        person = newcomer(study)
        do_batch(person)
        person.refresh_from_db()
        assert person.state == Participation.State.QUALIFIED


def test_who_has_met_every_open_batch_is_told_so() -> None:
    study = make_fixed(sources=2, per_batch=2, overlap=2)
    person = newcomer(study)
    work(person)
    nothing = lease_batch(participation=person, now=timezone.now())
    assert nothing == NothingLeft(Reason.ALL_MET)


def test_units_that_come_later_get_controls_where_the_circle_had_ended() -> None:
    study = make_fixed(sources=2, positive=4, per_batch=1)
    round_ = study.rounds.get()
    add_unit(study, round_, 100, Unit.Role.NORMAL)
    add_unit(study, round_, 101, Unit.Role.NORMAL)
    assert fix_batches(study=study) == 2
    controls = FixedBatchPlace.objects.filter(place__role="positive")
    assert controls.values("place").distinct().count() == 4
