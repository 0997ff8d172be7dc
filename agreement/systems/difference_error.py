"""The error of a difference of two systems, and the tests and intervals that it gives."""

from dataclasses import dataclass
from math import exp, inf, log, sqrt

import numpy as np

from ..bootstrap.jackknife import Spread
from ..values.coding import FloatArray
from .components import Components

# Of raters: with fewer, Satterthwaite's degrees of freedom find a difference that is none in 7 to
# 12 % of studies.
FEWEST_DEGREES = 4
# Values of the variance of raters that a generalized p goes over.
GRID = 1000
# To which share of itself half an interval is found.
PRECISION = 1e-10


@dataclass(frozen=True, eq=False)
class DifferenceError:
    """variances: (m,) of the mean difference, each as likely as the other; degrees: of freedom of
    Student's t; text: how they were found; raters: the part that raters cause, where they are
    drawn."""

    variances: FloatArray
    degrees: float
    text: str
    raters: Spread | None = None

    def p_value(self, value: float) -> float:
        """How often a difference lies as far from 0 where there is none, in [0, 1]."""
        from scipy.special import stdtr  # late, as importing it takes a fifth of a second

        return float(2 * stdtr(self.degrees, -abs(value) / np.sqrt(self.variances)).mean())

    def half_width(self, level: float) -> float:
        """The value whose p is the level."""
        from scipy.special import stdtrit  # late, see `p_value`

        t = float(stdtrit(self.degrees, 1 - level / 2))
        low, high = (t * sqrt(of) for of in (self.variances.min(), self.variances.max()))
        return high if high - low <= PRECISION * high else self._between(low, high, level)

    def _between(self, low: float, high: float, level: float) -> float:
        """Where p is the level, by Ridders' method, over logarithms: the tail of a mixture is
        nearly a power of the distance."""

        def apart(place: float) -> float:
            return log(max(self.p_value(exp(place)), 1e-300) / level)

        places = log(max(low, PRECISION * high)), log(high)
        (left, right), (above, below), found = places, map(apart, places), inf
        while above > 0 > below:
            middle = (left + right) / 2
            at_middle = apart(middle)
            last, found = (
                found,
                middle + (middle - left) * at_middle / sqrt(at_middle**2 - above * below),
            )
            at_found = apart(found)
            if abs(found - last) < PRECISION or not at_found:
                return exp(found)
            for place, height in ((middle, at_middle), (found, at_found)):
                if height > 0 and place > left:
                    left, above = place, height
                elif height < 0 and place < right:
                    right, below = place, height
        return exp(left if above <= 0 else right)


def with_raters(
    parts: Components, weights: tuple[float, float], n_sources: int, shape: tuple[int, int, int]
) -> DifferenceError:
    """The error for raters like these, of a difference over so many sources.

    The variance between sources holds what single ratings cause; what raters add to it is the
    variance of raters x systems, the difference of two mean squares, times the first of `weights`,
    and that of raters times the second (see `rater_weights`). The first is never taken to be below
    0, and the degrees of freedom are never counted as if the raters' were not needed
    (Satterthwaite 1946). Where raters have fewer than four of them, p is averaged over the values
    that the raters' variance may have, given its mean square: a generalized p.

    Source: Tsui and Weerahandi (1989), "Generalized p-Values in Significance Testing of Hypotheses
    in the Presence of Nuisance Parameters".
    """
    who = f"sources x systems and {shape[1]} raters x systems, pooled over {shape[2]} systems"
    return combined(
        Spread(parts.of_sources / n_sources, parts.source_degrees),
        Spread(weights[0] * parts.of_raters, parts.rater_degrees),
        Spread(weights[0] * parts.of_rest, parts.rest_degrees),
        Spread(weights[1] * parts.severity, parts.rater_degrees / max(1, shape[2] - 1)),
        who,
    )


def combined(
    sources: Spread, raters: Spread, rest: Spread, severity: Spread, who: str
) -> DifferenceError:
    """Of variances that sources cause, and raters: raters' minus the rest, plus severity's."""
    own = Spread(max(0.0, raters.variance - rest.variance + severity.variance), raters.degrees)
    beside = severity.variance - rest.variance
    if raters.degrees < FEWEST_DEGREES:
        values = np.maximum(raters.variance * _spread(raters.degrees) + beside, 0.0)
        text = f"{who}, generalized p with {raters.degrees:.4g} degrees of freedom of raters"
        return DifferenceError(sources.variance + values, sources.degrees, text, own)
    raters = raters._replace(variance=max(raters.variance, rest.variance))
    total = sources.variance + max(0.0, raters.variance + beside)
    parts = (sources, raters, rest, severity)
    squares = sum(of.variance**2 / of.degrees for of in parts)
    least, most = min(sources.degrees, raters.degrees), sources.degrees + raters.degrees
    degrees = max(least, min(total**2 / squares, most))
    text = f"{who}, t with {degrees:.4g} degrees of freedom"
    return DifferenceError(np.array([total]), degrees, text, own)


def _spread(degrees: float) -> FloatArray:
    """How many times its mean square a variance may be: degrees over chi-square, on a grid."""
    from scipy.special import chdtri  # late, see `DifferenceError.p_value`

    return np.asarray(degrees / chdtri(degrees, (np.arange(GRID) + 0.5) / GRID))
