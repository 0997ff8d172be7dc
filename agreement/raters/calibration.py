"""Calibrated scores: items' values and workers' precision, estimated together."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ..chance_corrected.krippendorff import NO_VARIATION
from ..scores.z_scores import z_scores
from ..values.coding import FloatArray, IntArray, as_floats, code_ids, code_in_order
from ..values.estimate import Estimate
from ..values.ratings import Ids, why_no_pairs
from .propagation import Sites, fit

SHAPE, RATE = 1.5, 0.5  # prior of a precision: mean 3, mode 1
DAMPING = 0.5  # share of a step that is taken, as all ratings move at once


@dataclass(frozen=True, eq=False)
class Calibration:
    """Posterior of I items and W workers; all empty where `undefined` says why.

    items: I ids, workers: W ids, in order of appearance. left_out: workers whose ratings do not
        vary, so that they have no z-scores.
    mean, sd: (I,) of an item's value, in standard deviations of items.
    precision, precision_sd: (W,) mean and sd of a worker's precision, 1 / error variance.
    item_sizes, worker_sizes: (I,), (W,) ratings that entered.
    rounds, converged: of the inference.
    """

    items: list[Hashable] = field(default_factory=list)
    workers: list[Hashable] = field(default_factory=list)
    left_out: list[Hashable] = field(default_factory=list)
    mean: FloatArray = field(default_factory=lambda: np.zeros(0))
    sd: FloatArray = field(default_factory=lambda: np.zeros(0))
    precision: FloatArray = field(default_factory=lambda: np.zeros(0))
    precision_sd: FloatArray = field(default_factory=lambda: np.zeros(0))
    item_sizes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    worker_sizes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    rounds: int = 0
    converged: bool = False
    undefined: str | None = None

    def scores(self, confidence: float = 0.95) -> dict[Hashable, Estimate]:
        """Item -> posterior mean with a central credible interval, taken as normal."""
        half = NormalDist().inv_cdf((1 + confidence) / 2) * self.sd
        return {
            item: Estimate(
                value=float(self.mean[at]),
                low=float(self.mean[at] - half[at]),
                high=float(self.mean[at] + half[at]),
                confidence=confidence,
                interval_method="posterior, expectation propagation",
                n_units=1,
                n_ratings=int(self.item_sizes[at]),
            )
            for at, item in enumerate(self.items)
        }

    def precisions(self) -> dict[Hashable, Estimate]:
        """Worker -> posterior mean of the precision, those left out with the reason."""
        estimated = {
            worker: Estimate(
                value=float(self.precision[at]), n_raters=1, n_ratings=int(self.worker_sizes[at])
            )
            for at, worker in enumerate(self.workers)
        }
        return estimated | {worker: Estimate.missing(NO_VARIATION) for worker in self.left_out}


def calibrate(
    items: Ids,
    workers: Ids,
    values: Sequence[object] | npt.NDArray[Any],
    *,
    standardise: bool = True,
    most_rounds: int = 1000,
    tolerance: float = 1e-6,
) -> Calibration:
    """Values of items from ratings of workers who differ in scale and in precision.

    Item i has the value mu_i ~ N(0, 1), worker j the precision tau_j ~ Gamma(1.5, rate 0.5), and
    a rating on the worker's own z scale is s_ij ~ N(mu_i, 1 / tau_j). So a precise worker weighs
    more, and items with few ratings are shrunk towards 0.

    Parameters
    ----------
    items, workers : (N,) ids. An item is what gets a score: with several systems, one of them on
        one source. Several ratings of an item by one worker count as independent.
    values : (N,) numbers in any unit, None or NaN where missing.
    standardise : take z-scores of each worker's ratings first; a worker whose ratings do not vary
        is left out. False where they are z-scores already.
    most_rounds, tolerance : inference ends when no mean, sd or (relatively) precision moves by
        more than `tolerance` in a round, or after that many (then `converged` is False).

    Returns a Calibration. Undefined: no ratings; no variation in any worker; one rater only; no
    unit (item) has two workers. Raises ValueError for lengths that differ, an infinite number or
    no round; TypeError for a value that is not a number.

    The posterior is found by expectation propagation: every rating becomes a normal factor of its
    item and a gamma factor of its worker, with mean and variance of both matched exactly by
    quadrature over the item's value. It is deterministic, needs no seed, and, unlike mean-field
    variational inference, does not understate the sds. A round takes time linear in N.

    Source: Minka (2001), "Expectation Propagation for Approximate Bayesian Inference", section 3;
    the model is that of Xing, Baldwin and Lau (2025) for ratings of utility.
    """
    numbers = as_floats(values)
    if not len(items) == len(workers) == len(numbers):
        raise ValueError(f"{len(items)} items, {len(workers)} workers, {len(numbers)} values")
    if most_rounds < 1:
        raise ValueError("inference needs at least one round")
    table, left_out = _read(items, workers, numbers, standardise=standardise)
    reason = table.why_undefined()
    if reason == why_no_pairs(0) and left_out:
        reason = NO_VARIATION
    if reason is not None:
        return Calibration(undefined=reason, left_out=left_out)
    sites = table.beginning()
    rounds, moved = 0, np.inf
    before = table.posterior(sites)
    while moved > tolerance and rounds < most_rounds:
        rounds += 1
        sites, after, share = _step(table, sites, before)
        moved, before = after.distance(before) / share, after
    return Calibration(
        items=table.items,
        workers=table.workers,
        left_out=left_out,
        mean=before.shift / before.weight,
        sd=1 / np.sqrt(before.weight),
        precision=before.shape / before.rate,
        precision_sd=np.sqrt(before.shape) / before.rate,
        item_sizes=np.bincount(table.item),
        worker_sizes=np.bincount(table.worker),
        rounds=rounds,
        converged=moved <= tolerance,
    )


@dataclass(frozen=True, eq=False)
class _Posterior:
    """weight, shift (I,) of items; shape, rate (W,) of workers."""

    weight: FloatArray
    shift: FloatArray
    shape: FloatArray
    rate: FloatArray

    def is_proper(self) -> bool:
        """Whether all are densities."""
        return all(float(part.min()) > 0 for part in (self.weight, self.shape, self.rate))

    def distance(self, other: "_Posterior") -> float:
        """The largest change of a mean or sd, or relative change of a precision."""
        mean = np.abs(self.shift / self.weight - other.shift / other.weight).max()
        sd = np.abs(1 / np.sqrt(self.weight) - 1 / np.sqrt(other.weight)).max()
        precision = np.abs(self.shape / self.rate * other.rate / other.shape - 1).max()
        return float(max(mean, sd, precision))


@dataclass(frozen=True, eq=False)
class _Table:
    """N ratings on workers' z scales."""

    item: IntArray
    worker: IntArray
    score: FloatArray
    items: list[Hashable]
    workers: list[Hashable]

    def why_undefined(self) -> str | None:
        met = np.unique(self.item * max(len(self.workers), 1) + self.worker)
        return why_no_pairs(len(self.workers)) if len(met) == len(self.items) else None

    def beginning(self) -> Sites:
        """The factors if the items' means, shrunk to 0, were known with a sd of 1/2."""
        sums = np.bincount(self.item, self.score)
        mean = (sums / (1 + np.bincount(self.item)))[self.item]
        rate = ((self.score - mean) ** 2 + 0.25) / 2
        shape = np.full(len(rate), 0.5)
        shapes = SHAPE + np.bincount(self.worker, shape)
        weight = (shapes / (RATE + np.bincount(self.worker, rate)))[self.worker]
        return Sites(weight, weight * self.score, shape, rate)

    def posterior(self, sites: Sites) -> _Posterior:
        n_items, n_workers = len(self.items), len(self.workers)
        return _Posterior(
            np.asarray(1 + np.bincount(self.item, sites.weight, n_items)),
            np.asarray(np.bincount(self.item, sites.shift, n_items)),
            np.asarray(SHAPE + np.bincount(self.worker, sites.shape, n_workers)),
            np.asarray(RATE + np.bincount(self.worker, sites.rate, n_workers)),
        )


