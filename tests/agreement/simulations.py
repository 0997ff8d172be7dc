"""Studies drawn from a known truth, to count how often intervals hold it and tests find nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import asin, pi
from typing import Any

import numpy as np

from agreement import (
    Bootstrap,
    Estimate,
    alpha,
    cohen_kappa,
    correlation,
    mean_by,
    min_f,
)
from agreement.values.coding import FloatArray, IntArray

JACKKNIFE = Bootstrap(method="jackknife")
PERCENTILE = Bootstrap(resamples=300)
# A study drawn at random -> the statistic with an interval of that kind.
Draw = Callable[[np.random.Generator, Bootstrap], Estimate]


@dataclass(frozen=True)
class Case:
    """One design. least: coverage of 95 % intervals, in percent, below which a test fails."""

    name: str
    truth: float
    draw: Draw
    least: float = 92.0
    raters: bool = False

    def of(self, kind: Bootstrap) -> Bootstrap:
        """That kind of interval, for other raters where the design has some."""
        return replace(kind, resample="sources_and_raters") if self.raters else kind


@dataclass(frozen=True)
class Coverage:
    """Percent of intervals that hold the truth, and percent of studies that have one."""

    holds: float
    given: float


def coverage(case: Case, kind: Bootstrap, studies: int, *, raters: bool = True) -> Coverage:
    """Counted over so many studies. raters: False where intervals are of these raters."""
    rng = np.random.default_rng(20)
    how = case.of(kind) if raters else kind
    held: list[bool] = []
    for _ in range(studies):
        estimate = case.draw(rng, how)
        if estimate.low is not None and estimate.high is not None:
            held.append(estimate.low - 1e-12 <= case.truth <= estimate.high + 1e-12)
    return Coverage(100 * float(np.mean(held)) if held else float("nan"), 100 * len(held) / studies)


def _grid(shape: Sequence[int]) -> list[IntArray]:
    return [axis.ravel() for axis in np.indices(tuple(shape))]


def mean_of_sources(sources: int, *, skewed: bool = False) -> Draw:
    """Differences of two systems, normal, or of lognormal scores."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        if skewed:
            values = rng.lognormal(size=sources) - 0.8 * rng.lognormal(size=sources)
        else:
            values = rng.normal(size=sources)
        return mean_by(values, bootstrap=how)

    return draw


def share_of_items(sources: int) -> Draw:
    """Three items a source, yes in a tenth of them, sources differing."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        values = rng.random((sources, 3)) < rng.beta(1, 9, (sources, 1))
        source, item = _grid(values.shape)
        about: dict[str, Any] = {"clusters": source, "ends": (0, 1)}
        return mean_by(values.ravel().astype(float), source * 3 + item, **about, bootstrap=how)

    return draw


def copied_labels(
    rng: np.random.Generator, units: int, raters: int, shares: Sequence[float], skill: object
) -> IntArray:
    """Each rater gives a unit's true label with that probability, else any by the labels' shares:
    alpha and kappa are the product of the skills of two raters."""
    truth = rng.choice(len(shares), (units, 1), p=shares)
    own = rng.choice(len(shares), (units, raters), p=shares)
    keeps = rng.random((units, raters)) < np.asarray(skill)
    return np.asarray(np.where(keeps, truth, own), dtype=np.int64)


def alpha_of_labels(
    sources: int, raters: int, shares: Sequence[float], skill: float, *, per: int = 1
) -> Draw:
    """Three tenths of the ratings are missing where there are several units a source."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        labels = copied_labels(rng, sources * per, raters, shares, skill)
        unit, rater = _grid(labels.shape)
        kept = rng.random(len(unit)) > (0.3 if per > 1 else 0)
        about = (unit[kept], rater[kept], labels.ravel()[kept])
        clusters = unit[kept] // per
        return alpha(*about, distance="nominal", clusters=clusters, bootstrap=how)

    return draw


