"""How often studies that are looked at 29 times ever exclude the truth: docs/statistics.md."""

import numpy as np
import pytest

from agreement.values.coding import FloatArray
from tests.agreement import characteristics
from tests.agreement.sequences.designs import DESIGNS as DESIGNS_OF_RATERS
from tests.agreement.sequences.looked_at import (
    Design,
    alpha_of,
    coverage,
    kappa,
    labels,
    mean,
    mean_share,
    numbers,
    same_answer,
    shares,
)

# At most so many studies, and what chance adds to that in so many simulated ones.
BAR, STUDIES = 0.06, 300
CHANCE = 0.02


def points(values: FloatArray) -> FloatArray:
    """Five points, most of them in the middle."""
    return np.clip(np.round(3.7 + 1.1 * values), 1, 5)


def mostly_five(values: FloatArray) -> FloatArray:
    """Five points, of which 85 % are the highest."""
    return np.select([values < -2, values < -1.5, values < -1.04], [1.0, 3.0, 4.0], 5.0)


THIRDS, TWO, RARE = (0.8, 0.15, 0.05), (0.5, 0.5), (0.95, 0.05)
FIVE = (0.1, 0.2, 0.3, 0.3, 0.1)

# By design: the share of studies with a fixed-sample interval that excludes the truth, and that
# with a live one. The truth is that of 40,000 sources.
DESIGNS = {
    "share .5, 600 sources": (Design(shares(600, 1, 0.5, 0), mean_share, 600, 0.5), 0.24, 0.0),
    "share .05, 600 sources": (
        Design(shares(600, 1, 0.05, 0), mean_share, 600, 0.05),
        0.513,
        0.01,
    ),
    "share .2, 100 sources of 5": (
        Design(shares(100, 5, 0.2, 0.3), mean_share, 100, 0.2),
        0.52,
        0.017,
    ),
    "share .1, 25 sources of 5": (
        Design(shares(25, 5, 0.1, 0.3), mean_share, 25, 0.1),
        0.757,
        0.0,
    ),
    "five points, 50 sources": (Design(numbers(50, 1, points), mean, 50, 3.64526), 0.613, 0.003),
    "five points, 25 sources of 8": (
        Design(numbers(25, 8, points), mean, 25, 3.64526),
        0.723,
        0.007,
    ),
    "85 % of five points alike, 200 sources": (
        Design(numbers(200, 1, mostly_five), mean, 200, 4.73852),
        0.62,
        0.03,
    ),
    "α .5/.5, 200 sources": (
        Design(labels(200, 1, 3, TWO, 0.8), alpha_of("nominal"), 200, 0.64),
        0.543,
        0.003,
    ),
    "α .8/.15/.05, 100 sources of 2": (
        Design(labels(100, 2, 3, THIRDS, 0.8), alpha_of("nominal"), 100, 0.64),
        0.777,
        0.02,
    ),
    "α .95/.05, 300 sources": (
        Design(labels(300, 1, 3, RARE, 0.8), alpha_of("nominal"), 300, 0.64),
        0.89,
        0.017,
    ),
    "α .8/.2, 25 sources of 4": (
        Design(labels(25, 4, 3, (0.8, 0.2), 0.8), alpha_of("nominal"), 25, 0.64),
        0.94,
        0.007,
    ),
    "α of five points, 50 sources of 2": (
        Design(labels(50, 2, 3, FIVE, 0.6), alpha_of("interval"), 50, 0.36),
        0.76,
        0.007,
    ),
    "κ .8/.2, 100 sources of 2": (
        Design(labels(100, 2, 2, (0.8, 0.2), 0.8), kappa, 100, 0.64),
        0.827,
        0.003,
    ),
    "same answer .8/.2, 50 sources of 2": (
        Design(labels(50, 2, 3, (0.8, 0.2), 0.8), same_answer, 50, 0.8848),
        0.783,
        0.01,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_at_29_looks_at_most_six_of_a_hundred_studies_ever_exclude_the_truth(name: str) -> None:
    design, fixed, live = DESIGNS[name]
    measured = coverage(design, STUDIES, seed=1)
    assert measured.live <= BAR + CHANCE
    assert measured.live == pytest.approx(live, abs=0.03)
    assert measured.fixed == pytest.approx(fixed, abs=0.08)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS_OF_RATERS, ids=lambda design: design.name)
def test_whoever_reports_where_they_stop_is_right(design: characteristics.Design) -> None:
    assert [cell for cell in characteristics.cells(design, 1000) if not cell.is_within] == []


def test_a_few_studies_looked_at_often_hardly_ever_exclude_the_truth() -> None:
    design = DESIGNS["share .2, 100 sources of 5"][0]
    measured = coverage(design, 12, seed=2, resamples=20)
    assert measured.live <= 1 / 12
    assert measured.live_width > measured.fixed_width
