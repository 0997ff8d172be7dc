"""May this judge replace a person? The alternative annotator test."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from ..bootstrap.floors import lack_of_differences
from ..bootstrap.intervals import Bootstrap, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS, SHARES, Scale
from ..chance_corrected.distances import distance_named
from ..values.coding import FloatArray, IntArray, code_ids, n_distinct
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids, Values, read_ratings
from .wins import Wins, wins_over_people

LEAST_UNITS = 30  # below that the paper's t test does not hold
LEAST_PEOPLE = 3  # below that the paper does not speak of a group
ROUNDING = 1e-12  # errors smaller than this are those of equal differences
LEAST_SOURCES = 15  # below that a test over sources rejects too often, see docs/statistics.md


@dataclass(frozen=True, kw_only=True)
class ComparedAnnotator:
    """A person beside the judge, each compared with the other people on the person's units.

    judge_wins, annotator_wins: share of units on which one is at least as near to the others as
        the other is; ties count for both. None where not compared.
    p_value: of the judge not being better than the person minus epsilon, before correction.
    replaceable: whether that is rejected after correction over the annotators.
    """

    n_units: int
    judge_wins: float | None = None
    annotator_wins: float | None = None
    p_value: float | None = None
    replaceable: bool = False
    undefined: str | None = None


@dataclass(frozen=True, kw_only=True)
class AlternativeAnnotatorTest:
    """The test's two figures and what they are made of.

    winning_rate: share of compared people for whom the judge is as good a member of the group;
        undefined where fewer than three were compared.
    advantage_probability: mean over them of `judge_wins`; ranks judges among each other.
    gap: mean over them of `annotator_wins` minus `judge_wins`, to be set against epsilon.
    epsilon: how much less often the judge may win.
    annotators: person -> comparison, those left out with the reason.
    """

    winning_rate: Estimate
    advantage_probability: Estimate
    gap: Estimate
    epsilon: float
    annotators: dict[Hashable, ComparedAnnotator] = field(default_factory=dict)

    @property
    def passed(self) -> bool | None:
        """Whether the winning rate reaches a half; None where it is undefined."""
        rate = self.winning_rate.value
        return None if rate is None else rate >= 0.5


def alternative_annotator_test(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    judge: Hashable,
    distance: str,
    epsilon: float,
    level: float = 0.05,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> AlternativeAnnotatorTest:
    """Alternative annotator test of one judge against the people who rated the same units.

    Leave one person out at a time. On each unit that the judge, the person and somebody else
    rated, see who is nearer to the others on average; a tie counts for both. The judge wins over
    the person if the share of units won by the person, minus that won by the judge, is below
    epsilon: one-sided t test, corrected over the people by Benjamini and Yekutieli. Units of one
    cluster depend on each other, so the test's error is that of a mean over clusters, with one
    degree of freedom less than clusters; where every unit is its own, that is the authors' test.

    Parameters
    ----------
    units, raters, values, distance : as for `alpha`; every rater but the judge is a person.
        nominal scores by accuracy, interval by negative RMSE, jaccard (masi, kendall) by mean
        similarity. ordinal is refused, because its distances belong to a whole table.
    judge : the judge's id among the raters.
    epsilon : what the judge's lower cost is worth, in [0, 1]; the authors' rule of thumb is 0.2
        where it replaces experts, 0.15 skilled annotators, 0.1 crowdworkers.
    level : false discovery rate of the correction.
    clusters : as for `alpha`, for the test and for intervals.
    bootstrap : for the advantage probability and the gap; the winning rate has no interval.

    Returns an AlternativeAnnotatorTest; n_raters counts the people compared, n_units the units.
    People with fewer than 30 shared units, or 15 clusters of them, are left out. Undefined:
    nobody has so many; of the winning rate, fewer than three people have.
    None and NaN are missing ratings. With differences that do not vary, p is 0 below epsilon and
    1 otherwise. Errors as for `alpha`; ValueError for epsilon or level outside their range.

    Source: Calderon, Reichart and Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge",
    section 3; Benjamini and Yekutieli (2001), theorem 1.3; the error of a mean over clusters:
    Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models".
    """
    measure = distance_named(distance)
    if measure.form == "ranks":
        raise ValueError("the test needs a distance of two values: take interval for a scale")
    if not 0 <= epsilon <= 1 or not 0 < level < 1:
        raise ValueError("epsilon must lie within 0 and 1, the level between them")
    tidy = read_ratings(units, raters, values, kind=measure.kind, clusters=clusters)
    codes = dict(zip(raters, code_ids(raters)[0].tolist(), strict=True))
    judge_code = codes.pop(judge, -1)
    wins = wins_over_people(tidy, judge_code, measure)
    compared = _compare(wins, codes, epsilon, level)
    tested = _tested(codes, compared)
    nearer = wins.judge.astype(np.float64)
    return AlternativeAnnotatorTest(
        winning_rate=_winning_rate(wins, codes, compared),
        advantage_probability=_mean_over_people(
            wins, nearer, SHARES, tested, codes, bootstrap=bootstrap
        ),
        gap=_mean_over_people(wins, wins.ahead, COEFFICIENTS, tested, codes, bootstrap=bootstrap),
        epsilon=epsilon,
        annotators=compared,
    )


def _compare(
    wins: Wins, people: dict[Hashable, int], epsilon: float, level: float
) -> dict[Hashable, ComparedAnnotator]:
    rows = {name: np.flatnonzero(wins.person == code) for name, code in people.items()}
    reasons = {name: _too_few(wins, own) for name, own in rows.items()}
    tested = [name for name, reason in reasons.items() if reason is None]
    p_values = [
        _p_below(wins.ahead[rows[name]], wins.cluster[rows[name]], epsilon) for name in tested
    ]
    rejected = dict(zip(tested, _benjamini_yekutieli(p_values, level), strict=True))
    compared = {
        name: ComparedAnnotator(n_units=len(own), undefined=reasons[name])
        for name, own in rows.items()
    }
    for name, p_value in zip(tested, p_values, strict=True):
        compared[name] = ComparedAnnotator(
            n_units=len(rows[name]),
            judge_wins=float(wins.judge[rows[name]].mean()),
            annotator_wins=float(wins.annotator[rows[name]].mean()),
            p_value=p_value,
            replaceable=rejected[name],
        )
    return compared


def _too_few(wins: Wins, own: IntArray) -> str | None:
    """Why a person with these units cannot be compared; None where that is possible."""
    if len(own) < LEAST_UNITS:
        return f"fewer than {LEAST_UNITS} units shared with the judge and others"
    few = n_distinct(wins.cluster[own]) < LEAST_SOURCES
    return f"fewer than {LEAST_SOURCES} sources of units so shared" if few else None


def _p_below(differences: FloatArray, cluster: IntArray, epsilon: float) -> float:
    """p of the t test of a mean that is not below epsilon, its error that of clusters."""
    n, mean = len(differences), float(differences.mean())
    code, n_clusters = code_ids(cluster)
    residuals = np.bincount(code, weights=differences - mean)
    error = sqrt(n_clusters / (n_clusters - 1) * float((residuals**2).sum())) / n
    if error < ROUNDING:
        return 0.0 if mean < epsilon else 1.0
    from scipy.stats import t  # late, as importing it takes half a second

    return float(t.sf((epsilon - mean) / error, n_clusters - 1))


def _benjamini_yekutieli(p_values: list[float], level: float) -> list[bool]:
    """Which are rejected: up to the last p_(i) <= i level / (m sum 1/k)."""
    m = len(p_values)
    step = level / (m * sum(1 / k for k in range(1, m + 1))) if m else 0.0
    passing = [p for i, p in enumerate(sorted(p_values), start=1) if p <= i * step]
    return [bool(passing) and p <= passing[-1] for p in p_values]


def _tested(people: dict[Hashable, int], compared: dict[Hashable, ComparedAnnotator]) -> list[int]:
    return [people[name] for name, person in compared.items() if person.undefined is None]


def _winning_rate(
    wins: Wins, people: dict[Hashable, int], compared: dict[Hashable, ComparedAnnotator]
) -> Estimate:
    tested = _tested(people, compared)
    if not tested:
        return _nobody(wins, people)
    won = sum(person.replaceable for person in compared.values())
    n = _sizes(wins, tested)
    if len(tested) < LEAST_PEOPLE:
        few = (
            f"fewer than {LEAST_PEOPLE} people with {LEAST_UNITS} units of {LEAST_SOURCES} sources"
        )
        return Estimate.missing(few, **n)
    return Estimate(value=won / len(tested), **n)


def _mean_over_people(
    wins: Wins,
    values: FloatArray,
    scale: Scale,
    tested: list[int],
    people: dict[Hashable, int],
    *,
    bootstrap: Bootstrap | None,
) -> Estimate:
    """Mean over people of each one's mean of the values (M,): a function of totals of clusters."""
    if not tested:
        return _nobody(wins, people)
    kept = np.flatnonzero(np.isin(wins.person, tested))
    column, n_people = code_ids(wins.person[kept])
    cluster, n_clusters = code_ids(wins.cluster[kept])
    contributions = Contributions.from_cells(
        np.tile(cluster, 2),
        np.concatenate([column, column + n_people]),
        np.concatenate([values[kept], np.ones(len(kept))]),
        shape=(n_clusters, 2 * n_people),
    )
    value = float(_mean_share(contributions.total())[0])
    bounds = bootstrap_interval(
        contributions,
        _mean_share,
        value,
        bootstrap,
        scale=scale,
        lack=lack_of_differences(values[kept], cluster),
    )
    return Estimate(value=value, **vars(bounds), **_sizes(wins, tested))


def _mean_share(totals: FloatArray) -> FloatArray:
    """(r, 2P) sums and sizes -> (r,), NaN where a person has no unit in the resample."""
    won, sizes = np.split(totals, 2, axis=1)
    shares = np.divide(won, sizes, out=np.full(won.shape, np.nan), where=sizes > 0)
    return np.asarray(shares.mean(axis=1))


def _sizes(wins: Wins, tested: list[int]) -> Counts:
    kept = np.isin(wins.person, tested)
    n_units = n_distinct(wins.unit[kept])
    return Counts(n_units=n_units, n_raters=len(tested), n_ratings=int(kept.sum()))


def _nobody(wins: Wins, people: dict[Hashable, int]) -> Estimate:
    most = int(np.bincount(wins.person).max(initial=0))
    enough = f"{LEAST_UNITS} units"
    if most >= LEAST_UNITS:
        enough = f"units of {LEAST_SOURCES} sources"
    reason = f"no person shares {enough} with the judge and with another person"
    return Estimate.missing(reason, **_sizes(wins, list(people.values())))
