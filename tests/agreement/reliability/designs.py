"""Studies of how far people agree, for the table of what the first screen says."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from agreement import Bootstrap, alpha, reliability
from tests.agreement.characteristics import Design, Findings, Kind, holds

JACKKNIFE = Bootstrap(method="jackknife")
BOTH = Bootstrap(method="jackknife", both=True)
# A rater knows so much, one less than another, and guesses otherwise.
LEAST, MOST = 0.5, 0.95
ENOUGH = "people agree better than they do"


@dataclass(frozen=True)
class Labels:
    """Raters who give a unit's true label as often as they know it, else any. share: of the first
    of two labels. alpha is the product of what two raters know."""

    raters: int
    sources: int
    units: int
    share: float
    missing: float

    @property
    def design(self) -> Design:
        gaps = f", {100 * self.missing:.0f} % missing" if self.missing else ""
        size = f"{self.raters} raters x {self.sources} x {self.units}"
        return Design(f"agreement, {size}, label {self.share:g}{gaps}", self.study)

    def study(self, rng: np.random.Generator) -> Findings:
        """Whether both readings hold their truth, and whether the lower bound is above it."""
        knows, n = rng.uniform(LEAST, MOST, self.raters), self.sources * self.units
        true, own = (rng.random((n, k)) < self.share for k in (1, self.raters))
        label = np.where(rng.random((n, self.raters)) < knows, true, own)
        there = rng.random(label.shape) >= self.missing
        unit, rater = np.nonzero(there)
        found = alpha(
            unit,
            rater,
            label[there].astype(int),
            distance="nominal",
            clusters=unit // self.units,
            bootstrap=BOTH,
        )
        pairs = self.raters * (self.raters - 1)
        these = (float(knows.sum()) ** 2 - float((knows**2).sum())) / pairs
        others = ((LEAST + MOST) / 2) ** 2
        return {
            ("α, these raters", Kind.COVERAGE): holds(found.these_low, these, found.these_high),
            ("α, raters like them", Kind.COVERAGE): holds(
                found.others_low, others, found.others_high
            ),
            (f"{ENOUGH}, these raters", Kind.SIZE): _above(found.these_low, these),
            (f"{ENOUGH}, raters like them", Kind.SIZE): _above(found.others_low, others),
        }


def _above(low: float | None, truth: float) -> bool | None:
    return None if low is None else low > truth


def _intraclass(
    rng: np.random.Generator,
    *,
    raters: int,
    sources: int,
    units: int,
    severity: float,
    missing: float,
) -> Findings:
    """Variances of 1 between units, half of it between sources where these have several, and of
    single ratings; severity: that of raters."""
    shape = (sources, units, raters)
    alike = 0.5 if units > 1 else 0.0
    value = rng.normal(size=shape) + np.sqrt(severity) * rng.normal(size=(1, 1, raters))
    value += np.sqrt(alike) * rng.normal(size=(sources, 1, 1))
    value += np.sqrt(1 - alike) * rng.normal(size=(sources, units, 1))
    there = rng.random(shape) >= missing
    source, unit, rater = np.nonzero(there)
    about = (source * units + unit, rater, value[there])
    found = reliability(*about, clusters=source, bootstrap=JACKKNIFE).agreement
    truth = 1 / (2 + severity)
    return {("ICC(2,1), raters like them", Kind.COVERAGE): holds(found.low, truth, found.high)}


def _designs() -> Iterator[Design]:
    for raters in (3, 5, 10):
        for sources, units in ((50, 1), (200, 1), (50, 4)):
            for share in (0.5, 0.1):
                for missing in (0.0, 0.3):
                    yield Labels(raters, sources, units, share, missing).design
    for raters, missing in ((3, 0.0), (3, 0.2), (3, 0.4), (5, 0.0), (5, 0.2), (5, 0.4), (30, 0.9)):
        for sources, units in ((50, 1), (200, 1), (20, 5)):
            for severity in (0.25, 1.0):
                study = partial(
                    _intraclass,
                    raters=raters,
                    sources=sources,
                    units=units,
                    severity=severity,
                    missing=missing,
                )
                size = f"{raters} raters x {sources} x {units}"
                gaps = f", {100 * missing:.0f} % missing" if missing else ""
                yield Design(f"ICC, {size}, severity {severity:g}{gaps}", study)


DESIGNS = tuple(_designs())
