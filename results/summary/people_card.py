"""The first card in words: how far people agree, and what to do where they do not."""

from collections.abc import Sequence

from agreement import Estimate
from estimates.catalogue import WITH_OTHERS, alpha_of
from estimates.data.parties import HUMANS, SIMULATED
from results.figures.plots import COEFFICIENTS, Range, Ranges
from results.summary.card import MOST_LIMITS, MOST_LINES, Card, Goal, Step
from results.summary.facts import FacetRows, bounded, defined
from results.summary.people import (
    FEW_UNITS,
    FINEST,
    FIRM,
    LEAST_UNITS,
    LOOKS,
    MOSTLY_ALIKE,
    QUESTION,
    ROUGH,
    TENTATIVE,
    Agreement,
    Standing,
    gather,
    standing,
)
from results.summary.words import (
    counted,
    measured,
    named,
    no_interval,
    number,
    on_a_line,
    percent,
)


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
    Standing.CHANCE: "No evidence that people agree more than expected by chance",
    Standing.FEW_PEOPLE: "Not shown that people other than these agree more than chance would have "
    "them: too few people to tell",
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
    if verdict is Standing.FEW_PEOPLE:
        return f"{WORDS[verdict]} ({about}).{_harm(facts)}"
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
    if verdict in ONLY_STEPS:
        return [ONLY_STEPS[verdict]]
    adjudicate = Step("Adjudicate the units that people disagree on most.", Goal.UNITS, HUMANS)
    if facts.twins:
        return [Step("Ask how these two came to the same answers.", Goal.PEOPLE), adjudicate]
    if verdict is Standing.FEW_PEOPLE:
        more = Step("Have more people answer: these do not speak of others.", Goal.STUDY)
        return [more, adjudicate]
    if verdict in (Standing.WEAK, Standing.CHANCE, Standing.ENOUGH):
        return [adjudicate, _retrain(rows, facts)]
    return [Step("Plan more units", Goal.PLAN, width=_width(facts, verdict)), adjudicate]


ONLY_STEPS = {
    Standing.NOBODY: Step("Invite people to answer.", Goal.STUDY),
    Standing.ONE_PERSON: Step("Have at least a second person answer the same units.", Goal.STUDY),
    Standing.GOOD: Step("Read the units that people disagree on most.", Goal.UNITS, HUMANS),
}


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
    return Ranges("α", lines[:MOST_LINES], marks=(TENTATIVE, FIRM), ends=COEFFICIENTS)


def _by_system(rows: FacetRows) -> list[tuple[str, Estimate]]:
    found = rows.by("system", alpha_of(rows.facet.distance), HUMANS)
    return sorted(((n, of) for n, of in found.items() if defined(of)), key=lambda of: float(of[1]))


def _more(rows: FacetRows, figure: Ranges | None) -> str:
    hidden = len(least_agreeing(rows)) - (MOST_LINES - 1)
    if figure is None or hidden <= 0:
        return ""
    return f"{counted(hidden, 'more person', 'more people')}"
