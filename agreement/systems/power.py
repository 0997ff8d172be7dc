"""How many units and raters an interval of a given width takes, by simulating studies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from ..chance_corrected.disagreement import prepare
from ..chance_corrected.distances import distance_named
from ..chance_corrected.krippendorff import alpha
from ..values.coding import Coded, FloatArray, IntArray, code_values
from ..values.estimate import Estimate
from ..values.ratings import Ids, Values, count_complete

PlannedStatistic = Literal["alpha", "mean"]

CELLS = 1 << 20  # simulated ratings at a time
MOST_SIMULATED = 250  # units; beyond that the width goes with 1 / sqrt(units)
CORRECTIONS, FIRST = 3, 200  # of the first number of units, each by so few simulations
BEYOND_MOST = "more units needed than the most that are allowed"


@dataclass(frozen=True, kw_only=True)
class Pilot:
    """What studies are simulated from: which values raters give, and how far they agree.

    values: (V,) distinct values, of the kind the distance takes. shares: (V,) how often each is
        given. agreement: Krippendorff's alpha at that distance, from 0 to 1.
    """

    values: Sequence[object]
    shares: Sequence[float]
    agreement: float
    distance: str

    def __post_init__(self) -> None:
        distance_named(self.distance)
        if len(self.values) != len(self.shares) or len(self.values) < 2:
            raise ValueError("a pilot needs at least two values and a share for each")
        if min(self.shares) < 0 or abs(sum(self.shares) - 1) > 1e-9:
            raise ValueError("shares must not be negative and must add up to 1")
        if not 0 <= self.agreement <= 1:
            raise ValueError("agreement must lie within 0 and 1")


def pilot_from(units: Ids, raters: Ids, values: Values, *, distance: str) -> Pilot:
    """The Pilot that a small study makes.

    Parameters, missing ratings (None, NaN) and errors as for `alpha`; an alpha below 0 is taken as
    0. Raises ValueError with the reason where alpha is undefined. No interval.

    Source: as for `interval_width`.
    """
    return pilot_with(alpha(units, raters, values, distance=distance), values, distance=distance)


def pilot_with(agreement: Estimate, values: Values, *, distance: str) -> Pilot:
    """The same of ratings whose alpha is known: values (N,), of which None and NaN are none.

    Missing values, errors and source as for `pilot_from`.
    """
    if agreement.value is None:
        raise ValueError(f"no pilot: {agreement.undefined}")
    codes, _domain = code_values(values, distance_named(distance).kind)
    rated = np.flatnonzero(codes >= 0)
    _codes, first, counts = np.unique(codes[rated], return_index=True, return_counts=True)
    given = [_plain(values, at) for at in rated[first].tolist()]
    return Pilot(
        values=given,
        shares=(counts / len(rated)).tolist(),
        agreement=min(1.0, max(0.0, agreement.value)),
        distance=distance,
    )


def _plain(values: Values, at: int) -> object:
    """The value in that place as it was given."""
    if isinstance(values, Coded):
        return values.domain[np.asarray(values.codes)[at]]
    return values[at]


def interval_width(
    pilot: Pilot,
    *,
    units: int,
    raters: int,
    statistic: PlannedStatistic = "alpha",
    simulations: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Estimate:
    """Width of the interval that a study with so many units and raters per unit would have.

    Studies are simulated, and the width is the distance between the quantiles (1 - confidence) / 2
    and 1 - (1 - confidence) / 2 of the statistic over them, which is what a bootstrap interval
    estimates. The ratings of a unit come from an urn (Polya; Blackwell and MacQueen): with the
    concentration c = (1 - alpha) / alpha, rating m + 1 is a new draw from the pilot's shares with
    probability c / (c + m), else a copy of one of the m before. Two ratings of a unit are then
    equal with probability alpha and independent otherwise, so that the expected alpha is the
    pilot's at any distance and for any number of raters.

    Parameters
    ----------
    units, raters : numbers of units and of ratings per unit (at least two; one for a mean).
    statistic : alpha, at the pilot's distance; or mean, of numbers: over the ratings of a unit,
        then over units.
    simulations, seed, confidence : the relative error of the width is about
        1.5 / sqrt(simulations).

    Returns an Estimate of the width, in the unit of the statistic. Undefined: more than half of
    the studies have no variation (such studies are left out of the quantiles). Units are taken to
    be independent and raters interchangeable: where units share sources, plan sources as units.
    No missing ratings. Raises ValueError for numbers out of range, or a mean from a pilot with
    another distance than interval.

    Source: Blackwell and MacQueen (1973), "Ferguson distributions via Polya urn schemes"; Efron
    (1979) for quantiles of simulated statistics.
    """
    _refuse(
        pilot,
        units=units,
        raters=raters,
        statistic=statistic,
        simulations=simulations,
        confidence=confidence,
    )
    rng = np.random.default_rng(seed)
    figures = _STATISTICS[statistic](pilot, units, raters, simulations, rng)
    defined = figures[~np.isnan(figures)]
    method = f"{simulations} simulated studies, seed {seed}"
    n_ratings = units * raters
    if 2 * len(defined) < simulations:
        reason = "more than half of the simulated studies have no variation"
        return Estimate.missing(reason, n_units=units, n_raters=raters, n_ratings=n_ratings)
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Estimate(
        value=float(high - low),
        confidence=confidence,
        interval_method=method,
        n_units=units,
        n_raters=raters,
        n_ratings=n_ratings,
    )


def units_needed(
    pilot: Pilot,
    *,
    width: float,
    raters: int,
    statistic: PlannedStatistic = "alpha",
    most: int = 100_000,
    simulations: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Estimate:
    """How many units, with so many raters each, make an interval no wider than `width`.

    The width goes with 1 / sqrt(units) once there are many, so the number of units is corrected by
    the square of simulated over wanted width until it settles; beyond 250 units that rule is
    taken as it is. Its relative error is about
    3 / sqrt(simulations).

    Parameters : as for `interval_width`; width in the unit of the statistic, above 0; most units.

    Returns an Estimate of a whole number of units, at least two. Undefined: more than `most` are
    needed, or `interval_width` is undefined. None of the ratings is missing. Errors as there.

    Source: as for `interval_width`.
    """
    if width <= 0:
        raise ValueError("an interval's width must be above 0")
    needed = 100
    for round_ in range(CORRECTIONS + 1):
        if needed > 2 * MOST_SIMULATED and round_ < CORRECTIONS:
            continue  # as many units are simulated next, so that the last figure alone counts
        simulated = min(max(needed, 2), MOST_SIMULATED)
        estimate = interval_width(
            pilot,
            units=simulated,
            raters=raters,
            statistic=statistic,
            simulations=simulations if round_ == CORRECTIONS else min(simulations, FIRST),
            seed=seed + round_,
            confidence=confidence,
        )
        if estimate.value is None:
            return estimate
        needed = max(2, ceil(simulated * (estimate.value / width) ** 2))
    if needed > most:
        return Estimate.missing(f"{BEYOND_MOST} ({most})", n_raters=raters)
    return Estimate(
        value=float(needed),
        confidence=confidence,
        interval_method=f"{simulations} simulated studies at the last, seed {seed}",
        n_raters=raters,
    )


def _refuse(
    pilot: Pilot,
    *,
    units: int,
    raters: int,
    statistic: PlannedStatistic,
    simulations: int,
    confidence: float,
) -> None:
    if statistic not in _STATISTICS:
        raise ValueError(f"unknown statistic {statistic!r}: one of {', '.join(_STATISTICS)}")
    least = 2 if statistic == "alpha" else 1
    if units < 2 or raters < least:
        raise ValueError(f"a study needs two units and {least} raters or more")
    if simulations < 2 or not 0 < confidence < 1:
        raise ValueError("at least two simulations, and a confidence between 0 and 1")
    if statistic == "mean" and pilot.distance != "interval":
        raise ValueError("a mean needs a pilot with the distance interval")


def _alphas(
    pilot: Pilot, units: int, raters: int, simulations: int, rng: np.random.Generator
) -> FloatArray:
    """Alpha of each study: what a study adds to the totals is all that its alpha needs."""
    measure, alphas = distance_named(pilot.distance), []
    code, domain = code_values(pilot.values, measure.kind)
    for drawn in _studies(pilot, units, raters, simulations, rng):
        cluster = np.repeat(np.arange(len(drawn)), units)
        table = count_complete(code[drawn.reshape(-1, raters)], domain, cluster)
        study = prepare(table, measure)
        alphas.append(study.alpha(study.contributions.dense(np.arange(len(drawn)))))
    return np.concatenate(alphas)


def _means(
    pilot: Pilot, units: int, raters: int, simulations: int, rng: np.random.Generator
) -> FloatArray:
    numbers = np.asarray(pilot.values, dtype=np.float64)
    studies = _studies(pilot, units, raters, simulations, rng)
    return np.concatenate([numbers[drawn].mean(axis=(1, 2)) for drawn in studies])


_STATISTICS: dict[str, Callable[[Pilot, int, int, int, np.random.Generator], FloatArray]] = {
    "alpha": _alphas,
    "mean": _means,
}


def _studies(
    pilot: Pilot, units: int, raters: int, simulations: int, rng: np.random.Generator
) -> Iterator[IntArray]:
    """Codes of the ratings, in blocks (studies, units, raters)."""
    at_once = max(1, CELLS // (units * raters))
    for start in range(0, simulations, at_once):
        studies = min(at_once, simulations - start)
        yield _from_urns(pilot, studies * units, raters, rng).reshape(studies, units, raters)


def _from_urns(pilot: Pilot, urns: int, raters: int, rng: np.random.Generator) -> IntArray:
    """(urns, raters) codes."""
    drawn = rng.choice(len(pilot.shares), size=(urns, raters), p=pilot.shares)
    everybody = np.arange(urns)
    for before in range(1, raters):
        # Of alpha = 1 everything is a copy, of alpha = 0 nothing.
        copies = pilot.agreement * before / (1 - pilot.agreement + pilot.agreement * before)
        earlier = drawn[everybody, rng.integers(0, before, urns)]
        drawn[:, before] = np.where(rng.random(urns) < copies, earlier, drawn[:, before])
    return drawn
