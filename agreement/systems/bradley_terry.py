"""Strengths of systems from comparisons of two at a time, whoever met whom."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.crossed_error import combined
from ..bootstrap.definitions import FEWEST_RATERS
from ..bootstrap.jackknife import NOTHING, Spread
from ..scores.clustered import LEAST_CLUSTERS, Clusters
from ..scores.student import Student
from ..values.coding import FloatArray
from ..values.estimate import BOUNDS, Counts, Estimate
from ..values.ratings import Ids
from .davidson import DavidsonModel
from .paired_comparisons import TIES, Comparisons, read_comparisons, standing

NO_CIRCLE = "no circle of systems that met: nothing could misfit"


@dataclass(frozen=True, kw_only=True)
class BradleyTerry:
    """Strengths of systems by the model of Bradley and Terry.

    strength: system -> natural logarithm of its strength, 0 on average over the fitted systems.
    chance: system -> its chance to win against a system of average strength, a tie counting half.
    covariance: of the strengths for these raters, in the order of `fitted`. tie: the chance of a
    tie between equals. fit_p: of the model's holding, against pairs that go their own ways.
    """

    strength: dict[Hashable, Estimate] = field(default_factory=dict)
    chance: dict[Hashable, Estimate] = field(default_factory=dict)
    fitted: tuple[Hashable, ...] = ()
    covariance: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    tie: float = 0.0
    fit_p: Estimate = field(default_factory=lambda: Estimate.missing(NO_CIRCLE))


def bradley_terry(
    first: Sequence[Hashable] | npt.NDArray[Any],
    second: Sequence[Hashable] | npt.NDArray[Any],
    outcomes: Sequence[object] | npt.NDArray[Any],
    *,
    clusters: Ids | None = None,
    raters: Ids | None = None,
    confidence: float | None = 0.95,
) -> BradleyTerry:
    """Strengths of systems that make the comparisons most likely.

    Of systems with strengths p and q the first wins, ties and loses as p : v sqrt(p q) : q, with
    one v for all pairs; without ties that is p / (p + q). A win over a strong system counts for
    more than one over a weak system, so systems that met different opponents can be compared.

    Parameters
    ----------
    first, second : (N,) the two systems of each comparison.
    outcomes : (N,) 1 where the first won, 0 where the second did, 0.5 for a tie; None and NaN are
        missing and drop out.
    clusters : (N,) ids of what is independent, such as sources; each comparison when left out.
    raters : (N,) who compared; from three of them on intervals are for raters like these, with
        those for these raters beside them.
    confidence : of the intervals; None for none.

    Returns a BradleyTerry. Intervals are those of the estimated strengths by Student's t, with an
    error over clusters (sandwich), to which that over raters is added where these are drawn, and
    for chances their logistic transforms; missing with fewer than ten clusters, or no more of them
    than twice the systems. n_units: the system's comparisons. fit_p is Hotelling's test over
    clusters of what pairs are ahead of their expected outcomes, undefined without more than twice
    as many clusters. Strengths exist only among systems between which a chain of wins or ties leads
    both ways, and where some circle has more wins than ties: whoever won (or lost) all comparisons
    has none, and the others are fitted among themselves; where systems fall into groups that never
    met, none has. Undefined with that reason; no comparison of two systems gives an empty one.
    Raises ValueError for other outcomes and different lengths.

    Source: Bradley and Terry (1952), "Rank Analysis of Incomplete Block Designs: I. The Method of
    Paired Comparisons"; Davidson (1970), "On Extending the Bradley-Terry Model to Accommodate Ties
    in Paired Comparison Experiments"; Ford (1957), "Solution of a Ranking Problem from Binary
    Comparisons", for when strengths exist; Liang and Zeger (1986) for the error over clusters.
    """
    comparisons = read_comparisons(first, second, outcomes, clusters, raters)
    chosen, reasons = standing(comparisons)
    missing = {
        name: Estimate.missing(reasons[code], n_units=comparisons.met(code))
        for code, name in enumerate(comparisons.names)
        if code in reasons
    }
    if len(chosen) < 2:
        return BradleyTerry(strength=missing, chance=dict(missing))
    among = comparisons.among(chosen)
    if not among.tie_is_told:
        tied = {
            of: Estimate.missing(TIES, n_units=among.met(at)) for at, of in enumerate(among.names)
        }
        return BradleyTerry(strength=tied | missing, chance=tied | missing)
    return _fitted(among, missing, confidence, drawn=raters is not None)


def _fitted(
    among: Comparisons, missing: dict[Hashable, Estimate], confidence: float | None, *, drawn: bool
) -> BradleyTerry:
    model, size = DavidsonModel(among), len(among.names)
    parameters = model.fit()
    influence = model.influence(parameters)[:, :-1]
    by_source = among.clusters.sums(influence)
    times = among.clusters.number / max(among.clusters.number - 1, 1)
    covariance = times * by_source.T @ by_source
    about = "Bradley–Terry, ties after Davidson, sandwich over sources"
    if missing:
        about += f", {size} systems among themselves"
    intervals = _Intervals(among, confidence, about)
    of_raters = _of_raters(among, influence) if drawn else None
    strength = {
        name: intervals.around(
            float(parameters[code]),
            float(covariance[code, code]),
            None if of_raters is None else (of_raters[0], float(of_raters[1][code])),
            Counts(n_units=among.met(code), n_ratings=among.met(code)),
        )
        for code, name in enumerate(among.names)
    }
    tie = float(np.exp(parameters[-1]))
    chance = {name: _as_chance(estimate, tie) for name, estimate in strength.items()}
    return BradleyTerry(
        strength=strength | missing,
        chance=chance | missing,
        fitted=tuple(among.names),
        covariance=covariance,
        tie=tie / (2 + tie),
        fit_p=_fit_p(model, parameters),
    )


def _of_raters(among: Comparisons, influence: FloatArray) -> tuple[float, FloatArray] | None:
    """The mean square of raters as so many times that of single comparisons, over all systems, and
    the latter (S,); None below three raters. Of what a rater adds to a source, minus the mean of
    all raters there, sums over a rater's sources hold the rater and single comparisons."""
    n_raters = among.raters.number
    if n_raters < FEWEST_RATERS:
        return None
    key = among.clusters.code * n_raters + among.raters.code
    cells, which = np.unique(key, return_inverse=True)
    added = Clusters(which, len(cells)).sums(influence)
    of_source, of_rater = (Clusters.of(codes, len(cells)) for codes in divmod(cells, n_raters))
    times = np.bincount(of_source.code)[of_source.code][:, None]
    apart = np.where(times > 1, added - of_source.sums(added)[of_source.code] / times, 0.0)
    rest = (apart**2 * times / np.maximum(times - 1, 1)).sum(axis=0)
    both = (of_rater.sums(apart) ** 2).sum(axis=0) * n_raters / (n_raters - 1)
    return (float(both.sum() / rest.sum()), rest) if rest.sum() > 0 else None


