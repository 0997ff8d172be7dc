"""Drift: by hand, against published tables and other programs, and by its laws."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student_t
from statsmodels.stats.contingency_tables import mcnemar

from agreement import Estimate, confidence_at_look, contrast, excess_change, paired_shares
from agreement.values.coding import IntArray

YES_NO = st.booleans()
PAIRS = st.lists(st.tuples(YES_NO, YES_NO), min_size=1, max_size=40)


def table(both: int, worse: int, better: int, neither: int) -> tuple[list[bool], list[bool]]:
    """First and newest answers by the four counts of a table."""
    counts = ((True, True, both), (True, False, worse), (False, True, better))
    rows = [(first, newest) for first, newest, n in counts for _ in range(n)]
    rows += [(False, False)] * neither
    return [first for first, _ in rows], [newest for _, newest in rows]


def test_what_differs_anyway_is_taken_off() -> None:
    changed = [True] * 6 + [False] * 4
    noise = [False] * 8 + [True] * 2
    estimate = excess_change(changed, noise)
    assert estimate.value == pytest.approx((6 - 2) / 10)
    assert estimate.n_units == 10
    assert estimate.interval_method == "Newcombe, 10 clusters"


def test_several_answers_of_a_unit_count_as_one_cluster() -> None:
    # 12 units of 2 answers. Both answers of 3 units have changed, one of a 4th is noise:
    # x sums to 2, 2, 2, -1 and 8 times 0, N = 24, value 5/24, mean of a unit 5/12.
    changed = [True] * 6 + [False] * 18
    noise = [False] * 6 + [True] + [False] * 17
    units = [unit for unit in range(12) for _ in range(2)]
    estimate = excess_change(changed, noise, clusters=units, confidence=0.95)
    value = 5 / 24
    sums = [2 - 2 * value] * 3 + [-1 - 2 * value] + [-2 * value] * 8
    error = (12 / 11 * sum(s * s for s in sums)) ** 0.5 / 24
    half = student_t.ppf(0.975, 11) * error
    assert estimate.value == pytest.approx(value)
    assert estimate.low == pytest.approx(value - half)
    # Farther from 0 than the value: where (m - value)^2 = half^2 (1 - m^2) / (1 - value^2).
    high = float(estimate.high or 0)
    assert high > value
    assert (high - value) ** 2 == pytest.approx(half**2 * (1 - high**2) / (1 - value**2))


def test_few_units_with_several_answers_have_no_interval() -> None:
    estimate = excess_change([True] * 8, [False] * 8, clusters=[0, 0, 1, 1, 2, 2, 3, 3])
    assert estimate.value == 1
    assert estimate.low is None
    assert "fewer than 10" in (estimate.interval_method or "")


def test_the_interval_is_that_of_newcombe() -> None:
    """Newcombe (1998), table II, row of 36, 12, 2, 0: 0.0569 to 0.3404 by method 10."""
    changed, noise = table(36, 12, 2, 0)
    estimate = excess_change(changed, noise)
    assert estimate.value == pytest.approx(0.2)
    assert (estimate.low, estimate.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    newest, first = table(36, 12, 2, 0)
    shares = paired_shares(first, newest)
    assert shares.difference.low == pytest.approx(0.0569, abs=5e-5)


def test_the_p_value_is_that_of_a_published_table() -> None:
    """Fagerland, Lydersen and Laake (2013), "The McNemar test for binary matched-pairs data: mid-p
    and asymptotic are better than exact conditional", table 1 (21 children of Bentur et al. 2009):
    0.070 by the exact conditional test."""
    shares = paired_shares(*table(1, 1, 7, 12))
    assert shares.p_value.value == pytest.approx(0.070, abs=5e-4)


@given(PAIRS)
def test_the_p_value_is_that_of_statsmodels_and_scipy(pairs: list[tuple[bool, bool]]) -> None:
    first, newest = [a for a, _ in pairs], [b for _, b in pairs]
    counts = np.zeros((2, 2), dtype=int)
    for a, b in pairs:
        counts[int(not a), int(not b)] += 1
    shares = paired_shares(first, newest)
    assert shares.p_value.value == pytest.approx(mcnemar(counts, exact=True).pvalue)
    differing = int(counts[0, 1] + counts[1, 0])
    if differing:
        expected = binomtest(int(counts[0, 1]), differing).pvalue
        assert shares.p_value.value == pytest.approx(expected)
    assert shares.first.value == pytest.approx(np.mean(first))
    assert shares.newest.value == pytest.approx(np.mean(newest))


@given(PAIRS, st.integers(1, 5))
def test_swapping_the_two_turns_the_sign(pairs: list[tuple[bool, bool]], size: int) -> None:
    changed, noise = [a for a, _ in pairs], [b for _, b in pairs]
    units = [at // size for at in range(len(pairs))]
    there, back = (
        excess_change(changed, noise, clusters=units),
        excess_change(noise, changed, clusters=units),
    )
    assert there.value == pytest.approx(-(back.value or 0))
    if there.low is not None and there.high is not None:
        assert back.low == pytest.approx(-there.high)
        assert back.high == pytest.approx(-there.low)
    one, other = paired_shares(changed, noise), paired_shares(noise, changed)
    assert one.difference.value == pytest.approx(-(other.difference.value or 0))
    assert one.p_value.value == other.p_value.value


@given(st.lists(YES_NO, min_size=1, max_size=40))
def test_askings_that_are_alike_have_no_drift(right: list[bool]) -> None:
    nothing = [False] * len(right)
    assert excess_change(nothing, nothing).value == 0
    estimate = excess_change(nothing, nothing, clusters=[at // 2 for at in range(len(right))])
    assert estimate.value == 0
    assert estimate.low is None or estimate.low <= 0
    shares = paired_shares(right, right)
    assert (shares.difference.value, shares.p_value.value) == (0, 1)


@given(PAIRS, st.randoms())
def test_neither_order_nor_names_of_units_matter(
    pairs: list[tuple[bool, bool]], random: "np.random.Generator"
) -> None:
    rows = [(a, b, at // 2) for at, (a, b) in enumerate(pairs)]
    random.shuffle(rows)
    changed, noise = [a for a, _ in pairs], [b for _, b in pairs]
    first = excess_change(changed, noise, clusters=[at // 2 for at in range(len(pairs))])
    second = excess_change(
        [a for a, _, _ in rows], [b for _, b, _ in rows], clusters=[f"u{u}" for _, _, u in rows]
    )
    assert second.value == pytest.approx(first.value)
    if first.low is not None:
        assert second.low == pytest.approx(first.low)


def test_the_error_is_spent_over_all_looks_and_measures() -> None:
    assert confidence_at_look(1) == pytest.approx(1 - 0.05 * 6 / pi**2)
    assert confidence_at_look(3, measures=2) == pytest.approx(1 - 0.05 * 6 / pi**2 / 9 / 2)
    spent = sum(1 - confidence_at_look(look) for look in range(1, 20_000))
    assert 0.0499 < spent < 0.05
    for wrong in ({"look": 0}, {"look": 1, "measures": 0}, {"look": 1, "alpha": 1.0}):
        with pytest.raises(ValueError, match="begin at 1"):
            confidence_at_look(**wrong)


def test_without_answers_there_is_nothing_to_say() -> None:
    assert excess_change([], []).undefined
    assert paired_shares([], []).difference.undefined
    with pytest.raises(ValueError, match="differ in length"):
        excess_change([True], [True, False])
    with pytest.raises(ValueError, match="differ in length"):
        paired_shares([True], [True, False])


@pytest.mark.slow
@pytest.mark.parametrize(("units", "answers"), [(20, 1), (50, 1), (20, 4), (50, 4)])
def test_a_judge_that_samples_is_seldom_found_to_drift_in_ten_looks(
    units: int, answers: int
) -> None:
    """One-sided at half of alpha: at most 2.5 % of series, give or take chance."""
    draws, found, series = np.random.default_rng(7), 0, 2000
    clusters = np.repeat(np.arange(units), answers).tolist()
    for _ in range(series):
        yes = draws.beta(0.3, 0.3, size=units * answers)
        first, again = (draws.random(yes.shape) < yes for _ in range(2))
        noise = (again != first).tolist()
        for look in range(1, 11):
            changed = ((draws.random(yes.shape) < yes) != first).tolist()
            confidence = confidence_at_look(look)
            low = excess_change(changed, noise, clusters=clusters, confidence=confidence).low
            if low is not None and low > 0:
                found += 1
                break
    assert found / series < 0.035


@pytest.mark.slow
@pytest.mark.parametrize(("units", "noise"), [(12, 0.5), (20, 0.5), (50, 0.2), (200, 0.2)])
def test_the_three_measures_together_are_seldom_wrong_in_ten_looks(
    units: int, noise: float
) -> None:
    """On a scale of five points, at 5 % of series at most, give or take chance."""
    draws, wrong, series = np.random.default_rng(9), 0, 600
    for _ in range(series):
        middle = draws.integers(1, 6, units)
        right = np.where(draws.random(units) < 0.8, middle, draws.integers(1, 6, units))
        first, again, *later = (
            np.clip(
                middle + draws.choice([-1, 0, 1], units, p=[noise / 2, 1 - noise, noise / 2]), 1, 5
            )
            for _ in range(12)
        )
        wrong += any(
            _apart(first, again, newest, right, look) for look, newest in enumerate(later, 1)
        )
    assert wrong / series < 0.07


def _apart(first: IntArray, again: IntArray, newest: IntArray, right: IntArray, look: int) -> bool:
    confidence = confidence_at_look(look, measures=3)
    change = excess_change(
        (newest != first).tolist(), (again != first).tolist(), confidence=confidence
    )
    mean = contrast((newest - first).astype(float), confidence=confidence).estimate
    shares = paired_shares(
        (first == right).tolist(), (newest == right).tolist(), confidence=confidence
    )
    p_value = shares.p_value.value
    return bool(
        (change.low is not None and change.low > 0)
        or leaves_out_zero(mean)
        or (leaves_out_zero(shares.difference) and (p_value or 0) <= 1 - confidence)
    )


def leaves_out_zero(estimate: Estimate) -> bool:
    return estimate.low is not None and (estimate.low > 0 or (estimate.high or 0) < 0)
