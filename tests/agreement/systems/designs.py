"""Studies of systems whose truth is known, for the table of size, coverage and power."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtr

from agreement import holm
from agreement.systems.components import Cells
from agreement.systems.differences import PairedMeans, Reading, paired_means
from agreement.values.coding import FloatArray
from tests.agreement.characteristics import HABIT, Design, Findings, Kind, holds

THESE, OTHERS = "pairs differ for these raters", "pairs hold for raters like them"
INTERCEPTS = f"{HABIT}mixed model with intercepts only"
# Of a source for a system; the noise of a rating is 1.
OF_SOURCES, OF_RATERS = 0.7, 0.5
TRUTHS = (0.0, 0.0, 0.0, 0.3, 0.5)
LEVEL = 0.05


@dataclass(frozen=True)
class Systems:
    """Systems that all raters rate on all sources, but for what is missing at random. taste: the
    standard deviation of raters x systems. truths: the means of the systems; all 0 if empty."""

    systems: int
    raters: int
    sources: int
    taste: float
    missing: float = 0.0
    truths: Sequence[float] = ()

    @property
    def name(self) -> str:
        gaps = f", {100 * self.missing:.0f} % missing" if self.missing else ""
        size = f"{self.systems} systems, {self.raters} raters x {self.sources}"
        return (
            f"systems, {size}, taste {self.taste:g}{gaps}{', some differ' if self.truths else ''}"
        )

    @property
    def design(self) -> Design:
        return Design(self.name, self.study)

    def study(self, rng: np.random.Generator) -> Findings:
        """What one study finds."""
        truth = np.array(self.truths or [0.0] * self.systems)
        tastes = self.taste * rng.normal(size=(self.raters, self.systems))
        values = self._drawn(rng) + truth + tastes
        pairs = list(combinations(range(self.systems), 2))
        compared = paired_means(_cells(values), pairs)
        return dict(self._found(values, truth, tastes, pairs, compared))

    def _drawn(self, rng: np.random.Generator) -> FloatArray:
        shape = (self.sources, self.raters, self.systems)
        values = rng.normal(size=shape) + rng.normal(size=(self.sources, 1, 1))
        values += OF_SOURCES * rng.normal(size=(self.sources, 1, self.systems))
        values += OF_RATERS * rng.normal(size=(1, self.raters, 1))
        values[rng.random(shape) < self.missing] = np.nan
        return np.asarray(values)

    def _found(
        self,
        values: FloatArray,
        truth: FloatArray,
        tastes: FloatArray,
        pairs: Sequence[tuple[int, int]],
        compared: Sequence[PairedMeans],
    ) -> Iterator[tuple[tuple[str, Kind], bool | None]]:
        apart = [float(pair.apart.mean()) if len(pair.apart) else 0.0 for pair in compared]
        others, these = (
            Reading.of(apart, errors, LEVEL)
            for errors in ([of.others for of in compared], [of.these for of in compared])
        )
        equal = np.array([truth[one] == truth[other] for one, other in pairs])
        found = [(OTHERS, _below(others.corrected))]
        if not self.taste:
            found.append((THESE, _below(these.corrected)))
        if not self.missing:
            found.append((INTERCEPTS, _intercepts_only(values, pairs)))
        for sentence, rejected in found:
            yield (sentence, Kind.SIZE), bool(rejected[equal].any())
            if not equal.all():
                yield (sentence, Kind.POWER), bool(rejected[~equal].any())
        own = truth[0] - truth[1]
        yield (OTHERS, Kind.COVERAGE), _holds(others, apart[0], own)
        if not self.missing:
            own += tastes[:, 0].mean() - tastes[:, 1].mean()
            yield (THESE, Kind.COVERAGE), _holds(these, apart[0], own)


def _cells(values: FloatArray) -> Cells:
    there = ~np.isnan(values)
    source, rater, system = np.nonzero(there)
    shape = (values.shape[0], values.shape[1], values.shape[2])
    return Cells(source, rater, system, values[there], shape)


def _below(p_values: Sequence[float | None]) -> FloatArray:
    return np.array([p is not None and p < LEVEL for p in p_values])


def _holds(reading: Reading, value: float, truth: float) -> bool | None:
    """Whether the interval of the first pair does."""
    low, high, _ = reading.bounds(0, value, np.inf)
    return holds(low, truth, high)


def _intercepts_only(values: FloatArray, pairs: Sequence[tuple[int, int]]) -> FloatArray:
    """What the mixed model finds that has an intercept for each source and rater and no slopes."""
    n_sources, n_raters, n_systems = values.shape
    means = values.mean(axis=(0, 1))
    rest = (
        values - values.mean(axis=(1, 2), keepdims=True) - values.mean(axis=(0, 2))[None, :, None]
    )
    rest = rest - means + 2 * values.mean()
    degrees = values.size - n_sources - n_raters - n_systems + 2
    error = np.sqrt(2 * (rest**2).sum() / degrees / (n_sources * n_raters))
    one, other = np.array(pairs).T
    return _below(holm((2 * stdtr(degrees, -abs(means[one] - means[other]) / error)).tolist()))


def _designs() -> Iterator[Design]:
    for taste in (0.0, 0.15, 0.3):
        yield Systems(5, 3, 100, taste, truths=TRUTHS).design
    for systems in (2, 5, 14):
        for raters in (2, 3, 5, 10):
            for sources in (10, 100, 500):
                # Of 14 systems, which take the longest, the tastes at either end.
                for taste in (0.0, 0.15, 0.3) if systems < 14 else (0.0, 0.3):
                    for missing in (0.0, 0.4):
                        yield Systems(systems, raters, sources, taste, missing).design


DESIGNS: Sequence[Design] = tuple(_designs())
