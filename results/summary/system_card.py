"""The third card in words: which systems differ, by how much, and what that rests on."""

import re

from agreement import Estimate
from estimates.catalogue import F1, MEAN, MEAN_RANK, SHARE, STRENGTH, WIN_SHARE, metric
from estimates.data.parties import HUMANS
from results.figures.plots import Range, Ranges, ends_of, scale_title
from results.summary.card import MOST_LIMITS, MOST_STEPS, Card, Goal, Step
from results.summary.facts import FacetRows, bounded, defined
from results.summary.more_units import more_units, units_to_settle
from results.summary.systems import LOOKS, Pair, Standing, Systems, gather, standing
from results.summary.words import (
    counted,
    interval,
    measured,
    named,
    no_interval,
    number,
    on_a_line,
    p_value,
    sized,
)
from results.tables.titles import metric_title
from tasktypes.facets import Facet

QUESTION = "What differs between systems?"
# Systems that the figure has room for.
MOST_SYSTEMS = 6
# Fewer sources than this say little about other texts.
FEW_SOURCES = 20


def system_card(rows: FacetRows) -> Card:
    """The card of one facet."""
    facts = gather(rows)
    verdict = standing(facts)
    tone, badge = LOOKS[verdict]
    figure = figure_of(facts, rows.facet)
    return Card(
        key="systems",
        question=QUESTION,
        verdict=verdict,
        tone=tone,
        badge=badge,
        sentence=sentence(facts, verdict, rows.facet),
        figure=figure,
        silence="" if figure else "There are no two systems with people’s figures to draw.",
        reading="Lower is better." if figure and metric(facts.by).better == "lower" else "",
        limits=limits(facts, verdict)[:MOST_LIMITS],
        steps=steps(facts, verdict)[:MOST_STEPS],
        more=_more(facts),
        goal=Goal.SYSTEMS,
    )


def sentence(facts: Systems, verdict: Standing, facet: Facet) -> str:
    """The answer with its number, interval and n; or what keeps it from being given."""
    if verdict in SILENCES:
        return SILENCES[verdict]
    if verdict is Standing.UNTESTED:
        return f"Not shown whether systems differ: {facts.reason or 'they are not tested'}."
    if verdict is Standing.NOT_SHOWN:
        pair = max(facts.pairs, key=lambda pair: abs(pair.size))
        return (
            f"Not shown that systems differ. The largest difference: {_apart(pair, facts, facet)}."
        )
    return _differ(facts, facet)


SILENCES = {
    Standing.NO_METRIC: "These labels have no average, so systems are not compared by them.",
    Standing.NO_SYSTEM: "No text says which system wrote it, so there is nothing to compare.",
    Standing.ONE_SYSTEM: "There is one system only, so there is nothing to compare.",
    Standing.NO_PEOPLE: "Nobody has answered this question, so nothing is said of systems.",
}


def widest(facts: Systems) -> Pair:
    """The pair that is farthest apart."""
    return max(facts.pairs, key=lambda pair: abs(pair.size))


def _differ(facts: Systems, facet: Facet) -> str:
    """The largest settled difference, how many there are, and whether the first two differ."""
    farthest = facts.settled[0]
    text = f"{_apart(farthest, facts, facet)}."
    if len(facts.pairs) == 1:
        return text
    settled = len(facts.settled)
    verb = "differs" if settled == 1 else "differ"
    text += f" {settled} of {counted(len(facts.pairs), 'pair')} {verb}"
    first, second = facts.systems[:2]
    top = facts.of(first.name, second.name)
    if top is not None and not top.is_settled:
        return f"{text}, but not the first two, {named(first.name)} and {named(second.name)}."
    return f"{text}, the first two included."


def _apart(pair: Pair, facts: Systems, facet: Facet) -> str:
    """`A is rated higher than B by 5.7 (1.2 to 10.1, n = 100, p = 0.011)`."""
    verb = VERBS[facts.by].format(label=facet.labels[0] if facet.labels else "")
    p = "" if pair.p is None or pair.p.value is None else p_value(pair.p.value)
    who = f"{named(pair.upper.name)} {verb} {named(pair.lower.name)}"
    if pair.difference is not None and pair.difference.value is not None:
        about = measured("", pair.difference, p).strip()
        value, _comma, rest = about.partition(", ")
        return f"{who} by {value} ({rest})"
    upper, lower = (_own(system.estimate) for system in (pair.upper, pair.lower))
    size = "" if pair.p is None else sized(pair.p)
    about = ", ".join(filter(None, [size, p]))
    return f"{who} ({upper} against {lower}; {about})"


