import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from agreement import Estimate, ppi_mean, ppi_stratified
from agreement.scores.inclusion import inclusion_of
from agreement.scores.prediction_powered import part_of
from agreement.values.coding import FloatArray


def sampled(seed: int, chosen_by: str, n: int = 60, size: int = 300) -> tuple[FloatArray, ...]:
    """Human answers to n of the units, a judge's to all; true mean 0."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=size)
    judge = 0.3 + 0.8 * truth + 0.5 * rng.normal(size=size)
    by = {"chance": 0 * judge, "judge": judge, "truth": truth}[chosen_by]
    order = np.argsort(np.argsort(-by - rng.normal(size=size)))
    return np.where(order < n, truth, np.nan), judge


def test_two_strata_by_hand() -> None:
    """Each stratum's prediction-powered mean, weighted by half; Satterthwaite's degrees."""
    low = ([1.0, 2, 3, 2, 1] + [math.nan] * 5, [1.0] * 5 + [1.0] * 5)
    high = ([5.0, 6, 7, 6, 5, 8] + [math.nan] * 4, [9.0] * 10)
    human, judge = [*low[0], *high[0]], [*low[1], *high[1]]
    estimate = ppi_stratified(human, judge)
    # The judge does not vary within a stratum: the means of people, 9/5 and 37/6.
    value = (9 / 5 + 37 / 6) / 2
    assert estimate.value == pytest.approx(value)
    within = [0.7 / 5 / 4, float(np.var([5, 6, 7, 6, 5, 8], ddof=1)) / 6 / 4]
    between = ((9 / 5 - value) ** 2 + (37 / 6 - value) ** 2) / 2 / 20
    error = sum(within) + between
    degrees = error**2 / (within[0] ** 2 / 4 + within[1] ** 2 / 5 + between**2 / 19)
    half = stats.t.ppf(0.975, degrees) * math.sqrt(error)
    assert (estimate.low, estimate.high) == pytest.approx((value - half, value + half))
    assert (estimate.n_units, estimate.n_ratings) == (20, 11)


def test_strata_are_weighted_parts_of_the_plain_estimate() -> None:
    human, judge = sampled(1, "chance")
    cuts = np.quantile(judge, [0.2, 0.4, 0.6, 0.8])
    parts = [
        part_of(
            human[np.digitize(judge, cuts, right=True) == k],
            judge[np.digitize(judge, cuts, right=True) == k],
        )
        for k in range(5)
    ]
    expected = sum(part.value * part.n_units for part in parts) / 300
    assert ppi_stratified(human, judge).value == pytest.approx(expected, abs=1e-9)


def test_order_does_not_matter_and_the_unit_of_the_answers_goes_through() -> None:
    human, judge = sampled(2, "judge", n=120)
    plain = ppi_stratified(human, judge)
    order = np.random.default_rng(0).permutation(300)
    assert ppi_stratified(human[order], judge[order]).value == pytest.approx(plain.value)
    moved = ppi_stratified(10 + 2 * human, 10 + 2 * judge)
    assert (moved.value, moved.low) == pytest.approx(
        (10 + 2 * (plain.value or 0), 10 + 2 * (plain.low or 0))
    )


def test_where_there_cannot_be_two_strata_it_says_so() -> None:
    human, judge = sampled(3, "chance", n=9)
    assert "fewer than two strata" in (ppi_stratified(human, judge).undefined or "")
    assert ppi_stratified([], []).undefined is not None
    with pytest.raises(ValueError, match="2 human answers"):
        ppi_stratified([1, 2], [1])
    with pytest.raises(ValueError, match="confidence"):
        ppi_stratified([1], [1], confidence=1)


@pytest.mark.parametrize(("units", "answered"), [(6, 2), (6, 5), (7, 7), (5, 0)])
def test_the_chance_of_a_source_is_that_of_all_draws_listed(units: int, answered: int) -> None:
    sizes = np.array([1, 2, units - 3])
    draws = list(combinations(range(units), answered))
    start, expected = 0, []
    for size in sizes.tolist():
        own = set(range(start, start + size))
        expected.append(sum(bool(own & set(draw)) for draw in draws) / len(draws))
        start += size
    assert inclusion_of(sizes, units, answered) == pytest.approx(expected)


def test_sources_of_more_units_weigh_less_and_equal_chances_change_nothing() -> None:
    human, judge = sampled(4, "chance")
    plain = ppi_mean(human, judge)
    assert ppi_mean(human, judge, inclusion=np.full(300, 0.2)) == plain
    chances = np.where(np.arange(300) < 150, 0.1, 0.4)
    weighted = ppi_mean(human, judge, inclusion=chances)
    answered = ~np.isnan(human)
    y, f, w = human[answered], judge[answered], 1 / chances[answered]
    t = float(np.cov(y, f, aweights=w, ddof=0)[0, 1] / judge.var(ddof=1))
    value = t * judge.mean() + np.average(y - t * f, weights=w)
    assert weighted.estimate.value == pytest.approx(value)
    assert weighted.humans_alone.value == pytest.approx(np.average(y, weights=w))
    assert "weighted by 1 / probability" in (weighted.estimate.interval_method or "")


def holds_zero(estimate: Estimate) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= 0 <= estimate.high


def share_covered(chosen_by: str, n: int, studies: int = 300) -> tuple[float, float]:
    """How often the plain and the stratified interval hold the truth."""
    hits = []
    for seed in range(studies):
        human, judge = sampled(seed, chosen_by, n)
        pair = ppi_mean(human, judge).estimate, ppi_stratified(human, judge)
        hits.append(
            [
                each.low <= 0 <= each.high
                if each.low is not None and each.high is not None
                else np.nan
                for each in pair
            ]
        )
    plain, stratified = np.nanmean(np.array(hits, dtype=float), axis=0).tolist()
    return plain, stratified


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen_by", "plain", "stratified"),
    [("chance", 0.95, 0.95), ("judge", 0.21, 0.81), ("truth", 0.0, 0.02)],
)
def test_coverage_by_how_sources_were_chosen_is_what_the_documentation_says(
    chosen_by: str, plain: float, stratified: float
) -> None:
    shares = share_covered(chosen_by, 100, studies=2000)
    assert shares == pytest.approx((plain, stratified), abs=0.02)
