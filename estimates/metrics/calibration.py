"""Ratings on a common scale: z-scores by worker, calibrated scores, and what they change."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import Calibration, Estimate, calibrate, correlation, mean_by, z_scores
from estimates.data.groups import SYSTEM, parts
from estimates.data.options import Options
from estimates.data.parties import Party
from estimates.data.raters import UNNAMED
from estimates.data.ratings import Ratings
from estimates.data.rows import OF_SYSTEMS, PER_ITEM, POOLED
from estimates.data.table import FloatArray
from estimates.metrics.averages import SAMPLE
from estimates.statistics.statistic import Figure, Rated, Statistic
from tasktypes.facets import Facet

# Inference passes over all ratings many times: with more of them it takes minutes.
MOST_RATINGS = 50_000
TOO_MANY = f"more than {MOST_RATINGS} ratings"
NO_Z = "no variation in any worker's ratings"


def _on_common_scale(crowd: Rated) -> Iterator[Figure]:
    """People's means on z scales and calibrated, as a whole and by system, how far these leave
    the order of systems, and every person's precision."""
    if crowd.numbered:
        for name in ("mean_z", "mean_calibrated"):
            yield Figure(name, Estimate.missing(UNNAMED))
        return
    calibration = _calibrate(crowd.ratings)
    yield from _means(crowd, calibration)
    yield from _precisions(crowd, calibration)


def is_calibrated(facet: Facet) -> bool:
    """Whether the facet is a scale without steps that people answer on."""
    steps = facet.kind != "number" or facet.distance != "interval"
    return not (steps or facet.ranks or facet.own_scale)


def calibrated_scores(ratings: Ratings, crowd: Party) -> Calibration:
    """What the calibrated means of a crowd are made of; its items are owners of the ratings."""
    theirs = ratings.by(crowd.raters).once()
    if crowd.numbered:
        return Calibration(undefined=UNNAMED)
    return _calibrate(theirs) if len(theirs) else Calibration(undefined=crowd.missing_reason)


def _calibrate(ratings: Ratings) -> Calibration:
    if len(ratings) > MOST_RATINGS:
        return Calibration(undefined=TOO_MANY)
    return calibrate(ratings.owner.tolist(), ratings.rater.tolist(), ratings.number)


def _means(crowd: Rated, calibration: Calibration) -> Iterator[Figure]:
    """Means by system on the three scales, then the order on the new ones against the plain."""
    theirs, options = crowd.ratings, crowd.options
    z = _z_scores(theirs)
    means: dict[str, dict[str, float]] = {"mean": {}, "mean_z": {}, "mean_calibrated": {}}
    for group, mask in parts(theirs, {SYSTEM}):
        part = theirs.take(mask)
        estimates = {
            "mean": _mean(part, part.number, Options(resamples=0)),
            "mean_z": _mean(part, z[mask], options),
            "mean_calibrated": _calibrated(part, calibration, options),
        }
        for name, estimate in estimates.items():
            if name != "mean":
                yield Figure(name, estimate, group=group)
            if group and estimate.value is not None:
                means[name][group[SYSTEM]] = estimate.value
    for name in ("z", "calibrated"):
        tau = _tau(means["mean"], means[f"mean_{name}"])
        if tau is not None:
            yield Figure(f"order_tau_{name}", tau, aggregation=OF_SYSTEMS)


def _z_scores(ratings: Ratings) -> FloatArray:
    """Each rating on its worker's scale; NaN where that worker's do not vary."""
    z = np.full(len(ratings), np.nan)
    order = np.argsort(ratings.rater, kind="stable")
    starts = np.flatnonzero(np.diff(ratings.rater[order]))
    for own in np.split(order, starts + 1):
        numbers = ratings.number[own]
        if (numbers != numbers[0]).any():
            z[own] = z_scores(numbers)
    return z


def _mean(part: Ratings, values: FloatArray, options: Options) -> Estimate:
    estimate = mean_by(
        values,
        part.place,
        part.owner,
        clusters=part.source,
        units=part.owner,
        raters=part.rater,
        ddof=SAMPLE,
        bootstrap=options.bootstrap_of(several=True),
    )
    return replace(estimate, undefined=NO_Z) if estimate.undefined else estimate


def _calibrated(part: Ratings, calibration: Calibration, options: Options) -> Estimate:
    """Mean of the items' posterior means; the interval resamples sources, not the posterior."""
    if calibration.undefined:
        return Estimate.missing(calibration.undefined, n_ratings=len(part))
    place = {item: at for at, item in enumerate(calibration.items)}
    items, first = np.unique(part.owner, return_index=True)
    placed = np.array([item in place for item in items.tolist()], dtype=bool)
    at = [place[item] for item in items[placed].tolist()]
    if not at:
        return Estimate.missing(NO_Z, n_units=0)
    estimate = mean_by(
        calibration.mean[at],
        clusters=part.source[first[placed]],
        ddof=SAMPLE,
        bootstrap=options.bootstrap,
    )
    workers = np.isin(part.rater, np.array(calibration.workers, dtype=np.int64))
    return replace(
        estimate,
        n_raters=len(np.unique(part.rater[workers])),
        n_ratings=int(calibration.item_sizes[at].sum()),
    )


def _tau(plain: dict[str, float], other: dict[str, float]) -> Estimate | None:
    """Kendall's tau of two orders of the same systems; None where there are no two."""
    shared = sorted(plain.keys() & other.keys())
    if len(shared) < 2:
        return None
    tau = correlation(
        [plain[name] for name in shared],
        [other[name] for name in shared],
        method="kendall_tau_b",
        level="sample",
        least=2,  # of two systems, whether their order is the same
    )
    return replace(tau, n_units=len(shared), n_raters=None, n_ratings=None)


def _precisions(crowd: Rated, calibration: Calibration) -> Iterator[Figure]:
    """1 / error variance on the scale of z: 1 is a person whose errors are as large as items
    differ, more is better."""
    precisions = {} if calibration.undefined else calibration.precisions()
    for single in crowd.scope.parties.singles:
        (rater,) = single.raters
        if rater in precisions:
            yield Figure(
                "worker_precision", precisions[rater], raters=single.name, aggregation=POOLED
            )


CALIBRATION = Statistic(
    compute=_on_common_scale,
    aggregation=PER_ITEM,
    applies=is_calibrated,
    missing=lambda _crowd: ("mean_z", "mean_calibrated"),
)
