import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from agreement import Bootstrap, mean_by, raw_agreement
from agreement.bootstrap.live import looks_confidence
from agreement.sequences.shares import BETS, share_sequence

AT_LOOKS = looks_confidence(0.95)

ONE = np.ones(1)


def test_a_lower_bound_by_hand() -> None:
    # Ten times yes: the wealth with a bet c against m is (1 - c + c / m)^10, the mean over the
    # sixteen bets 40 where m is the bound.
    low, high = share_sequence(ONE, ONE, 10 * ONE, confidence=0.95)
    wealth = sum((1 - c + c / low) ** 10 for c in BETS) / len(BETS)
    assert wealth == pytest.approx(40, rel=1e-6)
    assert high == 1


def by_brute_force(values: list[float], confidence: float) -> tuple[float, float]:
    """The same bounds with a product over all values, and a root by Brent's method."""

    def lower(numbers: list[float]) -> float:
        def beyond(m: float) -> float:
            products = [math.prod(1 - c + c * x / m for x in numbers) for c in BETS.tolist()]
            return float(sum(products)) / len(products) - 2 / (1 - confidence)

        mean = sum(numbers) / len(numbers)
        if mean < 1e-8 or beyond(1e-9) < 0:
            return 0.0
        return float(brentq(beyond, 1e-9, mean, xtol=1e-13))

    return lower(values), 1 - lower([1 - value for value in values])


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("seed", range(4))
def test_bounds_equal_those_by_brute_force(seed: int, confidence: float) -> None:
    values = np.random.default_rng(seed).beta(1 + seed, 2, 30)
    expected = by_brute_force(values.tolist(), confidence)
    ones = np.ones(30)
    assert share_sequence(values, ones, ones, confidence=confidence) == pytest.approx(
        expected, abs=1e-9
    )


def test_the_mean_wealth_against_the_truth_is_one_at_every_number_of_sources() -> None:
    # All 2^6 outcomes of six draws of a share of 0.3, with their probabilities.
    share = 0.3
    outcomes = np.array(np.meshgrid(*[[0, 1]] * 6)).reshape(6, -1)
    chances = np.prod(np.where(outcomes == 1, share, 1 - share), axis=0)
    for n in range(1, 7):
        wealth = np.mean([np.prod(1 - c + c * outcomes[:n] / share, axis=0) for c in BETS], axis=0)
        assert float(chances @ wealth) == pytest.approx(1)


shares = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(shares, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_opposite_answers_turn_the_interval(values, draw) -> None:  # type: ignore[no-untyped-def]
    ones = np.ones(len(values))
    low, high = share_sequence(np.array(values), ones, ones, confidence=0.95)
    mean = sum(values) / len(values)
    assert 0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1
    turned = share_sequence(1 - np.array(values), ones, ones, confidence=0.95)
    assert turned == pytest.approx((1 - high, 1 - low), abs=1e-9)
    draw.shuffle(values)
    again = share_sequence(np.array(values), ones, ones, confidence=0.95)
    assert again == pytest.approx((low, high), abs=1e-9)


def test_sources_of_one_size_count_as_their_means() -> None:
    rng = np.random.default_rng(5)
    answers = (rng.random((20, 4)) < 0.4).astype(float)
    ones = np.ones(20)
    of_sums = share_sequence(answers.sum(axis=1), 4 * ones, ones, confidence=0.95)
    of_means = share_sequence(answers.mean(axis=1), ones, ones, confidence=0.95)
    assert of_sums == pytest.approx(of_means, abs=1e-12)


def test_means_of_shares_and_equal_answers_have_it_and_no_value_may_lie_outside() -> None:
    values, sources = [1, 0, 1, 1] * 10, [at // 2 for at in range(40)]
    live = Bootstrap(resamples=50, live=20)
    mean = mean_by(values, clusters=sources, ends=(0, 1), bootstrap=live)
    expected = share_sequence(
        np.array([1.0, 2.0]), 2 * np.ones(2), 10 * np.ones(2), confidence=AT_LOOKS
    )
    assert (mean.live_low, mean.live_high) == pytest.approx(expected)
    assert mean.live_method == "confidence sequence by betting, 20 clusters"
    about = ([0, 0, 1, 1, 2, 2], ["a", "b"] * 3, ["x", "x", "x", "y", "x", "x"])
    same = raw_agreement(*about, bootstrap=live)
    ones = np.ones(2)
    assert (same.live_low, same.live_high) == pytest.approx(
        share_sequence(np.array([1.0, 0.0]), ones, np.array([2.0, 1.0]), confidence=AT_LOOKS)
    )
    with pytest.raises(ValueError, match="within 0 and 1"):
        mean_by([2.0, 3.0], ends=(0, 1), bootstrap=live)