VERBS = {
    MEAN: "is rated higher than",
    F1: "has a higher F1 than",
    SHARE: "gets “{label}” more often than",
    STRENGTH: "is preferred more often than",
    WIN_SHARE: "is preferred more often than",
    MEAN_RANK: "is ranked better than",
}


def _own(estimate: Estimate) -> str:
    return ", ".join(filter(None, [number(float(estimate)), interval(estimate)]))


def limits(facts: Systems, verdict: Standing) -> list[str]:
    """What keeps the answer from meaning more."""
    found = []
    tested = [pair.difference or pair.p for pair in facts.pairs]
    sources = min((of.n_units for of in tested if of and of.n_units is not None), default=None)
    if sources is not None and sources < FEW_SOURCES:
        found.append(f"As few as {counted(sources, 'shared source')} for a comparison.")
    if (turned := _turned(facts)) is not None:
        found.append(
            f"Plain means put {named(turned.lower.name)} before {named(turned.upper.name)}, the "
            "sources that both share after it: they were not rated on the same ones."
        )
    bare = next((p.difference for p in facts.pairs if not bounded(p.difference)), None)
    if defined(bare) and bare is not None:
        found.append(f"A difference has no interval: {no_interval(bare)}.")
    if verdict in (Standing.DIFFER, Standing.ALL_DIFFER, Standing.NOT_SHOWN):
        found.append(CORRECTED if _speaks_of_others(facts) else f"{CORRECTED} {THESE}")
    if verdict is Standing.UNTESTED and len(facts.systems) > MOST_TESTED:
        found.append(f"More than {MOST_TESTED} systems are not tested pair by pair.")
    return found


CORRECTED = "p is corrected for all pairs, intervals are not."
THESE = "Both speak of these raters, not of others."
DRAWN = re.compile(r"and \d+ raters")


def _speaks_of_others(facts: Systems) -> bool:
    """Whether raters were taken as drawn from others, for every pair."""
    return all(DRAWN.search((pair.p and pair.p.interval_method) or "") for pair in facts.pairs)


# As in estimates.metrics.systems.differences.
MOST_TESTED = 20


def _turned(facts: Systems) -> Pair | None:
    """A settled pair that plain means order the other way round."""
    at = {system.name: place for place, system in enumerate(facts.systems)}
    return next((p for p in facts.settled if at[p.upper.name] > at[p.lower.name]), None)


def steps(facts: Systems, verdict: Standing) -> list[Step]:
    """What to do next."""
    if verdict is Standing.NOT_SHOWN:
        return [more_units(units_to_settle(widest(facts).difference, 0.0), "difference")]
    return [STEPS.get(verdict, Step("Read the units behind these figures.", Goal.UNITS, HUMANS))]


MORE_SYSTEMS = Step("Add the texts of a second system for the same sources.", Goal.STUDY)
STEPS = {
    Standing.ONE_SYSTEM: MORE_SYSTEMS,
    Standing.NO_SYSTEM: MORE_SYSTEMS,
    Standing.NO_PEOPLE: Step("Invite people to answer.", Goal.STUDY),
    Standing.UNTESTED: Step("Have systems rated on the same sources.", Goal.STUDY),
    Standing.NO_METRIC: Step("Look at the shares of each label.", Goal.SYSTEMS),
}


def figure_of(facts: Systems, facet: Facet) -> Ranges | None:
    """The systems in their order, as people see them."""
    if len(facts.systems) < 2:
        return None
    shown = facts.systems
    if len(shown) > MOST_SYSTEMS:  # the last is what the first are compared with
        shown = [*shown[: MOST_SYSTEMS - 1], shown[-1]]
    measure = f"{scale_title(facet)}, {metric_title(facts.by, facet).lower()}"
    lines = [Range(on_a_line(s.name), s.estimate, 0, s.name) for s in shown]
    return Ranges(measure, lines, ends=ends_of(facts.by, facet))


def _more(facts: Systems) -> str:
    hidden = len(facts.systems) - MOST_SYSTEMS
    return counted(hidden, "more system") if hidden > 0 else ""
