import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agreement import Calibration, calibrate, z_scores
from agreement.raters.propagation import Sites, fit
from agreement.values.coding import FloatArray, IntArray

Table = tuple[IntArray, IntArray, FloatArray]


def crowd(items: int, workers: int, each: int, seed: int) -> tuple[Table, FloatArray, FloatArray]:
    """Ratings drawn from the model, the items' values and the workers' precisions."""
    rng = np.random.default_rng(seed)
    value, precision = rng.standard_normal(items), rng.gamma(1.5, 2, workers)
    item = np.repeat(np.arange(items), each)
    worker = np.concatenate([rng.permutation(workers)[:each] for _ in range(items)])
    score = value[item] + rng.standard_normal(len(item)) / np.sqrt(precision[worker])
    return (item, worker, score), value, precision


def gibbs(table: Table, draws: int, seed: int) -> tuple[FloatArray, ...]:
    """Posterior mean and sd of items and of precisions by drawing them in turn."""
    item, worker, score = table
    rng = np.random.default_rng(seed)
    shape = 1.5 + np.bincount(worker) / 2
    tau, kept = np.ones(len(shape)), []
    for draw in range(draws + 500):
        weight = 1 + np.bincount(item, tau[worker])
        mean = np.bincount(item, tau[worker] * score) / weight
        mu = mean + rng.standard_normal(len(mean)) / np.sqrt(weight)
        tau = rng.gamma(shape) / (0.5 + np.bincount(worker, (score - mu[item]) ** 2) / 2)
        if draw >= 500:
            kept.append(np.concatenate([mu, tau]))
    mean, sd = np.mean(kept, axis=0), np.std(kept, axis=0)
    return mean[: len(weight)], sd[: len(weight)], mean[len(weight) :], sd[len(weight) :]


def assert_close_to_gibbs(found: Calibration, table: Table) -> None:
    mean, sd, precision, precision_sd = gibbs(table, draws=8000, seed=1)
    assert found.converged
    assert found.mean == pytest.approx(mean, abs=0.05)
    assert found.sd == pytest.approx(sd, rel=0.15)
    assert found.precision == pytest.approx(precision, rel=0.05)
    assert found.precision_sd == pytest.approx(precision_sd, rel=0.15)


def test_one_rating_is_fitted_with_the_moments_of_a_fine_sum() -> None:
    # Item 0.5 +- 1, worker gamma(2, rate 1), rating 2: moments of their joint density on a grid.
    mu, tau = np.meshgrid(np.linspace(-8, 9, 341), np.linspace(5e-3, 40, 8000), indexing="ij")
    density = np.exp(-((mu - 0.5) ** 2) / 2 - tau * (1 + (2 - mu) ** 2 / 2)) * tau**1.5
    density /= density.sum()
    one = fit(np.array([2.0]), Sites(*(np.array([part]) for part in (1.0, 0.5, 2.0, 1.0))))
    for value, centre, variance in (
        (mu, one.shift / one.weight, 1 / one.weight),
        (tau, one.shape / one.rate, one.shape / one.rate**2),
    ):
        mean = (density * value).sum()
        assert centre[0] == pytest.approx(mean, abs=1e-4)
        assert variance[0] == pytest.approx((density * (value - mean) ** 2).sum(), rel=1e-3)


def test_the_utility_ratings_have_the_posterior_that_gibbs_sampling_gives(
    shared_data: Path,
) -> None:
    path = shared_data / "utility-ratings" / "ratings.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = calibrate(
        [(row["item"], row["generator"]) for row in rows],
        [row["worker"] for row in rows],
        [float(row["rating"]) for row in rows],
    )
    assert (len(found.items), len(found.workers), found.left_out) == (320, 62, [])
    workers = np.array([found.workers.index(row["worker"]) for row in rows])
    items = np.array([found.items.index((row["item"], row["generator"])) for row in rows])
    scores = np.array([float(row["rating"]) for row in rows])
    for one in range(62):
        scores[workers == one] = z_scores(scores[workers == one])
    assert_close_to_gibbs(found, (items, workers, scores))


