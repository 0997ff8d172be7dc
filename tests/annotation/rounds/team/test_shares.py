"""Shares of a team: everybody has as much to do, and every pair shares as much, but for a rest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest

from annotation.rounds.team.shares import share_out


def shared_units(
    chosen: Mapping[int, Sequence[int]], units: Mapping[int, int]
) -> Counter[tuple[int, ...]]:
    """How many units each pair of members shares."""
    shared: Counter[tuple[int, ...]] = Counter()
    for source, members in chosen.items():
        for pair in combinations(sorted(members), 2):
            shared[pair] += units[source]
    return shared


@pytest.mark.parametrize(
    ("members", "answers", "sources"),
    [(6, 2, 63), (7, 3, 70), (10, 2, 45), (5, 3, 20), (12, 3, 200)],
)
def test_every_pair_of_members_comes_to_share_nearly_as_much(
    members: int, answers: int, sources: int
) -> None:
    units = dict.fromkeys(range(sources), 1)
    chosen = share_out(units, members=range(members), answers=answers, seed="1")
    shared = shared_units(chosen, units)
    even = sources * answers * (answers - 1) / (members * (members - 1))
    assert len(shared) == members * (members - 1) // 2
    assert all(abs(n - even) <= 2 for n in shared.values())
    loads = Counter(member for of in chosen.values() for member in of)
    assert max(loads.values()) - min(loads.values()) <= 2


def test_seven_sources_of_three_among_seven_are_a_fano_plane() -> None:
    """The smallest balanced incomplete block design with 3 answers (Yates 1936): each pair once."""
    units = dict.fromkeys(range(7), 1)
    for seed in "abcdef":
        chosen = share_out(units, members=range(7), answers=3, seed=seed)
        assert set(shared_units(chosen, units).values()) == {1}


def test_a_source_with_many_outputs_weighs_as_much_as_they_are() -> None:
    units = {0: 10} | dict.fromkeys(range(1, 11), 1)
    chosen = share_out(units, members=[1, 2], answers=1, seed="1")
    loads = Counter(dict.fromkeys((1, 2), 0))
    for source, (member,) in chosen.items():
        loads[member] += units[source]
    assert loads == {1: 10, 2: 10}


def test_who_has_a_source_already_keeps_it() -> None:
    units = dict.fromkeys(range(4), 1)
    chosen = share_out(units, members=[1, 2, 3], answers=2, seed="1", given={0: [3], 1: [9]})
    assert chosen[0][0] == 3
    assert chosen[1][0] == 9
    assert all(len(of) == 2 for of in chosen.values())


def test_no_source_has_more_answers_than_there_are_members() -> None:
    chosen = share_out({0: 1}, members=[1, 2], answers=5, seed="1")
    assert sorted(chosen[0]) == [1, 2]
