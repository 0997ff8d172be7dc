"""Studies of means and shares, for the table of what the first screen says."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from agreement import Bootstrap, mean_by
from tests.agreement.characteristics import Design, Findings, Kind, holds

THESE, OTHERS = "mean, these raters", "mean, raters like them"
SHARE = "share, this rater"
JACKKNIFE = Bootstrap(method="jackknife")
BOTH = Bootstrap(method="jackknife", resample="sources_and_raters")
# How far units of one source are alike in their share of yes.
ALIKE = 0.2


@dataclass(frozen=True)
class Mean:
    """Raters who rate all sources, but for what is missing at random. severity: their standard
    deviation; that of sources and of a rating is 1."""

    sources: int
    raters: int
    severity: float
    missing: float

    @property
    def design(self) -> Design:
        gaps = f", {100 * self.missing:.0f} % missing" if self.missing else ""
        name = f"mean, {self.raters} raters x {self.sources}, severity {self.severity:g}{gaps}"
        return Design(name, self.study)

    def study(self, rng: np.random.Generator) -> Findings:
        """Whether both readings hold their truth."""
        severe = self.severity * rng.normal(size=self.raters)
        shape = (self.sources, self.raters)
        value = rng.normal(size=shape) + rng.normal(size=(self.sources, 1)) + severe
        there = rng.random(shape) >= self.missing
        source, rater = np.nonzero(there)
        mean = mean_by(value[there], source, raters=rater, bootstrap=BOTH)
        found = {(OTHERS, Kind.COVERAGE): holds(mean.others_low, 0.0, mean.others_high)}
        if not self.missing:
            own = float(severe.mean())
            found[THESE, Kind.COVERAGE] = holds(mean.these_low, own, mean.these_high)
        return found


def _share(rng: np.random.Generator, *, sources: int, units: int, share: float) -> Findings:
    spread = (1 - ALIKE) / ALIKE
    chance = rng.beta(share * spread, (1 - share) * spread, (sources, 1)) if units > 1 else share
    yes = (rng.random((sources, units)) < chance).astype(np.float64)
    source = np.repeat(np.arange(sources), units)
    found = mean_by(yes.ravel(), clusters=source, ends=(0, 1), bootstrap=JACKKNIFE)
    return {(SHARE, Kind.COVERAGE): holds(found.low, share, found.high)}


def _designs() -> Iterator[Design]:
    for raters in (3, 4, 5, 10):
        for sources in (10, 50, 200):
            for severity in (0.0, 0.5, 1.0):
                for missing in (0.0, 0.4):
                    yield Mean(sources, raters, severity, missing).design
    for sources, units in ((20, 1), (100, 1), (10, 10), (20, 5), (50, 4)):
        for share in (0.05, 0.2, 0.5):
            name = f"share {share:g}, {sources} x {units}"
            yield Design(name, partial(_share, sources=sources, units=units, share=share))


DESIGNS = tuple(_designs())
