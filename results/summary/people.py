"""Do people agree? The rules of the first card."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agreement import Estimate
from results.data.parties import HUMANS, SIMULATED
from results.figures.plots import Range, Ranges
from results.metrics.catalogue import RAW_AGREEMENT, WITH_OTHERS, alpha_of
from results.summary.card import MOST_LIMITS, MOST_LINES, Card, Goal, Step, Tone
from results.summary.facts import (
    FacetRows,
    bounded,
    defined,
)
from results.summary.words import counted, measured, named, no_interval, number, on_a_line, percent
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
    return _by_interval(alpha.low, alpha.high)


def _by_interval(low: float, high: float) -> Standing:
    """Both bounds decide: an interval on both sides of a mark settles nothing about it."""
    if low <= 0:
        return Standing.CHANCE
    if low >= FIRM:
        return Standing.GOOD
    if low >= TENTATIVE:
        return Standing.ENOUGH
    return Standing.WEAK if high < TENTATIVE else Standing.UNSETTLED


def people_card(rows: FacetRows) -> Card:
    """The card of one facet."""
    facts = gather(rows)
    verdict = standing(facts)
    tone, badge = LOOKS[verdict]
    figure = figure_of(rows, facts)
    return Card(
        key="people",
        question=QUESTION,
        verdict=verdict,
        tone=tone,
        badge=badge,
        sentence=sentence(facts, verdict),
        figure=figure,
        silence="" if figure else "Without two answers to a unit there is nothing to draw.",
        reading=_reading(rows) if figure else "",
        limits=limits(facts, verdict)[:MOST_LIMITS],
        steps=steps(rows, facts, verdict),
        more=_more(rows, figure),
        goal=Goal.PEOPLE,
    )


READING = "1: always alike, 0: as by chance. Dashed: 0.667 and 0.8 (Krippendorff)."
SQUARES = " Squares: single people with the others, the least first."


def _reading(rows: FacetRows) -> str:
    return READING + (SQUARES if least_agreeing(rows) else "")


WORDS = {
    Standing.CHANCE: "Not shown that people agree more than chance would have them",
    Standing.WEAK: "People agree more than chance would have them, but too little to rely on "
    "single answers",
    Standing.UNSETTLED: "People agree more than chance would have them; whether enough to rely on "
    "is not shown",
    Standing.ENOUGH: "People agree well enough for tentative conclusions",
    Standing.GOOD: "People agree well enough for firm conclusions",
}


def sentence(facts: Agreement, verdict: Standing) -> str:
    """The answer with its number, interval and n; or what keeps it from being given."""
    alpha = facts.alpha
    if verdict is Standing.NOBODY:
        rest = " The answers here are simulated by a program." if facts.simulated else ""
        return f"Nobody has answered this question yet, so nothing can be said.{rest}"
    if verdict is Standing.ONE_PERSON:
        return "One person answered: whether people agree can be said from two on."
    if alpha is None or alpha.value is None:
        reason = "there is no figure" if alpha is None else alpha.undefined
        return f"Agreement is undefined: {reason}.{_alike(facts)}"
    about = measured("α", alpha, counted(facts.people, "person", "people"))
    if verdict is Standing.TOO_FEW:
        return f"Not shown whether people agree: too few units to tell ({about})."
    return f"{WORDS[verdict]}: {about}.{_harm(facts)}"


def _harm(facts: Agreement) -> str:
    """What disagreement means for who reads single answers."""
    if not defined(facts.same):
        return ""
    differ = 1 - float(facts.same or 0)
    return f" Two people answer differently on {percent(differ)} of units."


def _alike(facts: Agreement) -> str:
    if not defined(facts.same):
        return ""
    return f" Two people give the same answer to {percent(float(facts.same or 0))} of units."


def limits(facts: Agreement, verdict: Standing) -> list[str]:
    """What keeps the answer from meaning more."""
    alpha, found = facts.alpha, []
    if facts.twins:
        first, second, units = facts.twins
        found.append(
            f"{named(first)} and {named(second)} gave the same answer to all {units:,} units: were "
            "they copied?"
        )
    if verdict is Standing.TOO_FEW and alpha is not None:
        if not bounded(alpha):
            found.append(f"There is no interval: {no_interval(alpha)}.")
        elif alpha.n_units is not None:
            found.append(f"Only {counted(alpha.n_units, 'unit')}; {FEW_UNITS} are the least.")
    if defined(facts.same) and float(facts.same or 0) >= MOSTLY_ALIKE and _is_low(alpha):
        found.append(
            f"{percent(float(facts.same or 0))} of answers are alike: one answer is rare, and α "
            "depends on the few units that have it."
        )
    if facts.people == 2:
        found.append("Two people only: others may agree more or less.")
    return found


def _is_low(alpha: Estimate | None) -> bool:
    return alpha is None or alpha.value is None or alpha.value < TENTATIVE


def steps(rows: FacetRows, facts: Agreement, verdict: Standing) -> list[Step]:
    """What to do next."""
    if verdict is Standing.NOBODY:
        return [Step("Invite people to answer.", Goal.STUDY)]
    if verdict is Standing.ONE_PERSON:
        return [Step("Have at least a second person answer the same units.", Goal.STUDY)]
    if verdict is Standing.GOOD:
        return [Step("Read the units that people disagree on most.", Goal.UNITS, HUMANS)]
    adjudicate = Step("Adjudicate the units that people disagree on most.", Goal.UNITS, HUMANS)
    if facts.twins:
        return [Step("Ask how these two came to the same answers.", Goal.PEOPLE), adjudicate]
    if verdict in (Standing.WEAK, Standing.CHANCE, Standing.ENOUGH):
        return [adjudicate, _retrain(rows, facts)]
    return [Step("Plan more units", Goal.PLAN, width=_width(facts, verdict)), adjudicate]


def _width(facts: Agreement, verdict: Standing) -> float:
    """Of an interval that would leave out the mark it now includes, or of a first rough one."""
    alpha = facts.alpha
    if verdict is not Standing.UNSETTLED or alpha is None or alpha.value is None:
        return ROUGH
    mark = TENTATIVE if alpha.low is not None and alpha.low < TENTATIVE else FIRM
    return round(min(ROUGH, max(FINEST, 2 * abs(alpha.value - mark))), 3)


def _retrain(rows: FacetRows, facts: Agreement) -> Step:
    """Names somebody only who agrees less than chance lets all people differ."""
    low = facts.alpha.low if facts.alpha is not None else None
    odd = [(name, own) for name, own in least_agreeing(rows) if low is None or float(own) < low]
    if not odd:
        return Step("Retrain: make the instructions clearer where answers differ.", Goal.PEOPLE)
    name, own = odd[0]
    text = f"Retrain, first who agrees least with the others: {named(name)} ({number(float(own))})."
    return Step(text, Goal.PEOPLE)


def least_agreeing(rows: FacetRows) -> Sequence[tuple[str, Estimate]]:
    """People with their agreement with the others, the least first."""
    single = [
        (row.raters, row.estimate)
        for row in rows.rows
        if row.metric == WITH_OTHERS and not row.group and defined(row.estimate)
        if (row.estimate.n_units or 0) >= LEAST_UNITS
    ]
    people = [(name, own) for name, own in single if not rows.is_judge(name) and name != SIMULATED]
    return sorted(people, key=lambda pair: (float(pair[1]), pair[0]))


def figure_of(rows: FacetRows, facts: Agreement) -> Ranges | None:
    """People together, then those who agree least with the others."""
    if not defined(facts.alpha):
        return None
    lines = [Range("All people", facts.alpha, 0)]
    odd = least_agreeing(rows)
    lines += [Range(on_a_line(name), own, 1, name) for name, own in odd[: MOST_LINES - 1]]
    if not odd:
        lines += [Range(on_a_line(name), of, 1, name) for name, of in _by_system(rows)]
    return Ranges("α", lines[:MOST_LINES], marks=(TENTATIVE, FIRM))


def _by_system(rows: FacetRows) -> list[tuple[str, Estimate]]:
    found = rows.by("system", alpha_of(rows.facet.distance), HUMANS)
    return sorted(((n, of) for n, of in found.items() if defined(of)), key=lambda of: float(of[1]))


def _more(rows: FacetRows, figure: Ranges | None) -> str:
    hidden = len(least_agreeing(rows)) - (MOST_LINES - 1)
    if figure is None or hidden <= 0:
        return ""
    return f"{counted(hidden, 'more person', 'more people')}"
