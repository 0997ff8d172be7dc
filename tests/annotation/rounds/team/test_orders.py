"""Orders of members: counterbalanced, and outputs of one source far apart."""

from collections import Counter
from itertools import pairwise

import pytest

from annotation.rounds.team.orders import least_between, order_of_member, williams_design


def outputs(sources: int, systems: int) -> dict[int, list[tuple[int, str]]]:
    return {
        source: [(source * systems + of, f"S{of}") for of in range(systems)]
        for source in range(sources)
    }


def orders(sources: int, systems: int, members: int) -> list[list[int]]:
    of = outputs(sources, systems)
    return [
        order_of_member(of, member=member, members=members, seed="7") for member in range(members)
    ]


def test_the_design_of_four_is_that_of_williams() -> None:
    # Williams 1949, table for n = 4: 1 2 4 3 / 2 3 1 4 / 3 4 2 1 / 4 1 3 2, from 0 on.
    assert williams_design(4) == [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8, 16])
def test_each_condition_stands_equally_often_at_each_place_and_after_each_other(n: int) -> None:
    rows = williams_design(n)
    places = Counter((place, of) for row in rows for place, of in enumerate(row))
    after = Counter(pair for row in rows for pair in pairwise(row))
    assert set(places.values()) == {len(rows) // n}
    assert len(after) == n * (n - 1)
    assert set(after.values()) == {len(rows) // n}


def test_a_design_without_conditions_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        williams_design(0)


@pytest.mark.parametrize(("sources", "systems"), [(100, 16), (40, 5), (6, 7), (1, 3)])
def test_every_member_meets_every_output_once(sources: int, systems: int) -> None:
    for order in orders(sources, systems, 3):
        assert sorted(order) == list(range(sources * systems))


@pytest.mark.parametrize(("sources", "systems"), [(100, 16), (40, 5), (6, 7), (2, 3)])
def test_all_other_sources_lie_between_two_outputs_of_one(sources: int, systems: int) -> None:
    source_of = {unit: unit // systems for unit in range(sources * systems)}
    for order in orders(sources, systems, 3):
        assert least_between(order, source_of) == sources - 1


def test_nothing_lies_between_what_comes_once() -> None:
    assert least_between([1, 2, 3], {1: 1, 2: 2, 3: 3}) is None


@pytest.mark.parametrize(("sources", "systems"), [(32, 16), (40, 5), (42, 7)])
def test_each_system_comes_equally_often_in_each_pass(sources: int, systems: int) -> None:
    """Where the sources are a multiple of the rows; else but for a remainder."""
    rows = len(williams_design(systems))
    for order in orders(sources, systems, 3):
        met = Counter((at // sources, unit % systems) for at, unit in enumerate(order))
        least, most = sources // rows * (rows // systems), -(-sources // rows) * (rows // systems)
        assert set(met.values()) <= set(range(least, most + 1))


def test_members_meet_the_systems_of_a_source_in_different_orders() -> None:
    firsts = []
    for order in orders(20, 4, 4):
        firsts.append({unit // 4: unit % 4 for unit in reversed(order)})
    assert all(len({first[source] for first in firsts}) == 4 for source in range(20))


def test_the_order_depends_on_the_seed_alone() -> None:
    of = outputs(10, 3)
    one, same, other = (
        order_of_member(of, member=0, members=2, seed=seed) for seed in ("a", "a", "b")
    )
    assert one == same != other


def test_outputs_of_a_source_with_more_of_them_are_spread_over_the_whole() -> None:
    of = outputs(12, 2) | {99: [(1000 + at, f"S{at}") for at in range(6)]}
    order = order_of_member(of, member=0, members=3, seed="1")
    positions = [at for at, unit in enumerate(order) if unit >= 1000]
    assert min(b - a for a, b in pairwise(positions)) >= 3
