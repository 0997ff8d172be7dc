"""What differs between systems? The words: the verdict, and what to do next."""

from agreement.bootstrap.intervals import FEWEST_RATERS
from estimates.catalogue.scores import F1, MEAN, MEAN_RANK, SHARE, STRENGTH, WIN_SHARE
from estimates.data.parties import HUMANS
from results.reading.answer import CardAnswer, Goal, NextStep
from results.reading.bounds import bounded, defined, for_raters_like_them, for_these_raters
from results.reading.planned_tests import planned_test
from results.reading.rows import FacetRows
from results.reading.steps import NAME_PEOPLE, towards_a_difference
from results.reading.systems import (
    BADGES,
    Pair,
    System,
    Systems,
    SystemsVerdict,
    systems_of,
    verdict_on,
)
from results.reading.wording import (
    counted,
    interval,
    named,
    no_interval,
    number,
    p_value,
    sized,
    these_people,
)
from tasktypes.facets import Facet

QUESTION = "What differs between systems?"
# Fewer sources than this say little about other texts.
FEW_SOURCES = 20
# As in estimates.metrics.systems.differences.
MOST_TESTED = 20
CORRECTED = "p-values and intervals are corrected for all pairs (Holm)."
# A difference of means that is not that of the same texts differs by more.
ROUNDING = 0.01
# People of whom it is said that they are few.
FEW_PEOPLE = 6
MISSING_REASONS = {
    SystemsVerdict.NO_METRIC: "Labels cannot be averaged. Compare the shares of each label.",
    SystemsVerdict.NO_SYSTEM: "No text names the system that wrote it.",
    SystemsVerdict.ONE_SYSTEM: "There is only one system.",
    SystemsVerdict.NO_PEOPLE: "There are no answers from people to count yet.",
}
VERBS = {
    MEAN: "is rated higher than",
    F1: "has a higher F1 than",
    SHARE: "gets “{label}” more often than",
    STRENGTH: "is preferred more often than",
    WIN_SHARE: "is preferred more often than",
    MEAN_RANK: "is ranked better than",
}
# Of the first and the last of several systems, where their figures have the differences' unit.
ENDS = {
    MEAN: ("is rated highest", "lowest"),
    F1: ("has the highest F1", "the lowest"),
    SHARE: ("gets “{label}” most often", "least often"),
    MEAN_RANK: ("is ranked best", "worst"),
}
ADD_SYSTEM = NextStep("Add the texts of a second system for the same sources.", Goal.STUDY)
READ = NextStep("Read the units behind these figures.", Goal.UNITS, HUMANS)
# How the reason begins where systems share too few sources.
FEW = "too few sources"
STEPS = {
    SystemsVerdict.ONE_SYSTEM: ADD_SYSTEM,
    SystemsVerdict.NO_SYSTEM: ADD_SYSTEM,
    SystemsVerdict.NO_PEOPLE: NextStep("Invite people to answer.", Goal.STUDY),
    SystemsVerdict.UNTESTED: NextStep("Have systems rated on the same sources.", Goal.STUDY),
    SystemsVerdict.NO_METRIC: NextStep("Look at the shares of each label.", Goal.SYSTEMS),
}


def answer_about_systems(rows: FacetRows) -> CardAnswer:
    """Which systems of a facet differ."""
    facts = systems_of(rows)
    verdict = verdict_on(facts)
    said, caveats = sentence(facts, verdict, rows.facet), _caveats(facts, verdict)
    return CardAnswer(verdict, BADGES[verdict], said, caveats, [_step(rows, facts, verdict)])


def sentence(facts: Systems, verdict: SystemsVerdict, facet: Facet) -> str:
    """The answer with its number, interval and n; or what keeps it from being given."""
    if verdict in MISSING_REASONS:
        return MISSING_REASONS[verdict]
    if verdict is SystemsVerdict.UNTESTED and facts.flat is not None:
        return _flat(facts.flat, facts, facet)
    if verdict is SystemsVerdict.UNTESTED:
        return f"No test of systems: {facts.reason or 'there is none'}."
    if verdict is SystemsVerdict.NOT_SHOWN:
        apart = f"{_apart(facts.widest, facts, facet)} ({_measured(facts.widest)}, these raters)"
        return f"No evidence that systems differ. The largest difference: {apart}."
    return f"{_for_these(facts, facet)} {_for_others(facts)}"


def _flat(pair: Pair, facts: Systems, facet: Facet) -> str:
    """The same difference everywhere leaves nothing to test."""
    sources = counted(pair.difference.n_units or 0, "shared source")
    if number(pair.size) != "0":
        return f"No test of systems: {_apart(pair, facts, facet)} on each of {sources}."
    if len(facts.systems) > 2:
        return "No difference: systems come out alike on every source that they share."
    upper, lower = named(pair.upper.name), named(pair.lower.name)
    return f"No difference: {upper} and {lower} come out alike on each of {sources}."