@pytest.mark.parametrize(("items", "workers", "each"), [(60, 12, 3), (20, 5, 2), (6, 15, 9)])
def test_small_tables_have_the_posterior_that_gibbs_sampling_gives(
    items: int, workers: int, each: int
) -> None:
    table, *_ = crowd(items, workers, each, seed=4)
    found = calibrate(*table, standardise=False)
    by_id = np.argsort(np.array(found.workers))
    ordered = Calibration(
        mean=found.mean,
        sd=found.sd,
        precision=found.precision[by_id],
        precision_sd=found.precision_sd[by_id],
        converged=found.converged,
    )
    assert_close_to_gibbs(ordered, table)


def test_known_precisions_and_items_are_recovered() -> None:
    for seed in range(3):
        (item, worker, score), value, precision = crowd(400, 40, 10, seed)
        # Workers use the scale each in their own way.
        found = calibrate(item, worker, 50 + 20 * score + worker)
        truth = precision[np.array(found.workers)]
        assert np.corrcoef(ranks(found.precision), ranks(truth))[0, 1] > 0.9
        plain = np.bincount(item, score) / np.bincount(item)
        calibrated = np.corrcoef(found.mean, value)[0, 1]
        assert calibrated > np.corrcoef(plain, value)[0, 1]


def ranks(values: FloatArray) -> IntArray:
    return np.argsort(np.argsort(values))


def test_pure_noise_among_the_workers_breaks_nothing() -> None:
    # 50 ratings by somebody with a precision of 0.01 once drove a gamma density out of its range.
    (item, worker, score), *_ = crowd(200, 20, 5, seed=0)
    rng = np.random.default_rng(0)
    score = np.where(worker < 3, 10 * rng.standard_normal(len(score)), score)
    found = calibrate(item, worker, score)
    assert found.converged
    assert (found.precision_sd > 0).all()
    noise = {one: estimate.value for one, estimate in found.precisions().items()}
    best = sorted(noise, key=lambda one: noise[one] or 0)
    assert set(best[:3]) == {0, 1, 2}


def test_scores_are_estimates_with_credible_intervals() -> None:
    found = calibrate(*crowd(30, 6, 3, seed=2)[0])
    score = found.scores(confidence=0.9)[7]
    assert score.value == found.mean[7]
    assert score.low is not None
    assert score.high is not None
    assert score.high - score.low == pytest.approx(2 * 1.6448536 * found.sd[7])
    assert (score.n_ratings, found.precisions()[0].n_raters) == (3, 1)


def test_order_names_and_units_of_the_scale_do_not_matter() -> None:
    (item, worker, score), *_ = crowd(30, 6, 3, seed=5)
    before = calibrate(item, worker, score)
    order = np.random.default_rng(0).permutation(len(item))
    after = calibrate(
        [f"item {one}" for one in item[order]],
        [f"worker {one}" for one in worker[order]],
        [100 + 7 * one for one in score[order]],
    )
    moved = after.scores()
    for one, estimate in before.scores().items():
        assert moved[f"item {one}"].value == pytest.approx(estimate.value, abs=1e-5)


def test_a_worker_without_variation_is_left_out_and_said_so() -> None:
    table = [("i", "a", 1), ("i", "b", 2), ("j", "a", 3), ("j", "b", 1), ("i", "c", 5)]
    found = calibrate(*zip(*table, strict=True))
    assert (found.workers, found.left_out) == (["a", "b"], ["c"])
    assert found.precisions()["c"].undefined == "no variation: all ratings are equal"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "no ratings"),
        ([("i", "a", None)], "no ratings"),
        ([("i", "a", 1), ("j", "a", 2)], "one rater only"),
        (
            [("i", "a", 1), ("j", "a", 2), ("k", "b", 1), ("l", "b", 2)],
            "no unit has two ratings",
        ),
        ([("i", "a", 1), ("i", "b", 2)], "no variation: all ratings are equal"),
    ],
)
def test_where_there_is_nothing_to_calibrate_it_says_why(table: Any, reason: str) -> None:
    found = calibrate(*(zip(*table, strict=True) if table else ([], [], [])))
    assert (found.undefined, found.scores()) == (reason, {})


def test_too_few_rounds_are_said_and_wrong_input_is_refused() -> None:
    assert not calibrate(*crowd(30, 6, 3, seed=2)[0], most_rounds=2).converged
    with pytest.raises(ValueError, match="1 items, 2 workers"):
        calibrate(["i"], ["a", "b"], [1, 2])
    with pytest.raises(ValueError, match="at least one round"):
        calibrate(["i"], ["a"], [1], most_rounds=0)
