"""Effect sizes of two systems: by hand, published values, scipy, laws."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import Bootstrap, Estimate, effect_sizes, superiority_of

JACKKNIFE = Bootstrap(method="jackknife")
# Lakens (2013), Table 1: ten people's ratings of two films.
MOVIE_1 = [9, 7, 8, 9, 8, 9, 9, 10, 9, 9]
MOVIE_2 = [9, 6, 7, 8, 7, 9, 8, 8, 8, 7]
SCORES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=15)


def test_three_sources_by_hand() -> None:
    """First 5, 3, 3 and second 4, 3, 1. Same source: higher, equal, higher, so 2.5/3. All nine
    pairs: 5 beats all three, each 3 beats 1, ties 3 and loses to 4: (3 + 0 + 0) / 9 = 1/3.
    Means 11/3 and 8/3; variances 4/3 and 7/3: d = 1 / ((√(4/3) + √(7/3)) / 2)."""
    found = effect_sizes([5, 3, 3], [4, 3, 1])

    assert found.superiority.value == pytest.approx(2.5 / 3)
    assert found.cliff_delta.value == pytest.approx(1 / 3)
    expected = 1 / (((4 / 3) ** 0.5 + (7 / 3) ** 0.5) / 2)
    assert found.standardised.value == pytest.approx(expected)
    assert found.standardised.n_units == 3


def test_the_films_of_lakens() -> None:
    """Published: d = 1.13."""
    found = effect_sizes(MOVIE_1, MOVIE_2)
    assert round(float(found.standardised), 2) == 1.13
    # Eight of ten prefer the first, two give both the same.
    assert found.superiority.value == pytest.approx(0.9)


def test_a_published_cliff_delta() -> None:
    """Zaiontz, Real Statistics, "Cliff's Delta", example 1: -0.40152."""
    control = [11, 15, 9, 4, 34, 17, 18, 14, 12, 13, 26, 31]
    drug = [34, 31, 35, 29, 28, 12, 18, 30, 14, 22, 10]
    found = superiority_of(
        control, drug, first_clusters=range(12), second_clusters=range(12, 23), bootstrap=JACKKNIFE
    )
    assert 2 * float(found) - 1 == pytest.approx(-0.40152, abs=5e-6)
    assert found.low is not None
    # "The improved confidence interval is (-.730, .0778)"; ours is a t interval of log odds.
    assert 2 * found.low - 1 == pytest.approx(-0.730, abs=0.05)


def test_delta_is_that_of_mann_and_whitney() -> None:
    draw = np.random.default_rng(4)
    x, y = draw.integers(1, 6, 40), draw.integers(2, 6, 40)
    u = stats.mannwhitneyu(x, y).statistic
    assert effect_sizes(x, y).cliff_delta.value == pytest.approx(2 * u / 1600 - 1)


def test_the_interval_of_delta_leaves_out_source_after_source() -> None:
    """By loops, with two sources in each cluster."""
    draw = np.random.default_rng(9)
    x, y = draw.integers(1, 6, 24).astype(float), draw.integers(1, 6, 24).astype(float)
    cluster = np.repeat(np.arange(12), 2)

    def delta(kept: Any) -> float:
        return float(np.sign(np.subtract.outer(x[kept], y[kept])).mean())

    value = delta(cluster >= 0)
    z = 2 * np.arctanh(np.array([delta(cluster != at) for at in range(12)]))
    half = stats.t.ppf(0.975, 11) * (11 / 12 * ((z - z.mean()) ** 2).sum()) ** 0.5
    middle = 2 * np.arctanh(value)

    found = effect_sizes(x, y, clusters=cluster, bootstrap=JACKKNIFE).cliff_delta

    bounds = np.tanh(np.array([middle - half, middle + half]) / 2)
    assert [found.low, found.high] == pytest.approx(bounds.tolist())


@given(SCORES)
def test_turned_round_they_change_sign(rows: list[tuple[int, int]]) -> None:
    first, second = zip(*rows, strict=True)
    one, other = effect_sizes(first, second), effect_sizes(second, first)
    assert float(one.superiority) == pytest.approx(1 - float(other.superiority))
    assert float(one.cliff_delta) == pytest.approx(-float(other.cliff_delta))
    if one.standardised.value is not None:
        assert one.standardised.value == pytest.approx(-float(other.standardised))


@given(SCORES)
def test_only_the_order_counts_and_the_unit_does_not(rows: list[tuple[int, int]]) -> None:
    first, second = (np.array(side, dtype=float) for side in zip(*rows, strict=True))
    plain, moved = effect_sizes(first, second), effect_sizes(first**3, second**3)
    assert moved.superiority.value == pytest.approx(plain.superiority.value)
    assert moved.cliff_delta.value == pytest.approx(plain.cliff_delta.value)
    scaled = effect_sizes(10 * first + 1000, 10 * second + 1000).standardised
    assert scaled.value == pytest.approx(plain.standardised.value)


def test_what_cannot_be_computed_has_a_reason() -> None:
    assert effect_sizes([None, 1], [2, None]).cliff_delta.undefined == (
        "no source on which both systems were rated"
    )
    assert effect_sizes([1], [2]).standardised.undefined is not None
    flat = effect_sizes([2, 2, 2], [1, 1, 1], bootstrap=JACKKNIFE)
    assert "no variation" in str(flat.standardised.undefined)
    assert (flat.superiority.value, flat.superiority.low) == (1, None)
    alone = superiority_of([], [1.0], first_clusters=[], second_clusters=[0])
    assert alone == Estimate.missing("one of the systems has no figure", n_units=1)
    with pytest.raises(ValueError, match="length"):
        effect_sizes([1], [1, 2])
