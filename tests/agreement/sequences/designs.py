"""Designs of studies that are looked at while their answers come in, for docs/statistics.md."""

from typing import Any

from tests.agreement import characteristics
from tests.agreement.sequences.looked_at import (
    Design,
    alpha_of,
    difference,
    followed,
    labels,
    mean_of_raters,
    mean_share,
    rated,
    shares,
)

SEVERITY, TASTE = 0.5, 0.3


def _mean(raters: int, **order: Any) -> Design:
    draw = rated(100, raters, SEVERITY, **order)
    return Design(draw, mean_of_raters, 100, 0.0, raters, "jackknife")


def _systems(sources: int, **order: Any) -> Design:
    draw = rated(sources, 3, SEVERITY, taste=TASTE, systems=2, **order)
    return Design(draw, difference, sources, 0.0, 3, "jackknife")


_DESIGNS = {
    "mean, 100 sources x 3, rater after rater": _mean(3),
    "mean, 100 sources x 3, in turn": _mean(3, in_turn=True),
    "mean, 100 sources x 5, rater after rater": _mean(5),
    "two equal systems, 200 sources x 3, rater after rater": _systems(200),
    "two equal systems, 200 sources x 3, in turn": _systems(200, in_turn=True),
    "two equal systems, 500 sources x 3, rater after rater": _systems(500),
    "share .2, 100 sources of 5": Design(
        shares(100, 5, 0.2, 0.3), mean_share, 100, 0.2, method="jackknife"
    ),
    "α .8/.2, 100 sources, 3 raters": Design(
        labels(100, 1, 3, (0.8, 0.2), 0.8), alpha_of("nominal"), 100, 0.64, method="jackknife"
    ),
}
DESIGNS = [
    characteristics.Design(f"looks: {name}", followed(design)) for name, design in _DESIGNS.items()
]
