"""PERM-BOTH: by hand, by every permutation, laws, and its size. No published example with its
numbers could be opened: Deutsch, Dror and Roth (2021) have tables of data that are not here."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement import correlation_difference


def about(grid: Any) -> dict[str, Any]:
    n_sources, n_systems = grid.shape
    return {
        "systems": np.tile(np.arange(n_systems), n_sources),
        "sources": np.repeat(np.arange(n_sources), n_systems),
    }


def test_the_difference_by_hand() -> None:
    """One source, three systems, people 1, 2, 3. First judge the same, r = 1; second 1, 3, 2:
    r = 1/2. Difference 1/2."""
    found = correlation_difference(
        [1, 2, 3], [1, 2, 3], [1, 3, 2], systems="abc", sources=[0, 0, 0], permutations=10
    )
    assert found.difference.value == pytest.approx(1 / 2)
    assert found.difference.n_units == 3


def test_p_is_that_of_every_permutation() -> None:
    """Two sources, three systems: 2^6 = 64 swaps, within the error of 20,000 drawn ones."""
    draw = np.random.default_rng(4)
    human = draw.normal(size=(2, 3))
    one, other = human + 0.3 * draw.normal(size=(2, 3)), draw.normal(size=(2, 3))
    found = correlation_difference(
        human.ravel(), one.ravel(), other.ravel(), **about(human), permutations=20_000
    )
    z, y = ((side - side.mean()) / side.std() for side in (one, other))

    def apart(first: Any, second: Any) -> float:
        mean = human.mean(axis=0)
        of_first = stats.pearsonr(mean, first.mean(axis=0)).statistic
        return float(of_first - stats.pearsonr(mean, second.mean(axis=0)).statistic)

    observed = apart(z, y)
    swaps = [np.array(swap).reshape(2, 3) for swap in product([False, True], repeat=6)]
    drawn = [apart(np.where(swap, y, z), np.where(swap, z, y)) for swap in swaps]
    exact = np.mean(np.abs(drawn) >= abs(observed) - 1e-12)

    assert found.difference.value == pytest.approx(observed)
    assert found.p_value.value == pytest.approx(exact, abs=0.015)


def test_within_sources_it_is_the_mean_of_pearsons() -> None:
    draw = np.random.default_rng(2)
    human, one, other = draw.normal(size=(3, 10, 5))
    found = correlation_difference(
        human.ravel(), one.ravel(), other.ravel(), **about(human), level="summary", permutations=9
    )
    each = [
        stats.pearsonr(h, a).statistic - stats.pearsonr(h, b).statistic
        for h, a, b in zip(human, one, other, strict=True)
    ]
    assert found.difference.value == pytest.approx(np.mean(each))


def test_turned_round_only_the_sign_changes_and_units_do_not_matter() -> None:
    draw = np.random.default_rng(3)
    human = draw.normal(size=(20, 5))
    one, other = human + draw.normal(size=(20, 5)), human + 2 * draw.normal(size=(20, 5))
    sides = [side.ravel() for side in (human, one, other)]
    plain = correlation_difference(*sides, **about(human))
    turned = correlation_difference(sides[0], sides[2], sides[1], **about(human))
    scaled = correlation_difference(sides[0], 100 * sides[1] + 7, sides[2], **about(human))
    assert turned.difference.value == pytest.approx(-float(plain.difference))
    assert turned.p_value.value == plain.p_value.value
    assert scaled.difference.value == pytest.approx(plain.difference.value)
    assert scaled.p_value.value == plain.p_value.value
    same = correlation_difference(sides[0], sides[1], sides[1], **about(human))
    assert (same.difference.value, same.p_value.value) == (0, 1)


def test_two_equal_judges_differ_in_one_study_of_twenty() -> None:
    """Of 300 studies of 40 sources and 6 systems; 5 % ± 3 standard errors."""
    draw = np.random.default_rng(6)
    found = 0
    for _ in range(300):
        human = draw.normal(size=(40, 6)) + np.linspace(0, 1, 6)
        one, other = (human + draw.normal(size=(40, 6)) for _ in range(2))
        p = correlation_difference(
            human.ravel(), one.ravel(), other.ravel(), **about(human), permutations=199
        ).p_value
        found += float(p) <= 0.05
    assert abs(found / 300 - 0.05) < 0.038


def test_what_cannot_be_tested_has_a_reason() -> None:
    two = correlation_difference([1, 2], [1, 2], [2, 1], systems="ab", sources=[0, 0])
    assert "fewer than three systems" in str(two.p_value.undefined)
    flat = correlation_difference([1, 2, 3], [1, 1, 1], [2, 1, 3], systems="abc", sources=[0] * 3)
    assert "no variation" in str(flat.difference.undefined)
    with pytest.raises(ValueError, match="unknown level"):
        correlation_difference([1], [1], [1], systems="a", sources=[0], level="text")
