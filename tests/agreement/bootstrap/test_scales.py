"""Intervals that stay within the range of what they are of, without being cut off there."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from agreement import Bootstrap, Estimate, agreement_gap, closeness, mean_by, yes_no_rates
from agreement.bootstrap.scales import COEFFICIENTS, SHARES, Scale, difference_bounds

JACKKNIFE = Bootstrap(method="jackknife")
POINTS = st.lists(st.integers(1, 5), min_size=5, max_size=30)


def test_log_odds_by_hand() -> None:
    # 3 of 1 to 5 lies in the middle, 4 at log odds of ln(3/1); a slope of 4 / (3 1) there.
    scale = Scale(1, 5)
    assert scale.forward(np.array([3.0, 4.0])) == pytest.approx([0, math.log(3)])
    assert scale.slope(4.0) == pytest.approx(4 / 3)
    # Half a width of ln 3: odds of 3/3 and of 3 3 = 9, 1 + 4/2 and 1 + 4 9/10.
    assert scale.bounds(4.0, math.log(3)) == pytest.approx((3, 1 + 36 / 10))
    assert scale.around(4.0, math.log(3) * 3 / 4) == pytest.approx((3, 1 + 36 / 10))


def test_with_one_end_it_is_the_logarithm_and_without_any_the_number() -> None:
    assert Scale(0, math.inf).bounds(2.0, math.log(2)) == pytest.approx((1, 4))
    assert Scale(-math.inf, 0).bounds(-2.0, math.log(2)) == pytest.approx((-4, -1))
    assert Scale().around(2.0, 5.0) == (-3, 7)


def test_of_coefficients_it_is_twice_fishers_z() -> None:
    values = np.array([-0.9, 0.0, 0.3])
    assert COEFFICIENTS.forward(values) == pytest.approx(2 * np.arctanh(values))
    assert COEFFICIENTS.back(2 * np.arctanh(values)) == pytest.approx(values)


def test_a_mean_on_a_scale_has_the_jackknife_of_its_log_odds() -> None:
    values = np.array([5, 5, 4, 5, 3, 5, 5, 5, 4, 5, 5, 2])

    def place(mean: float) -> float:
        return math.log((mean - 1) / (5 - mean))

    left_out = np.array([place(float(np.delete(values, at).mean())) for at in range(12)])
    error = math.sqrt(11 / 12 * float(((left_out - left_out.mean()) ** 2).sum()))
    half = float(stats.t.ppf(0.975, 11)) * error
    low, high = (1 + 4 / (1 + math.exp(-(place(values.mean()) + side * half))) for side in (-1, 1))
    estimate = mean_by(values, ends=(1, 5), bootstrap=JACKKNIFE)
    assert (estimate.low, estimate.high) == pytest.approx((low, high))


def test_where_a_source_less_reaches_an_end_the_delta_method_stands_in() -> None:
    # Of 12 sources of 5 units one has a miss: 59/60; without that source 1, without another 54/55.
    people = np.ones(60, dtype=bool)
    judge = np.arange(60) != 7
    found = yes_no_rates(people, judge, clusters=np.arange(60) // 5, bootstrap=JACKKNIFE)
    # The mean without one is (1 + 11 54/55) / 12, so squares sum to 11/12 (1/55)^2.
    error = 11 / 12 / 55
    share = 59 / 60
    half = float(stats.t.ppf(0.975, 11)) * error / (share * (1 - share))
    low, high = (1 / (1 + math.exp(-(math.log(59) + side * half))) for side in (-1, 1))
    rate = found.true_positive_rate
    assert (rate.low, rate.high) == pytest.approx((low, high))
    assert (rate.high or 0) < 1


def test_a_value_at_an_end_or_beyond_has_no_interval_and_says_why() -> None:
    assert not SHARES.holds(np.array([1.0]))
    beyond = mean_by([6, 7, 6, 9, 6, 8, 6, 7], ends=(1, 5), bootstrap=JACKKNIFE)
    assert (beyond.low, beyond.high) == (None, None)
    assert (beyond.interval_method or "").endswith(
        "none: the value is at an end of its range, or beyond"
    )
    equal = mean_by([5] * 9, ends=(1, 5), bootstrap=JACKKNIFE)
    assert equal.low is None
    assert "none: too few answers that differ" in (equal.interval_method or "")


@given(POINTS, st.booleans())
def test_bounds_of_a_mean_lie_within_the_scale_around_it(points: list[int], live: bool) -> None:
    bootstrap = Bootstrap(method="jackknife", live=20 if live else None)
    estimate = mean_by(points, ends=(1, 5), bootstrap=bootstrap)
    assert_within(estimate, 1, 5)
    assert_within(estimate, 1, 5, live=True)


def test_the_rates_of_a_careful_judge_stay_within_0_and_1() -> None:
    """Twelve sources of five units, where plain bounds lay beyond 1 and below 0."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        people = rng.random(60) < 0.12
        judge = np.where(rng.random(60) < 0.06, ~people, people)
        rates = yes_no_rates(
            people, judge, clusters=np.repeat(np.arange(12), 5), bootstrap=JACKKNIFE
        )
        for rate in (rates.true_positive_rate, rates.true_negative_rate, rates.precision):
            assert_within(rate, 0, 1)
        assert_within(rates.bias, -1, 1)


