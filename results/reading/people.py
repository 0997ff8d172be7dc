"""Do people agree? The figures, the verdict, and the words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agreement import Estimate
from estimates.catalogue import RAW_AGREEMENT, WITH_OTHERS, alpha_of
from estimates.data.parties import HUMANS, SIMULATED
from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.bounds import bounded, defined, generalises
from results.reading.rows import FacetRows
from results.reading.wording import counted, measured, named, no_interval, number, percent, readers
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


class PeopleVerdict(StrEnum):
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


BADGES = {
    PeopleVerdict.NOBODY: Badge(Tone.OPEN, "No answers"),
    PeopleVerdict.ONE_PERSON: Badge(Tone.OPEN, "One person"),
    PeopleVerdict.UNDEFINED: Badge(Tone.OPEN, "Undefined"),
    PeopleVerdict.TOO_FEW: Badge(Tone.OPEN, "Too few units"),
    PeopleVerdict.CHANCE: Badge(Tone.BAD, "Not shown"),
    PeopleVerdict.FEW_PEOPLE: Badge(Tone.OPEN, "Too few people"),
    PeopleVerdict.WEAK: Badge(Tone.CARE, "Weakly"),
    PeopleVerdict.UNSETTLED: Badge(Tone.OPEN, "Not settled"),
    PeopleVerdict.ENOUGH: Badge(Tone.CARE, "Fairly"),
    PeopleVerdict.GOOD: Badge(Tone.GOOD, "Well"),
}
SENTENCES = {
    PeopleVerdict.TOO_FEW: "Too little data to say whether people agree ({alpha}).",
    PeopleVerdict.CHANCE: (
        "No evidence that these people agree more than expected by chance: {alpha}."
    ),
    PeopleVerdict.FEW_PEOPLE: (
        "Too few people to say whether others like them agree more "
        "than expected by chance ({alpha})."
    ),
    PeopleVerdict.WEAK: (
        "Agreement is above chance, but too low to trust one person’s answer: {alpha}."
    ),
    PeopleVerdict.UNSETTLED: (
        "Agreement is above chance; whether it is high enough to rely on is not settled: {alpha}."
    ),
    PeopleVerdict.ENOUGH: "Agreement is high enough for tentative conclusions: {alpha}.",
    PeopleVerdict.GOOD: "Agreement is high enough for firm conclusions: {alpha}.",
}


@dataclass(frozen=True)
class Agreement:
    """What the rules look at. alpha: of people, in the facet's own distance. same: the share of
    pairs of answers that are equal. people: how many answered. simulated: whether a program's
    answers are there as well. identical_answers: two people with the same answer to each of so many
    units. single: people with their agreement with the others, the lowest first."""

    alpha: Estimate | None = None
    same: Estimate | None = None
    people: int = 0
    simulated: bool = False
    identical_answers: tuple[str, str, int] | None = None
    single: Sequence[tuple[str, Estimate]] = ()


def agreement_of(rows: FacetRows) -> Agreement:
    """The figures of people together."""
    return Agreement(
        alpha=rows.get(alpha_of(rows.facet.distance)),
        same=rows.get(RAW_AGREEMENT) if _is_equal_often(rows.facet) else None,
        people=rows.people,
        simulated=rows.simulated,
        identical_answers=_identical_answers(rows),
        single=_single(rows),
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
    if not facts.people:
        return PeopleVerdict.NOBODY
    if facts.people == 1:
        return PeopleVerdict.ONE_PERSON
    if alpha is None or alpha.value is None:
        return PeopleVerdict.UNDEFINED
    if alpha.low is None or alpha.high is None or (alpha.n_units or 0) < FEW_UNITS:
        return PeopleVerdict.TOO_FEW
    verdict = _by_interval(alpha.low, alpha.high)
    return (
        PeopleVerdict.FEW_PEOPLE
        if verdict is PeopleVerdict.CHANCE and generalises(alpha)
        else verdict
    )


def _by_interval(low: float, high: float) -> PeopleVerdict:
    """Both bounds decide: an interval on both sides of a mark settles nothing about it."""
    if low <= 0:
        return PeopleVerdict.CHANCE
    if low >= FIRM:
        return PeopleVerdict.GOOD
    if low >= TENTATIVE:
        return PeopleVerdict.ENOUGH
    return PeopleVerdict.WEAK if high < TENTATIVE else PeopleVerdict.UNSETTLED


def answer_about_people(rows: FacetRows) -> CardAnswer:
    """How far the people of a facet agree."""
    facts = agreement_of(rows)
    verdict = verdict_on(facts)
    return CardAnswer(
        verdict,
        BADGES[verdict],
        sentence(facts, verdict),
        _caveats(facts, verdict),
        _steps(facts, verdict),
    )


def sentence(facts: Agreement, verdict: PeopleVerdict) -> str:
    """The verdict with its number, interval and n; or what keeps it from being given."""
    alpha = facts.alpha
    if verdict is PeopleVerdict.NOBODY:
        rest = " The answers here are simulated." if facts.simulated else ""
        return f"There are no answers from people yet.{rest}"
    if verdict is PeopleVerdict.ONE_PERSON:
        return "Only one person answered. Agreement needs at least two."
    if alpha is None or alpha.value is None:
        reason = "there is no figure" if alpha is None else alpha.undefined
        return f"Agreement is undefined: {reason}.{_same(facts)}"
    who = readers(alpha, counted(facts.people, "person", "people"))
    text = SENTENCES[verdict].format(alpha=measured("α", alpha, who))
    return text if verdict is PeopleVerdict.TOO_FEW else f"{text}{_differing(facts)}"


def _differing(facts: Agreement) -> str:
    """What disagreement means for who reads single answers."""
    if facts.same is None or facts.same.value is None:
        return ""
    return f" Two people answer differently on {percent(1 - facts.same.value)} of units."


def _same(facts: Agreement) -> str:
    if facts.same is None or facts.same.value is None:
        return ""
    return f" Two people give the same answer to {percent(facts.same.value)} of units."


def _caveats(facts: Agreement, verdict: PeopleVerdict) -> list[str]:
    alpha, same, found = facts.alpha, facts.same and facts.same.value, []
    if facts.identical_answers:
        first, second, units = facts.identical_answers
        found.append(
            f"{named(first)} and {named(second)} gave the same answer to all {units:,} units. Were "
            "they copied?"
        )
    if verdict is PeopleVerdict.TOO_FEW and alpha is not None:
        if not bounded(alpha):
            found.append(f"No interval: {no_interval(alpha) or 'none was computed'}.")
        elif alpha.n_units is not None:
            found.append(f"Only {counted(alpha.n_units, 'unit')}; at least {FEW_UNITS} are needed.")
    if same and same >= MOSTLY_ALIKE and _is_low(alpha):
        found.append(
            f"{percent(same)} of answers are the same: one answer is rare, and α depends on the "
            "few units that have it."
        )
    if facts.people == 2:
        found.append("Only two people answered. Others may agree more or less.")
    return found


def _is_low(alpha: Estimate | None) -> bool:
    return alpha is None or alpha.value is None or alpha.value < TENTATIVE


def _steps(facts: Agreement, verdict: PeopleVerdict) -> list[NextStep]:
    if verdict in ONLY_STEPS:
        return [ONLY_STEPS[verdict]]
    adjudicate = NextStep("Adjudicate the units with the most disagreement.", Goal.UNITS, HUMANS)
    if facts.identical_answers:
        return [
            NextStep("Ask these two how they came to the same answers.", Goal.PEOPLE),
            adjudicate,
        ]
    if verdict is PeopleVerdict.FEW_PEOPLE:
        more = NextStep("Have more people answer, so that the result holds for others.", Goal.STUDY)
        return [more, adjudicate]
    if verdict in (PeopleVerdict.WEAK, PeopleVerdict.CHANCE, PeopleVerdict.ENOUGH):
        return [adjudicate, _retrain(facts)]
    return [NextStep("Plan more units", Goal.PLAN, width=_width(facts, verdict)), adjudicate]


ONLY_STEPS = {
    PeopleVerdict.NOBODY: NextStep("Invite people to answer.", Goal.STUDY),
    PeopleVerdict.ONE_PERSON: NextStep(
        "Have at least a second person answer the same units.", Goal.STUDY
    ),
    PeopleVerdict.GOOD: NextStep("Read the units with the most disagreement.", Goal.UNITS, HUMANS),
}


def _width(facts: Agreement, verdict: PeopleVerdict) -> float:
    """Of an interval that would leave out the mark it now includes, or of a first rough one."""
    alpha = facts.alpha
    if verdict is not PeopleVerdict.UNSETTLED or alpha is None or alpha.value is None:
        return ROUGH
    mark = TENTATIVE if alpha.low is not None and alpha.low < TENTATIVE else FIRM
    return round(min(ROUGH, max(FINEST, 2 * abs(alpha.value - mark))), 3)


def _retrain(facts: Agreement) -> NextStep:
    """Names somebody only who agrees less than chance lets all people differ."""
    low = facts.alpha.low if facts.alpha is not None else None
    name, own = next(iter(facts.single), ("", None))
    if own is None or (low is not None and float(own) >= low):
        return NextStep("Make the instructions clearer where answers differ.", Goal.PEOPLE)
    text = f"Talk to {named(name)} first: lowest agreement with the others"
    return NextStep(f"{text} ({number(float(own))}).", Goal.PEOPLE)
