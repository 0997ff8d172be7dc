"""Pairs of systems that a judge orders as people do: by hand, published τ, Kendall's τ, laws."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import Bootstrap, pairwise_accuracy

MEANS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=7)


def test_three_systems_by_hand() -> None:
    """People's means 1, 2, 3, the judge's 5, 9, 7: of three pairs only the last is turned: 2/3."""
    people, judge = [0, 2, 2, 2, 3, 3], [5, 5, 9, 9, 6, 8]
    found = pairwise_accuracy(people, judge, systems="aabbcc", sources=[1, 2] * 3)
    assert found.value == pytest.approx(2 / 3)
    assert (found.n_units, found.n_ratings) == (3, 6)


def test_a_tie_of_both_is_an_agreement_and_a_tie_of_one_is_not() -> None:
    """A and B tie for both, C ties with A and B for people alone: 1 of 3."""
    found = pairwise_accuracy([1, 1, 1], [2, 2, 3], systems="abc", sources=[1, 1, 1])
    assert found.value == pytest.approx(1 / 3)


def test_the_tuna_of_hollander_and_wolfe() -> None:
    """R, `cor.test`: nine lots of tuna, lightness and panel scores, τ = 0.4444444 without ties. The
    share of pairs in the same order is (τ + 1) / 2, 26 of 36."""
    lightness = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
    scores = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]
    found = pairwise_accuracy(lightness, scores, systems=range(9), sources=[0] * 9)
    assert found.value == pytest.approx((0.4444444 + 1) / 2, abs=1e-7)


def test_without_ties_it_is_kendalls_tau_moved_to_0_to_1() -> None:
    draw = np.random.default_rng(5)
    grid = draw.normal(size=(2, 30, 8))
    systems, sources = np.tile(np.arange(8), 30), np.repeat(np.arange(30), 8)
    found = pairwise_accuracy(grid[0].ravel(), grid[1].ravel(), systems=systems, sources=sources)
    tau = stats.kendalltau(*grid.mean(axis=1)).statistic
    assert found.value == pytest.approx((tau + 1) / 2)


def test_its_interval_resamples_sources() -> None:
    draw = np.random.default_rng(7)
    truth = np.linspace(0, 1, 6)
    grid = truth + draw.normal(size=(2, 60, 6))
    systems, sources = np.tile(np.arange(6), 60), np.repeat(np.arange(60), 6)
    found = pairwise_accuracy(
        grid[0].ravel(),
        grid[1].ravel(),
        systems=systems,
        sources=sources,
        bootstrap=Bootstrap(resamples=2000, method="jackknife"),
    )
    resampled = []
    for _ in range(2000):
        people, judge = grid[:, draw.integers(0, 60, 60)].mean(axis=1)
        pairs = combinations(range(6), 2)
        resampled.append(
            np.mean([(people[i] > people[j]) == (judge[i] > judge[j]) for i, j in pairs])
        )
    expected = np.quantile(resampled, [0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected.tolist(), abs=1 / 15 + 1e-9)
    assert str(found.interval_method).startswith("percentile")


@given(MEANS)
def test_units_do_not_matter_and_the_same_numbers_agree(rows: list[tuple[int, int]]) -> None:
    people, judge = zip(*rows, strict=True)
    about: dict[str, Any] = {"systems": range(len(rows)), "sources": [0] * len(rows)}
    plain = pairwise_accuracy(people, judge, **about)
    moved = pairwise_accuracy(people, [10 * x - 3 for x in judge], **about)
    assert moved.value == pytest.approx(plain.value)
    assert pairwise_accuracy(judge, people, **about).value == pytest.approx(plain.value)
    assert pairwise_accuracy(people, people, **about).value == 1


def test_one_system_has_no_pair() -> None:
    one = pairwise_accuracy([1, 2], [1, None], systems="ab", sources=[1, 1])
    assert one.undefined == "fewer than two systems with both numbers"
    with pytest.raises(ValueError, match="length"):
        pairwise_accuracy([1], [1, 2], systems="a", sources=[1])
