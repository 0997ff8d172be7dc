import math
from statistics import NormalDist

import numpy as np
import pytest

from agreement.tails import (
    chi_square_tail,
    student_t_tail,
    studentized_range_quantile,
    studentized_range_tail,
)


def test_tails_of_chi_square_in_closed_form() -> None:
    for value in (0.01, 0.5, 2.0, 7.0, 40.0, 300.0):
        half = value / 2
        # One degree: a squared normal value; two: exponential; four: one more term.
        assert chi_square_tail(value, 1) == pytest.approx(math.erfc(math.sqrt(half)), rel=1e-12)
        assert chi_square_tail(value, 2) == pytest.approx(math.exp(-half), rel=1e-12)
        assert chi_square_tail(value, 4) == pytest.approx(math.exp(-half) * (1 + half), rel=1e-12)


@pytest.mark.parametrize(
    ("degrees", "critical"), [(1, 3.841), (3, 7.815), (10, 18.307), (30, 43.773), (100, 124.342)]
)
def test_critical_values_of_chi_square_are_those_of_the_tables(
    degrees: int, critical: float
) -> None:
    assert chi_square_tail(critical, degrees) == pytest.approx(0.05, abs=2e-5)


def test_the_range_of_two_normal_values_is_a_normal_value() -> None:
    for q in (0.1, 1.0, 3.0, 6.0):
        assert studentized_range_tail(q, 2) == pytest.approx(math.erfc(q / 2), abs=1e-13)
    expected = NormalDist().inv_cdf(0.975) * math.sqrt(2)
    assert studentized_range_quantile(0.05, 2) == pytest.approx(expected, abs=1e-9)


def test_tails_of_t_in_closed_form() -> None:
    for value in (-30.0, -1.0, 0.0, 0.3, 2.0, 500.0):
        # One degree: Cauchy; two: (1 - t / sqrt(2 + t^2)) / 2.
        assert student_t_tail(value, 1) == pytest.approx(
            0.5 - math.atan(value) / math.pi, abs=1e-13
        )
        half = (1 - value / math.sqrt(2 + value**2)) / 2
        assert student_t_tail(value, 2) == pytest.approx(half, abs=1e-13)
    with pytest.raises(ValueError, match="at least one degree"):
        student_t_tail(1.0, 0)


def test_tails_of_t_equal_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for value in (-8.0, -0.5, 1e-6, 0.7, 2.0, 6.0, 40.0):
        for degrees in (1, 2, 5, 29, 200, 5000):
            expected = stats.t.sf(value, degrees)
            assert student_t_tail(value, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_tails_equal_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for value in (0.01, 0.9, 4.5, 20.0, 90.0, 400.0):
        for degrees in (1, 2, 3, 7, 20, 61, 300):
            expected = stats.chi2.sf(value, degrees)
            assert chi_square_tail(value, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-300)
        for groups in (2, 3, 10, 40):
            expected = stats.studentized_range.sf(value, groups, np.inf)
            assert studentized_range_tail(value, groups) == pytest.approx(expected, abs=1e-12)


def test_the_range_is_that_of_simulated_normal_values() -> None:
    values = np.random.default_rng(0).normal(size=(40_000, 5))
    ranges = values.max(axis=1) - values.min(axis=1)
    for q in (1.5, 2.5, 4.0):
        share = float((ranges > q).mean())
        assert studentized_range_tail(q, 5) == pytest.approx(share, abs=4 * 0.5 / math.sqrt(40_000))


def test_tails_fall_from_one_and_refuse_what_has_none() -> None:
    for tail, sizes in ((chi_square_tail, (1, 5)), (studentized_range_tail, (2, 5))):
        for size in sizes:
            points = [tail(value, size) for value in (-1, 0, 0.5, 1, 3, 9)]
            assert points[:2] == [1, 1]
            assert points == sorted(points, reverse=True)
    with pytest.raises(ValueError, match="degree of freedom"):
        chi_square_tail(1, 0)
    with pytest.raises(ValueError, match="two groups"):
        studentized_range_tail(1, 1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        studentized_range_quantile(1, 3)
