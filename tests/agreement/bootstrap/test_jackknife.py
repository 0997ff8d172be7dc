"""Jackknife intervals: over sources, over sources and raters, and when there are none."""

from collections.abc import Callable
from math import atanh, sqrt, tanh
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import (
    Bootstrap,
    Estimate,
    alpha,
    cohen_kappa,
    correlation,
    fleiss_kappa,
    gwet_ac,
    mean_by,
    mean_ranks,
    quantile_by,
    raw_agreement,
)
from agreement.bootstrap.jackknife import groups_of, left_out_groups
from agreement.scores.means import sums_and_sizes
from agreement.values.coding import FloatArray, IntArray
from tests.agreement.two_way import half_width

SOURCES = Bootstrap(method="jackknife")
BOTH = Bootstrap(method="jackknife", resample="sources_and_raters")


def crossed(table: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Values, units and raters of a table without gaps, a row per unit."""
    unit, rater = np.indices(table.shape)
    return table.ravel(), unit.ravel(), rater.ravel()


def random_effects(seed: int, units: int, raters: int, *, taste: float) -> FloatArray:
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(units, raters)) + rng.normal(size=(units, 1))
    return np.asarray(noise + taste * rng.normal(size=(1, raters)))


def two_way(table: FloatArray) -> tuple[float, float]:
    """The bounds of the two-way random model by its mean squares."""
    (n, m), middle = table.shape, table.mean()
    units, raters = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    of_units = m * ((units - middle) ** 2).sum() / (n - 1)
    of_raters = n * ((raters - middle) ** 2).sum() / (m - 1)
    rest = ((table - units - raters + middle) ** 2).sum() / ((n - 1) * (m - 1))
    parts = (of_units, n - 1), (of_raters, m - 1), (rest, (n - 1) * (m - 1))
    half = half_width(*((square / (n * m), degrees) for square, degrees in parts))
    return middle - half, middle + half


def test_a_mean_has_students_interval() -> None:
    # 1, 2, 3, 4, 5: mean 3, sd sqrt(5/2), error sqrt(1/2), t with 4 degrees 2.776: 3 -+ 1.963.
    estimate = mean_by([1, 2, 3, 4, 5], bootstrap=SOURCES)
    assert (estimate.low, estimate.high) == pytest.approx((1.03676, 4.96324), abs=1e-5)
    assert estimate.interval_method == "jackknife over 5 clusters, t with 4 degrees of freedom"


@pytest.mark.parametrize("seed", range(5))
def test_a_mean_of_sources_equals_scipys_t_interval(seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(size=17)
    theirs = stats.t.interval(0.95, 16, values.mean(), stats.sem(values))
    estimate = mean_by(values, bootstrap=SOURCES)
    assert (estimate.low, estimate.high) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("raters", [3, 4, 5, 9])
def test_a_mean_over_raters_has_the_interval_of_the_two_way_random_model(raters: int) -> None:
    table = random_effects(raters, 14, raters, taste=2)
    values, unit, rater = crossed(table)
    estimate = mean_by(values, unit, raters=rater, bootstrap=BOTH)
    rel = 1e-9 if raters > 4 else 1e-4  # sums over other points
    assert (estimate.low, estimate.high) == pytest.approx(two_way(table), rel=rel)


def test_raters_who_do_not_differ_add_next_to_nothing() -> None:
    """Some degrees of freedom, since six raters might have hidden that they differ."""
    values, unit, rater = crossed(random_effects(3, 30, 6, taste=0))
    values -= np.bincount(rater, values)[rater] / 30
    both, one = (mean_by(values, unit, raters=rater, bootstrap=b) for b in (BOTH, SOURCES))
    assert (both.low, both.high) == pytest.approx((one.low, one.high), abs=0.01)
    assert both.low != one.low


def test_a_share_has_its_bounds_on_the_scale_of_log_odds() -> None:
    # Of 8 sources 6 yes: without a yes 5/7, without a no 6/7.
    estimate = mean_by([1] * 6 + [0] * 2, ends=(0, 1), bootstrap=SOURCES)
    odds = np.log([5 / 2] * 6 + [6] * 2)
    error = sqrt(7 / 8 * ((odds - odds.mean()) ** 2).sum())
    bounds = np.log(3) + np.array([-1, 1]) * stats.t.ppf(0.975, 7) * error
    assert [estimate.low, estimate.high] == pytest.approx((1 / (1 + np.exp(-bounds))).tolist())
    few = mean_by([1] * 6 + [0, 0.5], ends=(0, 1), bootstrap=SOURCES)
    assert "too few answers that differ" in str(few.interval_method)  # 2 of 3
    more = mean_by([1] * 6 + [0] * 2 + [0.5], ends=(0, 1), bootstrap=SOURCES)
    assert more.low is not None
    assert more.high is not None
    assert 0 < more.low < 13 / 18 < more.high < 1


def test_a_correlation_has_its_bounds_on_fishers_scale() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=20)
    y = x + rng.normal(size=20)
    left = [np.corrcoef(np.delete(x, at), np.delete(y, at))[0, 1] for at in range(20)]
    z = np.arctanh(left)
    half = stats.t.ppf(0.975, 19) * sqrt(19 / 20 * ((z - z.mean()) ** 2).sum())
    middle = atanh(np.corrcoef(x, y)[0, 1])
    estimate = correlation(x, y, bootstrap=SOURCES)
    assert (estimate.low, estimate.high) == pytest.approx(
        (tanh(middle - half), tanh(middle + half))
    )


def test_a_mean_of_correlations_has_bounds_that_leave_out_as_much_on_either_side() -> None:
    """Hall's cubic transformation of Student's statistic, with the skewness of the changes, is t at
    both bounds; where sources pull down, the lower bound is the farther one."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(12, 4))
    y = x + 0.7 * rng.normal(size=(12, 4))
    r = np.array([np.corrcoef(*pair)[0, 1] for pair in zip(x, y, strict=True)])
    about: dict[str, Any] = {"level": "summary", "sources": np.repeat(np.arange(12), 4)}
    estimate = correlation(x.ravel(), y.ravel(), **about, bootstrap=SOURCES)
    z = np.arctanh((r.sum() - r) / 11)
    changes, middle = z.mean() - z, atanh(r.mean())
    g = (changes**3).mean() / (changes**2).mean() ** 1.5
    error = sqrt(11 / 12 * (changes**2).sum())
    assert estimate.low is not None
    assert estimate.high is not None
    for bound, sign in ((estimate.low, 1), (estimate.high, -1)):
        u = (middle - atanh(bound)) / error / sqrt(12)
        hall = sqrt(12) * (u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * 12))
        assert hall == pytest.approx(sign * stats.t.ppf(0.975, 11))
    assert g < 0
    assert middle - atanh(estimate.low) > atanh(estimate.high) - middle
    assert str(estimate.interval_method).endswith("degrees of freedom, corrected for skewness")


