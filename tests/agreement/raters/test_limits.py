"""Limits of agreement: by hand, the published table, independent, laws."""

from math import sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from agreement import equivalence_p, limits_of_agreement

# Bland and Altman (1986), table 1: peak flow in l/min by two meters, the first of two readings.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
APART = [one - other for one, other in zip(WRIGHT, MINI, strict=True)]


def test_limits_by_hand() -> None:
    """1, 2, 3, 6: mean 3, variance (4 + 1 + 0 + 9)/3 = 14/3."""
    found = limits_of_agreement([1, 2, None, 3, 6], confidence=None)

    assert found.bias.value == 3
    assert found.bias.sd == pytest.approx(sqrt(14 / 3))
    assert found.low.value == pytest.approx(3 - 1.959964 * sqrt(14 / 3), abs=1e-6)
    assert found.high.value == pytest.approx(3 + 1.959964 * sqrt(14 / 3), abs=1e-6)
    assert found.bias.n_units == 4


def test_the_peak_flow_meters_have_their_published_limits() -> None:
    """Mean -2.1, SD 38.8; with 2 for 1.96 the limits are -79.7 and 75.5, the interval of the bias
    -22.0 to 17.8 and those of the limits -114.3 to -45.1 and 40.9 to 110.1."""
    found = limits_of_agreement(APART, coverage=0.954500)

    assert round(float(found.bias), 1) == -2.1
    assert round(found.bias.sd or 0, 1) == 38.8
    # The paper computes from -2.1 and 38.8, and takes 3 for 1 + 2^2 / 2.
    assert float(found.low) == pytest.approx(-79.7, abs=0.1)
    assert float(found.high) == pytest.approx(75.5, abs=0.1)
    assert (found.low.low, found.low.high) == pytest.approx((-114.3, -45.1), abs=0.4)
    assert (found.high.low, found.high.high) == pytest.approx((40.9, 110.1), abs=0.4)
    assert (found.bias.low, found.bias.high) == pytest.approx((-22.0, 17.8), abs=0.1)


def test_the_error_of_the_mean_over_sources_equals_statsmodels() -> None:
    rng = np.random.default_rng(0)
    source = np.repeat(np.arange(20), 3)
    values = rng.normal(size=60) + rng.normal(size=20)[source]
    fit = sm.OLS(values, np.ones(60)).fit(
        cov_type="cluster", cov_kwds={"groups": source, "df_correction": True}, use_t=True
    )

    found = limits_of_agreement(values, clusters=source)

    low, high = fit.conf_int()[0]
    assert (found.bias.low, found.bias.high) == pytest.approx((low, high), abs=1e-9)


def test_the_error_of_a_limit_over_sources_is_that_of_leaving_sources_out() -> None:
    """Independent: the jackknife over sources, which the influences approximate."""
    rng = np.random.default_rng(1)
    source = np.repeat(np.arange(200), 3)
    values = rng.normal(size=600) + rng.normal(size=200)[source]
    left_out = [
        float(limits_of_agreement(values[source != g], confidence=None).high) for g in range(200)
    ]
    jackknife = sqrt(199 / 200 * float(np.sum((np.array(left_out) - np.mean(left_out)) ** 2)))

    found = limits_of_agreement(values, clusters=source).high

    assert ((found.high or 0) - (found.low or 0)) / 2 / 1.972 == pytest.approx(jackknife, rel=0.02)


@given(
    st.lists(st.floats(-100, 100).map(lambda each: round(each, 3)), min_size=2, max_size=30),
    st.floats(0.1, 10),
)
def test_turning_and_stretching_differences_turns_and_stretches_limits(
    values: list[float], times: float
) -> None:
    before = limits_of_agreement(values)
    after = limits_of_agreement([-times * each for each in values[::-1]])

    assert after.low.value == pytest.approx(-times * float(before.high), abs=1e-6)
    assert after.bias.value == pytest.approx(-times * float(before.bias), abs=1e-6)
    if before.high.high is not None and after.low.low is not None:
        assert after.low.low == pytest.approx(-times * before.high.high, abs=1e-6)


def test_few_differences_say_little() -> None:
    assert limits_of_agreement([]).bias.undefined == "no ratings"
    assert limits_of_agreement([2.0]).low.undefined == "one difference only"
    few = limits_of_agreement([1, 2, 3])
    assert few.bias.low is None
    assert "fewer than 10" in (few.bias.interval_method or "")
    with pytest.raises(ValueError, match="coverage"):
        limits_of_agreement([1, 2], coverage=1)


def test_limits_cover_where_texts_share_sources() -> None:
    """The upper limit of differences with variance 2 lies at 1.96 √2."""
    rng = np.random.default_rng(7)
    source, held = np.repeat(np.arange(40), 4), 0
    for _ in range(300):
        values = rng.normal(size=160) + rng.normal(size=40)[source]
        found = limits_of_agreement(values, clusters=source).high
        held += (found.low or 0) <= 1.959964 * sqrt(2) <= (found.high or 0)
    assert 0.9 <= held / 300 <= 0.985


def test_equivalence_and_the_published_interval_agree() -> None:
    """TOST at 2.5 % rejects as long as the 95 % interval, -22.0 to 17.8, lies within the margin."""
    bias = limits_of_agreement(APART).bias
    assert bias.low is not None

    assert equivalence_p(APART, margin=-bias.low).value == pytest.approx(0.025)
    assert float(equivalence_p(APART, margin=22.5)) < 0.025 < float(equivalence_p(APART, margin=21))
