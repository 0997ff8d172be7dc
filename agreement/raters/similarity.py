"""Is a person closer to a judge than people like them are?"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from ..chance_corrected.distances import distance_named
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids, Values, read_ratings
from .beside_judge import (
    Added,
    BesideJudge,
    beside_judge,
    of_others,
    similarity_by_rating,
    sum_of_others,
)

LEAST_UNITS = 20  # of a person, answered by the judge and by somebody else: docs/statistics.md
LEAST_SOURCES = 10  # of those units
LEAST_OTHERS = 4  # with so many; from fewer it cannot be told what is usual
MOST_UNITS = 1000  # of a person with more, so many are taken, evenly spread
NORMAL_MAD = 1.4826  # standard deviation of normal values over their median absolute deviation
ROUNDING = 1e-12

FEW_UNITS = f"fewer than {LEAST_UNITS} units answered by the judge and other people, too"
FEW_SOURCES = f"fewer than {LEAST_SOURCES} sources of units so answered"
FEW_OTHERS = f"fewer than {LEAST_OTHERS} other people with {LEAST_UNITS} units so answered"
NO_AGREEMENT = "the other people agree no more than by chance"
NO_VARIATION = "the answers do not vary enough to be compared"


@dataclass(frozen=True, kw_only=True)
class JudgeSimilarity:
    """How close a person's answers are to a judge's, beside what is expected of such a person.

    excess: similarity to the judge minus that expected of somebody who is as close to the other
        people, with its interval. 0 is expected of people whose answers owe nothing to the judge.
    to_judge, to_people: similarity beyond chance, 0 for unrelated answers and about 1 for equal
        ones, more for somebody whose answers vary more than people's.
    p_value: of no excess, one-sided; None where undefined, as all of them.
    """

    excess: Estimate
    to_judge: float | None = None
    to_people: float | None = None
    p_value: float | None = None


def judge_similarity(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    judge: Hashable,
    distance: str,
    clusters: Ids | None = None,
    confidence: float = 0.95,
) -> dict[Hashable, JudgeSimilarity]:
    """Each person's similarity to a judge beyond what their similarity to other people lets expect.

    The similarity of two raters is how much nearer their answers are on the same unit than on
    different units: C(r, t) = mean over u, v of d(r_u, t_v) - mean over u of d(r_u, t_u), which is
    2 cov(r, t) for squared differences and, for labels, agreement minus that expected by chance.
    Where raters err independently given what is right, C(w, judge) : C(w, people) is the same for
    everybody, careful or not, and however good the judge is. So

        excess(w) = (C(w, judge) - s C(w, people)) / D,
        s = sum_o C(o, judge) / sum_o C(o, people but w)

    with o the other people, and D the mean distance of people's answers on different units. From
    what a unit adds to it, as much of the mean excess of the unit's other people is taken away as
    explains most of it, which is 0 on average and makes it steadier (a control variate). It is
    judged beside its own error (of a mean over clusters), that of s (over people), and how far the
    other people's excesses differ beyond their errors (by the median absolute deviation).

    Parameters
    ----------
    units, raters, values, distance, clusters : as for `alpha`; every rater but the judge is a
        person.
    judge : the judge's id among the raters.
    confidence : of the intervals.

    Returns person -> JudgeSimilarity, in order of appearance, from the units that the judge and at
    least two people answered. An excess has the unit of kappa: with a judge as good as people, who
    copies all answers has 1 minus people's agreement beyond chance. Its n_raters are the other
    people compared with. Intervals and p are Student's t, with Satterthwaite's degrees of freedom.
    Undefined: fewer than 20 such units or 10 clusters of them, fewer than 4 other people with so
    many, no agreement among these, no variation. None and NaN are missing ratings. Of a person
    with over 1,000 units, 1,000 evenly spread are taken. Errors as for `alpha`; ValueError for a
    confidence outside (0, 1).

    Source: none publishes it. That the products of such covariances are equal for independent
    errors: Spearman (1904), "General Intelligence, Objectively Determined and Measured" (tetrad
    differences); what is usual as the scale: Efron (2004), "Large-Scale Simultaneous Hypothesis
    Testing: The Choice of a Null Hypothesis"; the error of a mean over clusters: Liang and Zeger
    (1986), "Longitudinal data analysis using generalized linear models"; degrees of freedom:
    Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance Components".
    """
    if not 0 < confidence < 1:
        raise ValueError("the confidence must lie between 0 and 1")
    measure = distance_named(distance)
    tidy = read_ratings(units, raters, values, kind=measure.kind, clusters=clusters)
    codes = dict(zip(raters, code_ids(raters)[0].tolist(), strict=True))
    judged = beside_judge(tidy, codes.pop(judge, -1), measure)
    people = _similarities(judged, list(codes.values()))
    return {name: _similarity(people, at, confidence) for at, name in enumerate(codes)}


@dataclass(frozen=True, eq=False, kw_only=True)
class _Similarities:
    """The similarity of people to the judge and to people, as sums over their n units, the same
    beyond the other people's on these units, and of these the sums of squares and products of
    their clusters' deviations: (P,) each. met: the mean similarity of the others of each unit to
    the judge, as a sum."""

    n: FloatArray
    n_clusters: FloatArray
    judge: FloatArray
    people: FloatArray
    met: FloatArray
    judge_beyond: FloatArray
    people_beyond: FloatArray
    chance: FloatArray
    judge_squares: FloatArray
    people_squares: FloatArray
    products: FloatArray

    @classmethod
    def of_people(cls, each: Sequence[Mapping[str, float]]) -> "_Similarities":
        """Those of several; sums that were not made are 0."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: np.array([one.get(name, 0.0) for one in each]) for name in names})

    def of(self, chosen: npt.NDArray[np.bool_] | IntArray) -> "_Similarities":
        """Those of some of the people."""
        names = [field.name for field in fields(self)]
        return _Similarities(**{name: getattr(self, name)[chosen] for name in names})

    @property
    def enough(self) -> npt.NDArray[np.bool_]:
        return np.asarray((self.n >= LEAST_UNITS) & (self.n_clusters >= LEAST_SOURCES))

    def excess(self, slope: float) -> FloatArray:
        """Of similarity to the judge over `slope` times that to people."""
        return np.asarray((self.judge_beyond - slope * self.people_beyond) / self.n)

    def variance(self, slope: float) -> FloatArray:
        """Of that excess: the squared error of a mean over clusters."""
        squares = self.judge_squares - 2 * slope * self.products + slope**2 * self.people_squares
        corrected = self.n_clusters / (self.n_clusters - 1) * np.maximum(squares, 0.0)
        return np.asarray(corrected / self.n**2)

    def spread(self, slope: float) -> float:
        """How far people differ beyond their errors: a variance, 0 where they do not."""
        excess = self.excess(slope)
        apart = np.abs(excess - np.median(excess))
        return max(
            float((NORMAL_MAD * np.median(apart)) ** 2 - np.median(self.variance(slope))), 0.0
        )

    def slope_variance(self, slope: float) -> float:
        """Of the slope itself: of a ratio of sums over people."""
        m = len(self.n)
        residuals = float(((self.judge - slope * self.people) ** 2).sum())
        return m / (m - 1) * residuals / float(self.people.sum()) ** 2