def _for_these(facts: Systems, facet: Facet) -> str:
    """The first reading: the largest difference, and how many there are."""
    who = f"For {'this person' if facts.people == 1 else these_people(facts.people)}"
    widest, first, last = facts.widest, facts.systems[0], facts.systems[-1]
    if len(facts.pairs) == 1:
        return f"{who} {_apart(widest, facts, facet)} ({_measured(widest)})."
    if facts.by in ENDS and (widest.upper, widest.lower) == (first, last):
        best, worst = (end.format(label=_label(facet)) for end in ENDS[facts.by])
        said = f"{_with_figure(first, best)} and {_with_figure(last, worst)}"
        whole = abs(float(first.estimate) - float(last.estimate))
        where = "" if abs(whole - widest.size) < ROUNDING else " on the texts that both wrote"
        apart = f"{said}, {number(widest.size)} apart{where} ({_measured(widest)})"
    else:
        apart = f"the largest difference is that {_apart(widest, facts, facet)}"
        apart += f" ({_measured(widest)})"
    settled = len(facts.apart)
    verb = "differs" if settled == 1 else "differ"
    count = f"{settled} of {counted(len(facts.pairs), 'pair')} {verb}"
    top = facts.of(first.name, facts.systems[1].name)
    if facts.cycle:
        one, two, three = map(named, facts.cycle)
        count += f", in a circle: {one} beats {two}, {two} beats {three}, {three} beats {one}"
    elif top is not None and not top.differs:
        count += f", but not the first two, {named(first.name)} and {named(facts.systems[1].name)}"
    return f"{who} {apart}; {count}."


def _for_others(facts: Systems) -> str:
    """The second reading: how far it carries."""
    people = facts.people
    if people is not None and people < FEWEST_RATERS:
        few = "One person" if people == 1 else "Two people"
        return f"{few} cannot show what others would find."
    told, holding = len(facts.apart), len(facts.holding)
    reasons = [pair.others.undefined for pair in facts.apart if pair.others is not None]
    if people is None or (reasons and all(reasons)):
        return f"What others would find is not known: {reasons[0]}."
    single = f" ({_measured(facts.widest, others=True)})" if len(facts.pairs) == 1 else ""
    if told == holding:
        return f"{'This holds' if told == 1 else 'All of them hold'} for raters like them{single}."
    found = f"{people} people are too few to say what others would find"
    if people >= FEW_PEOPLE:
        found = "Raters like them may see it otherwise"
    if single:
        return f"{found}{single}."
    pairs = f"{counted(holding, 'pair')} {'holds' if holding == 1 else 'hold'}"
    return f"{found}: {pairs if holding else 'no pair holds'}."


def _label(facet: Facet) -> str:
    return facet.labels[0] if facet.labels else ""


def _with_figure(system: System, what: str) -> str:
    return f"{named(system.name)} {what} ({number(float(system.estimate))})"


def _apart(pair: Pair, facts: Systems, facet: Facet) -> str:
    """`A is rated higher than B by 5.7`."""
    verb = VERBS[facts.by].format(label=_label(facet))
    apart = number(pair.size)
    return f"{named(pair.upper.name)} {verb} {named(pair.lower.name)} by {apart}"


def _measured(pair: Pair, *, others: bool = False) -> str:
    """`1.2 to 10.1, n = 100, p = 0.011`, of raters like these without n."""
    own = for_raters_like_them(pair.difference) if others else for_these_raters(pair.difference)
    p = pair.others if others else pair.these
    test = p_value(p.value) if p is not None and p.value is not None else ""
    return ", ".join(filter(None, [interval(own), "" if others else sized(own), test]))


def _caveats(facts: Systems, verdict: SystemsVerdict) -> list[str]:
    found = []
    tested = [pair.difference.n_units for pair in facts.pairs]
    sources = min((n for n in tested if n is not None), default=None)
    if sources is not None and sources < FEW_SOURCES:
        found.append(f"Some systems share only {counted(sources, 'source')}.")
    if not facts.fits:
        found.append("Strengths do not fit who beat whom: read the comparisons of two systems.")
    if not facts.cycle and (turned := _turned(facts)) is not None:
        upper, lower = named(turned.upper.name), named(turned.lower.name)
        found.append(
            f"Strengths put {lower} before {upper}, their own comparisons put it after."
            if facts.by in (STRENGTH, WIN_SHARE)
            else f"Plain means put {lower} before {upper}, shared sources put it after: the two "
            "were not rated on the same sources."
        )
    bare = [for_these_raters(pair.difference) for pair in facts.pairs]
    none = next((of for of in bare if defined(of) and not bounded(of)), None)
    if none is not None:
        found.append(f"A difference has no interval: {no_interval(none) or 'none was computed'}.")
    if facts.pairs and len(facts.pairs) > 1:
        found.append(CORRECTED)
    if verdict is SystemsVerdict.UNTESTED and len(facts.systems) > MOST_TESTED:
        found.append(f"Pairs of more than {MOST_TESTED} systems are not tested.")
    return found


def _turned(facts: Systems) -> Pair | None:
    """A settled pair that plain means order the other way round."""
    at = {system.name: place for place, system in enumerate(facts.systems)}
    return next((p for p in facts.apart if at[p.upper.name] > at[p.lower.name]), None)


def _step(rows: FacetRows, facts: Systems, verdict: SystemsVerdict) -> NextStep:
    if verdict is SystemsVerdict.THESE and facts.people is None:
        return NAME_PEOPLE
    if verdict in (SystemsVerdict.NOT_SHOWN, SystemsVerdict.THESE):
        return towards_a_difference(planned_test(rows), for_others=verdict is SystemsVerdict.THESE)
    if verdict is SystemsVerdict.UNTESTED and facts.flat is not None:
        return READ
    if verdict is SystemsVerdict.UNTESTED and facts.reason.startswith(FEW):
        return NextStep("Plan more sources.", Goal.PLAN)
    return STEPS.get(verdict, READ)
