"""Studies of systems that are compared two at a time, for the table of what the first screen
says."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np

from agreement import bradley_terry
from tests.agreement.characteristics import Design, Findings, Kind, holds

# How far sources favour systems, in logits; a tenth of the answers are ties.
OF_SOURCES, TIES = 0.5, 0.1
OTHERS, THESE = "strength, raters like them", "strength, these raters"


def _study(
    rng: np.random.Generator, *, systems: int, raters: int, sources: int, taste: float
) -> Findings:
    """Raters compare every two equal systems on every source."""
    pairs = np.array(list(combinations(range(systems), 2)))
    shape = (sources, raters, len(pairs))
    source, rater, pair = (axis.ravel() for axis in np.indices(shape))
    likes = taste * rng.normal(size=(raters, systems))
    fits = OF_SOURCES * rng.normal(size=(sources, systems))
    first, second = pairs[pair].T
    ahead = likes[rater, first] - likes[rater, second] + fits[source, first] - fits[source, second]
    won = (rng.random(len(ahead)) < 1 / (1 + np.exp(-ahead))).astype(np.float64)
    won[rng.random(len(won)) < TIES] = 0.5
    found = bradley_terry(
        first.tolist(), second.tolist(), won, clusters=source, raters=rater, confidence=0.95
    ).chance[0]
    each = {(OTHERS, Kind.COVERAGE): holds(found.others_low, 0.5, found.others_high)}
    if not taste:
        each[THESE, Kind.COVERAGE] = holds(found.these_low, 0.5, found.these_high)
    return each


def _designs() -> Iterator[Design]:
    for systems in (2, 3, 6):
        for raters in (3, 5, 10):
            for sources in (30, 100):
                for taste in (0.0, 0.4):
                    size = f"{systems} systems, {raters} raters x {sources}"
                    study = partial(
                        _study, systems=systems, raters=raters, sources=sources, taste=taste
                    )
                    yield Design(f"strength, {size}, taste {taste:g}", study)


DESIGNS = tuple(_designs())
