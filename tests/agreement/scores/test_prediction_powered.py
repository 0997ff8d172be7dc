import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from agreement import PredictionPowered, ppi_difference, ppi_mean, ppi_proportion
from agreement.values.coding import FloatArray

Pair = tuple[FloatArray, FloatArray]


def sample(n: int, rest: int, seed: int, *, noise: float = 0.5, binary: bool = False) -> Pair:
    """Human answers, NaN for the last `rest` units, and a biased judge's for all."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(1, 1, n + rest)
    judge = 0.3 + truth + noise * rng.normal(size=n + rest)
    if binary:
        truth, judge = (truth > 1).astype(float), 1 / (1 + np.exp(2 - 2 * judge))
    human = np.where(np.arange(n + rest) < n, truth, np.nan)
    return human, judge


def bounds(result: PredictionPowered) -> tuple[float | None, ...]:
    return result.estimate.value, result.estimate.low, result.estimate.high


def test_a_mean_by_hand() -> None:
    # Answered: human 1, 3, judge 0, 2; the judge alone 2, 4. Covariance 1 (divisor 2), variance
    # of 0, 2, 2, 4 8/3 (divisor 3): t = 1 / ((1 + 2/2) * 8/3) = 3/16.
    # Mean = 3/16 * 3 + (1 - 0 + 3 - 6/16) / 2 = 9/16 + 29/16 = 19/8. Human minus t judge is 1,
    # 21/8: variance (13/16)^2. Squared error (3/16)^2 / 2 + (13/16)^2 / 2 = 178/512.
    result = ppi_mean([1, 3, None, None], [0, 2, 2, 4])
    half = NormalDist().inv_cdf(0.975) * math.sqrt(178 / 512)
    assert result.tuning == pytest.approx(3 / 16)
    assert bounds(result) == pytest.approx((19 / 8, 19 / 8 - half, 19 / 8 + half))
    # Alone: variance 1 over 2 answers; 2 * (1/2) / (178/512) = 2.88 answers would be as good.
    assert result.humans_alone.value == 2
    assert result.equivalent.value == pytest.approx(512 / 178)
    assert result.saved.value == 0
    assert (result.estimate.n_units, result.estimate.n_ratings) == (4, 2)


# Made with ppi-python 0.2.3 (Angelopoulos et al.): ppi_mean_pointestimate and ppi_mean_ci on
# sample(...), with alpha = 1 - confidence.
FROZEN = [
    ((20, 300, 0, 0.2, False), None, [0.922015527762, 0.738820972459, 1.105210083065]),
    ((20, 300, 0, 0.2, False), 1.0, [0.994970018832, 0.858687572861, 1.131252464803]),
    ((200, 50, 1, 1.0, False), None, [0.935777459422, 0.815424008286, 1.056130910557]),
    ((200, 50, 1, 1.0, False), 1.0, [1.018100953897, 0.642311764486, 1.393890143309]),
    ((40, 1000, 2, 5.0, False), None, [1.004217645515, 0.717041170172, 1.291394120857]),
    ((40, 1000, 2, 5.0, False), 1.0, [1.026737245837, -0.401334014896, 2.45480850657]),
    ((60, 400, 3, 0.5, True), None, [0.474514537227, 0.384830884015, 0.56419819044]),
]


@pytest.mark.parametrize(("how", "tuning", "expected"), FROZEN)
def test_means_equal_what_ppi_python_gave(
    how: tuple[int, int, int, float, bool], tuning: float | None, expected: list[float]
) -> None:
    n, rest, seed, noise, binary = how
    human, judge = sample(n, rest, seed, noise=noise, binary=binary)
    estimate = ppi_proportion if binary else ppi_mean
    assert bounds(estimate(human, judge, tuning=tuning)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("tuning", [None, 0, 0.4, 1])
@pytest.mark.parametrize("binary", [False, True])
def test_means_and_proportions_equal_ppi_python(tuning: float | None, binary: bool) -> None:
    ppi = pytest.importorskip("ppi_py")
    for seed, n, rest, noise in [
        (0, 20, 300, 0.2),
        (1, 200, 50, 1),
        (2, 40, 1000, 5),
        (3, 9, 9, 1),
    ]:
        human, judge = sample(n, rest, seed, noise=noise, binary=binary)
        estimate = ppi_proportion if binary else ppi_mean
        result = estimate(human, judge, tuning=tuning, confidence=0.9)
        parts = human[:n], judge[:n], judge[n:]
        value = np.ravel(ppi.ppi_mean_pointestimate(*parts, lam=tuning))
        low, high = (np.ravel(side) for side in ppi.ppi_mean_ci(*parts, alpha=0.1, lam=tuning))
        assert bounds(result) == pytest.approx((value[0], low[0], high[0]), abs=1e-9)


def test_a_paired_difference_is_the_mean_of_the_differences() -> None:
    (human, judge), (other, guess) = sample(30, 200, 1), sample(40, 190, 2)
    paired = ppi_difference(human, judge, other, guess)
    assert paired == ppi_mean(human - other, judge - guess)
    assert paired.estimate.n_ratings == 30  # answered for both


def test_a_difference_of_independent_systems_adds_the_squared_errors() -> None:
    first, second = sample(30, 200, 1), sample(40, 50, 2)
    result = ppi_difference(*first, *second, paired=False)
    one, two = ppi_mean(*first), ppi_mean(*second)
    assert float(result.estimate) == pytest.approx(float(one.estimate) - float(two.estimate))
    widths = [
        estimate.high - estimate.low
        for estimate in (result.estimate, one.estimate, two.estimate)
        if estimate.low is not None and estimate.high is not None
    ]
    assert widths[0] == pytest.approx(math.hypot(*widths[1:]))
    assert (result.tuning, result.estimate.n_ratings) == (None, 70)


def test_a_good_judge_saves_answers_and_a_useless_one_none() -> None:
    # With correlation r and N much larger than n, an answer is worth 1 / (1 - r^2): here 5.
    good = ppi_mean(*sample(100, 20000, 3, noise=0.5))
    assert float(good.equivalent) == pytest.approx(500, rel=0.25)
    assert float(good.saved) == math.floor(float(good.equivalent) - 100)
    human, _ = sample(100, 2000, 3)
    useless = ppi_mean(human, np.ones(2100))
    assert (useless.tuning, useless.saved.value) == (0, 0)
    assert useless.estimate.low == useless.humans_alone.low


def test_about_95_of_100_intervals_cover_the_true_mean_though_the_judge_is_biased() -> None:
    covered = 0
    for seed in range(1000):
        estimate = ppi_mean(*sample(100, 1000, seed)).estimate
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 1 <= estimate.high
    # 950 expected, standard deviation 7; 100 answers leave the normal interval a little short.
    assert 925 <= covered <= 972


def test_order_does_not_matter_and_shifts_and_signs_go_through() -> None:
    human, judge = sample(25, 60, 4)
    order = np.random.default_rng(0).permutation(85)
    value, low, high = bounds(ppi_mean(human, judge))
    assert low is not None
    assert high is not None
    assert bounds(ppi_mean(human[order], judge[order])) == pytest.approx((value, low, high))
    turned = bounds(ppi_mean(-human + 2, -judge + 7))
    assert value is not None
    assert turned == pytest.approx((2 - value, 2 - high, 2 - low))


@pytest.mark.parametrize(
    ("human", "judge", "reason"),
    [
        ([], [], "fewer than two units with a human and a judge's answer"),
        ([1, None, None], [1, 1, 2], "fewer than two units with a human and a judge's answer"),
        ([1, 2, 3], [1, None, None], "fewer than two units with a human and a judge's answer"),
        ([1, 2, None], [1, 1, 2], "fewer than two units with a judge's answer alone"),
    ],
)
def test_where_there_is_too_little_it_says_why(human: Any, judge: Any, reason: str) -> None:
    result = ppi_mean(human, judge)
    assert {result.estimate.undefined, result.saved.undefined} == {reason}
    assert result.tuning is None


def test_answers_without_spread_have_a_value_and_no_savings() -> None:
    result = ppi_mean([2, 2, None, None], [1, 1, 1, 1])
    assert bounds(result) == (2, 2, 2)
    assert result.saved.undefined == "no spread: the human answers alone leave no uncertainty"


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="tuning"):
        ppi_mean([1, 2], [1, 2], tuning=1.5)
    with pytest.raises(ValueError, match="confidence"):
        ppi_mean([1, 2], [1, 2], confidence=1)
    with pytest.raises(ValueError, match="3 human answers for 2"):
        ppi_mean([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match=r"yes \(1\) and no"):
        ppi_proportion([1, 2], [1, 0])
    with pytest.raises(ValueError, match="probability"):
        ppi_proportion([1, 0], [1, 1.5])
    with pytest.raises(ValueError, match="differ in length"):
        ppi_difference([1, 2], [1, 2], [1], [1])
