"""Studies of two scores that go together, for the table of what the first screen says."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import gamma, hyp2f1

from agreement import Bootstrap, correlation
from tests.agreement.characteristics import Design, Findings, Kind, holds

JACKKNIFE = Bootstrap(method="jackknife")
TEXTS = 5


def _study(rng: np.random.Generator, *, sources: int, rho: float) -> Findings:
    """So many texts of each source, whose scores do not depend on the source."""
    first = rng.normal(size=sources * TEXTS)
    second = rho * first + np.sqrt(1 - rho**2) * rng.normal(size=sources * TEXTS)
    source = np.repeat(np.arange(sources), TEXTS)
    pooled, within = (
        correlation(first, second, level=level, sources=source, bootstrap=JACKKNIFE)
        for level in ("sample", "summary")
    )
    mean = expected(rho, TEXTS)
    return {
        ("correlation over all texts", Kind.COVERAGE): holds(pooled.low, rho, pooled.high),
        ("correlation within sources", Kind.COVERAGE): holds(within.low, mean, within.high),
    }


def expected(rho: float, n: int) -> float:
    """Of Pearson's r of n pairs. Source: Hotelling (1953)."""
    shape = 2 / (n - 1) * (gamma(n / 2) / gamma((n - 1) / 2)) ** 2
    return float(shape * rho * hyp2f1(0.5, 0.5, (n + 1) / 2, rho**2))


def _designs() -> Iterator[Design]:
    for sources in (5, 10, 20, 50):
        for rho in (0.0, 0.3, 0.6, 0.85):
            name = f"correlation {rho:g}, {sources} x {TEXTS}"
            yield Design(name, partial(_study, sources=sources, rho=rho))


DESIGNS = tuple(_designs())
