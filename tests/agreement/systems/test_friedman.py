import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import critical_difference, friedman
from agreement.systems.friedman import FriedmanTest

# Demsar (2006), Table 6: AUC of four learners on 14 data sets. 0.9751 is printed as 0.975, but
# its printed rank shows that it is no tie.
LEARNERS = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip
TABLES = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=8)
)


def of(table: list[list[Any]], **options: Any) -> FriedmanTest:
    rows = [(b, f"s{s}", v) for b, row in enumerate(table) for s, v in enumerate(row)]
    blocks, systems, values = zip(*rows, strict=True)
    return friedman(blocks, systems, values, **options)


def test_friedman_by_hand() -> None:
    # Ranks 1 2 3, 1 3 2, 1 2 3: means 1, 7/3, 8/3; squares 1 + 1/9 + 4/9 = 14/9.
    # 12 * 3 * 14/9 / (3 * 4) = 14/3; p of two degrees is exp(-7/3); W = (14/3) / (3 * 2)
    test = of([[10, 20, 30], [1, 9, 5], [0, 1, 2]])
    assert test.chi_square.value == pytest.approx(14 / 3)
    assert test.p_value.value == pytest.approx(math.exp(-7 / 3), abs=1e-14)
    assert test.w.value == pytest.approx(7 / 9)
    assert test.degrees == 2
    assert test.mean_ranks == {"s0": 1, "s1": pytest.approx(7 / 3), "s2": pytest.approx(8 / 3)}


def test_two_systems_have_nemenyis_p_of_two_normal_values() -> None:
    # 9 of 10 blocks: mean ranks 1.1 and 1.9, unit sqrt(6 / 120); the range of two normal values
    # exceeds q with probability erfc(q / 2).
    test = of([[0, 1]] * 9 + [[1, 0]])
    expected = math.erfc(0.8 / math.sqrt(6 / 120) / 2)
    assert test.pairs["s0", "s1"].value == pytest.approx(expected, abs=1e-13)


def test_ranks_of_four_learners_have_the_published_digits() -> None:
    test = of(LEARNERS, descending=True)
    assert [round(rank, 3) for rank in test.mean_ranks.values()] == [3.143, 2.000, 2.893, 1.964]
    # The paper computes chi square without the correction for ties.
    squares = sum(rank**2 for rank in test.mean_ranks.values())
    assert 12 * 14 / (4 * 5) * (squares - 4 * 25 / 4) == pytest.approx(9.28, abs=0.005)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, level=0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("level", "published"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_are_those_of_the_published_table(
    level: float, published: list[float]
) -> None:
    # Demsar (2006), Table 5a; CD / sqrt(k (k + 1) / (6 b)), rounded up here and there.
    ours = [
        critical_difference(k, 1, level=level) / math.sqrt(k * (k + 1) / 6) for k in range(2, 11)
    ]
    assert ours == pytest.approx(published, abs=1.1e-3)


def plain(table: list[list[float]]) -> float | None:
    """Conover's form for ties: (k - 1) (sum R^2 - b C) / (A - C) with C = b k (k + 1)^2 / 4."""
    b, k = len(table), len(table[0])
    ranks = [
        [sum(o < v for o in row) + (sum(o == v for o in row) + 1) / 2 for v in row] for row in table
    ]
    squares = sum(rank**2 for row in ranks for rank in row)
    centre = b * k * (k + 1) ** 2 / 4
    if squares == centre:
        return None
    sums = [sum(row[j] for row in ranks) for j in range(k)]
    return (k - 1) * (sum(s**2 for s in sums) - b * centre) / (squares - centre)


@given(TABLES)
def test_friedman_equals_conovers_form(table: list[list[float]]) -> None:
    expected = plain(table)
    ours = of(table).chi_square.value
    assert ours == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_friedmans_test_equals_scipys() -> None:
    rng = np.random.default_rng(0)
    for k in (3, 6):
        table = rng.integers(0, 5, (25, k)) + np.arange(k) / 2
        ours = of(table.tolist())
        theirs = stats.friedmanchisquare(*table.T)
        assert ours.chi_square.value == pytest.approx(theirs.statistic, abs=1e-9)
        assert ours.p_value.value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_nemenyis_p_is_the_share_of_wider_ranges_of_simulated_normal_values() -> None:
    rng = np.random.default_rng(0)
    ours = of((rng.integers(0, 5, (25, 6)) + np.arange(6) / 2).tolist())
    values = rng.normal(size=(40_000, 6))
    ranges = values.max(axis=1) - values.min(axis=1)
    unit = math.sqrt(6 * 7 / (12 * 25))
    for (first, second), p in ours.pairs.items():
        apart = abs(ours.mean_ranks[first] - ours.mean_ranks[second]) / unit
        share = float((ranges > apart).mean())
        assert p.value == pytest.approx(share, abs=4 * 0.5 / math.sqrt(40_000))


@given(TABLES, st.data())
def test_order_names_direction_and_distances_do_not_matter(
    table: list[list[float]], data: st.DataObject
) -> None:
    columns = data.draw(st.permutations(range(len(table[0]))))
    moved = [[math.exp(row[at]) for at in columns] for row in data.draw(st.permutations(table))]
    before, after = of(table), of(moved, descending=True)
    assert before.p_value.undefined == after.p_value.undefined
    assert before.p_value.value == pytest.approx(after.p_value.value, abs=1e-9)
    k = len(table[0])
    for i, j in itertools.combinations(range(k), 2) if before.pairs else ():
        names = {f"s{columns.index(i)}", f"s{columns.index(j)}"}
        pair = next(p for pair, p in after.pairs.items() if set(pair) == names)
        assert before.pairs[f"s{i}", f"s{j}"].value == pytest.approx(pair.value, abs=1e-9)


def test_a_difference_at_the_critical_one_has_p_at_the_level() -> None:
    # 3 systems, mean ranks 1, 2, 3 in b blocks: critical difference 2 needs b = CD(1)^2 / 4.
    for blocks in (2, 3, 5):
        test = of([[0, 1, 2]] * blocks)
        p = float(test.pairs["s0", "s2"])
        assert (p < 0.05) == (critical_difference(3, blocks) < 2)
        assert critical_difference(3, blocks, level=p) == pytest.approx(2, abs=1e-6)


def test_incomplete_blocks_drop_out() -> None:
    table = [[1, 2, 3], [1, 3, 2], [1, 2, 3]]
    with_gaps = of([*table, [3, None, 1]])
    assert with_gaps == of(table)
    assert with_gaps.chi_square.n_units == 3


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1], [2]], "fewer than two systems"),
        ([[1, 2], [None, 1]], "fewer than two complete blocks"),
        ([[1, 1], [2, 2]], "no variation: every block ties all systems"),
    ],
)
def test_where_friedman_is_undefined_it_says_why(table: list[list[Any]], reason: str) -> None:
    test = of(table)
    assert {one.undefined for one in (test.chi_square, test.p_value, test.w)} == {reason}
    assert (test.pairs, test.mean_ranks) == ({}, {})


def test_no_values_and_wrong_columns() -> None:
    assert friedman([], [], []).p_value.undefined == "fewer than two systems"
    with pytest.raises(ValueError, match="holds a system twice"):
        friedman([1, 1], ["a", "a"], [1, 2])
    with pytest.raises(ValueError, match="1 blocks, 2 systems"):
        friedman([1], ["a", "b"], [1, 2])
    with pytest.raises(ValueError, match="least that can be compared"):
        critical_difference(1, 5)
