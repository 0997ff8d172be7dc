"""Do people agree? The rules of the first card."""

import re
from dataclasses import dataclass
from enum import StrEnum

from agreement import Estimate
from estimates.catalogue import RAW_AGREEMENT, alpha_of
from estimates.data.parties import HUMANS, SIMULATED
from results.summary.card import Tone
from results.summary.facts import FacetRows
from tasktypes.facets import Facet

QUESTION = "Do people agree?"
# Krippendorff (2004, "Content Analysis", chapter 11): from .8 on variables are reliable, from
# .667 on they allow tentative conclusions.
TENTATIVE, FIRM = 0.667, 0.8
# So many of two people's answers alike with a low alpha: one answer is rare.
MOSTLY_ALIKE = 0.9
# Below so many units agreement of two answers by chance is likely to look like more, or less.
FEW_UNITS = 20
# Two people with all answers alike on so many units.
TWINS_FROM = 30
# In how an interval was made: it speaks of other raters, too.
DRAWN = re.compile(r"and \d+ raters")
# Widths of the interval of α that more units are planned for, at most and at least.
ROUGH, FINEST = 0.2, 0.05
# Fewer units say too little of one person to name them.
LEAST_UNITS = 10


class Standing(StrEnum):
    """How far people agree, as docs/results.md says which rule leads there."""

    NOBODY = "nobody answered"
    ONE_PERSON = "one person"
    UNDEFINED = "undefined"
    TOO_FEW = "too few units"
    CHANCE = "not shown"
    FEW_PEOPLE = "not shown for other people"
    WEAK = "weak"
    UNSETTLED = "unsettled"
    ENOUGH = "enough for tentative conclusions"
    GOOD = "good"


LOOKS = {
    Standing.NOBODY: (Tone.OPEN, "No answers"),
    Standing.ONE_PERSON: (Tone.OPEN, "One person"),
    Standing.UNDEFINED: (Tone.OPEN, "Undefined"),
    Standing.TOO_FEW: (Tone.OPEN, "Too few units"),
    Standing.CHANCE: (Tone.BAD, "Not shown"),
    Standing.FEW_PEOPLE: (Tone.OPEN, "Too few people"),
    Standing.WEAK: (Tone.CARE, "Weakly"),
    Standing.UNSETTLED: (Tone.OPEN, "Not settled"),
    Standing.ENOUGH: (Tone.CARE, "Fairly"),
    Standing.GOOD: (Tone.GOOD, "Well"),
}


@dataclass(frozen=True)
class Agreement:
    """What the rules look at. alpha: of people, in the facet's own distance. same: the share of
    pairs of answers that are equal. people: how many answered. simulated: whether a program's
    answers are there as well. twins: two people with the same answer to each of so many units."""

    alpha: Estimate | None = None
    same: Estimate | None = None
    people: int = 0
    simulated: bool = False
    twins: tuple[str, str, int] | None = None


def gather(rows: FacetRows) -> Agreement:
    """The figures of people together."""
    return Agreement(
        alpha=rows.get(alpha_of(rows.facet.distance)),
        same=rows.get(RAW_AGREEMENT) if is_equal_often(rows.facet) else None,
        people=rows.people,
        simulated=any(row.raters == SIMULATED for row in rows.rows),
        twins=_twins(rows),
    )


def is_equal_often(facet: Facet) -> bool:
    """Whether two people may be expected to give the very same answer: not on a slider."""
    return facet.kind == "label" or facet.distance == "ordinal"


def _twins(rows: FacetRows) -> tuple[str, str, int] | None:
    """The two people with most units that both answered, every one of them alike."""
    alike = []
    for row in rows.rows:
        first, tilde, second = row.raters.partition("~")
        people = tilde and first != HUMANS and not any(map(rows.is_judge, (first, second)))
        if people and row.metric == RAW_AGREEMENT and not row.group and row.estimate.value == 1:
            alike.append((row.estimate.n_units or 0, first, second))
    units, first, second = max(alike, default=(0, "", ""))
    return (first, second, units) if units >= TWINS_FROM else None


def standing(facts: Agreement) -> Standing:
    """The rules in their order; the first that applies."""
    alpha = facts.alpha
    if not facts.people:
        return Standing.NOBODY
    if facts.people == 1:
        return Standing.ONE_PERSON
    if alpha is None or alpha.value is None:
        return Standing.UNDEFINED
    if alpha.low is None or alpha.high is None or (alpha.n_units or 0) < FEW_UNITS:
        return Standing.TOO_FEW
    verdict = _by_interval(alpha.low, alpha.high)
    drawn = DRAWN.search(alpha.interval_method or "") is not None
    return Standing.FEW_PEOPLE if verdict is Standing.CHANCE and drawn else verdict


def _by_interval(low: float, high: float) -> Standing:
    """Both bounds decide: an interval on both sides of a mark settles nothing about it."""
    if low <= 0:
        return Standing.CHANCE
    if low >= FIRM:
        return Standing.GOOD
    if low >= TENTATIVE:
        return Standing.ENOUGH
    return Standing.WEAK if high < TENTATIVE else Standing.UNSETTLED
