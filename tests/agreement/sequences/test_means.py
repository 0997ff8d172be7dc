import math

import numpy as np
import pytest
from scipy import integrate, stats

from agreement import Bootstrap, alpha, cohen_kappa, mean_by
from agreement.bootstrap.live import looks_confidence
from agreement.sequences.means import mean_sequence

AT_LOOKS = looks_confidence(0.95)


def test_bounds_by_hand() -> None:
    # n = planned = 9, e = .05: -2 log e = 5.991465, its logarithm 1.790336; q = 8.781800 / 9, so
    # r = 1 / 9.781800; a = exp((5.991465 + log 9.781800) / 9) = exp(8.271988 / 9) = 2.507058.
    # half = error sqrt(8 (a - 1) / (1 - a r)) = sqrt(8 * 1.507058 / 0.743702).
    bounds = mean_sequence(2.0, 1.0, 9, planned=9, confidence=0.95)
    half = math.sqrt(8 * 1.507058 / 0.743702)
    assert bounds == pytest.approx((2 - half, 2 + half), abs=1e-4)


@pytest.mark.parametrize(("n", "planned"), [(5, 5), (12, 30), (60, 30)])
def test_at_the_bounds_the_evidence_by_integration_is_one_over_alpha(n: int, planned: int) -> None:
    """Noncentral t densities, mixed over a normal prior on the standardised effect."""
    beyond = -2 * math.log(0.05)
    variance = (beyond + math.log(beyond) + 1) / planned
    bounds = mean_sequence(0.0, 1.0, n, planned=planned, confidence=0.95)
    assert bounds is not None
    t = bounds[1]  # the distance of the bound in standard errors

    def mixed(effect: float) -> float:
        prior = stats.norm.pdf(effect, scale=math.sqrt(variance))
        return float(stats.nct.pdf(t, n - 1, effect * math.sqrt(n)) * prior)

    around = t / math.sqrt(n)
    wide = [-8 * math.sqrt(variance), around, 8 * math.sqrt(variance)]
    evidence = integrate.quad(mixed, wide[0], wide[2], points=[0, around], limit=200)[0]
    assert evidence / stats.t.pdf(t, n - 1) == pytest.approx(20, rel=1e-4)


def test_many_sources_give_the_limit_of_waudby_smith_and_others() -> None:
    # Theorem 2.2: s sqrt(2 (n q + 1) / (n^2 q) log(sqrt(n q + 1) / e)), here with error s / sqrt n.
    n = 100_000
    q = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1) / 1000
    limit = math.sqrt(2 * (n * q + 1) / (n * q) * math.log(math.sqrt(n * q + 1) / 0.05))
    bounds = mean_sequence(0.0, 1.0, n, planned=1000, confidence=0.95)
    assert bounds == pytest.approx((-limit, limit), rel=1e-3)


def test_too_few_sources_have_no_bounds_and_more_confidence_is_wider() -> None:
    assert mean_sequence(0.0, 1.0, 2, planned=1000, confidence=0.95) is None
    narrow = mean_sequence(0.0, 1.0, 50, planned=50, confidence=0.9)
    wide = mean_sequence(0.0, 1.0, 50, planned=50, confidence=0.99)
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_a_mean_of_numbers_has_it_with_the_error_of_its_sources() -> None:
    values = np.random.default_rng(1).normal(3, 1, 40)
    estimate = mean_by(values, bootstrap=Bootstrap(resamples=20, live=60))
    error = float(values.std(ddof=1)) / math.sqrt(40)
    expected = mean_sequence(float(values.mean()), error, 40, planned=60, confidence=AT_LOOKS)
    assert (estimate.live_low, estimate.live_high) == pytest.approx(expected)
    assert estimate.live_low is not None
    assert estimate.low is not None
    assert estimate.live_low < estimate.low
    assert mean_by(values, bootstrap=Bootstrap(resamples=20)).live_method is None


def test_alpha_has_the_error_of_the_jackknife_over_sources() -> None:
    rng = np.random.default_rng(2)
    units, raters = np.repeat(np.arange(60), 3), np.tile(np.arange(3), 60)
    true = np.repeat(rng.integers(0, 2, 60), 3)
    values = np.where(rng.random(180) < 0.8, true, 1 - true)

    def without(unit: int | None) -> float:
        kept = units != unit
        about = (units[kept], raters[kept], values[kept])
        return float(alpha(*about, distance="nominal"))

    # On Fisher's scale, where alpha has no ends.
    left_out = np.arctanh([without(unit) for unit in range(60)])
    error = math.sqrt(59 / 60 * float(((left_out - left_out.mean()) ** 2).sum()))
    estimate = alpha(
        units, raters, values, distance="nominal", bootstrap=Bootstrap(resamples=20, live=60)
    )
    value = math.atanh(without(None))
    expected = mean_sequence(value, error, 60, planned=60, confidence=AT_LOOKS)
    assert expected is not None
    bounds = tuple(math.tanh(bound) for bound in expected)
    assert (estimate.live_low, estimate.live_high) == pytest.approx(bounds, rel=1e-9)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1.0] * 9, "too few sources: fewer than 10"),
        ([0.0] * 30 + [5.0] * 3, "too few answers differ yet"),
        ([2.0] * 30, "too few answers differ yet"),
    ],
)
def test_where_too_little_differs_it_says_so(values: list[float], reason: str) -> None:
    estimate = mean_by(values, bootstrap=Bootstrap(resamples=20, live=30))
    assert (estimate.live_low, estimate.live_method) == (None, f"none: {reason}")


def test_agreement_on_a_rare_label_needs_sources_that_agree_on_it() -> None:
    def method(rare: int, disagreeing: int) -> str | None:
        first = ["no"] * 60 + ["yes"] * rare + ["no"] * disagreeing
        second = ["no"] * 60 + ["yes"] * rare + ["yes"] * disagreeing
        units = [*range(len(first))] * 2
        raters = ["a"] * len(first) + ["b"] * len(first)
        live = Bootstrap(resamples=20, live=80)
        about = (units, raters, [*first, *second])
        estimates = [alpha(*about, distance="nominal", bootstrap=live)]
        estimates.append(cohen_kappa(*about, bootstrap=live))
        [same] = {estimate.live_method for estimate in estimates}
        return same

    assert method(4, 20) == (
        "none: too few sources: fewer than 5 agree on another value than the commonest"
    )
    assert method(20, 4) == "none: too few sources: fewer than 5 disagree"
    assert (method(8, 8) or "").startswith("confidence sequence, Student mixture")