@pytest.mark.parametrize(
    ("method", "variance"),
    [("pearson", 1 / 5), ("spearman", (1 + 0.5**2 / 2) / 5), ("kendall_tau_b", 0.437 / 4)],
)
def test_systems_are_the_sample_at_system_level(method: str, variance: float) -> None:
    # Eight systems; three values of each on three sources, so that means are 0 to 7 and another
    # order of them.
    x = np.repeat(np.arange(8.0), 3)
    y = np.repeat([0.0, 4, 2, 1, 6, 3, 7, 5], 3)
    systems, sources = np.repeat(np.arange(8), 3), np.tile(np.arange(3), 8)
    about: dict[str, Any] = {
        "method": method,
        "level": "system",
        "systems": systems,
        "sources": sources,
    }
    estimate = correlation(x, y, **about, bootstrap=SOURCES)
    value = float(estimate)
    if method == "spearman":
        variance = (1 + value**2 / 2) / 5
    half = 1.959964 * sqrt(variance)
    bounds = (tanh(atanh(value) - half), tanh(atanh(value) + half))
    assert (estimate.low, estimate.high) == pytest.approx(bounds, rel=1e-6)
    assert estimate.interval_method == "Fisher z, 8 systems"


def test_four_systems_or_one_line_have_no_interval_at_system_level() -> None:
    about: dict[str, Any] = {"level": "system", "method": "kendall_tau_b", "bootstrap": SOURCES}
    few = correlation([1, 2, 3, 5], [1, 3, 2, 4], systems=list("abcd"), **about)
    assert "too few systems (4, 5 are needed)" in str(few.interval_method)
    line = correlation(range(6), range(6), systems=list("abcdef"), **about)
    assert (line.value, line.low) == (1, None)
    assert "all systems lie on a line" in str(line.interval_method)


def left_out(statistic: Callable[..., Estimate], table: FloatArray) -> float:
    """Half an interval by leaving out sources and raters, on Fisher's scale, with plain loops."""

    def value(part: FloatArray) -> float:
        values, unit, rater = crossed(part)
        return atanh(float(statistic(unit, rater, values.astype(int))))

    n, m = table.shape
    sources = np.array([value(np.delete(table, at, axis=0)) for at in range(n)])
    raters = np.array([value(np.delete(table, at, axis=1)) for at in range(m)])
    both = np.array(
        [
            [value(np.delete(np.delete(table, at, axis=0), who, axis=1)) for who in range(m)]
            for at in range(n)
        ]
    )
    changes = sources[:, None] - both
    apart = changes - changes.mean(axis=1, keepdims=True)
    rest = (m - 1) / m * (n - 1) / n * ((apart - apart.mean(axis=0)) ** 2).sum()
    of_raters = (m - 1) / m * ((raters - raters.mean()) ** 2).sum()
    of_sources = (n - 1) / n * ((sources - sources.mean()) ** 2).sum()
    return half_width((of_sources, n - 1), (of_raters, m - 1), (rest, (n - 1) * (m - 1)))


