"""Resampling sources and raters, where copies of one rater are never paired."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from agreement import (
    DISTANCES,
    Bootstrap,
    Estimate,
    alpha,
    cohen_kappa,
    mean_by,
    raw_agreement,
)
from agreement.bootstrap.crossed import CrossedUnits
from agreement.bootstrap.resampling import Draws, crossed_draws
from agreement.chance_corrected.disagreement import prepare
from agreement.scores.means import CrossedMeans
from agreement.values.coding import FloatArray, IntArray
from agreement.values.ratings import count_units
from tests.agreement.tables import Table, tidy

Distances = Callable[[Any, Any, Counter[Any]], float]
# A unit's ratings in a built resample: whose each is a copy of, and the value.
BuiltUnit = list[tuple[int, Any]]


def values_for(distance: str, rng: np.random.Generator) -> Any:
    if distance in ("jaccard", "masi"):
        return frozenset(np.flatnonzero(rng.random(3) < 0.5).tolist())
    if distance == "kendall":
        return tuple(rng.integers(1, 4, 3).tolist())
    return int(rng.integers(0, 4))


def sparse_table(distance: str, seed: int, units: int = 14, raters: int = 6) -> list[list[Any]]:
    """A third of the ratings is missing; some units have one rating, or none."""
    rng = np.random.default_rng(seed)
    return [
        [values_for(distance, rng) if rng.random() < 0.67 else None for _ in range(raters)]
        for _ in range(units)
    ]


def build(table: Table, units: Sequence[int], raters: Sequence[int]) -> list[BuiltUnit]:
    """The resampled table itself, row by row and copy by copy."""
    return [
        [(rater, table[unit][rater]) for rater in raters if table[unit][rater] is not None]
        for unit in units
    ]


def pairs_of(unit: BuiltUnit) -> list[tuple[Any, Any]]:
    """The ordered pairs of ratings by different raters."""
    return [(c, k) for (r, c), (s, k) in product(unit, unit) if r != s]


def plain_alpha(built: list[BuiltUnit], distance: str) -> float:
    """Krippendorff's alpha of the coincidences of different raters, pair by pair."""
    coincidences: Counter[tuple[Any, Any]] = Counter()
    for unit in built:
        pairs = pairs_of(unit)
        for pair in pairs:
            coincidences[pair] += len(unit) / len(pairs)  # type: ignore[assignment]
    margin: Counter[Any] = Counter()
    for (value, _), weight in coincidences.items():
        margin[value] += weight
    apart = plain_distance(distance, margin)
    n = sum(margin.values())
    expected = sum(margin[c] * margin[k] * apart(c, k) for c, k in product(margin, margin))
    if expected < 1e-9:
        return float("nan")
    return 1 - (n - 1) * sum(w * apart(*pair) for pair, w in coincidences.items()) / expected


@cache
def fixed_distance(distance: str) -> Callable[[Any, Any], float]:
    """One that no resample changes: each pair of values is compared once for all of them."""
    return cache(lambda c, k: float(DISTANCES[distance](c, k)))


def plain_distance(distance: str, margin: Counter[Any]) -> Callable[[Any, Any], float]:
    if distance != "ordinal":
        return fixed_distance(distance)

    def apart(c: Any, k: Any) -> float:
        low, high = sorted((c, k))
        return (sum(margin[g] for g in range(low, high + 1)) - (margin[c] + margin[k]) / 2) ** 2

    return apart


def plain_raw(built: list[BuiltUnit]) -> float:
    shares = [
        sum(c == k for c, k in pairs_of(unit)) / len(pairs_of(unit))
        for unit in built
        if pairs_of(unit)
    ]
    return float(np.mean(shares)) if shares else float("nan")


def plain_mean(built: list[BuiltUnit]) -> float:
    means = [np.mean([value for _, value in unit]) for unit in built if unit]
    return float(np.mean(means)) if means else float("nan")


def drawn_ids(times: FloatArray) -> list[int]:
    return np.repeat(np.arange(len(times)), times.astype(int)).tolist()


def pairable(table: Table) -> list[list[Any]]:
    """The rows with two ratings: the clusters of alpha and raw agreement."""
    return [list(row) for row in table if sum(value is not None for value in row) > 1]


def of_both(resamples: int, seed: int = 0) -> Bootstrap:
    """Draws of sources and of raters."""
    return Bootstrap(resamples=resamples, seed=seed, resample="sources_and_raters")


