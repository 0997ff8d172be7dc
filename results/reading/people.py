"""Do people agree? The figures, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agreement import Estimate
from estimates.catalogue import alpha_of
from estimates.catalogue.agreement import RAW_AGREEMENT, WITH_OTHERS
from estimates.data.parties import HUMANS, SIMULATED
from results.reading.answer import Badge, Tone
from results.reading.bounds import defined, for_raters_like_them, for_these_raters
from results.reading.rows import FacetRows
from tasktypes.facets import Facet

# Krippendorff (2004, "Content Analysis", chapter 11): from .8 on variables are reliable, from
# .667 on they allow tentative conclusions.
TENTATIVE, FIRM = 0.667, 0.8
# Below so many units agreement of two answers by chance is likely to look like more, or less.
FEW_UNITS = 20
# Two people with all answers alike on so many units.
TWINS_FROM = 30
# Fewer units say too little of one person to name them.
LEAST_UNITS = 10


class PeopleVerdict(StrEnum):
    """How far people agree, as docs/results.md says which rule leads there."""

    NOBODY = "nobody answered"
    ONE_PERSON = "one person"
    UNDEFINED = "undefined"
    TOO_FEW = "too few units"
    CHANCE = "not shown"
    WEAK = "weak"
    UNSETTLED = "unsettled"
    ENOUGH = "enough for tentative conclusions"
    GOOD = "good"


BADGES = {
    PeopleVerdict.NOBODY: Badge(Tone.OPEN, "No answers"),
    PeopleVerdict.ONE_PERSON: Badge(Tone.OPEN, "One person"),
    PeopleVerdict.UNDEFINED: Badge(Tone.OPEN, "Undefined"),
    PeopleVerdict.TOO_FEW: Badge(Tone.OPEN, "Too few units"),
    PeopleVerdict.CHANCE: Badge(Tone.BAD, "Not shown"),
    PeopleVerdict.WEAK: Badge(Tone.CARE, "Weakly"),
    PeopleVerdict.UNSETTLED: Badge(Tone.OPEN, "Not settled"),
    PeopleVerdict.ENOUGH: Badge(Tone.CARE, "Fairly"),
    PeopleVerdict.GOOD: Badge(Tone.GOOD, "Well"),
}
# What is said of these people and may not hold for others like them, from weak to strong.
CLAIMS = (PeopleVerdict.WEAK, PeopleVerdict.ENOUGH, PeopleVerdict.GOOD)


@dataclass(frozen=True)
class Agreement:
    """What the rules look at. alpha: of people, in the facet's own distance. same: the share of
    pairs of answers that are equal. people: how many answered, None where that is not known.
    simulated: whether a program's answers are there as well. identical_answers: two people with the
    same answer to each of so many units. single: people with their agreement with the others, the
    lowest first. of_two: whether an answer is one of two outputs."""

    alpha: Estimate | None = None
    same: Estimate | None = None
    people: int | None = 0
    simulated: bool = False
    identical_answers: tuple[str, str, int] | None = None
    single: Sequence[tuple[str, Estimate]] = ()
    of_two: bool = False


def agreement_of(rows: FacetRows) -> Agreement:
    """The figures of people together."""
    return Agreement(
        alpha=rows.get(alpha_of(rows.facet.distance)),
        same=rows.get(RAW_AGREEMENT) if _is_equal_often(rows.facet) else None,
        people=rows.people,
        simulated=rows.simulated,
        identical_answers=_identical_answers(rows),
        single=_single(rows),
        of_two=rows.facet.names_items,
    )


def _is_equal_often(facet: Facet) -> bool:
    """Whether two people may be expected to give the very same answer: not on a slider."""
    return facet.kind == "label" or facet.distance == "ordinal"


def _identical_answers(rows: FacetRows) -> tuple[str, str, int] | None:
    """The two people with most units that both answered, every one of them alike."""
    alike = []
    for row in rows.where(RAW_AGREEMENT, group={}):
        first, tilde, second = row.raters.partition("~")
        people = tilde and first != HUMANS and not any(map(rows.is_judge, (first, second)))
        if people and row.estimate.value == 1:
            alike.append((row.estimate.n_units or 0, first, second))
    units, first, second = max(alike, default=(0, "", ""))
    return (first, second, units) if units >= TWINS_FROM else None


def _single(rows: FacetRows) -> list[tuple[str, Estimate]]:
    people = [
        (row.raters, row.estimate)
        for row in rows.where(WITH_OTHERS, group={})
        if defined(row.estimate) and (row.estimate.n_units or 0) >= LEAST_UNITS
        if row.raters != SIMULATED and not rows.is_judge(row.raters)
    ]
    return sorted(people, key=lambda pair: (float(pair[1]), pair[0]))


def verdict_on(facts: Agreement) -> PeopleVerdict:
    """The rules in their order; the first that applies."""
    alpha = facts.alpha
    if facts.people == 0:
        return PeopleVerdict.NOBODY
    if facts.people == 1:
        return PeopleVerdict.ONE_PERSON
    if alpha is None or alpha.value is None:
        return PeopleVerdict.UNDEFINED
    these = for_these_raters(alpha)
    if these.low is None or these.high is None or (alpha.n_units or 0) < FEW_UNITS:
        return PeopleVerdict.TOO_FEW
    return _by_interval(these.low, these.high)


def _by_interval(low: float, high: float) -> PeopleVerdict:
    """Both bounds decide: an interval on both sides of a mark settles nothing about it."""
    if low <= 0:
        return PeopleVerdict.CHANCE
    if low >= FIRM:
        return PeopleVerdict.GOOD
    if low >= TENTATIVE:
        return PeopleVerdict.ENOUGH
    return PeopleVerdict.WEAK if high < TENTATIVE else PeopleVerdict.UNSETTLED


def badge_on(facts: Agreement, verdict: PeopleVerdict) -> Badge:
    """The verdict in two or three words; what does not hold for people like them names these."""
    badge = BADGES[verdict]
    if verdict not in CLAIMS or carries(facts, verdict):
        return badge
    tone = Tone.CARE if badge.tone is Tone.GOOD else badge.tone
    return Badge(tone, f"{badge.text}, these {facts.people or 'people'}")


def carries(facts: Agreement, verdict: PeopleVerdict) -> bool:
    """Whether the verdict on these people holds for others like them, too, or a stronger one."""
    others = for_others(facts)
    if verdict not in CLAIMS or others is None or others.low is None or others.high is None:
        return False
    of_others = _by_interval(others.low, others.high)
    return of_others in CLAIMS and CLAIMS.index(of_others) >= CLAIMS.index(verdict)


def for_others(facts: Agreement) -> Estimate | None:
    """α with its interval for people like them."""
    return None if facts.alpha is None else for_raters_like_them(facts.alpha)
