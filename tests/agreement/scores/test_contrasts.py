"""Means and their differences over clusters: by hand, as statsmodels has them, laws."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import contrast
from tests.agreement.bounds import bounds

NUMBERS = st.lists(st.integers(0, 4), min_size=12, max_size=30)


def test_a_mean_of_single_units_is_tested_as_by_students_t() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, 40)

    found = contrast(values)

    other = stats.ttest_1samp(values, 0)
    assert found.p_value.value == pytest.approx(other.pvalue, abs=1e-12)
    interval = other.confidence_interval()
    assert bounds(found.estimate) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_the_error_of_a_difference_is_that_of_regression_over_clusters() -> None:
    """Units of both parts share clusters; statsmodels' correction is none, ours G / (G - 1)."""
    draw = np.random.default_rng(4)
    clusters = np.repeat(np.arange(25), 8)
    inside = draw.random(200) < 0.4
    values = draw.normal(size=200) + 0.5 * inside + draw.normal(size=25)[clusters]

    found = contrast(values, inside, clusters=clusters)

    fit = sm.OLS(values, sm.add_constant(inside.astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    error = fit.bse[1] * np.sqrt(25 / 24)
    assert found.estimate.value == pytest.approx(fit.params[1], abs=1e-12)
    half = (bounds(found.estimate)[1] - bounds(found.estimate)[0]) / 2
    assert half == pytest.approx(stats.t.ppf(0.975, 24) * error, abs=1e-9)
    expected = 2 * stats.t.sf(abs(fit.params[1]) / error, 24)
    assert found.p_value.value == pytest.approx(expected, abs=1e-9)
    assert found.estimate.n_units == inside.sum()


def test_by_hand() -> None:
    """Ten clusters of one unit each in the part, all 1, and one outside each: 0 five times, 1 five
    times: 1 - 1/2; the squared error is 10/9 times the sum of ten (±1/2 / 10)²."""
    values = [1] * 10 + [0, 1] * 5
    found = contrast(values, [True] * 10 + [False] * 10, clusters=[*range(10), *range(10)])

    half = stats.t.ppf(0.975, 9) * np.sqrt(10 / 9 * 10 * 0.05**2)
    assert bounds(found.estimate) == pytest.approx((0.5 - half, 0.5 + half))


def test_few_or_equal_clusters_have_neither_interval_nor_p() -> None:
    few = contrast([1, 2, 3] * 6, clusters=[0, 1, 2] * 6)
    assert (few.estimate.value, few.estimate.low) == (2, None)
    assert "fewer than 10" in (few.p_value.undefined or "")

    assert contrast([1] * 20).p_value.undefined == "no spread between sources"
    assert contrast([]).estimate.undefined == "no unit to compare"
    assert contrast([1, 2], [False, False]).estimate.undefined == "no unit in this part"
    assert contrast([1, 2], [True, True]).estimate.undefined == "no unit outside of this part"


@given(NUMBERS)
def test_inside_and_outside_swapped_turn_the_sign(values: list[int]) -> None:
    inside = np.arange(len(values)) % 2 == 0
    one, other = contrast(values, inside), contrast(values, ~inside)

    assert one.estimate.value == pytest.approx(-(other.estimate.value or 0), abs=1e-12)
    assert one.p_value.value == pytest.approx(other.p_value.value)


@given(NUMBERS)
def test_missing_values_drop_out(values: list[int]) -> None:
    assert contrast([*values, None, float("nan")]) == contrast(values)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        contrast([1, 2], [True])
    with pytest.raises(ValueError, match="confidence"):
        contrast([1, 2], confidence=1)