def _read(
    items: Ids, workers: Ids, numbers: FloatArray, *, standardise: bool
) -> tuple[_Table, list[Hashable]]:
    """The ratings that are not missing, as z-scores, and the workers left out."""
    rated = ~np.isnan(numbers)
    by_worker, n_workers = code_ids(workers)
    scores, left_out = numbers.copy(), []
    order = np.argsort(by_worker, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(by_worker, minlength=n_workers))[:-1]):
        own = rows[rated[rows]]
        if not standardise or not len(own):
            continue
        if (numbers[own] == numbers[own[0]]).all():
            left_out.append(workers[own[0]])
            rated[own] = False
        else:
            scores[own] = z_scores(numbers[own])
    kept = np.flatnonzero(rated)
    (item, item_names), (worker, worker_names) = (
        code_in_order([ids[at] for at in kept.tolist()]) for ids in (items, workers)
    )
    return _Table(item, worker, scores[kept], item_names, worker_names), left_out


def _step(table: _Table, sites: Sites, whole: _Posterior) -> tuple[Sites, _Posterior, float]:
    """A share of a round, small enough for all to stay densities, and that share."""
    goal, share = _round(table, sites, whole), DAMPING
    while True:
        parts = zip(sites.parts, goal.parts, strict=True)
        reached = Sites(*((1 - share) * old + share * new for old, new in parts))
        posterior = table.posterior(reached)
        if posterior.is_proper():
            return reached, posterior, share
        share /= 2  # this ends, as they are densities where the step begins


def _round(table: _Table, sites: Sites, whole: _Posterior) -> Sites:
    """Every rating fitted once, given the factors of the others of its item and worker."""
    weight = whole.weight[table.item] - sites.weight
    shift = whole.shift[table.item] - sites.shift
    shape = whole.shape[table.worker] - sites.shape
    rate = whole.rate[table.worker] - sites.rate
    # The others' factors may multiply to no density for a while: such a rating keeps its own.
    proper = np.flatnonzero((weight > 1e-3) & (shape > 1e-2) & (rate > 1e-2))
    cavity = Sites(weight[proper], shift[proper], shape[proper], rate[proper])
    fitted = fit(table.score[proper], cavity)
    parts = []
    for old, new, others in zip(sites.parts, fitted.parts, cavity.parts, strict=True):
        part = old.copy()
        part[proper] = new - others
        parts.append(part)
    return Sites(*parts)
