"""What differs between systems? The words: the verdict, and what to do next."""

from agreement import Estimate
from estimates.catalogue import F1, MEAN, MEAN_RANK, SHARE, STRENGTH, WIN_SHARE
from estimates.data.parties import HUMANS
from results.reading.answer import CardAnswer, Goal, NextStep
from results.reading.bounds import bounded, defined
from results.reading.rows import FacetRows
from results.reading.steps import more_units
from results.reading.systems import BADGES, Pair, Systems, SystemsVerdict, systems_of, verdict_on
from results.reading.wording import (
    counted,
    interval,
    measured,
    named,
    no_interval,
    number,
    p_value,
    readers,
    sized,
)
from tasktypes.facets import Facet

QUESTION = "What differs between systems?"
# Fewer sources than this say little about other texts.
FEW_SOURCES = 20
# As in estimates.metrics.systems.differences.
MOST_TESTED = 20
CORRECTED = "p-values are Holm-corrected for all pairs; each interval is for one pair."
MISSING_REASONS = {
    SystemsVerdict.NO_METRIC: "Labels cannot be averaged. Compare the shares of each label.",
    SystemsVerdict.NO_SYSTEM: "No text names the system that wrote it.",
    SystemsVerdict.ONE_SYSTEM: "There is only one system.",
    SystemsVerdict.NO_PEOPLE: "There are no answers from people yet.",
}
VERBS = {
    MEAN: "is rated higher than",
    F1: "has a higher F1 than",
    SHARE: "gets “{label}” more often than",
    STRENGTH: "is preferred more often than",
    WIN_SHARE: "is preferred more often than",
    MEAN_RANK: "is ranked better than",
}
ADD_SYSTEM = NextStep("Add the texts of a second system for the same sources.", Goal.STUDY)
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
    return CardAnswer(verdict, BADGES[verdict], said, caveats, [_step(facts, verdict)])


def sentence(facts: Systems, verdict: SystemsVerdict, facet: Facet) -> str:
    """The answer with its number, interval and n; or what keeps it from being given."""
    if verdict in MISSING_REASONS:
        return MISSING_REASONS[verdict]
    if verdict is SystemsVerdict.UNTESTED:
        return f"No test of systems: {facts.reason or 'there is none'}."
    if verdict is SystemsVerdict.NOT_SHOWN:
        apart = _apart(facts.widest, facts, facet)
        return f"No evidence that systems differ. The largest difference: {apart}."
    return _differ(facts, facet)


def _differ(facts: Systems, facet: Facet) -> str:
    """The largest settled difference, how many there are, and whether the first two differ."""
    text = f"{_apart(facts.settled[0], facts, facet)}."
    if len(facts.pairs) == 1:
        return text
    settled, first, second = len(facts.settled), *facts.systems[:2]
    verb = "differs" if settled == 1 else "differ"
    text += f" {settled} of {counted(len(facts.pairs), 'pair')} {verb}"
    top = facts.of(first.name, second.name)
    if top is not None and not top.is_settled:
        return f"{text}. Whether {named(first.name)} beats {named(second.name)} is not settled."
    return f"{text}, including the first two."


def _apart(pair: Pair, facts: Systems, facet: Facet) -> str:
    """`A is rated higher than B by 5.7 (1.2 to 10.1, n = 100, p = 0.011, these raters)`."""
    verb = VERBS[facts.by].format(label=facet.labels[0] if facet.labels else "")
    who = f"{named(pair.upper.name)} {verb} {named(pair.lower.name)}"
    p, whose = "", ""
    if pair.p is not None and pair.p.value is not None:
        p, whose = p_value(pair.p.value), readers(pair.p)
    if pair.difference is not None and pair.difference.value is not None:
        value, _comma, rest = measured("", pair.difference, p, whose).partition(", ")
        return f"{who} by {value} ({rest})"
    upper, lower = (_own(system.estimate) for system in (pair.upper, pair.lower))
    about = ", ".join(filter(None, ["" if pair.p is None else sized(pair.p), p, whose]))
    return f"{who} ({upper} against {lower}; {about})"


def _own(estimate: Estimate) -> str:
    return ", ".join(filter(None, [number(float(estimate)), interval(estimate)]))


def _caveats(facts: Systems, verdict: SystemsVerdict) -> list[str]:
    found = []
    tested = [pair.difference or pair.p for pair in facts.pairs]
    sources = min((of.n_units for of in tested if of and of.n_units is not None), default=None)
    if sources is not None and sources < FEW_SOURCES:
        found.append(f"Some systems share only {counted(sources, 'source')}.")
    if (turned := _turned(facts)) is not None:
        found.append(
            f"Plain means put {named(turned.lower.name)} before {named(turned.upper.name)}, shared "
            "sources put it after: the two were not rated on the same sources."
        )
    bare = next((p.difference for p in facts.pairs if not bounded(p.difference)), None)
    if bare is not None and defined(bare):
        reason = no_interval(bare) or "none was computed"
        found.append(f"A difference has no interval: {reason}.")
    if verdict in (SystemsVerdict.DIFFER, SystemsVerdict.ALL_DIFFER, SystemsVerdict.NOT_SHOWN):
        found.append(CORRECTED)
    if verdict is SystemsVerdict.UNTESTED and len(facts.systems) > MOST_TESTED:
        found.append(f"Pairs of more than {MOST_TESTED} systems are not tested.")
    return found


def _turned(facts: Systems) -> Pair | None:
    """A settled pair that plain means order the other way round."""
    at = {system.name: place for place, system in enumerate(facts.systems)}
    return next((p for p in facts.settled if at[p.upper.name] > at[p.lower.name]), None)


def _step(facts: Systems, verdict: SystemsVerdict) -> NextStep:
    if verdict is SystemsVerdict.NOT_SHOWN:
        return more_units(facts.widest.difference, 0.0, "difference")
    return STEPS.get(verdict, NextStep("Read the units behind these figures.", Goal.UNITS, HUMANS))
