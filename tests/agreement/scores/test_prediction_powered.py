import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement import PredictionPowered, ppi_difference, ppi_mean, ppi_proportion, ppi_selection
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
    # Mean = 3/16 * 3 + (1 - 0 + 3 - 6/16) / 2 = 9/16 + 29/16 = 19/8.
    result = ppi_mean([1, 3, None, None], [0, 2, 2, 4])
    assert result.tuning == pytest.approx(3 / 16)
    assert result.estimate.value == pytest.approx(19 / 8)
    assert result.humans_alone.value == 2
    assert (result.estimate.n_units, result.estimate.n_ratings) == (4, 2)


def test_an_interval_by_hand() -> None:
    # Six times the same: answered 1, 3 with judge 0, 2, alone 2, 4. Covariance 1 (divisor 12),
    # variance of the judge 48/23 (divisor 23): t = 1 / (2 * 48/23) = 23/96. Human minus t judge is
    # 1 and 121/48, variance (73/96)^2 12/11; t judge alone (23/96)^2 12/11. Both over 12.
    result = ppi_mean([1, 3] * 6 + [None] * 12, [0, 2] * 6 + [2, 4] * 6)
    error = (73**2 + 23**2) / 96**2 / 11
    half = stats.t.ppf(0.975, 11) * math.sqrt(error)
    value = 23 / 96 * 3 + 2 - 23 / 96
    assert bounds(result) == pytest.approx((value, value - half, value + half))
    # Alone: variance 12/11 over 12, 1/11.
    assert result.equivalent.value == pytest.approx(12 / 11 / error)
    assert result.saved.value == math.floor(12 / 11 / error - 12)


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


def widened(
    human: FloatArray, judge: FloatArray, tuning: float, low: float, high: float
) -> list[float]:
    """The bounds of ppi-python, normal with divisors n, as Student's with divisors n - 1: its
    standard error is checked first."""
    y, f, rest = human[~np.isnan(human)], judge[~np.isnan(human)], judge[np.isnan(human)]
    means = [(tuning * rest, len(rest)), (y - tuning * f, len(y))]
    normal, student = (
        math.sqrt(sum(np.var(of, ddof=ddof) / n for of, n in means)) for ddof in (0, 1)
    )
    middle, half = (low + high) / 2, (high - low) / 2
    level = stats.norm.cdf(half / normal)
    assert level == pytest.approx(0.975, abs=1e-6) or level == pytest.approx(0.95, abs=1e-6)
    wide = stats.t.ppf(level, len(y) - 1) * student
    return [middle - wide, middle + wide]


def as_odds(share: float, low: float, high: float) -> list[float]:
    """The bounds by the delta method on log odds, whose derivative is 1 / (share (1 - share))."""
    half = (high - low) / 2 / (share * (1 - share))
    middle = math.log(share / (1 - share))
    return [1 / (1 + math.exp(-place)) for place in (middle - half, middle + half)]


@pytest.mark.parametrize(("how", "tuning", "expected"), FROZEN)
def test_means_equal_what_ppi_python_gave(
    how: tuple[int, int, int, float, bool], tuning: float | None, expected: list[float]
) -> None:
    n, rest, seed, noise, binary = how
    human, judge = sample(n, rest, seed, noise=noise, binary=binary)
    result = (ppi_proportion if binary else ppi_mean)(human, judge, tuning=tuning)
    assert result.tuning is not None
    wide = widened(human, judge, result.tuning, *expected[1:])
    wide = as_odds(expected[0], *wide) if binary else wide
    assert bounds(result) == pytest.approx((expected[0], *wide), abs=1e-9)


@pytest.mark.parametrize("tuning", [None, 0, 0.4, 1])
@pytest.mark.parametrize("binary", [False, True])
def test_means_and_proportions_equal_ppi_python(tuning: float | None, binary: bool) -> None:
    ppi = pytest.importorskip("ppi_py")
    for seed, n, rest, noise in [
        (0, 20, 300, 0.2),
        (1, 200, 50, 1),
        (2, 40, 1000, 5),
        (3, 19, 19, 1),
    ]:
        human, judge = sample(n, rest, seed, noise=noise, binary=binary)
        estimate = ppi_proportion if binary else ppi_mean
        result = estimate(human, judge, tuning=tuning, confidence=0.9)
        parts = human[:n], judge[:n], judge[n:]
        value = np.ravel(ppi.ppi_mean_pointestimate(*parts, lam=tuning))
        low, high = (np.ravel(side) for side in ppi.ppi_mean_ci(*parts, alpha=0.1, lam=tuning))
        assert result.tuning is not None
        wide = widened(human, judge, result.tuning, float(low[0]), float(high[0]))
        wide = as_odds(float(value[0]), *wide) if binary else wide
        assert bounds(result) == pytest.approx((value[0], *wide), abs=1e-9)


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
    degrees = [29, 29, 39]  # the fewer of the two
    errors = [
        (estimate.high - estimate.low) / stats.t.ppf(0.975, df)
        for estimate, df in zip((result.estimate, one.estimate, two.estimate), degrees, strict=True)
        if estimate.low is not None and estimate.high is not None
    ]
    assert errors[0] == pytest.approx(math.hypot(*errors[1:]))
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
    # 950 expected, standard deviation 7.
    assert 929 <= covered <= 972


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