def _similarities(judged: BesideJudge, codes: Collection[int]) -> _Similarities:
    """Of the people with these codes, in their order."""
    added = similarity_by_rating(judged, most=MOST_UNITS)
    others, n_others = of_others(judged, added)
    share = _share_of_others(added, others)
    beyond = replace(
        added,
        judge=added.judge - share * others.judge,
        people=added.people - share * others.people,
    )
    met = sum_of_others(judged, added.judge) / np.maximum(n_others, 1)
    looked_at = ~np.isnan(added.judge)
    rows = [np.flatnonzero((judged.person == code) & looked_at) for code in codes]
    return _Similarities.of_people(
        [
            _sums(added, beyond, own, judged.cluster[judged.unit[own]])
            | {"chance": added.chance.get(code, 0.0) * len(own), "met": met[own].sum()}
            for code, own in zip(codes, rows, strict=True)
        ]
    )


def _share_of_others(added: Added, others: Added) -> float:
    """How much of a rating's excess the others' excess on the same unit explains: the slope of a
    regression through 0, within 0 and 1."""
    usual = float(np.nansum(added.people))
    if usual <= ROUNDING:
        return 0.0
    slope = float(np.nansum(added.judge)) / usual
    own = np.nan_to_num(added.judge - slope * added.people)
    theirs = others.judge - slope * others.people
    squares = float(theirs @ theirs)
    return min(max(float(own @ theirs) / squares, 0.0), 1.0) if squares > ROUNDING else 0.0


