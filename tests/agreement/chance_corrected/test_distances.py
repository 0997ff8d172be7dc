import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import jaccard_distance, masi_distance

from agreement import DISTANCES, correlation
from agreement.chance_corrected.distances import distance_named
from agreement.values.coding import pack_sets

SETS = st.frozensets(st.integers(0, 150), max_size=6)
RANKINGS = st.lists(st.integers(1, 4), min_size=4, max_size=4)
VALUES = {
    "label": st.text(max_size=2),
    "number": st.floats(0, 1e6),
    "set": SETS,
    "ranks": RANKINGS,
}


@pytest.mark.parametrize(
    ("name", "first", "second", "expected"),
    [
        ("nominal", "a", "b", 1),
        ("ordinal", 3, 70, 1),  # neighbours, each seen once: mid-ranks 1/2 and 3/2
        ("interval", 1, 4, 9),
        ("ratio", 1, 3, 1 / 4),  # (2/4)^2
        ("ratio", 0, 0, 0),
        ("ratio", 0, 5, 1),
        ("jaccard", {1, 2}, {2, 3}, 2 / 3),  # one of three
        ("jaccard", set(), set(), 0),
        ("jaccard", set(), {1}, 1),
        ("masi", {1}, {1, 2}, 2 / 3),  # 1 - 1/2 * 2/3
        ("masi", {1, 2}, {2, 3}, 8 / 9),  # 1 - 1/3 * 1/3
        ("masi", {1}, {2}, 1),
        ("masi", set(), set(), 0),
        ("masi", set(), {1}, 1),
        ("kendall", [1, 2, 3], [2, 1, 3], 1 / 3),  # one of three pairs turned
        ("kendall", [1, 2, 3], [3, 2, 1], 1),
        ("kendall", [1, 2, 2], [1, 3, 2], 1 / 6),  # one of three tied in one of them: half
        ("kendall", [1, 2, 2], [10, 30, 30], 0),
        ("kendall", {"a": 1, "b": 2}, {"b": 1, "a": 2}, 1),
        ("kendall", [1], [1], 0),
    ],
)
def test_distances_by_hand(name: str, first: object, second: object, expected: float) -> None:
    assert DISTANCES[name](first, second) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", DISTANCES)
@given(data=st.data())
def test_a_distance_is_zero_on_equal_values_symmetric_and_never_negative(
    name: str, data: st.DataObject
) -> None:
    distance = DISTANCES[name]
    first, second = (data.draw(VALUES[distance.kind]) for _ in range(2))
    assert distance(first, first) == 0
    assert distance(first, second) == distance(second, first) >= 0


@given(st.lists(SETS, min_size=2, max_size=8, unique=True))
def test_distances_between_packed_sets_are_those_of_nltk(sets: list[frozenset[int]]) -> None:
    packed, index = pack_sets(sets), np.arange(len(sets))
    for name, theirs in (("jaccard", jaccard_distance), ("masi", masi_distance)):
        ours = DISTANCES[name].between(packed, index[:, None], index[None, :])
        for i, j in itertools.combinations(index, 2):
            assert ours[i, j] == pytest.approx(theirs(sets[i], sets[j]), abs=1e-12)


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_the_distance_between_rankings_without_ties_is_half_of_1_minus_tau(
    first: list[int], second: list[int]
) -> None:
    tau = correlation(first, second, method="kendall_tau_b")
    assert DISTANCES["kendall"](first, second) == pytest.approx((1 - float(tau)) / 2, abs=1e-12)


def test_a_set_may_hold_numbers_and_words() -> None:
    assert DISTANCES["jaccard"]({1, "other"}, {"other"}) == 0.5


def test_what_is_not_of_the_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="not a set"):
        DISTANCES["jaccard"]("abc", "abd")
    with pytest.raises(TypeError, match="not a ranking"):
        DISTANCES["kendall"]("abc", "abd")
    with pytest.raises(ValueError, match="same candidates"):
        DISTANCES["kendall"]([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="misses a rank"):
        DISTANCES["kendall"]([1, 2], [1, None])
    with pytest.raises(TypeError, match="not a number"):
        DISTANCES["interval"]("1", 2)
    with pytest.raises(ValueError, match="from 0 upwards"):
        DISTANCES["ratio"](-1, 2)
    with pytest.raises(ValueError, match="no distance"):
        DISTANCES["interval"](None, 2)
    with pytest.raises(ValueError, match="one of nominal, ordinal"):
        distance_named("cosine")