STATISTICS: dict[str, Callable[..., Estimate]] = {
    "alpha": lambda *about, **how: alpha(*about, distance="nominal", **how),
    "alpha_ordinal": lambda *about, **how: alpha(*about, distance="ordinal", **how),
    "fleiss": fleiss_kappa,
    "ac1": lambda *about, **how: gwet_ac(*about, labels=[0, 1, 2], **how),
    "ac2": lambda *about, **how: gwet_ac(*about, weights="quadratic", labels=[0, 1, 2], **how),
}


@pytest.mark.parametrize("name", list(STATISTICS))
def test_a_coefficient_over_raters_is_that_of_plain_loops(name: str) -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, (16, 1))
    keeps = rng.random((16, 4)) < np.array([0.9, 0.8, 0.6, 0.4])
    table = np.where(keeps, truth, rng.integers(0, 3, (16, 4)))
    statistic = STATISTICS[name]
    half = left_out(statistic, table)
    values, unit, rater = crossed(table)
    estimate = statistic(unit, rater, values, bootstrap=BOTH)
    middle = atanh(float(estimate))
    assert (estimate.low, estimate.high) == pytest.approx(
        (tanh(middle - half), tanh(middle + half)), rel=1e-3
    )


def test_mean_ranks_leave_out_raters_too() -> None:
    rng = np.random.default_rng(1)
    units, raters, systems = (axis.ravel() for axis in np.indices((12, 4, 3)))
    about = (units, raters, systems, rng.normal(size=144) + systems * raters)
    both, one = (mean_ranks(*about, bootstrap=b).overall[2] for b in (BOTH, SOURCES))
    assert "12 clusters and 4 raters" in str(both.interval_method)
    assert both.high is not None
    assert one.high is not None
    assert both.high > one.high


@pytest.mark.parametrize("n", [2, 4])
def test_below_five_sources_there_is_no_interval(n: int) -> None:
    estimate = mean_by(np.arange(n), bootstrap=SOURCES)
    assert (estimate.low, estimate.high) == (None, None)
    assert str(estimate.interval_method).endswith(f"none: too few sources ({n}, 5 are needed)")


def test_a_rare_label_must_be_there_ten_times() -> None:
    def of(rare: int) -> Estimate:
        labels = [[1, 0]] * (rare // 2) + [[1, 1]] * (rare - rare // 2) + [[0, 0]] * 40
        values, unit, rater = crossed(np.array(labels))
        return cohen_kappa(unit, rater, values, bootstrap=SOURCES)

    assert "too few answers differ from the commonest (in 9 units of 9 sources" in str(
        of(9).interval_method
    )
    assert of(10).low is not None


def test_where_nothing_differs_there_is_no_interval() -> None:
    units, raters = (axis.ravel() for axis in np.indices((30, 3)))
    equal = alpha(units, raters, units % 3, distance="nominal", bootstrap=SOURCES)
    assert (equal.value, equal.low) == (1, None)
    assert str(equal.interval_method).endswith("none: the sources do not differ")
    assert mean_by([7] * 30, bootstrap=SOURCES).low is None
    all_yes = raw_agreement(units, raters, np.ones(90), bootstrap=BOTH)
    assert "too few answers that differ" in str(all_yes.interval_method)


def test_two_raters_are_taken_as_they_are_and_the_interval_says_so() -> None:
    values, unit, rater = crossed(random_effects(1, 20, 2, taste=1))
    both, one = (mean_by(values, unit, raters=rater, bootstrap=b) for b in (BOTH, SOURCES))
    assert (both.low, both.high) == (one.low, one.high)
    assert str(both.interval_method).endswith("; these raters only, as too few to speak of others")


def test_quantiles_keep_the_percentile_bootstrap() -> None:
    method = quantile_by(np.arange(30), bootstrap=SOURCES).interval_method
    assert method == "percentile bootstrap, 1000 resamples of 30 clusters, seed 0"


def test_very_many_clusters_are_left_out_in_groups_of_one_size() -> None:
    assert np.bincount(groups_of(1001, 400, seed=1)).tolist() == [3] * 333 + [2]
    assert groups_of(5, 400, seed=1).tolist() == [0, 1, 2, 3, 4]
    values = np.arange(10.0)
    table = sums_and_sizes(values, np.arange(10), 10)
    assert left_out_groups(table, 0)[:, 0] == pytest.approx(45 - values)


@given(st.integers(0, 1000), st.permutations(range(12)))
def test_the_order_of_sources_and_raters_does_not_matter(seed: int, order: list[int]) -> None:
    table = random_effects(seed, 12, 4, taste=1)
    first, second = (
        mean_by(values, unit, raters=rater, bootstrap=BOTH)
        for values, unit, rater in (crossed(table), crossed(table[order][:, ::-1]))
    )
    assert (first.low, first.high) == pytest.approx((second.low, second.high))
