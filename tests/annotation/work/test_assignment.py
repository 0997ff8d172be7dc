from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Participation, Place, Source, Study, Unit
from annotation.rights.withdrawal import leave
from annotation.rounds.places import shuffle_of
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.choice import share_of_order
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, counts, lease, newcomer, normal_units
from tests.cast import make_study

pytestmark = pytest.mark.django_db

Role = Unit.Role


def why_not(participation: Participation) -> Reason:
    round_ = participation.study.rounds.get()
    nothing = lease_batch(participation=participation, round_=round_, now=timezone.now())
    assert isinstance(nothing, NothingLeft)
    return nothing.why


def roles(batch: Assignment) -> list[str]:
    return list(batch.assignment_units.values_list("place__role", flat=True))


def test_a_batch_holds_normal_units_and_one_control_of_each_kind() -> None:
    batch = lease(newcomer(make_study(sources=5, positive=3, negative=3, per_batch=2)))
    assert sorted(roles(batch)) == sorted([Role.NORMAL, Role.NORMAL, Role.POSITIVE, Role.NEGATIVE])
    assert [one.position for one in batch.assignment_units.all()] == [1, 2, 3, 4]


def test_only_normal_units_hold_room_and_the_count_says_so() -> None:
    study = make_study(sources=2, positive=2, per_batch=2)
    batch = lease(newcomer(study))
    assert counts(study) == [(1, 0), (1, 0)]
    assert [one.holds for one in batch.assignment_units.filter(place__role=Role.POSITIVE)] == [
        False
    ]


def test_units_are_given_out_in_the_order_of_the_shuffle() -> None:
    study = make_study(sources=6, per_batch=2)
    first = list(Place.objects.order_by("shuffle").values_list("unit", flat=True)[:2])
    assert {one.unit_id for one in normal_units(lease(newcomer(study)))} == set(first)


def test_the_same_seed_orders_a_batch_the_same_way_and_is_stored() -> None:
    seeds, orders = set(), set()
    for slug in ("one", "two", "three"):
        study = make_study(slug, sources=4, positive=4, negative=4, per_batch=4, seed=7)
        batch = lease(newcomer(study))
        seeds.add(batch.seed)
        orders.add(tuple(batch.assignment_units.values_list("unit__key", flat=True)))
    assert len(seeds) == len(orders) == 1


def test_batches_of_several_workers_differ_in_order_and_controls() -> None:
    study = make_study(sources=4, overlap=12, positive=12, per_batch=4)
    batches = [lease(newcomer(study)) for _ in range(12)]
    places = {roles(batch).index(Role.POSITIVE) for batch in batches}
    controls = {batch.assignment_units.get(place__role=Role.POSITIVE).unit_id for batch in batches}
    assert len(places) > 1
    assert len(controls) > 3


def test_a_worker_never_meets_a_source_twice() -> None:
    study = make_study(sources=4, overlap=3, positive=2, per_batch=2)
    person = newcomer(study)
    met: list[int] = []
    for _ in range(2):
        batch = answer_all(lease(person))
        met += batch.assignment_units.values_list("source", flat=True)
        submit(assignment=batch, now=timezone.now())
    assert len(met) == len(set(met)) == 6
    assert why_not(person) == Reason.ALL_MET


def test_two_units_of_one_source_never_share_a_batch() -> None:
    study = make_study(sources=4, per_batch=4)
    one, other = Source.objects.order_by("pk")[:2]
    Unit.objects.filter(source=other).update(source=one)
    Place.objects.filter(source=other).update(source=one)
    batch = lease(newcomer(study))
    assert len(normal_units(batch)) == 3
    assert sum(held for held, _ in counts(study)) == 3


def test_the_last_batch_may_be_short_of_normal_units() -> None:
    study = make_study(sources=3, overlap=1, positive=2, per_batch=2)
    lease(newcomer(study))
    assert sorted(roles(lease(newcomer(study)))) == [Role.NORMAL, Role.POSITIVE]


def test_no_batch_is_short_of_controls_and_nothing_is_held_for_it() -> None:
    study = make_study(sources=6, positive=1, per_batch=2)
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    before = counts(study)
    assert why_not(person) == Reason.ALL_MET
    assert counts(study) == before


def test_an_open_batch_is_returned_instead_of_a_second() -> None:
    study = make_study(sources=4, overlap=1, per_batch=2)
    person = newcomer(study)
    assert lease(person) == lease(person)
    assert sum(held for held, _ in counts(study)) == 2


def test_a_batch_whose_lease_ran_out_is_still_the_open_one() -> None:
    study = make_study()
    person = newcomer(study)
    old = lease(person, now=timezone.now() - timedelta(days=1))
    assert lease(person) == old


def test_what_others_hold_is_not_given_out_until_their_lease_runs_out() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2, lease_minutes=30)
    now = timezone.now()
    lease(newcomer(study), now=now)
    person = newcomer(study)
    assert why_not(person) == Reason.HELD_BY_OTHERS
    assert len(normal_units(lease(person, now=now + timedelta(minutes=31)))) == 2


def test_when_every_unit_has_its_answers_that_is_what_the_worker_is_told() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2)
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    assert why_not(newcomer(study)) == Reason.ALL_ANSWERED


