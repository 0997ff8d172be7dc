import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from agreement import Bootstrap, Estimate, alpha, mean_by
from agreement.bootstrap.intervals import Method, bootstrap_interval
from agreement.bootstrap.resampling import resampled_totals
from agreement.scores.means import mean_of_totals, sums_and_sizes
from agreement.values.coding import FloatArray, IntArray
from tests.agreement.tables import alpha_of, tidy


def labels(units: int, skill: float, seed: int, raters: int = 4) -> IntArray:
    """Each rater gives a unit's true label with probability `skill`, else any of four."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, (units, 1))
    guess = rng.integers(0, 4, (units, raters))
    return np.where(rng.random((units, raters)) < skill, truth, guess)


def plain_bootstrap(
    table: IntArray, cluster: IntArray, distance: str, resamples: int, seed: int
) -> FloatArray:
    """Alpha of one resampled table after the other, each built row by row."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(cluster == one) for one in range(int(cluster.max()) + 1)]
    alphas = []
    for _ in range(resamples):
        drawn = rng.integers(0, len(members), len(members))
        rows = np.concatenate([members[one] for one in drawn])
        alphas.append(float(alpha_of(table[rows].tolist(), distance)))
    return np.array(alphas)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("units_per_cluster", [1, 3])
def test_the_interval_is_that_of_a_plain_loop_over_resampled_tables(
    distance: str, units_per_cluster: int
) -> None:
    table = labels(90, 0.6, seed=1)
    cluster = np.arange(90) // units_per_cluster
    units, raters, values = tidy(table.tolist())
    estimate = alpha(
        units,
        raters,
        values,
        distance=distance,
        clusters=cluster[units],
        bootstrap=Bootstrap(resamples=4000, seed=2),
    )
    plain = plain_bootstrap(table, cluster, distance, resamples=500, seed=3)
    # A 2.5 % quantile of 500 normal draws has the standard error sqrt(0.025 * 0.975 / 500) /
    # 0.0584 = 0.12 standard deviations: four of them.
    low, high = np.quantile(plain, [0.025, 0.975])
    assert estimate.low == pytest.approx(low, abs=0.48 * plain.std())
    assert estimate.high == pytest.approx(high, abs=0.48 * plain.std())


def test_there_is_no_interval_unless_a_bootstrap_is_given() -> None:
    table = labels(50, 0.5, seed=4).tolist()
    estimate = alpha_of(table, "nominal")
    assert (estimate.low, estimate.high) == (None, None)
    assert (estimate.confidence, estimate.interval_method) == (None, None)
    assert estimate.value == alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=10)).value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": 0}, "None for no interval"),
        ({"confidence": 1.0}, "between 0 and 1"),
        ({"method": "normal"}, "unknown interval"),
        ({"resample": "raters"}, "unknown resample"),
    ],
)
def test_a_bootstrap_that_makes_no_sense_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Bootstrap(**options)


def test_the_same_seed_gives_the_same_interval_and_the_estimate_names_it() -> None:
    table = labels(50, 0.5, seed=4).tolist()
    first = alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=200, seed=11))
    assert first == alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=200, seed=11))
    assert first.low != alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=200, seed=12)).low
    assert first.interval_method == ("percentile bootstrap, 200 resamples of 50 clusters, seed 11")
    assert first.confidence == 0.95


def test_more_confidence_makes_a_wider_interval() -> None:
    table = labels(50, 0.5, seed=4).tolist()
    narrow = alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=500, confidence=0.8))
    wide = alpha_of(table, "nominal", bootstrap=Bootstrap(resamples=500, confidence=0.99))
    assert wide.low is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.high is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_no_interval_is_made_unless_asked_for() -> None:
    estimate = alpha_of(labels(20, 0.5, seed=4).tolist(), "nominal")
    assert (estimate.low, estimate.high, estimate.confidence) == (None, None, None)
    assert estimate.interval_method is None


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_about_95_of_100_intervals_cover_the_true_alpha(method: Method) -> None:
    # Two raters agree by both knowing (0.7^2), else by chance: alpha of the population is 0.49.
    covered = 0
    for seed in range(300):
        table = labels(80, 0.7, seed=seed).tolist()
        estimate = alpha_of(
            table, "nominal", bootstrap=Bootstrap(resamples=400, seed=seed, method=method)
        )
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 0.49 <= estimate.high
    # 285 expected, standard deviation sqrt(300 * 0.95 * 0.05) = 3.8; bootstrap intervals of 80
    # units are known to run a little short.
    assert 270 <= covered <= 297


