from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from agreement import audited_error

ENDLESS = 10**12
STRATA = st.lists(
    st.tuples(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(0, 20)),
    min_size=1,
    max_size=3,
)


def test_two_strata_by_hand() -> None:
    # 40 of 100 questions are contested. Errors 2/4 there and 0/3 elsewhere:
    # 40/100 * 2/4 + 60/100 * 0 = 1/5.
    errors, strata = [1, 0, 1, 0, 0, 0, 0], ["contested"] * 4 + ["agreed"] * 3
    estimate = audited_error(errors, strata, {"contested": 40, "agreed": 60})
    assert estimate.value == pytest.approx(1 / 5)
    assert estimate.n_units == 7
    # Wilson of 2/4 with n = 4 / (1 - 4/40) = 40/9: middle 1/2, half z sqrt(n + z^2) / (2 (n + z^2))
    z, n = stats.norm.ppf(0.975), 40 / 9
    below = 0.4 * z / (2 * sqrt(n + z * z))
    assert estimate.low == pytest.approx(1 / 5 - below)
    # Wilson of 0/3 with n = 3 / (1 - 3/60) = 60/19: from 0 to z^2 / (n + z^2)
    above = 0.6 * z * z / (60 / 19 + z * z)
    assert estimate.high == pytest.approx(1 / 5 + sqrt(below**2 + above**2))


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_one_large_stratum_has_the_published_intervals(
    hits: int, n: int, low: float, high: float
) -> None:
    # Newcombe (1998), "Two-sided confidence intervals for the single proportion", Table I, method 3
    estimate = audited_error([1] * hits + [0] * (n - hits), [""] * n, {"": ENDLESS})
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 30), st.integers(1, 30), st.floats(0.5, 0.99))
def test_one_large_stratum_is_like_statsmodels(hits: int, missed: int, confidence: float) -> None:
    n = hits + missed
    estimate = audited_error(
        [1] * hits + [0] * missed, [0] * n, {0: ENDLESS}, confidence=confidence
    )
    expected = proportion_confint(hits, n, alpha=1 - confidence, method="wilson")
    assert (estimate.low, estimate.high) == pytest.approx(expected, abs=1e-6)


def test_numbers_of_one_large_stratum_are_like_scipy() -> None:
    errors = [0.5, 2, 0, 3, 1.5, 0.25]
    estimate = audited_error(errors, [0] * 6, {0: ENDLESS}, bounded=False)
    mean, error = np.mean(errors), stats.sem(errors)
    expected = stats.t.interval(0.95, 5, loc=mean, scale=error)
    assert (estimate.value, estimate.high) == pytest.approx((mean, expected[1]))
    assert estimate.low == pytest.approx(max(0, expected[0]))


@pytest.mark.parametrize("bounded", [True, False])
def test_over_all_samples_that_could_be_drawn_it_is_right_on_average(bounded: bool) -> None:
    population = {"a": [1, 0, 0, 0.5, 1], "b": [0, 0, 1]}
    drawn = product(combinations(population["a"], 3), combinations(population["b"], 2))
    values = [
        float(audited_error([*a, *b], ["a"] * 3 + ["b"] * 2, {"a": 5, "b": 3}, bounded=bounded))
        for a, b in drawn
    ]
    assert np.mean(values) == pytest.approx(3.5 / 8)


@given(STRATA)
def test_the_interval_holds_the_value_and_order_does_not_matter(
    strata: list[tuple[list[float], int]],
) -> None:
    errors = [error for of, _ in strata for error in of]
    names = [at for at, (of, _) in enumerate(strata) for _ in of]
    sizes = {at: len(of) + more for at, (of, more) in enumerate(strata)}
    estimate = audited_error(errors, names, sizes)
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low <= estimate.value + 1e-12
    assert estimate.value <= estimate.high + 1e-12
    assert estimate.high <= 1
    turned = audited_error(errors[::-1], names[::-1], sizes)
    assert turned.value == pytest.approx(estimate.value)
    assert (turned.low, turned.high) == pytest.approx((estimate.low, estimate.high))


@pytest.mark.parametrize("bounded", [True, False])
def test_a_population_decided_as_a_whole_leaves_no_error_of_sampling(bounded: bool) -> None:
    estimate = audited_error([1, 0, 0, 1], [0, 0, 1, 1], {0: 2, 1: 2}, bounded=bounded)
    assert (estimate.low, estimate.value, estimate.high) == (0.5, 0.5, 0.5)


def test_what_cannot_be_told_is_undefined_and_what_is_wrong_is_refused() -> None:
    assert audited_error([], [], {"a": 3}).undefined == "no question of the sample is decided yet"
    part = audited_error([1], ["a"], {"a": 3, "b": 2})
    assert part.undefined == "no question is decided yet in a part of the sample"
    assert audited_error([1], ["a"], {"a": 3, "b": 0}).value == 1
    few = audited_error([2.5], ["a"], {"a": 3}, bounded=False)
    assert (few.value, few.low) == (2.5, None)
    for errors, strata, message in [
        ([1], [], "1 errors for 0 strata"),
        ([1.5], ["a"], "outside of its range"),
        ([1, 1, 1, 1], ["a"] * 4, "fewer questions"),
    ]:
        with pytest.raises(ValueError, match=message):
            audited_error(errors, strata, {"a": 3})
