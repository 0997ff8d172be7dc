"""Monotone regression: by hand, a published table, scikit-learn's own, and laws."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.isotonic import IsotonicRegression

from agreement import monotone_curve

numbers = st.integers(-20, 20).map(float)
points = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=30)


def arrays(pairs: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x for x, _ in pairs]), np.array([y for _, y in pairs])


def test_points_that_would_fall_share_their_mean() -> None:
    # 1, then 3 and 2 pooled: (3 + 2) / 2, then 4
    curve = monotone_curve(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
    assert_allclose(curve(np.array([1.0, 2, 3, 4])), [1, 5 / 2, 5 / 2, 4])


def test_points_with_the_same_x_share_their_mean_and_count_each() -> None:
    # at 1: (0 + 4) / 2 = 2 with weight 2; at 2: 1; pooled (2 * 2 + 1) / 3; falling: 2, 1
    rising = monotone_curve(np.array([1.0, 1, 2, 3]), np.array([0.0, 4, 1, 9]))
    assert_allclose(rising(np.array([1.0, 2, 3])), [5 / 3, 5 / 3, 9])


def test_a_falling_curve_is_taken_where_it_is_nearer() -> None:
    curve = monotone_curve(np.array([1.0, 2, 3]), np.array([9.0, 5, 6]))
    assert_allclose(curve(np.array([1.0, 2, 3])), [9, 11 / 2, 11 / 2])


def test_it_is_linear_between_points_and_constant_beyond_them() -> None:
    curve = monotone_curve(np.array([0.0, 10]), np.array([1.0, 2]))
    assert_allclose(curve(np.array([-5.0, 2.5, 99])), [1, 1 + 1 / 4, 2])


def test_the_example_of_r_comes_out() -> None:
    """R's documentation of stats::isoreg: two levels, with breaks after the second and the ninth
    of these. Their means are (1 + 0) / 2 and (4 + 3 + 3 + 5 + 4 + 2 + 0) / 7."""
    at = np.arange(1.0, 10)
    curve = monotone_curve(at, np.array([1.0, 0, 4, 3, 3, 5, 4, 2, 0]))
    assert_allclose(curve(at), [1 / 2] * 2 + [21 / 7] * 7)


@given(points)
def test_the_curve_is_that_of_scikit_learn(pairs: list[tuple[float, float]]) -> None:
    x, y = arrays(pairs)
    fits = [IsotonicRegression(increasing=up).fit(x, y).predict(x) for up in (True, False)]
    errors = [((fit - y) ** 2).sum() for fit in fits]
    own = monotone_curve(x, y)(x)
    assert ((own - y) ** 2).sum() == pytest.approx(min(errors))
    assert min(np.abs(fit - own).max() for fit in fits) < 1e-9


@given(points, st.randoms())
def test_the_order_of_points_does_not_matter(
    pairs: list[tuple[float, float]], rng: random.Random
) -> None:
    x, y = arrays(pairs)
    again = arrays(rng.sample(pairs, len(pairs)))
    assert_allclose(monotone_curve(*again)(x), monotone_curve(x, y)(x), atol=1e-9)


@given(points)
def test_it_keeps_the_mean_and_never_turns(pairs: list[tuple[float, float]]) -> None:
    x, y = arrays(pairs)
    curve = monotone_curve(x, y)
    steps = np.diff(curve.values)
    assert (steps >= -1e-9).all() or (steps <= 1e-9).all()
    assert curve(x).mean() == pytest.approx(y.mean())


def test_a_missing_number_is_refused() -> None:
    for x, y in (([], []), ([1.0], [np.nan]), ([1.0, 2], [1.0])):
        with pytest.raises(ValueError, match="one finite y for each finite x"):
            monotone_curve(np.array(x), np.array(y))