def blocks(clusters: int, raters: int, cells: int, resamples: int, seed: int) -> list[Draws]:
    return list(crossed_draws(clusters, raters, cells=cells, resamples=resamples, seed=seed))


def quantiles(plain: list[float]) -> list[float]:
    defined = np.array(plain)[~np.isnan(plain)]
    return [float(bound) for bound in np.quantile(defined, [0.025, 0.975])]


def of_plain_loop(table: Table, statistic: Callable[[list[BuiltUnit]], float]) -> list[float]:
    """The same draws as those of seed 5, every resample built."""
    (draws,) = blocks(len(table), len(table[0]), 100, 200, seed=5)
    return [
        statistic(build(table, drawn_ids(units), drawn_ids(raters)))
        for units, raters in zip(draws.clusters, draws.raters, strict=True)
    ]


@pytest.mark.parametrize("distance", list(DISTANCES))
def test_alpha_is_that_of_a_plain_loop_which_builds_every_resample(distance: str) -> None:
    table = pairable(sparse_table(distance, seed=1))
    units, raters = (np.array(ids) for ids in tidy(table)[:2])
    values = tidy(table)[2]
    estimate = alpha(units, raters, values, distance=distance, bootstrap=of_both(200, seed=5))
    plain = of_plain_loop(table, lambda built: plain_alpha(built, distance))
    assert [estimate.low, estimate.high] == pytest.approx(quantiles(plain), abs=1e-10)


def test_raw_agreement_is_that_of_a_plain_loop() -> None:
    table = pairable(sparse_table("nominal", seed=2))
    units, raters = (np.array(ids) for ids in tidy(table)[:2])
    estimate = raw_agreement(units, raters, tidy(table)[2], bootstrap=of_both(200, seed=5))
    assert [estimate.low, estimate.high] == pytest.approx(
        quantiles(of_plain_loop(table, plain_raw)), abs=1e-12
    )


def test_a_mean_is_that_of_a_plain_loop() -> None:
    table = [row for row in sparse_table("interval", seed=3) if any(v is not None for v in row)]
    units, raters, values = (np.array(column) for column in tidy(table))
    estimate = mean_by(values, units, raters=raters, bootstrap=of_both(200, seed=5))
    assert [estimate.low, estimate.high] == pytest.approx(
        quantiles(of_plain_loop(table, plain_mean)), abs=1e-12
    )


def test_every_resample_of_a_tiny_table_of_numbers_by_hand() -> None:
    # Two sources, two raters, [[1, 3], [5, 11]]. Raters aa: 1, 5; bb: 3, 11; ab or ba: 2, 8.
    # Sources 11 and 22 take one of them, 12 and 21 the mean: with raters aa 1, 5, 3; bb 3, 11, 7;
    # ab 2, 8, 5. Sixteenths: each pair of equal draws 1, mixed ones 2 or, mixed on both sides, 4.
    exact = Counter({1: 1, 5: 1, 3: 2}) + Counter({3: 1, 11: 1, 7: 2}) + Counter({2: 2, 8: 2, 5: 4})
    unit, rater = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    table = CrossedMeans(np.array([1.0, 3.0, 5.0, 11.0]), [unit], unit, rater)
    found = Counter(table.means(every_draw(2, 2)).tolist())
    assert found == exact


def every_draw(clusters: int, raters: int) -> Draws:
    """All equally likely draws: G^G times R^R."""
    sides = [
        [np.bincount(drawn, minlength=n) for drawn in product(range(n), repeat=n)]
        for n in (clusters, raters)
    ]
    both = list(product(*sides))
    first, second = (np.array([pair[side] for pair in both], dtype=float) for side in (0, 1))
    return Draws(first, second)


def test_every_resample_of_a_tiny_table_of_labels_by_hand() -> None:
    # Raters a, b, c give x x y and y y y. Of 27 draws of raters 3 are copies of one (undefined);
    # a with b (6 draws): unit 1 agrees, unit 2 agrees; a with c, b with c (6 each): unit 1 does
    # not; all three (6): 1 of 3 pairs and 3 of 3. Sources 11, 22, 12, 21 (4 draws).
    # a, b: 1, 1, 1, 1. a, c and b, c: 0, 1, 1/2, 1/2. All: 1/3, 1, 2/3, 2/3.
    counts = count_units([0, 0, 0, 1, 1, 1], [0, 1, 2] * 2, list("xxyyyy"), kind="label")
    found = CrossedUnits(counts).drawn(every_draw(2, 3)).share_equal()
    defined = Counter(np.round(found[~np.isnan(found)] * 6).tolist())
    assert defined == {6: 24 + 12 + 6, 0: 12, 3: 24, 2: 6, 4: 12}
    assert np.isnan(found).sum() == 3 * 4


