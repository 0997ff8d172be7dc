"""Exact means and differences: by hand, by Python's fractions, and by what must not matter."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from agreement import wilcoxon_signed_rank
from agreement.values.exact import ExactMeans


def test_thirds_that_are_equally_far_apart_are_equal_by_hand() -> None:
    """11/3 - 9/3 = 10/3 - 8/3 = 2/3, which as floating-point numbers are two different ones."""
    assert 11 / 3 - 3 != 10 / 3 - 8 / 3
    ratings = np.array([4.0, 4, 3, 3, 3, 4])  # 11/3 and 10/3
    others = np.array([3.0, 3, 3, 2, 3, 3])  # 9/3 and 8/3
    means = ExactMeans.of(np.concatenate([ratings, others]), np.repeat(np.arange(4), 3))

    differences = means.take(np.array([0, 1])).minus(means.take(np.array([2, 3])))

    assert differences.values.tolist() == [2 / 3, 2 / 3]
    assert differences.mean == 2 / 3
    assert means.values.tolist() == [11 / 3, 10 / 3, 3, 8 / 3]


@pytest.mark.parametrize("steps", [1, 4, 10, 3, 97])
@pytest.mark.parametrize("seed", range(3))
def test_they_are_those_of_pythons_fractions(seed: int, steps: int) -> None:
    """Ratings in tenths, thirds or of machines, in groups of one to seven."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(40), rng.integers(1, 8, 40))
    wholes = rng.integers(-5 * steps, 5 * steps, len(group)).tolist()
    means = ExactMeans.of(np.array([whole / steps for whole in wholes]), group)
    exact = [
        Fraction(sum(whole for whole, at in zip(wholes, group, strict=True) if at == own), steps)
        / int((group == own).sum())
        for own in range(40)
    ]

    apart = means.take(np.arange(20)).minus(means.take(np.arange(20, 40)))

    expected = [exact[at] - exact[at + 20] for at in range(20)]
    assert means.values.tolist() == [float(mean) for mean in exact]
    assert apart.values.tolist() == [float(difference) for difference in expected]
    assert apart.mean == float(sum(expected) / 20)


def test_numbers_that_are_no_fractions_count_to_twelve_digits() -> None:
    rng = np.random.default_rng(7)
    numbers = rng.uniform(0, 100, 30)
    means = ExactMeans.of(numbers, np.arange(30) // 3)
    assert means.values == pytest.approx(numbers.reshape(10, 3).mean(axis=1), rel=1e-12)
    seven_digits = np.array([0.1234567, 0.1, 0.2234567, 0.2, np.pi])
    four = ExactMeans.of(seven_digits, np.arange(5)).take(np.arange(4))
    first, second = four.take(np.array([0, 2])).minus(four.take(np.array([1, 3]))).values
    assert first == second


def test_sizes_beyond_the_exact_range_of_floating_point_numbers_are_still_exact() -> None:
    """Denominators 2 to 40 share one of more than 10^15."""
    values = np.array([1 / below for below in range(2, 41)])
    means = ExactMeans.of(np.concatenate([values, values[::-1]]), np.repeat([0, 1], 39))
    (apart,) = means.take(np.array([0])).minus(means.take(np.array([1]))).values
    assert apart == 0
    assert means.values[0] == float(sum(Fraction(1, below) for below in range(2, 41)) / 39)


def test_p_of_thirds_is_the_share_of_all_signs() -> None:
    """Every choice of signs of eleven differences of means of three, counted with fractions."""
    rng = np.random.default_rng(11)
    first, second = rng.integers(1, 6, (11, 3)), rng.integers(1, 6, (11, 3))
    exact = [Fraction(int(a - b), 3) for a, b in zip(first.sum(1), second.sum(1), strict=True)]
    exact = [difference for difference in exact if difference]
    sizes = [abs(difference) for difference in exact]
    # Twice the mean rank: how many are smaller, twice, and how many are as large, plus one.
    ranks = [sum((other < own) * 2 + (other == own) for other in sizes) + 1 for own in sizes]
    total = sum(ranks)

    def apart(signs: tuple[bool, ...]) -> int:
        return abs(2 * sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign) - total)

    observed = apart(tuple(difference > 0 for difference in exact))
    ways = [apart(signs) >= observed for signs in product([False, True], repeat=len(exact))]

    ratings = np.concatenate([first.ravel(), second.ravel()]).astype(np.float64)
    means = ExactMeans.of(ratings, np.repeat(np.arange(22), 3))
    differences = means.take(np.arange(11)).minus(means.take(np.arange(11, 22)))

    assert wilcoxon_signed_rank(differences.values).value == pytest.approx(sum(ways) / len(ways))


@pytest.mark.parametrize("scale", [0.1, 1 / 3, 25.0])
def test_neither_the_unit_nor_the_order_of_raters_matters(scale: float) -> None:
    rng = np.random.default_rng(5)
    ratings = rng.integers(1, 6, (60, 3)).astype(np.float64)

    def p_value(numbers: np.ndarray) -> float:
        means = ExactMeans.of(numbers.ravel(), np.repeat(np.arange(60), 3))
        apart = means.take(np.arange(30)).minus(means.take(np.arange(30, 60)))
        return float(wilcoxon_signed_rank(apart.values))

    assert p_value(ratings * scale) == p_value(ratings)
    assert p_value(rng.permuted(ratings, axis=1)) == p_value(ratings)