def alpha_of_points(sources: int, *, raters: int = 5, per: int = 3) -> Draw:
    """Five points, a normal score behind them; three tenths of the ratings are missing."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        score = np.repeat(rng.normal(0, 0.5, sources), per) + rng.normal(0, 0.9, sources * per)
        heard = score[:, None] + rng.normal(0, 0.8, (sources * per, raters))
        points = np.digitize(heard, [-1.3, -0.4, 0.4, 1.3]) + 1.0
        unit, rater = _grid(points.shape)
        kept = rng.random(len(unit)) > 0.3
        about = (unit[kept], rater[kept], points.ravel()[kept])
        clusters = unit[kept] // per
        return alpha(*about, distance="ordinal", clusters=clusters, bootstrap=how)

    return draw


def alpha_of_sets(sources: int, *, raters: int = 4, per: int = 3) -> Draw:
    """Sets of six elements that raters copy with gaps; units of a source are alike."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        theme = np.repeat(rng.random((sources, 6)) < 0.35, per, axis=0)
        truth = theme ^ (rng.random(theme.shape) < 0.15)
        shape = (sources * per, raters, 6)
        chosen = np.where(rng.random(shape) < 0.78, truth[:, None], rng.random(shape) < 0.35)
        sets = [frozenset(np.flatnonzero(row).tolist()) for row in chosen.reshape(-1, 6)]
        unit, rater = _grid(shape[:2])
        return alpha(unit, rater, sets, distance="jaccard", clusters=unit // per, bootstrap=how)

    return draw


def kappa_of_labels(units: int) -> Draw:
    """Two raters, one label in nine of ten units."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        labels = copied_labels(rng, units, 2, [0.1, 0.9], 0.815)
        unit, rater = _grid(labels.shape)
        return cohen_kappa(unit, rater, labels.ravel(), bootstrap=how)

    return draw


def correlation_of_texts(sources: int, method: str) -> Draw:
    """Five texts a source, normal scores with effects of sources on both sides."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        source = np.repeat(np.arange(sources), 5)
        x = rng.normal(0, 0.6, sources)[source] + rng.normal(size=5 * sources)
        y = 0.7 * x + rng.normal(0, 0.4, sources)[source] + rng.normal(size=5 * sources)
        return correlation(x, y, method=method, clusters=source, bootstrap=how)

    return draw


def pearson_of_texts() -> float:
    """The population's r: slope .7, variances 1.36 and .49 x 1.36 + .16 + 1."""
    return 0.7 * 1.36 / float(np.sqrt(1.36 * (0.49 * 1.36 + 1.16)))


def correlation_of_systems(systems: int, method: str) -> Draw:
    """Systems drawn with a correlation of .8, and their means over so many sources that these
    show it."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        x = rng.normal(size=systems)
        y = 0.8 * x + 0.6 * rng.normal(size=systems)
        names = np.tile(np.arange(systems), 10)
        sources = np.repeat(np.arange(10), systems)
        about: dict[str, Any] = {
            "level": "system",
            "method": method,
            "systems": names,
            "sources": sources,
        }
        noise = rng.normal(0, 0.02, (2, 10 * systems))
        first, second = np.tile(x, 10) + noise[0], np.tile(y, 10) + noise[1]
        return correlation(first, second, **about, bootstrap=how)

    return draw


def mean_of_raters(sources: int, raters: int, *, taste: float) -> Draw:
    """All rate all sources; raters differ by so much in how high they rate."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        values = rng.normal(size=(sources, raters)) + rng.normal(size=(sources, 1))
        values = values + taste * rng.normal(size=(1, raters))
        source, rater = _grid(values.shape)
        return mean_by(values.ravel(), source, raters=rater, bootstrap=how)

    return draw


def mean_of_crowd(sources: int, raters: int, *, taste: float) -> Draw:
    """Three of the raters rate each source."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        rater = np.argsort(rng.random((sources, raters)), axis=1)[:, :3]
        values = rng.normal(size=(sources, 3)) + rng.normal(size=(sources, 1))
        values = values + taste * rng.normal(size=raters)[rater]
        source = np.repeat(np.arange(sources), 3)
        return mean_by(values.ravel(), source, raters=rater.ravel(), bootstrap=how)

    return draw


def alpha_of_raters(sources: int, raters: int, *, alike: bool = False) -> Draw:
    """Four labels; skills from .4 to 1, or all .7: alpha is .49."""

    def draw(rng: np.random.Generator, how: Bootstrap) -> Estimate:
        skill = np.full(raters, 0.7) if alike else rng.uniform(0.4, 1, raters)
        labels = copied_labels(rng, sources, raters, [0.25] * 4, skill)
        unit, rater = _grid(labels.shape)
        return alpha(unit, rater, labels.ravel(), distance="nominal", bootstrap=how)

    return draw


def tau_of(r: float) -> float:
    """Kendall's tau of two normal variables with correlation r."""
    return 2 / pi * asin(r)


def rho_of(r: float) -> float:
    """Spearman's rho of two normal variables with correlation r."""
    return 6 / pi * asin(r / 2)


def equal_systems(
    rng: np.random.Generator, sources: int, raters: int, systems: int, taste: float
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Systems that are equal for people in general; each rater likes some better than others."""
    shape = (sources, raters, systems)
    values = rng.normal(size=shape) + rng.normal(size=(sources, 1, 1))
    values = values + taste * rng.normal(size=(1, raters, systems))
    source, rater, system = _grid(shape)
    return source, rater, system, values.ravel()


def size_of_min_f(sources: int, raters: int, taste: float, studies: int) -> float:
    """Percent of studies of four equal systems in which it is below .05."""
    rng = np.random.default_rng(5)
    drawn = (equal_systems(rng, sources, raters, 4, taste) for _ in range(studies))
    return 100 * float(np.mean([float(min_f(*ratings).p_value) < 0.05 for ratings in drawn]))
