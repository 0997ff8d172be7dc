"""Can a judge stand in for a person? The figures and the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from agreement import Estimate
from estimates.catalogue import (
    AGREEMENT_AMONG_PEOPLE,
    AGREEMENT_GAP,
    AGREEMENT_WITH_PEOPLE,
    ALT_ADVANTAGE,
    ALT_ADVANTAGE_DIFFERENCE,
    ALT_GAP,
    ALT_WINNING_RATE,
    CONFUSION,
    KENDALL_TAU_B,
    PEARSON,
    RATE_BIAS,
    RAW_AGREEMENT,
    SPEARMAN,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
    UNANSWERED,
    alpha_of,
)
from estimates.data.parties import HUMANS
from estimates.data.rows import SCORE_FACET
from estimates.scorecard.differences import OTHER_JUDGE
from estimates.scorecard.labels import Labels
from results.reading.answer import Badge, Tone
from results.reading.bounds import bounded, defined, excludes, overlap
from results.reading.people import TENTATIVE
from results.reading.rows import FacetRows

LABEL = "label"
# From this winning rate on a judge passes the test (Calderon, Reichart and Dror 2025).
PASSED = 0.5
INFINITE = float("inf")
# Fewer units of a label say too little of a judge's errors there.
LEAST_UNITS = 10


class JudgeVerdict(StrEnum):
    """What may be said of a judge, from the most to the least; docs/results.md has the rules."""

    STANDS_IN = "as near as a person"
    AMONG_FEW = "as near as a person, but people agree weakly"
    ONE_SIDED = "as near as a person, but errs to one side"
    FOLLOWS = "its scores rise with people's"
    NOT_SHOWN = "not shown: too few units to tell"
    CANNOT_SAY = "cannot be said"
    BELOW = "farther from people than they are from each other"
    AGAINST = "its scores do not rise with people's"


NONE = "No verdict"
BADGES = {
    JudgeVerdict.STANDS_IN: Badge(Tone.GOOD, "As a person"),
    JudgeVerdict.AMONG_FEW: Badge(Tone.CARE, "With care"),
    JudgeVerdict.ONE_SIDED: Badge(Tone.CARE, "With care"),
    JudgeVerdict.FOLLOWS: Badge(Tone.CARE, "Ranks texts"),
    JudgeVerdict.NOT_SHOWN: Badge(Tone.OPEN, "Not shown"),
    JudgeVerdict.CANNOT_SAY: Badge(Tone.OPEN, NONE),
    JudgeVerdict.BELOW: Badge(Tone.BAD, "No"),
    JudgeVerdict.AGAINST: Badge(Tone.BAD, "Not shown"),
}


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

    gap: people's lead over it in the alternative annotator test, as rate and advantage are of that
    test. short: people's closeness to each other minus the judge's to them. hits: by label, where
    answers are labels. bias: the judge's rate or mean minus people's. among, alone: both
    closenesses. alpha: its agreement with people as one; alike: on how many units the two gave the
    same answer, where that is all of them. follows: a correlation of its scores with people's,
    named `follows_by`. unanswered: the share of units without its answer. people: how far they
    agree among themselves. against: its advantage minus another judge's on the same units.
    """

    name: str
    gap: Estimate | None = None
    rate: Estimate | None = None
    advantage: Estimate | None = None
    short: Estimate | None = None
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
    def beside_one(self) -> bool:
        """Whether one person alone answered what it did."""
        figures = [self.bias, *(hit.rate for hit in self.hits)]
        return any(figure is not None and figure.n_raters == 1 for figure in figures)


def judges_of(rows: FacetRows, epsilon: float) -> list[Judge]:
    """All judges, those of whom most may be said first, then by advantage, then by correlation."""
    ranks = {verdict: at for at, verdict in enumerate(JudgeVerdict)}
    ranks[JudgeVerdict.ONE_SIDED] = ranks[JudgeVerdict.AMONG_FEW]

    def place(judge: Judge) -> tuple[int, float, str]:
        by = next((of for of in (judge.advantage, judge.follows, judge.alpha) if defined(of)), None)
        return ranks[verdict_on(judge, epsilon)], -float(by) if by else 0.0, judge.name

    return sorted((judge_of(rows, f"{HUMANS}~{name}") for name in rows.judges), key=place)


def judge_of(rows: FacetRows, pair: str) -> Judge:
    """The figures of one judge. pair: it and people, or simulated raters, as rows name them."""
    name = pair.partition("~")[2]
    follows, by = _correlation(rows, pair)
    return Judge(
        name=name,
        gap=rows.get(ALT_GAP, pair),
        rate=rows.get(ALT_WINNING_RATE, pair),
        advantage=rows.get(ALT_ADVANTAGE, pair),
        short=rows.get(AGREEMENT_GAP, pair),
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
    )


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


def verdict_on(judge: Judge, epsilon: float) -> JudgeVerdict:
    """The rules in their order; the first that applies."""
    leads = [lead for lead in (judge.gap, judge.short) if defined(lead)]
    if not leads:
        return _by_correlation(judge)
    low = [lead.low for lead in leads if lead and lead.low is not None]
    high = [lead.high for lead in leads if lead and lead.high is not None]
    if low and max(low) > epsilon:
        return JudgeVerdict.BELOW
    if len(high) < len(leads) or max(high) > epsilon or not _passed(judge):
        return JudgeVerdict.NOT_SHOWN
    if is_one_sided(judge):
        return JudgeVerdict.ONE_SIDED
    return JudgeVerdict.STANDS_IN if agree_well(judge.people) else JudgeVerdict.AMONG_FEW


def agree_well(people: Estimate | None) -> bool:
    """Whether people agree well enough for "as a person" to mean something: the interval of their
    α lies above 0.667."""
    return people is not None and people.low is not None and people.low >= TENTATIVE


def deciding_lead(judge: Judge, verdict: JudgeVerdict) -> Estimate:
    """People's lead as the figure shows it; that of the test where it alone decides."""
    leads = [lead for lead in (judge.short, judge.gap) if lead is not None and defined(lead)]
    bound = {JudgeVerdict.BELOW: "low", JudgeVerdict.NOT_SHOWN: "high"}.get(verdict)
    if bound is None:
        return leads[0]
    return max(leads, key=lambda lead: INFINITE if (b := getattr(lead, bound)) is None else b)


def _passed(judge: Judge) -> bool:
    rate = judge.rate.value if judge.rate else None
    return rate is not None and rate >= PASSED


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


def _by_correlation(judge: Judge) -> JudgeVerdict:
    """Scores on a scale of their own can rank texts, never take the place of an answer."""
    follows = judge.follows
    # Answers on people's own scale, and yet no test: people are too few to be compared with.
    on_their_scale = defined(judge.alpha) and judge.follows_by != KENDALL_TAU_B
    if follows is None or on_their_scale or not bounded(follows):
        return JudgeVerdict.CANNOT_SAY
    assert follows.low is not None
    return JudgeVerdict.FOLLOWS if follows.low > 0 else JudgeVerdict.AGAINST


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