def _fit_p(model: DavidsonModel, parameters: FloatArray) -> Estimate:
    """Whether what pairs are ahead of what is expected of them is more than chance."""
    clusters, pairs = model.of.clusters, len(model.times)
    degrees, n = pairs - model.size + 1, Counts(n_units=clusters.number)
    if degrees < 1:
        return Estimate.missing(NO_CIRCLE, **n)
    if clusters.number <= 2 * degrees or clusters.number < LEAST_CLUSTERS:
        return Estimate.missing(f"too few sources ({clusters.number})", **n)
    own = np.zeros((len(model.pair), pairs))
    own[np.arange(len(model.pair)), model.pair] = model.ahead(parameters)[0]
    own -= model.influence(parameters) @ model.crossed(parameters).T
    by_source = clusters.sums(own)
    spread = np.linalg.pinv(np.cov(by_source.T, ddof=1).reshape(pairs, pairs), rcond=1e-8)
    middle = by_source.mean(axis=0)
    hotelling = clusters.number * float(middle @ spread @ middle)
    rest = clusters.number - degrees
    value = hotelling * rest / (degrees * (clusters.number - 1))
    from scipy.special import fdtrc  # late, as importing it takes a fifth of a second

    text = f"Hotelling over {clusters.number} sources, F with {degrees} and {rest} degrees"
    return Estimate(value=float(fdtrc(degrees, rest, value)), interval_method=text, **n)


@dataclass(frozen=True)
class _Intervals:
    """Intervals of the strengths of these comparisons."""

    among: Comparisons
    confidence: float | None
    about: str

    def around(
        self, value: float, of_sources: float, of_raters: tuple[float, float] | None, n: Counts
    ) -> Estimate:
        """of_sources: the variance that they cause; of_raters: see `_of_raters`, of one system."""
        if self.confidence is None:
            return Estimate(value=value, **n)
        clusters, systems = self.among.clusters.number, len(self.among.names)
        least = max(LEAST_CLUSTERS, 2 * systems + 1)
        none = f"too few sources for an interval: fewer than {least}" if clusters < least else ""
        degrees = max(clusters - systems, 1)
        these = Student(self.confidence, degrees, none).around(value, of_sources, self.about, n)
        if of_raters is None or these.low is None:
            return these
        times, rest = of_raters
        of_rater_degrees = (systems - 1) * (self.among.raters.number - 1)
        error = combined(
            Spread(of_sources, degrees),
            Spread(times * rest, of_rater_degrees),
            Spread(rest, max(1, len(self.among.first) - of_rater_degrees)),
            NOTHING,
            f"{self.about} and {self.among.raters.number} raters",
        )
        half = error.half_width(1 - self.confidence)
        return replace(
            these,
            low=value - half,
            high=value + half,
            interval_method=error.text,
            these_low=these.low,
            these_high=these.high,
            these_method=these.interval_method,
            others_low=value - half,
            others_high=value + half,
            others_method=error.text,
        )


def _as_chance(strength: Estimate, tie: float) -> Estimate:
    """Against a system of strength 0: a win, and half of a tie."""
    assert strength.value is not None
    places = {name: getattr(strength, name) for two in BOUNDS for name in two}
    places["value"] = strength.value
    chances: dict[str, Any] = {
        name: (exp(of / 2) + tie / 2) / (exp(of / 2) + exp(-of / 2) + tie)
        for name, of in places.items()
        if of is not None
    }
    return replace(strength, **chances)
