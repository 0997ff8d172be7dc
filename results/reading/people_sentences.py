"""What is said of how far people agree, and what to do next."""

from agreement import Estimate
from agreement.bootstrap.intervals import FEWEST_RATERS
from agreement.chance_corrected.krippendorff import NO_VARIATION
from agreement.values.ratings import NO_PAIRS
from estimates.data.parties import HUMANS
from results.reading.answer import CardAnswer, Goal, NextStep
from results.reading.bounds import bounded, for_these_raters
from results.reading.people import (
    CLAIMS,
    FEW_UNITS,
    FIRM,
    TENTATIVE,
    Agreement,
    PeopleVerdict,
    agreement_of,
    badge_on,
    carries,
    for_others,
    verdict_on,
)
from results.reading.rows import FacetRows
from results.reading.steps import MORE_PEOPLE, NAME_PEOPLE
from results.reading.wording import (
    counted,
    interval,
    measured,
    named,
    no_interval,
    number,
    percent,
    these_people,
)

QUESTION = "Do people agree?"
# So many of two people's answers alike with a low alpha: one answer is rare.
MOSTLY_ALIKE = 0.9
# Widths of the interval of α that more units are planned for, at most and at least.
ROUGH, FINEST = 0.2, 0.05
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
# Why agreement is undefined, in words, and what to do about it.
UNDEFINED = {
    NO_VARIATION: (
        "Everybody gave the same answer to every unit, so agreement cannot be told from chance."
    ),
    NO_PAIRS: "No unit was answered by two people, so whether they agree is not known.",
}

# Which of the two is the first one changes how often answers agree by chance.
OF_TWO = (
    "α counts by which output was chosen, in the order of the systems’ names. By the place where "
    "outputs stood, as jurybox check counts, it may differ a little."
)


def answer_about_people(rows: FacetRows) -> CardAnswer:
    """How far the people of a facet agree."""
    facts = agreement_of(rows)
    verdict = verdict_on(facts)
    return CardAnswer(
        verdict,
        badge_on(facts, verdict),
        sentence(facts, verdict),
        caveats_on(facts, verdict),
        _steps(facts, verdict),
    )


def sentence(facts: Agreement, verdict: PeopleVerdict) -> str:
    """The verdict with its number, interval and n; or what keeps it from being given."""
    alpha = facts.alpha
    if verdict is PeopleVerdict.NOBODY:
        rest = " The answers here are simulated." if facts.simulated else ""
        return f"There are no answers from people to count yet.{rest}"
    if verdict is PeopleVerdict.ONE_PERSON:
        return "Only one person answered. Agreement needs at least two."
    if alpha is None or alpha.value is None:
        reason = "there is no figure" if alpha is None else alpha.undefined
        return UNDEFINED.get(reason or "", f"Agreement is undefined: {reason}.{_same(facts)}")
    these = these_people(facts.people)
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
    others = for_others(facts)
    if facts.people is not None and facts.people < FEWEST_RATERS:
        return " Two people cannot show how far others like them would agree."
    if others is None or (others.low is None and not no_interval(others)):
        return ""
    if others.low is None:
        why = f": {no_interval(others)}".replace(": not before", " before", 1)
        return f" How far people like them would agree is not known{why}."
    if verdict not in CLAIMS:
        return f" For people like them α is {interval(others)}."
    if carries(facts, verdict):
        return f" So do people like them: α {interval(others)}."
    return f" Whether people like them do is not settled: α {interval(others)}."


def _same(facts: Agreement) -> str:
    if facts.same is None or facts.same.value is None:
        return ""
    return f" Two people give the same answer to {percent(facts.same.value)} of units."


def caveats_on(facts: Agreement, verdict: PeopleVerdict) -> list[str]:
    """What keeps the verdict from meaning more."""
    alpha, same, found = facts.alpha, facts.same and facts.same.value, []
    if facts.identical_answers and not _is_undefined(alpha):
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
    if same and same >= MOSTLY_ALIKE and alpha is not None and _is_low(alpha):
        found.append(
            f"{percent(same)} of answers are the same: one answer is rare, and α depends on the "
            "few units that have it."
        )
    if facts.of_two and not _is_undefined(alpha):
        found.append(OF_TWO)
    return found


def _is_undefined(alpha: Estimate | None) -> bool:
    return alpha is None or alpha.value is None


def _is_low(alpha: Estimate) -> bool:
    return alpha.value is not None and alpha.value < TENTATIVE


def _steps(facts: Agreement, verdict: PeopleVerdict) -> list[NextStep]:
    if verdict in ONLY_STEPS:
        return [ONLY_STEPS[verdict]]
    if verdict is PeopleVerdict.UNDEFINED:
        reason = facts.alpha.undefined if facts.alpha is not None else None
        return [STEPS_UNDEFINED.get(reason or "", MORE_UNITS)]
    if verdict is PeopleVerdict.GOOD:
        return [READ] if carries(facts, verdict) else [_for_others(facts), READ]
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
MORE_UNITS = NextStep("Plan more units", Goal.PLAN, width=ROUGH)
STEPS_UNDEFINED = {
    NO_VARIATION: NextStep("Check that the question tells these texts apart.", Goal.UNITS, HUMANS),
    NO_PAIRS: NextStep("Have two people or more answer the same units.", Goal.STUDY),
}
READ = NextStep("Read the units with the most disagreement.", Goal.UNITS, HUMANS)


def _for_others(facts: Agreement) -> NextStep:
    return NAME_PEOPLE if facts.people is None else MORE_PEOPLE


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
