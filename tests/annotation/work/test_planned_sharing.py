"""What people will share, before anybody has come."""

import pytest
from django.utils import timezone

from annotation.models import AssignmentUnit, Study
from annotation.rounds.sharing import FirstMet, Sharing, Spread, sharing_of
from annotation.work.assignment import NothingLeft, lease_batch
from annotation.work.planned_sharing import (
    MOST_ANSWERS,
    Rules,
    Units,
    planned_sharing,
    sharing_of_study,
    units_asked,
)
from tests.annotation.rounds.team.teams import make_team_study
from tests.annotation.workers import newcomer
from tests.cast import make_study

CROWD, FIXED, TEAM = "composed", "fixed", "team"


def units(sources: int, systems: int = 1) -> Units:
    return Units(
        [source for source in range(sources) for _ in range(systems)],
        [f"S{system}" for _ in range(sources) for system in range(systems)],
    )


def found(of: Units, rules: Rules) -> Sharing:
    planned = planned_sharing(of, rules)
    assert planned is not None
    return planned.sharing


def order(of: Units, rules: Rules) -> FirstMet | None:
    planned = planned_sharing(of, rules)
    assert planned is not None
    return planned.order


def test_a_team_that_answers_everything_shares_everything() -> None:
    """Three members, twelve units: each pair shares all twelve."""
    sharing = found(units(4, 3), Rules(TEAM, 3, 2, 1, members=3))
    assert (sharing.units, sharing.shared) == (Spread(12, 12, 12), Spread(12, 12, 12))
    assert sharing.partners == Spread(2, 2, 2)


def test_shares_with_one_answer_are_connected_by_a_calibration_alone() -> None:
    """Twelve sources, three members, one answer: four each; with three sources for all, 3 + 9/3."""
    apart = found(units(12), Rules(TEAM, 1, 2, 1, members=3))
    assert (apart.units, apart.shared, len(apart.groups)) == (Spread(4, 4, 4), None, 3)
    calibrated = found(units(12), Rules(TEAM, 1, 2, 1, members=3, calibration=3))
    assert (calibrated.units, calibrated.shared) == (Spread(6, 6, 6), Spread(3, 3, 3))
    assert len(calibrated.groups) == 1


def test_four_members_with_two_answers_share_as_in_a_balanced_design() -> None:
    """Of 12 sources each of 6 pairs gets 2, and each member 6 (v = 4, k = 2, λ = 2)."""
    sharing = found(units(12), Rules(TEAM, 2, 2, 1, members=4))
    assert (sharing.units, sharing.shared) == (Spread(6, 6, 6), Spread(2, 2, 2))


def test_people_with_the_same_fixed_batches_meet_nobody_else() -> None:
    """Twelve units in batches of three, two people a batch and one batch a person: four pairs."""
    sharing = found(units(12), Rules(FIXED, 2, 3, 1))
    assert (sharing.n_people, sharing.shared) == (8, Spread(3, 3, 3))
    assert [len(of) for of in sharing.groups] == [2, 2, 2, 2]


def test_a_crowd_is_connected() -> None:
    sharing = found(units(63), Rules(CROWD, 2, 21, 1))
    # 126 answers are six batches; who comes last may find only units that want two.
    assert sharing.n_people in {6, 7}
    assert len(sharing.groups) == 1
    assert sharing.partners.middle >= 5


def test_nobody_of_a_crowd_meets_two_outputs_of_a_source() -> None:
    """Four sources of three systems: a person has four units at most."""
    sharing = found(units(4, 3), Rules(CROWD, 2, 3, 5))
    assert sharing.units.most <= 4


@pytest.mark.parametrize("kind", [CROWD, FIXED, TEAM])
@pytest.mark.parametrize("overlap", [1, 2, 4])
def test_every_unit_gets_its_answers(kind: str, overlap: int) -> None:
    sharing = found(units(10), Rules(kind, overlap, 3, 2, members=4))
    if kind == TEAM:
        assert sharing.n_people == 4
    assert sharing.units.least * sharing.n_people <= 10 * overlap
    assert sharing.units.most * sharing.n_people >= 10 * overlap


@pytest.mark.parametrize(
    ("kind", "overlap", "per_batch", "members"),
    [(CROWD, MOST_ANSWERS + 1, 5, 0), (CROWD, 2, 0, 0), (TEAM, 200, 5, 200), (TEAM, 2, 5, 0)],
)
def test_nothing_is_said_of_what_takes_too_long_or_of_nobody(
    kind: str, overlap: int, per_batch: int, members: int
) -> None:
    assert planned_sharing(units(20), Rules(kind, overlap, per_batch, 5, members=members)) is None


def test_each_of_three_systems_is_planned_to_be_first_equally_often() -> None:
    """Six sources and three members are 18 firsts; a square of six rows has each system twice."""
    first = order(units(6, 3), Rules(TEAM, 3, 2, 1, members=3))
    assert first == FirstMet({"S0": 6, "S1": 6, "S2": 6}, 0)
    assert order(units(6, 3), Rules(CROWD, 3, 2, 1)) is None


def test_seven_systems_and_three_people_leave_a_remainder() -> None:
    """Of 14 rows each member meets ten, and each system is first in two."""
    first = order(units(10, 7), Rules(TEAM, 3, 2, 1, members=3))
    assert first is not None
    assert sum(first.times.values()) == 30
    assert first.remainder <= 2


@pytest.mark.django_db
def test_what_is_planned_for_a_crowd_is_what_comes() -> None:
    study = make_study(sources=40, overlap=2, per_batch=5, max_batches_per_worker=2)
    planned = sharing_of_study(study)
    for _ in range(8):
        person = newcomer(study)
        while not isinstance(lease_batch(participation=person, now=timezone.now()), NothingLeft):
            person.assignments.filter(state="active").update(
                state="submitted", submitted_at=timezone.now()
            )
    people: dict[int, list[int]] = {}
    for unit, worker in AssignmentUnit.objects.values_list("unit", "worker"):
        people.setdefault(unit, []).append(worker)
    came = sharing_of(people.values())
    assert planned is not None
    assert came is not None
    assert (planned.n_people, planned.units) == (came.n_people, came.units)
    assert abs(planned.partners.middle - came.partners.middle) <= 2


@pytest.mark.django_db
def test_what_a_table_says_is_what_members_share() -> None:
    study = make_team_study(sources=4, systems=3, members=3, overlap=3)
    sharing = sharing_of_study(study)
    assert sharing is not None
    assert (sharing.shared, sharing.systems) == (Spread(12, 12, 12), Spread(3, 3, 3))
    assert set(sharing.groups[0]) == set(study.seats.values_list("pk", flat=True))


@pytest.mark.django_db
def test_units_of_several_systems_have_none_of_their_own() -> None:
    study = make_team_study(sources=2, systems=2, members=2, overlap=2)
    first, second = study.units.order_by("pk")[:2]
    second.unit_items.update(unit=first, position=1)
    asked = units_asked(study)
    assert sorted(asked.systems) == ["", "", "S0", "S1"]


@pytest.mark.django_db
def test_a_study_without_a_round_that_counts_plans_nothing() -> None:
    study = make_study()
    study.rounds.update(counts=False)
    assert sharing_of_study(Study.objects.get(pk=study.pk)) is None
