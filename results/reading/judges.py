"""The figures of judges beside people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agreement import Estimate
from annotation.rater_names import is_baseline
from estimates.catalogue import alpha_of
from estimates.catalogue.agreement import RAW_AGREEMENT
from estimates.catalogue.judges import (
    ALT_ADVANTAGE,
    ALT_GAP,
    ALT_WINNING_RATE,
    KENDALL_TAU_B,
    PEARSON,
    SPEARMAN,
    UNANSWERED,
)
from estimates.catalogue.scorecard import (
    AGREEMENT_AMONG_PEOPLE,
    AGREEMENT_GAP,
    AGREEMENT_WITH_PEOPLE,
    ALT_ADVANTAGE_DIFFERENCE,
    CONFUSION,
    JUDGE_DIFFERENCE,
    JUDGE_DIFFERENCE_P,
    RATE_BIAS,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
)
from estimates.data.groups import OTHER_JUDGE
from estimates.data.parties import HUMANS
from estimates.data.rows import SCORE_FACET
from estimates.scorecard.labels import Labels
from results.reading.bounds import bounded, defined, excludes, overlap
from results.reading.rows import FacetRows
from results.reading.systems import LEVEL

LABEL = "label"
# From this winning rate on a judge passes the test (Calderon, Reichart and Dror 2025).
PASSED = 0.5
INFINITE = float("inf")
# Fewer units of a label say too little of a judge's errors there.
LEAST_UNITS = 10
# From this share of units without an answer on a judge is incomplete; from the second on it is said
# to have failed.
INCOMPLETE_FROM, FAILED_FROM = 0.05, 0.2


@dataclass(frozen=True)
class DetectionRate:
    """Of the units that people give a label: the share that the judge gives it, too. of_parts:
    units are parts of a text, which people choose ("yes") or leave out."""

    label: str
    rate: Estimate
    of_parts: bool = False


@dataclass(frozen=True)
class Judge:
    """The figures of a judge beside people.

    difference: people's agreement with each other minus the judge's with them. gap: of the
    alternative annotator test, as rate and advantage are: how much more often a person than the
    judge is the nearer one. hits: by label, where answers are labels. bias: the judge's rate or
    mean minus people's. among, alone: both closenesses. alpha: its agreement with people as one;
    alike: on how many units the two gave the same answer, where that is all of them. follows: a
    correlation of its scores with people's, named `follows_by`. unanswered: the share of units
    without its answer. people: how far they agree among themselves. against: its advantage minus
    another judge's on the same units. above: its agreement with people minus that of each baseline,
    on the same units. below: the p of each of these differences, corrected for all of them.
    """

    name: str
    difference: Estimate | None = None
    gap: Estimate | None = None
    rate: Estimate | None = None
    advantage: Estimate | None = None
    hits: Sequence[DetectionRate] = ()
    bias: Estimate | None = None
    among: Estimate | None = None
    alone: Estimate | None = None
    alpha: Estimate | None = None
    alike: int = 0
    follows: Estimate | None = None
    follows_by: str = ""
    unanswered: Estimate | None = None
    people: Estimate | None = None
    against: Mapping[str, Estimate] = field(default_factory=dict)
    above: Mapping[str, Estimate] = field(default_factory=dict)
    below: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def floor(self) -> tuple[str, Estimate] | None:
        """The baseline that it beats least clearly, by the low end of the interval, and how much
        more the judge agrees with people; None where there is none."""
        return min(self.above.items(), key=lambda of: _low(of[1]), default=None)

    @property
    def beats_baselines(self) -> bool:
        """Whether it agrees with people more than every baseline, beyond what chance explains; True
        where there is none. Where each interval must lie above 0, the error is no more likely than
        of a single one, however many there are (Berger 1982), and none is chosen by its results."""
        return self.floor is None or _low(self.floor[1]) > 0

    @property
    def beaten_by(self) -> tuple[str, Estimate] | None:
        """The baseline that agrees most with people, of those that agree with them more than the
        judge does beyond what chance explains; p is corrected, as the worst of several differences
        is looked for. None where there is none."""
        behind = [
            (name, of)
            for name, of in self.above.items()
            if float(of) < 0 and name in self.below and float(self.below[name]) < LEVEL
        ]
        return min(behind, key=lambda of: float(of[1]), default=None)

    @property
    def told(self) -> Sequence[DetectionRate]:
        """Of the labels with enough units, the one that it misses most first."""
        enough = [hit for hit in self.hits if (hit.rate.n_units or 0) >= LEAST_UNITS]
        return sorted(enough, key=lambda hit: float(hit.rate))

    @property
    def worst(self) -> DetectionRate | None:
        """The label that it misses most, of those with enough units."""
        return next(iter(self.told), None)

    @property
    def units(self) -> int:
        """On how many units it is compared with people."""
        figures = (self.difference, self.follows, self.alpha)
        return max((figure.n_units or 0 for figure in figures if figure), default=0)

    @property
    def unanswered_share(self) -> float:
        """The share of the units that it was asked about and has no answer to; 0 where unknown."""
        return float(self.unanswered.value or 0) if self.unanswered else 0.0

    @property
    def failed(self) -> bool:
        """Whether it has no answer to many units."""
        return self.unanswered_share >= FAILED_FROM

    @property
    def people_compared(self) -> int | None:
        """How many people answered what it did; None where that is not known."""
        return self.difference.n_raters if self.difference else None

    @property
    def beside_one(self) -> bool:
        """Whether one person alone answered what it did."""
        figures = [self.bias, *(hit.rate for hit in self.hits)]
        return any(figure is not None and figure.n_raters == 1 for figure in figures)


def judges_of(rows: FacetRows) -> list[Judge]:
    """All judges but baselines: those that answered nearly all units first, then the ones that
    agree with people most, or whose scores rise most with theirs."""
    names = [name for name in rows.judges if not is_baseline(name)]
    found = [judge_of(rows, f"{HUMANS}~{name}") for name in names]
    most = max((judge.units for judge in found), default=0)

    def place(judge: Judge) -> tuple[bool, float, str]:
        figures = (judge.alone, judge.follows, judge.alpha)
        by = next((float(figure) for figure in figures if figure and defined(figure)), -INFINITE)
        partial = judge.units < (1 - INCOMPLETE_FROM) * most
        return partial or judge.unanswered_share >= INCOMPLETE_FROM, -by, judge.name

    return sorted(found, key=place)


def judge_of(rows: FacetRows, pair: str) -> Judge:
    """The figures of one judge. pair: it and people, or simulated raters, as rows name them."""
    name = pair.partition("~")[2]
    follows, by = _correlation(rows, pair)
    return Judge(
        name=name,
        difference=rows.get(AGREEMENT_GAP, pair),
        gap=rows.get(ALT_GAP, pair),
        rate=rows.get(ALT_WINNING_RATE, pair),
        advantage=rows.get(ALT_ADVANTAGE, pair),
        hits=_hits(rows, pair),
        bias=rows.get(RATE_BIAS, pair),
        among=rows.get(AGREEMENT_AMONG_PEOPLE, pair),
        alone=rows.get(AGREEMENT_WITH_PEOPLE, pair),
        alpha=rows.get(alpha_of(rows.facet.distance), pair),
        alike=_alike(rows.get(RAW_AGREEMENT, pair)),
        follows=follows,
        follows_by=by,
        unanswered=rows.get(UNANSWERED, name),
        people=rows.get(alpha_of(rows.facet.distance)),
        against=rows.by(OTHER_JUDGE, ALT_ADVANTAGE_DIFFERENCE, pair),
        above={
            other: difference
            for other, difference in rows.by(OTHER_JUDGE, JUDGE_DIFFERENCE, pair).items()
            if is_baseline(other) and defined(difference)
        },
        below={
            other: p_value
            for other, p_value in rows.by(OTHER_JUDGE, JUDGE_DIFFERENCE_P, pair).items()
            if is_baseline(other) and defined(p_value)
        },
    )


def _low(difference: Estimate) -> float:
    """The low end of its interval; below all others where it has none."""
    return -INFINITE if difference.low is None else difference.low


def _alike(same: Estimate | None) -> int:
    return same.n_units or 0 if same is not None and same.value == 1 else 0


def _hits(rows: FacetRows, pair: str) -> list[DetectionRate]:
    """Of every label; none of points, where the next one is hardly an error."""
    if rows.facet.kind == "number":
        return []
    labelled = rows.by(LABEL, TRUE_POSITIVE_RATE, pair)
    if not labelled:
        rates = (rows.get(TRUE_POSITIVE_RATE, pair), rows.get(TRUE_NEGATIVE_RATE, pair))
        names = _positive_first(rows, pair)
        labelled = {name: of for name, of in zip(names, rates, strict=True) if of is not None}
    of_parts = rows.facet.kind == "set"
    return [
        DetectionRate(label, rate, of_parts) for label, rate in labelled.items() if defined(rate)
    ]


def _positive_first(rows: FacetRows, pair: str) -> tuple[str, str]:
    """Of two labels the one that the true positive rate is of, then the other."""
    counts = rows.where(CONFUSION, pair)
    met = {name for row in counts for key, name in row.group.items() if key != LABEL}
    names = (*rows.facet.labels, *sorted(met - {*rows.facet.labels}))
    if len(names) != 2:
        return "yes", "no"
    positive = Labels(names).positive
    return names[positive], names[1 - positive]


def _correlation(rows: FacetRows, pair: str) -> tuple[Estimate | None, str]:
    """Of orders τ, of scores on scales of their own ρ; Pearson's r where that is all there is."""
    metrics = (KENDALL_TAU_B,) if rows.facet.ranks else (SPEARMAN, PEARSON)
    for metric in metrics:
        own = rows.get(metric, pair)
        across = [own] if own else list(rows.by(SCORE_FACET, metric, pair).values())
        if across:
            return across[0], metric
    return None, ""


def is_one_sided(judge: Judge) -> bool:
    """Whether it hits one label more often than another, or has another rate than people, beyond
    what chance explains."""
    bounds = [(hit.rate.low, hit.rate.high) for hit in judge.hits if bounded(hit.rate)]
    lows = [low for low, _high in bounds if low is not None]
    highs = [high for _low, high in bounds if high is not None]
    return (bool(bounds) and max(lows) > min(highs)) or is_biased(judge)


def is_biased(judge: Judge) -> bool:
    """Whether the interval of the bias leaves out 0."""
    return excludes(judge.bias)


def overlapping(first: Judge, others: Sequence[Judge]) -> list[Judge]:
    """The others whose advantage is not told apart from the first's."""
    return [other for other in others if _is_alike(first, other)]


def _is_alike(first: Judge, other: Judge) -> bool:
    """Whether the interval of their difference holds 0; where a report has none, whether the
    intervals of both advantages overlap."""
    paired = first.against.get(other.name) or other.against.get(first.name)
    if bounded(paired):
        return not excludes(paired)
    return bool(overlap(first.advantage, other.advantage))
