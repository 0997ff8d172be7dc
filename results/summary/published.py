"""The cards of a study that others published: figures without the answers behind them."""

from collections.abc import Sequence
from dataclasses import replace

from estimates.catalogue import ALPHA, MEAN_RANK, first_headline, metric
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.published import AGGREGATION
from estimates.data.rows import Row
from results.figures.plots import Range, Ranges
from results.summary import judge_card, people, system_card
from results.summary.card import Card, Goal, Step, Tone
from results.summary.words import named, number, on_a_line

WITHOUT = "the answers behind these published figures are not here"
ASK = Step("Ask the authors for their answers, and import them.", Goal.STUDY)


def published_cards(rows: Sequence[Row]) -> list[Card]:
    """The three questions, as far as published figures answer them."""
    own = [row for row in rows if row.aggregation == AGGREGATION and row.raters == HUMANS]
    judges = f"Cannot be said: {WITHOUT}."
    return [
        _people(own),
        _card("judges", judge_card.QUESTION, judges, Goal.JUDGES),
        _systems(own),
    ]


def _card(key: str, question: str, sentence: str, goal: Goal) -> Card:
    return Card(
        key=key,
        question=question,
        verdict="published",
        tone=Tone.OPEN,
        badge="As published",
        sentence=sentence,
        silence="There is nothing to draw.",
        steps=(ASK,),
        goal=goal,
    )


def _people(rows: Sequence[Row]) -> Card:
    alphas = [row for row in rows if row.metric.startswith(ALPHA) and not row.group]
    sentence = f"Cannot be said: {WITHOUT}, and no agreement was published with them."
    if alphas:
        value = number(float(alphas[0].estimate))
        sentence = f"Published: {metric(alphas[0].metric).title} {value}, without interval or n."
    return _card("people", people.QUESTION, sentence, Goal.PEOPLE)


def _systems(rows: Sequence[Row]) -> Card:
    """The order by one metric: mean ranks, else the first that the table has."""
    by_system = [row for row in rows if row.group.keys() == {SYSTEM}]
    names = {row.metric for row in by_system}
    by = MEAN_RANK if MEAN_RANK in names else first_headline(names) or min(names, default="")
    card = _card("systems", system_card.QUESTION, f"Cannot be said: {WITHOUT}.", Goal.SYSTEMS)
    own = [row for row in by_system if row.metric == by]
    if len(own) < 2:
        return card
    sign = 1 if metric(by).better == "lower" else -1
    own.sort(key=lambda row: (sign * float(row.estimate), row.group[SYSTEM]))
    told = [f"{named(row.group[SYSTEM])} {number(float(row.estimate))}" for row in own[:3]]
    text = f"{metric(by).title}, as published: {', '.join(told)}. Not shown that they differ"
    lines = [
        Range(on_a_line(row.group[SYSTEM]), row.estimate, 0, row.group[SYSTEM])
        for row in own[: system_card.MOST_SYSTEMS]
    ]
    return replace(
        card,
        sentence=f"{text}: without the answers nothing can be tested.",
        figure=Ranges(str(metric(by).title), lines),
        silence="",
        reading="Lower is better." if sign == 1 else "",
    )