def test_a_worker_gets_no_more_batches_than_the_study_allows() -> None:
    study = make_study(sources=4, overlap=2, per_batch=1, max_batches_per_worker=1)
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    assert why_not(person) == Reason.LIMIT


@pytest.mark.parametrize("state", [Study.State.DRAFT, Study.State.CLOSED])
def test_a_study_that_is_not_open_gives_out_nothing(state: Study.State) -> None:
    person = newcomer(make_study())
    Study.objects.update(state=state)
    assert why_not(person) == Reason.NOT_OPEN


def test_who_has_left_gets_nothing_more() -> None:
    person = newcomer(make_study())
    leave(participation=person)
    assert why_not(person) == Reason.ENDED


def _plans(study: Study) -> dict[str, str]:
    """The database's plan for each query of leasing that meets a table of a study's size."""
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    met = list(Place.objects.values_list("source", flat=True)[:3])
    round_ = study.rounds.get()
    open_places = Place.objects.open_in(round_, without=met)
    controls = Place.objects.controls_in(round_, Role.POSITIVE, without=met)
    run_out = Assignment.objects.filter(state="active", lease_until__lte=timezone.now())
    return {
        "normal": open_places.values("pk", "unit", "source")[:4].explain(),
        "is there more": open_places.values("pk")[:1].explain(),
        "control": controls.filter(shuffle__gte=5).values("pk", "unit", "source")[:1].explain(),
        "run out": run_out.order_by("lease_until").values("pk")[:500].explain(),
    }


# PostgreSQL rolls back the rows, but not how many ANALYZE found in each table. Every later test of
# the process would be planned by that, as if the tables were empty, unless they are truncated.
@pytest.mark.django_db(transaction=connection.vendor == "postgresql")
def test_leasing_walks_along_its_indexes_and_never_scans_or_sorts_the_table() -> None:
    study = make_study(sources=4, positive=4, per_batch=2)
    # Enough rows for a planner to care.
    sources = Source.objects.bulk_create(
        Source(study=study, key=f"bulk-{number}", claim="…") for number in range(3000)
    )
    units = Unit.objects.bulk_create(
        Unit(study=study, source=source, key=source.key) for source in sources
    )
    Place.objects.bulk_create(
        Place(
            round=study.rounds.get(),
            unit=unit,
            source_id=unit.source_id,
            role="positive" if number % 2 else "normal",
            wanted=None if number % 2 else 2,
            shuffle=number,
        )
        for number, unit in enumerate(units)
    )
    old = {"state": "submitted", "submitted_at": timezone.now(), "lease_until": timezone.now()}
    person = newcomer(study)
    Assignment.objects.bulk_create(
        Assignment(round=study.rounds.get(), participation=person, seed=0, **old)
        for _ in range(3000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    plans = _plans(study)
    for name, index in {
        "normal": "place_open",
        "is there more": "place_open",
        "control": "place_control",
        "run out": "assignment_lease",
    }.items():
        assert index in plans[name], plans[name]
        assert "Sort" not in plans[name]
        assert "TEMP B-TREE" not in plans[name]
        assert "Seq Scan" not in plans[name]


@pytest.mark.parametrize("sources", [4, 40])
def test_the_number_of_queries_for_a_batch_does_not_grow_with_the_units(sources: int) -> None:
    study = make_study(sources=sources, positive=2, per_batch=2)
    lease(newcomer(study))
    person = newcomer(study)
    with CaptureQueriesContext(connection) as queries:
        lease(person)
    # Three of them look for places that bring people together.
    assert len(queries) <= 26, [query["sql"] for query in queries]


def test_a_batch_keeps_how_long_it_was_said_to_take() -> None:
    study = make_study(sources=8, overlap=1, per_batch=1)
    first = lease(newcomer(study))
    assert first.expected_minutes == 7  # the study file's estimate
    now = timezone.now()
    for _ in range(5):
        batch = lease(newcomer(study), now=now - timedelta(minutes=20))
        submit(assignment=answer_all(batch), now=now)
    assert lease(newcomer(study)).expected_minutes == 21  # as measured
    first.refresh_from_db()
    assert first.expected_minutes == 7


def test_only_a_first_batch_counts_the_way_to_it() -> None:
    person = newcomer(make_study(sources=4, per_batch=1))
    first = lease(person)
    assert first.way_in_minutes == 2
    submit(assignment=answer_all(first), now=timezone.now())
    assert lease(person).way_in_minutes is None


def test_a_lease_keeps_how_much_of_the_random_order_was_given_out_up_to_each_unit() -> None:
    study = make_study(sources=6, per_batch=2, positive=2)
    units = lease(newcomer(study)).assignment_units.select_related("place")
    shares = {unit.place.role: unit.inclusion == (unit.place.shuffle + 1) / 2**31 for unit in units}
    assert shares == {"normal": True, "positive": False}
    assert [unit.inclusion for unit in units if unit.place.role == Role.POSITIVE] == [None]


def test_shares_of_the_random_order_are_even_over_all_units() -> None:
    study = make_study(sources=1, seed=3)
    shuffles = [shuffle_of(study, study.rounds.get(), f"unit-{at}") for at in range(400)]
    shares = sorted(share for share in map(share_of_order, shuffles) if share is not None)
    furthest = max(abs(share - (at + 0.5) / 400) for at, share in enumerate(shares))
    assert furthest < 1.63 / 400**0.5  # Kolmogorov and Smirnov at .01