@pytest.mark.parametrize(
    ("human", "reason"),
    [
        (list(range(9)), "too few sources for an interval: fewer than 10 with a human answer"),
        (
            [1] * 20 + [0] * 4,
            "too few sources for an interval: fewer than 5 human answers differ from the rest",
        ),
    ],
)
def test_too_few_answers_have_a_value_without_an_interval_or_savings(
    human: list[float], reason: str
) -> None:
    result = ppi_mean([*human, *[None] * 50], [*([0, 1] * 25), *human])
    for estimate in (result.estimate, result.humans_alone):
        assert estimate.value is not None
        assert (estimate.low, estimate.high, estimate.confidence) == (None, None, 0.95)
        assert (estimate.interval_method or "").endswith(f"; none: {reason}")
    assert {result.equivalent.undefined, result.saved.undefined} == {reason}
    enough = ppi_mean([*human, 90, 91, *[None] * 50], [*([0, 1] * 26), *human])
    assert enough.estimate.low is not None


def test_a_perfect_judge_of_constant_others_has_no_savings() -> None:
    result = ppi_mean([1, 3] * 6 + [None] * 3, [1, 3] * 6 + [2] * 3, tuning=1)
    assert (result.estimate.value, result.estimate.low) == (2, None)
    assert (result.estimate.interval_method or "").endswith("none: the answers do not vary")
    assert result.saved.undefined == "no spread: the human answers alone leave no uncertainty"


# Coverage of 95 % intervals where people answered n of 200 sources and the judge all: before, and
# of those that are given now, with how many that is. The table of docs/statistics.md.
COVERAGE = [
    ("number", 5, 0.81, None, 0.0),
    ("number", 10, 0.88, 0.935, 1.0),
    ("number", 30, 0.935, 0.945, 1.0),
    ("share .2", 10, 0.81, None, 0.03),
    ("share .2", 20, 0.885, 0.93, 0.37),
    ("share .2", 50, 0.925, 0.95, 0.98),
    ("share .1", 20, 0.855, None, 0.05),
    ("share .1", 50, 0.90, 0.98, 0.58),
    ("share .1", 100, 0.92, 0.95, 0.98),
]


def drawn(what: str, rng: np.random.Generator) -> tuple[float, FloatArray, FloatArray]:
    """The truth of 200 sources, and a judge who is off by a little or right in 85 %."""
    if what == "number":
        truth = rng.normal(50, 20, 200)
        return 50, truth, truth + rng.normal(5, 10, 200)
    share = float(what.split()[1])
    truth = (rng.random(200) < share).astype(np.float64)
    return share, truth, np.where(rng.random(200) < 0.85, truth, 1 - truth)


def narrow(human: FloatArray, judge: FloatArray, tuning: float) -> tuple[float, float]:
    """The normal interval with divisors n, as before."""
    y, f, rest = human[~np.isnan(human)], judge[~np.isnan(human)], judge[np.isnan(human)]
    corrected = y - tuning * f
    middle = tuning * rest.mean() + corrected.mean()
    half = 1.959964 * math.sqrt(tuning**2 * rest.var() / len(rest) + corrected.var() / len(y))
    return middle - half, middle + half


@pytest.mark.slow
@pytest.mark.parametrize(("what", "n", "before", "now", "given"), COVERAGE)
def test_coverage_is_what_the_documentation_says(
    what: str, n: int, before: float, now: float | None, given: float
) -> None:
    rng, covered_before, covered, shown = np.random.default_rng(n), 0, 0, 0
    for _ in range(2000):
        mean, truth, judge = drawn(what, rng)
        human = np.where(np.arange(200) < n, truth, np.nan)
        result = ppi_mean(human, judge)
        assert result.tuning is not None
        low, high = narrow(human, judge, result.tuning)
        covered_before += low <= mean <= high
        if result.estimate.low is not None and result.estimate.high is not None:
            shown += 1
            covered += result.estimate.low <= mean <= result.estimate.high
    assert covered_before / 2000 == pytest.approx(before, abs=0.03)
    assert shown / 2000 == pytest.approx(given, abs=0.04)
    if now is not None:
        assert covered / shown == pytest.approx(now, abs=0.03)


def test_easier_sources_that_people_answered_are_noticed_by_the_judges_scores() -> None:
    """By hand: 6, 8, 10 against 1, 3: 8 - 2 = 6; variances 4 and 2, squared error 4/3 + 1; degrees
    of freedom (7/3)^2 / ((4/3)^2 / 2 + 1 / 1). Then by scipy."""
    found = ppi_selection([1, 1, 1, None, None], [6, 8, 10, 1, 3])
    half = stats.t.ppf(0.975, (49 / 9) / (8 / 9 + 1)) * math.sqrt(7 / 3)
    assert (found.value, found.low, found.high) == pytest.approx((6, 6 - half, 6 + half))
    assert (found.n_units, found.n_ratings) == (5, 3)
    human, judge = sample(30, 70, 6)
    expected = stats.ttest_ind(judge[:30], judge[30:], equal_var=False).confidence_interval(0.9)
    again = ppi_selection(human, judge, confidence=0.9)
    assert (again.low, again.high) == pytest.approx((expected.low, expected.high))


def test_selection_ignores_order_and_turns_with_the_scale() -> None:
    human, judge = sample(12, 30, 8)
    found = ppi_selection(human, judge)
    order = np.random.default_rng(1).permutation(42)
    assert ppi_selection(human[order], judge[order]).low == pytest.approx(found.low)
    turned = ppi_selection(human, 5 - 2 * judge)
    assert found.high is not None
    assert turned.low == pytest.approx(-2 * found.high)
    assert ppi_selection([1, 2, None], [1, 1, 2]).undefined == (
        "fewer than two units with a judge's answer alone"
    )
    constant = ppi_selection([1, 2, None, None], [1, 1, 1, 1])
    assert (constant.value, constant.low, constant.high) == (0, None, None)
    with pytest.raises(ValueError, match="1 human answers for 2"):
        ppi_selection([1], [1, 2])
    with pytest.raises(ValueError, match="confidence"):
        ppi_selection([1], [1], confidence=0)


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
