"""The three cards of a facet: an answer with its figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement import Estimate
from estimates.catalogue import alpha_of, metric
from estimates.data.parties import HUMANS
from results.figures.plots import (
    COEFFICIENTS,
    SHARES,
    Plot,
    Range,
    Ranges,
    ends_of,
    scale_title,
)
from results.reading import judge_sentences, people, people_sentences, system_sentences
from results.reading.answer import CardAnswer, Goal
from results.reading.bounds import bounded, defined, for_these_raters
from results.reading.judges import Judge, judges_of
from results.reading.rows import FacetRows
from results.reading.systems import systems_of
from results.reading.titles import metric_title
from results.reading.wording import counted, on_a_line, uncapitalised
from tasktypes.facets import Facet

# Caveats, and lines of a figure, that a screen has room for.
MAX_CAVEATS, MAX_LINES = 5, 6
# What researchers may want to allow a judge (Calderon, Reichart and Dror 2025: 0.1 to 0.2).
TRIED = (0.05, 0.1, 0.15, 0.2)
READING = "1 = perfect, 0 = chance. Dashed: 0.667 and 0.8 (Krippendorff)."
SQUARES = " Squares: each person against the rest, lowest first."


@dataclass(frozen=True)
class Drawn:
    """A figure (None: missing_reason says why), how to read it, and what it leaves out, with its
    number."""

    figure: Plot | None = None
    reading: str = ""
    more: str = ""
    missing_reason: str = ""


@dataclass(frozen=True)
class Allowance:
    """How much less a judge may agree with people than they do with each other (ε), and others to
    try. tried: the one asked for, None for none, and what would follow."""

    epsilon: float
    offered: Sequence[float]
    tried: float | None = None
    follows: str = ""


@dataclass(frozen=True)
class Card:
    """One question with its answer. goal: the page that has more of it."""

    key: str
    question: str
    answer: CardAnswer
    drawn: Drawn
    goal: Goal
    allowance: Allowance | None = None

    @property
    def caveats(self) -> Sequence[str]:
        """As many as there is room for."""
        return self.answer.caveats[:MAX_CAVEATS]


def people_card(rows: FacetRows) -> Card:
    """How far people agree."""
    answer, drawn = people_sentences.answer_about_people(rows), _of_people(rows)
    return Card("people", people_sentences.QUESTION, answer, drawn, Goal.PEOPLE)


def judge_card(rows: FacetRows, epsilon: float, tried: float | None = None) -> Card:
    """Whether a judge can stand in: the first of them. epsilon: the study's. tried: another, whose
    outcome is told beside the study's own."""
    answer, *_others = judge_sentences.answers_about_judges(rows, epsilon)
    judges = judges_of(rows) if rows.answered else []
    return Card(
        key="judges",
        question=judge_sentences.QUESTION,
        answer=answer,
        drawn=_of_judges(judges),
        goal=Goal.JUDGES,
        allowance=_allowance(judges[:1], epsilon, tried),
    )


def _allowance(first: Sequence[Judge], epsilon: float, tried: float | None) -> Allowance | None:
    if not any(judge_sentences.what_follows(judge, epsilon) for judge in first):
        return None
    offered = [each for each in TRIED if each != epsilon]
    if tried not in offered:
        return Allowance(epsilon, offered)
    return Allowance(epsilon, offered, tried, judge_sentences.what_follows(first[0], tried))


def system_card(rows: FacetRows) -> Card:
    """Which systems differ."""
    answer, drawn = system_sentences.answer_about_systems(rows), _of_systems(rows)
    return Card("systems", system_sentences.QUESTION, answer, drawn, Goal.SYSTEMS)


def _range(name: str, estimate: Estimate | None, party: int) -> Range:
    return Range(on_a_line(name), estimate, party, name)


def _of_people(rows: FacetRows) -> Drawn:
    """People together, then those who agree least with the others, or systems."""
    facts = people.agreement_of(rows)
    if not defined(facts.alpha):
        return Drawn(
            missing_reason="A figure needs two people’s answers to the same units, not all alike."
        )
    odd = facts.single or _by_system(rows)
    lines = [Range("All people", facts.alpha, 0), *(_range(name, own, 1) for name, own in odd)]
    figure = Ranges("α", lines[:MAX_LINES], (people.TENTATIVE, people.FIRM), COEFFICIENTS)
    hidden = len(facts.single) - (MAX_LINES - 1)
    more = counted(hidden, "more person", "more people") if hidden > 0 else ""
    return Drawn(figure, READING + (SQUARES if facts.single else ""), more)


def _by_system(rows: FacetRows) -> list[tuple[str, Estimate]]:
    found = rows.by("system", alpha_of(rows.facet.distance), HUMANS)
    shown = sorted(((n, of) for n, of in found.items() if defined(of)), key=lambda of: float(of[1]))
    return shown if len(shown) > 1 else []  # one system is all there is


def _of_judges(judges: Sequence[Judge]) -> Drawn:
    """People's own agreement beside each judge's with them; without these rows correlations, or
    α."""
    if not judges:
        return Drawn(missing_reason="This figure needs both people and a judge.")
    hidden = len(judges) - (MAX_LINES - 1)
    more = counted(hidden, "more judge") if hidden > 0 else ""
    near = [judge for judge in judges if defined(judge.alone)]
    if near:
        among = near[0].among
        lines = [Range("People with people", among, 0), *_lines(near, "alone")]
        marks = (float(among),) if among is not None and among.value is not None else ()
        text = "1: always the same answer. Dashed: people with each other."
        return Drawn(Ranges("Agreement with people", lines, marks, SHARES), text, more)
    if any(defined(judge.alpha) for judge in judges):
        figure = Ranges("α with people", _lines(judges, "alpha"), (), COEFFICIENTS)
        return Drawn(figure, "1 = perfect, 0 = chance.", more)
    if any(bounded(judge.follows) for judge in judges):
        title = str(metric(judges[0].follows_by).title)
        figure = Ranges(title, _lines(judges, "follows"), (0.0,), COEFFICIENTS)
        return Drawn(figure, "1: texts in people’s order, 0: no connection.", more)
    return Drawn(missing_reason="No figure of a judge beside people is defined.", more=more)


def _lines(judges: Sequence[Judge], of: str) -> list[Range]:
    return [_range(judge.name, getattr(judge, of), 1) for judge in judges[: MAX_LINES - 1]]


def _of_systems(rows: FacetRows) -> Drawn:
    """The systems in their order, as people see them."""
    facts = systems_of(rows)
    shown, hidden = facts.systems, len(facts.systems) - MAX_LINES
    if len(shown) < 2:
        return Drawn(missing_reason="A figure needs two systems with people’s figures.")
    if hidden > 0:  # the last is what the first are compared with
        shown = [*shown[: MAX_LINES - 1], shown[-1]]
    own = [(system.name, for_these_raters(system.estimate)) for system in shown]
    lines = [_range(name, estimate, 0) for name, estimate in own]
    better = "Lower is better. " if metric(facts.by).better == "lower" else ""
    whose = "Intervals: these raters, other sources." if any(bounded(of) for _n, of in own) else ""
    return Drawn(
        Ranges(_measure(facts.by, rows.facet), lines, ends=ends_of(facts.by, rows.facet)),
        f"{better}{whose}".strip(),
        counted(hidden, "more system") if hidden > 0 else "",
    )


def _measure(by: str, facet: Facet) -> str:
    return f"{scale_title(facet)}, {uncapitalised(metric_title(by, facet))}"