def test_closeness_of_people_who_hardly_ever_differ_stays_below_1() -> None:
    values = np.ones((30, 3))
    values[:4, 0] = 0
    unit, rater = (axis.ravel() for axis in np.indices(values.shape))
    near = closeness(unit, rater, values.ravel(), judge=0, distance="nominal")
    gap = agreement_gap(near, bootstrap=JACKKNIFE)
    assert_within(gap.with_judge, 0, 1)
    assert_within(gap.gap, -1, 1)
    # Two people who never differ: no interval, and not one of no width.
    assert (gap.among_people.value, gap.among_people.low) == (1, None)


def test_the_bounds_of_a_difference_by_hand() -> None:
    # Reach 4, value 2, half 3. Below 2 the error is as estimated, down to -2: -1 as it is. Above,
    # (m - 2)^2 = 9 (16 - m^2) / 12: 7 m^2 - 16 m - 32 = 0, m = (16 + sqrt(1152)) / 14.
    assert difference_bounds(2.0, 3.0, 4.0) == pytest.approx((-1, (16 + math.sqrt(1152)) / 14))
    assert difference_bounds(-2.0, 3.0, 4.0) == pytest.approx((-(16 + math.sqrt(1152)) / 14, 1))
    assert difference_bounds(2.0, 3.0, math.inf) == (-1, 5)
    assert difference_bounds(4.0, 1.0, 4.0) is None


@given(st.floats(-0.99, 0.99), st.floats(0.001, 50))
def test_a_difference_leaves_0_out_just_where_its_test_does(value: float, half: float) -> None:
    bounds = difference_bounds(value, half, 1.0)
    assert bounds is not None
    low, high = bounds
    assert -1 <= low <= value <= high <= 1
    assert (low > 0 or high < 0) == (abs(value) > half)


@pytest.mark.parametrize(("value", "half"), [(0.2, 0.5), (0.9, 0.3), (-0.6, 2.0), (0.0, 4.0)])
def test_the_bounds_of_a_difference_solve_what_defines_them(value: float, half: float) -> None:
    def left(m: float) -> float:
        shrunk = min(1.0, math.sqrt((1 - m * m) / (1 - value * value)))
        return abs(m - value) - half * shrunk

    bounds = difference_bounds(value, half, 1.0)
    assert bounds is not None
    ends = (-1 + 1e-12, value), (value, 1 - 1e-12)
    solved = [float(optimize.brentq(left, *sorted(pair, key=left))) for pair in ends]
    assert bounds == pytest.approx(solved, abs=1e-6)


def assert_within(estimate: Estimate, low: float, high: float, *, live: bool = False) -> None:
    """low <= bound <= value <= bound <= high, and no interval without a width."""
    bounds = (estimate.low, estimate.high)
    if live:
        bounds = (estimate.live_low, estimate.live_high)
    if bounds[0] is not None and bounds[1] is not None:
        assert low <= bounds[0] <= float(estimate) + 1e-12
        assert float(estimate) - 1e-12 <= bounds[1] <= high
        assert bounds[0] < bounds[1]