def test_alpha_of_a_resample_by_hand() -> None:
    # Rater a twice, b once; units x y, x x, y y, each source once. Two different raters pair, the
    # copies of a do not: 2 and 2 ordered pairs, each worth 3/4. Unit 1: x-y 3/2 both ways, so x
    # and y 3/2 each; unit 2: x 3; unit 3: y 3. So n_x = n_y = 9/2, n = 9, S_o = 3,
    # S_e = 2 * 81/4 = 81/2, alpha = 1 - 8 * 3 / (81/2) = 1 - 48/81 = 11/27.
    counts = count_units([0, 0, 1, 1, 2, 2], [0, 1] * 3, list("xyxxyy"), kind="label")
    measure = prepare(counts, DISTANCES["nominal"])
    drawn = CrossedUnits(counts).drawn(Draws(np.ones((1, 3)), np.array([[2.0, 1.0]])))
    assert measure.alpha(measure.crossed_totals(drawn)) == pytest.approx(11 / 27)


@pytest.mark.parametrize("distance", list(DISTANCES))
def test_everybody_once_is_the_table_itself(distance: str) -> None:
    table = sparse_table(distance, seed=4)
    kind = DISTANCES[distance].kind
    counts = count_units(*tidy(table), kind=kind)
    measure = prepare(counts, DISTANCES[distance])
    once = Draws(np.ones((1, counts.n_clusters)), np.ones((1, counts.n_raters)))
    totals = measure.crossed_totals(CrossedUnits(counts).drawn(once))
    assert totals == pytest.approx(measure.contributions.total(), abs=1e-9)


def test_a_rater_drawn_twice_never_agrees_with_himself() -> None:
    # All three always disagree; copies in pairs would make agreement of a third of the pairs.
    units, raters, values = tidy([["x", "y", "z"]] * 8)
    estimate = raw_agreement(units, raters, values, bootstrap=of_both(500))
    assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)


