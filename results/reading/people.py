"""Do people agree? The figures, the verdict, and the words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agreement import Estimate
from agreement.bootstrap.intervals import FEWEST_RATERS
from estimates.catalogue import RAW_AGREEMENT, WITH_OTHERS, alpha_of
from estimates.data.parties import HUMANS, SIMULATED
from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.bounds import bounded, defined, for_raters_like_them, for_these_raters
from results.reading.rows import FacetRows
from results.reading.wording import (
    counted,
    interval,
    measured,
    named,
    no_interval,
    number,
    percent,
)
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
SENTENCES = {
    PeopleVerdict.TOO_FEW: "Too little data to say whether {these} agree ({alpha}).",
    PeopleVerdict.CHANCE: "No evidence that {these} agree more than expected by chance: {alpha}.",
    PeopleVerdict.WEAK: (
        "{These} agree more than expected by chance, but too little to trust one person’s answer: "
        "{alpha}."
    ),
    PeopleVerdict.UNSETTLED: (
        "{These} agree more than expected by chance; whether enough to rely on is not settled: "
        "{alpha}."
    ),
    PeopleVerdict.ENOUGH: "{These} agree well enough for tentative conclusions: {alpha}.",
    PeopleVerdict.GOOD: "{These} agree well enough for firm conclusions: {alpha}.",
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
    if verdict not in CLAIMS or _carries(facts, verdict):
        return badge
    tone = Tone.CARE if badge.tone is Tone.GOOD else badge.tone
    return Badge(tone, f"{badge.text}, these {facts.people}")


def _carries(facts: Agreement, verdict: PeopleVerdict) -> bool:
    """Whether the verdict on these people holds for others like them, too, or a stronger one."""
    others = _others(facts)
    if verdict not in CLAIMS or others is None or others.low is None or others.high is None:
        return False
    of_others = _by_interval(others.low, others.high)
    return of_others in CLAIMS and CLAIMS.index(of_others) >= CLAIMS.index(verdict)


def _others(facts: Agreement) -> Estimate | None:
    return None if facts.alpha is None else for_raters_like_them(facts.alpha)


def answer_about_people(rows: FacetRows) -> CardAnswer:
    """How far the people of a facet agree."""
    facts = agreement_of(rows)
    verdict = verdict_on(facts)
    return CardAnswer(
        verdict,
        badge_on(facts, verdict),
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
    these = f"these {counted(facts.people, 'person', 'people')}"
    text = SENTENCES[verdict].format(
        alpha=measured("α", for_these_raters(alpha)), these=these, These=f"T{these[1:]}"
    )
    if verdict is PeopleVerdict.TOO_FEW:
        return text
    return f"{text}{_carried(facts, verdict)}{_differing(facts)}"


def _differing(facts: Agreement) -> str:
    """What disagreement means for who reads single answers."""
    if facts.same is None or facts.same.value is None:
        return ""
    who = "They" if facts.people == 2 else "Two of these people"
    return f" {who} answer differently on {percent(1 - facts.same.value)} of units."


def _carried(facts: Agreement, verdict: PeopleVerdict) -> str:
    """The second reading: what that says of people like them."""
    others = _others(facts)
    if facts.people < FEWEST_RATERS:
        return " Two people cannot show how far others like them would agree."
    if others is None or (others.low is None and not no_interval(others)):
        return ""
    if others.low is None:
        return f" How far people like them would agree is not known: {no_interval(others)}."
    if verdict not in CLAIMS:
        return f" For people like them α is {interval(others)}."
    if _carries(facts, verdict):
        return f" So do people like them: α {interval(others)}."
    return f" Whether people like them do is not settled: α {interval(others)}."


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
        these = for_these_raters(alpha)
        if not bounded(these):
            found.append(f"No interval: {no_interval(these) or 'none was computed'}.")
        elif alpha.n_units is not None:
            found.append(f"Only {counted(alpha.n_units, 'unit')}; at least {FEW_UNITS} are needed.")
    if same and same >= MOSTLY_ALIKE and _is_low(alpha):
        found.append(
            f"{percent(same)} of answers are the same: one answer is rare, and α depends on the "
            "few units that have it."
        )
    return found


def _is_low(alpha: Estimate | None) -> bool:
    return alpha is None or alpha.value is None or alpha.value < TENTATIVE


def _steps(facts: Agreement, verdict: PeopleVerdict) -> list[NextStep]:
    if verdict in ONLY_STEPS:
        return [ONLY_STEPS[verdict]]
    if verdict is PeopleVerdict.GOOD:
        return [READ] if _carries(facts, verdict) else [MORE_PEOPLE, READ]
    adjudicate = NextStep("Adjudicate the units with the most disagreement.", Goal.UNITS, HUMANS)
    if facts.identical_answers:
        return [
            NextStep("Ask these two how they came to the same answers.", Goal.PEOPLE),
            adjudicate,
        ]
    if verdict in (PeopleVerdict.WEAK, PeopleVerdict.CHANCE, PeopleVerdict.ENOUGH):
        return [adjudicate, _retrain(facts)]
    return [NextStep("Plan more units", Goal.PLAN, width=_width(facts, verdict)), adjudicate]


ONLY_STEPS = {
    PeopleVerdict.NOBODY: NextStep("Invite people to answer.", Goal.STUDY),
    PeopleVerdict.ONE_PERSON: NextStep(
        "Have at least a second person answer the same units.", Goal.STUDY
    ),
}
READ = NextStep("Read the units with the most disagreement.", Goal.UNITS, HUMANS)
MORE_PEOPLE = NextStep("Have more people answer, so that the result holds for others.", Goal.STUDY)


def _width(facts: Agreement, verdict: PeopleVerdict) -> float:
    """Of an interval that would leave out the mark it now includes, or of a first rough one."""
    alpha = facts.alpha
    if verdict is not PeopleVerdict.UNSETTLED or alpha is None or alpha.value is None:
        return ROUGH
    low = for_these_raters(alpha).low
    mark = TENTATIVE if low is not None and low < TENTATIVE else FIRM
    return round(min(ROUGH, max(FINEST, 2 * abs(alpha.value - mark))), 3)


def _retrain(facts: Agreement) -> NextStep:
    """Names somebody only who agrees less than chance lets all people differ."""
    low = for_these_raters(facts.alpha).low if facts.alpha is not None else None
    name, own = next(iter(facts.single), ("", None))
    if own is None or (low is not None and float(own) >= low):
        return NextStep("Make the instructions clearer where answers differ.", Goal.PEOPLE)
    text = f"Talk to {named(name)} first: lowest agreement with the others"
    return NextStep(f"{text} ({number(float(own))}).", Goal.PEOPLE)