def test_one_cluster_has_no_interval_and_says_so() -> None:
    units, raters, values = tidy([["x", "x"], ["x", "y"], ["y", "y"]])
    estimate = alpha(
        units,
        raters,
        values,
        distance="nominal",
        clusters=["s"] * 6,
        bootstrap=Bootstrap(resamples=100),
    )
    assert estimate.value is not None
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.interval_method is not None
    assert estimate.interval_method.endswith("none: one cluster only")


def test_resamples_without_variation_are_counted_out() -> None:
    # 3 of 4 units are ("x", "x"): a resample misses the fourth with probability (3/4)^4 = 0.32.
    estimate = alpha_of(
        [["x", "x"]] * 3 + [["x", "y"]], "nominal", bootstrap=Bootstrap(resamples=1000)
    )
    assert estimate.low is not None
    assert estimate.interval_method is not None
    undefined = int(estimate.interval_method.split(", ")[-1].removesuffix(" undefined"))
    assert 260 < undefined < 380  # 316 expected, standard deviation 15


def test_an_interval_of_mostly_undefined_resamples_is_none_and_says_so() -> None:
    # Half of the resamples of these two units are one of them twice, and do not vary.
    sparse = [["x", "x"], ["y", "y"]]
    kept = [
        alpha_of(sparse, "nominal", bootstrap=Bootstrap(resamples=101, seed=seed))
        for seed in range(20)
    ]
    for estimate in kept:
        assert estimate.interval_method is not None
        count = int(estimate.interval_method.split(" undefined")[0].split(", ")[-1])
        assert (estimate.low is None) == (2 * (101 - count) < 101)
        assert (estimate.low is None) == ("more than half" in estimate.interval_method)
    assert {estimate.low is None for estimate in kept} == {True, False}


def test_bca_of_a_mean_equals_the_textbook_formula() -> None:
    rng = np.random.default_rng(6)
    values = rng.exponential(size=40)
    table = sums_and_sizes(values, np.arange(40), 40)
    drawn = Bootstrap(resamples=2000, seed=9)
    bca = bootstrap_interval(
        table, mean_of_totals, values.mean(), Bootstrap(resamples=2000, seed=9, method="bca")
    )
    # Efron (1987): z0 from the share of resamples below the value, a = sum d^3 / 6 (sum d^2)^1.5
    # with d_i = x_i - mean for a mean; the resamples are those of the percentile interval.
    low, high = bca.low, bca.high
    resampled = resampled_means(values, drawn)
    normal = NormalDist()
    bias = normal.inv_cdf(float(np.mean(resampled < values.mean())))
    d = values - values.mean()
    acceleration = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    for bound, level in ((low, 0.025), (high, 0.975)):
        shifted = bias + normal.inv_cdf(level)
        corrected = normal.cdf(bias + shifted / (1 - acceleration * shifted))
        assert bound == pytest.approx(float(np.quantile(resampled, corrected)), abs=1e-12)


def resampled_means(values: FloatArray, how: Bootstrap) -> FloatArray:
    table = sums_and_sizes(values, np.arange(len(values)), len(values))
    blocks = resampled_totals(table, how.resamples, how.seed)
    return np.concatenate([mean_of_totals(totals) for totals in blocks])


def test_bca_leans_to_the_long_tail() -> None:
    rng = np.random.default_rng(6)
    values = rng.exponential(size=40)
    percentile, bca = (
        mean_by(values, np.arange(40), bootstrap=Bootstrap(resamples=2000, method=method))
        for method in ("percentile", "bca")
    )
    assert percentile.low is not None
    assert bca.low is not None
    assert percentile.high is not None
    assert bca.high is not None
    assert bca.low > percentile.low
    assert bca.high > percentile.high


def test_bca_without_its_corrections_has_no_bounds_and_says_so() -> None:
    perfect: Estimate = alpha_of(
        [["x", "x"], ["y", "y"]] * 10, "nominal", bootstrap=Bootstrap(resamples=100)
    )
    assert (perfect.low, perfect.high) == (1, 1)
    bca = alpha_of(
        [["x", "x"], ["y", "y"]] * 10, "nominal", bootstrap=Bootstrap(resamples=100, method="bca")
    )
    assert bca.low is None
    assert bca.interval_method is not None
    assert "no BCa correction" in bca.interval_method
    assert math.isfinite(float(bca))