def skilled(units: int, skill: Sequence[float], seed: int) -> IntArray:
    """Each rater gives a unit's true label with a probability of their own, else any of four."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, (units, 1))
    guess = rng.integers(0, 4, (units, len(skill)))
    return np.where(rng.random((units, len(skill))) < np.array(skill), truth, guess)


def test_resamples_lie_around_alpha() -> None:
    # With copies paired they would lie around alpha + (1 - alpha) / 5, which is 0.1 above.
    table = skilled(200, [0.7] * 5, seed=1).tolist()
    counts = count_units(*tidy(table), kind="label")
    measure, units = prepare(counts, DISTANCES["nominal"]), CrossedUnits(counts)
    drawn = [units.drawn(draws) for draws in blocks(200, 5, 1000, 1000, seed=2)]
    found = np.concatenate([measure.alpha(measure.crossed_totals(one)) for one in drawn])
    value = float(measure.alpha(measure.contributions.total())[0])
    assert float(np.nanmean(found)) == pytest.approx(value, abs=0.02)


def test_the_estimate_names_the_seed_and_both_counts() -> None:
    units, raters, values = tidy(skilled(30, [0.7] * 4, seed=1).tolist())
    first, again, other = (
        alpha(
            units,
            raters,
            values,
            distance="nominal",
            bootstrap=of_both(200, seed=seed),
        )
        for seed in (11, 11, 12)
    )
    assert first == again
    assert first.low != other.low
    assert first.interval_method == (
        "percentile bootstrap, 200 resamples of 30 clusters and 4 raters, seed 11"
    ) + (", 2 undefined" if "undefined" in str(first.interval_method) else "")
    assert first.value == alpha(units, raters, values, distance="nominal").value


@pytest.mark.parametrize("statistic", ["alpha", "raw", "mean"])
def test_the_order_of_ratings_does_not_matter(statistic: str) -> None:
    table = sparse_table("interval", seed=6)
    units, raters, values = (np.array(column) for column in tidy(table))
    mixed = np.random.default_rng(0).permutation(len(units))
    first, second = (
        estimate_of(statistic, units[order], raters[order], values[order])
        for order in (np.arange(len(units)), mixed)
    )
    assert first.low == pytest.approx(second.low, abs=1e-12)
    assert first.high == pytest.approx(second.high, abs=1e-12)


def estimate_of(statistic: str, units: IntArray, raters: IntArray, values: IntArray) -> Estimate:
    bootstrap = of_both(300, seed=1)
    if statistic == "alpha":
        return alpha(units, raters, values, distance="interval", bootstrap=bootstrap)
    if statistic == "raw":
        return raw_agreement(units, raters, values, bootstrap=bootstrap)
    return mean_by(values, units, raters=raters, bootstrap=bootstrap)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "jaccard"])
def test_the_names_of_raters_and_sources_do_not_matter(distance: str) -> None:
    table = pairable(sparse_table(distance, seed=7, units=4, raters=3))
    turned = [row[::-1] for row in table[::-1]]
    first, second = (every_alpha(one, distance) for one in (table, turned))
    assert first == pytest.approx(second, abs=1e-12)


def every_alpha(table: Table, distance: str) -> list[float]:
    counts = count_units(*tidy(table), kind=DISTANCES[distance].kind)
    measure = prepare(counts, DISTANCES[distance])
    drawn = CrossedUnits(counts).drawn(every_draw(counts.n_clusters, counts.n_raters))
    found = measure.alpha(measure.crossed_totals(drawn))
    return sorted(found[~np.isnan(found)].tolist())


def test_sources_are_drawn_with_all_of_their_units() -> None:
    units, raters, values = (
        np.array(column) for column in tidy(skilled(40, [0.7] * 6, 2).tolist())
    )
    estimate = alpha(
        units,
        raters,
        values,
        distance="nominal",
        clusters=units // 8,
        bootstrap=of_both(100),
    )
    assert "of 5 clusters and 6 raters" in str(estimate.interval_method)


def test_one_rater_or_one_source_has_no_interval_and_says_so() -> None:
    alone = mean_by([1, 2, 3], [0, 1, 2], raters=["a"] * 3, bootstrap=of_both(100))
    assert (alone.value, alone.low, alone.high) == (2, None, None)
    assert str(alone.interval_method).endswith(
        "of 3 clusters and 1 rater, seed 0; none: one rater only"
    )
    single = mean_by([1, 3], [0, 0], raters=["a", "b"], bootstrap=of_both(100))
    assert str(single.interval_method).endswith("none: one cluster only")


def test_two_raters_are_mostly_two_or_nobody_is_left_to_compare() -> None:
    # A draw of two raters is two copies of one in half of the cases: none has an alpha.
    units, raters, values = tidy(skilled(30, [0.7] * 2, seed=1).tolist())
    estimate = alpha(
        units,
        raters,
        values,
        distance="nominal",
        bootstrap=of_both(1000, seed=1),
    )
    undefined = int(str(estimate.interval_method).split(" undefined")[0].split(", ")[-1])
    assert 430 < undefined < 570  # 500 expected, standard deviation 16


def test_values_without_groups_count_as_often_as_their_rater_is_drawn() -> None:
    rater, cluster = np.array([0, 0, 1]), np.array([0, 1, 1])
    table = CrossedMeans(np.array([1.0, 2.0, 6.0]), [], cluster, rater)
    draws = Draws(np.array([[1.0, 1.0]]), np.array([[2.0, 0.0]]))
    assert table.means(draws) == pytest.approx(1.5)
    draws = Draws(np.array([[1.0, 3.0]]), np.array([[2.0, 1.0]]))
    # 1 twice, 2 six times, 6 three times.
    assert table.means(draws) == pytest.approx((2 + 12 + 18) / 11)


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(ValueError, match="raters is missing"):
        mean_by([1, 2], [0, 1], bootstrap=of_both(10))
    with pytest.raises(ValueError, match="for percentile and jackknife"):
        Bootstrap(resamples=10, method="bca", resample="sources_and_raters")
    with pytest.raises(ValueError, match="unknown resample"):
        Bootstrap(resample="raters")  # type: ignore[arg-type]


@pytest.mark.parametrize("statistic", [cohen_kappa])
def test_a_statistic_that_cannot_draw_raters_says_so(statistic: Callable[..., Estimate]) -> None:
    with pytest.raises(ValueError, match="sources only"):
        statistic(*tidy([["x", "x"], ["x", "y"], ["y", "y"]]), bootstrap=of_both(10))


def covered(estimates: Sequence[Estimate], truth: float) -> float:
    inside = [
        one.low <= truth <= one.high
        for one in estimates
        if one.low is not None and one.high is not None
    ]
    assert len(inside) == len(estimates)
    return sum(inside) / len(inside)


def test_intervals_of_a_mean_speak_of_other_raters_too() -> None:
    # 40 sources, 15 raters who all rate all, effects of sources, raters and ratings of sd 1: the
    # mean has the variance 1/40 + 1/15 + 1/600, of which sources alone know 1/40 + 1/600.
    unit, rater = np.divmod(np.arange(600), 15)
    both, sources = [], []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=40)[unit] + rng.normal(size=15)[rater] + rng.normal(size=600)
        both.append(mean_by(values, unit, raters=rater, bootstrap=of_both(300, seed)))
        alone = Bootstrap(resamples=300, seed=seed)
        sources.append(mean_by(values, unit, raters=rater, bootstrap=alone))
    assert 0.90 <= covered(both, 0) <= 0.98
    assert covered(sources, 0) < 0.8


def test_intervals_of_alpha_speak_of_other_raters_too() -> None:
    # Half of all raters know 0.9 of the labels, half 0.4: two of them agree beyond chance with
    # the product of their skills, so alpha of all raters is the square of the mean, 0.65^2.
    both, sources = [], []
    for seed in range(200):
        skill = np.random.default_rng(seed).choice([0.4, 0.9], 15)
        units, raters, values = tidy(skilled(60, skill.tolist(), seed).tolist())
        table: Any = (units, raters, values)
        both.append(alpha(*table, distance="nominal", bootstrap=of_both(300, seed)))
        alone = Bootstrap(resamples=300, seed=seed)
        sources.append(alpha(*table, distance="nominal", bootstrap=alone))
    assert 0.90 <= covered(both, 0.65**2) <= 0.98
    assert covered(sources, 0.65**2) < 0.8


def simulated(
    statistic: str, design: tuple[int, int, int], differ: bool, seed: int
) -> tuple[Estimate, Estimate]:
    """A study of so many sources, raters, and raters of each source; intervals of both kinds."""
    sources, raters, each = design
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(sources), each)
    rows = [np.arange(raters) if each == raters else rng.choice(raters, each, replace=False)]
    rows += [
        rows[0] if each == raters else rng.choice(raters, each, replace=False)
        for _ in range(sources - 1)
    ]
    rater = np.concatenate(rows)
    of_sources, both = Bootstrap(resamples=300, seed=seed), of_both(300, seed)
    if statistic == "mean":
        effects = rng.normal(size=sources)[unit] + differ * rng.normal(size=raters)[rater]
        values = effects + rng.normal(size=len(unit))
        return (
            mean_by(values, unit, raters=rater, bootstrap=of_sources),
            mean_by(values, unit, raters=rater, bootstrap=both),
        )
    skill = rng.choice([0.4, 0.9], raters) if differ else np.full(raters, 0.65)
    truth, guess = rng.integers(0, 4, sources)[unit], rng.integers(0, 4, len(unit))
    labels = np.where(rng.random(len(unit)) < skill[rater], truth, guess)
    return (
        alpha(unit, rater, labels, distance="nominal", bootstrap=of_sources),
        alpha(unit, rater, labels, distance="nominal", bootstrap=both),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statistic", "design", "differ", "sources", "both"),
    [
        ("mean", (40, 15, 15), True, 0.68, 0.92),
        ("mean", (40, 15, 15), False, 0.94, 0.95),
        ("mean", (40, 5, 5), True, 0.52, 0.88),
        ("mean", (40, 3, 3), True, 0.42, 0.84),
        ("mean", (100, 30, 3), True, 0.71, 0.94),
        ("mean", (100, 30, 3), False, 0.94, 0.98),
        ("alpha", (60, 15, 15), True, 0.40, 0.94),
        ("alpha", (60, 15, 15), False, 0.92, 1.00),
        ("alpha", (60, 5, 5), True, 0.38, 0.83),
        ("alpha", (60, 3, 3), True, 0.42, 0.70),
        ("alpha", (100, 30, 3), True, 0.79, 0.99),
        ("alpha", (100, 30, 3), False, 0.95, 1.00),
    ],
)
def test_coverage_is_what_the_documentation_says(
    statistic: str, design: tuple[int, int, int], differ: bool, sources: float, both: float
) -> None:
    truth = 0.65**2 if statistic == "alpha" else 0
    studies = [simulated(statistic, design, differ, seed) for seed in range(400)]
    for estimates, share in zip(zip(*studies, strict=True), (sources, both), strict=True):
        # Both shares are known to sqrt(p (1 - p) / 400): four times that of their difference.
        bound = 4 * np.sqrt(2 * max(share * (1 - share), 0.01) / 400)
        assert covered(estimates, truth) == pytest.approx(share, abs=bound)