def _sums(added: Added, beyond: Added, own: IntArray, clusters: IntArray) -> dict[str, float]:
    """Of one person's ratings; beyond: what they add beyond the others' on the same unit."""
    if not len(own):
        return {}
    cluster, n_clusters = code_ids(clusters)
    judge, people = beyond.judge[own], beyond.people[own]
    apart = [np.bincount(cluster, values - values.mean()) for values in (judge, people)]
    return {
        "n": len(own),
        "n_clusters": n_clusters,
        "judge": added.judge[own].sum(),
        "people": added.people[own].sum(),
        "judge_beyond": judge.sum(),
        "people_beyond": people.sum(),
        "judge_squares": apart[0] @ apart[0],
        "people_squares": apart[1] @ apart[1],
        "products": apart[0] @ apart[1],
    }


def _similarity(people: _Similarities, person: int, confidence: float) -> JudgeSimilarity:
    own, rest = people.of(np.array([person])), np.arange(len(people.n)) != person
    everybody, others = people.of(rest), people.of(rest & people.enough)
    n_units, n_others = int(own.n[0]), len(others.n)
    n = Counts(n_units=n_units, n_raters=n_others, n_ratings=n_units)
    # Of the others with each other: what they add by being close to this person is left out.
    usual = float(everybody.people.sum() - own.people[0])
    reason = _too_few(own, n_others) or (NO_AGREEMENT if usual <= ROUNDING else None)
    if reason is not None:
        return JudgeSimilarity(excess=Estimate.missing(reason, **n))
    slope = max(float(everybody.judge.sum() - own.met[0]) / usual, 0.0)
    parts = (
        (float(own.variance(slope)[0]), int(own.n_clusters[0])),
        (float(own.people_beyond[0] / own.n[0]) ** 2 * others.slope_variance(slope), n_others),
        (others.spread(slope), n_others),
    )
    error = sqrt(sum(variance for variance, _ in parts))
    scale = float(others.chance.sum() + own.chance[0]) / float(others.n.sum() + own.n[0])
    if error <= ROUNDING * scale:
        return JudgeSimilarity(excess=Estimate.missing(NO_VARIATION, **n))
    excess = _Excess(
        value=float(own.excess(slope)[0]) / scale,
        error=error / scale,
        freedom=error**4 / sum(variance**2 / (size - 1) for variance, size in parts),
    )
    return JudgeSimilarity(
        excess=excess.estimate(confidence, n),
        to_judge=float(own.judge[0] / own.n[0]) / scale,
        to_people=float(own.people[0] / own.n[0]) / scale,
        p_value=excess.p_value,
    )


def _too_few(own: _Similarities, n_others: int) -> str | None:
    if own.n[0] < LEAST_UNITS:
        return FEW_UNITS
    if own.n_clusters[0] < LEAST_SOURCES:
        return FEW_SOURCES
    return FEW_OTHERS if n_others < LEAST_OTHERS else None


@dataclass(frozen=True, kw_only=True)
class _Excess:
    """A value with its error, by Student's t."""

    value: float
    error: float
    freedom: float

    @property
    def p_value(self) -> float:
        from scipy.special import stdtr  # scipy.stats would take half a second to import

        return float(stdtr(self.freedom, -self.value / self.error))

    def estimate(self, confidence: float, n: Counts) -> Estimate:
        from scipy.special import stdtrit

        reach = float(stdtrit(self.freedom, (1 + confidence) / 2)) * self.error
        return Estimate(
            value=self.value,
            low=self.value - reach,
            high=self.value + reach,
            confidence=confidence,
            interval_method=f"Student's t, {self.freedom:.1f} degrees of freedom, over sources",
            **n,
        )
