"""The cards of a study that others published: figures without the answers behind them."""

from estimates.catalogue import first_headline, metric
from estimates.catalogue.agreement import ALPHA
from estimates.catalogue.scores import MEAN_RANK
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.published import AGGREGATION
from estimates.data.rows import Row
from results.figures.plots import Range, Ranges
from results.reading import judge_sentences, people_sentences, system_sentences
from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.rows import RowIndex
from results.reading.wording import named, number, on_a_line
from results.summary.cards import MAX_LINES, Card, Drawn

WITHOUT = "Not known: the answers behind these published figures are not available"
ASK = NextStep("Ask the authors for their answers, and import them.", Goal.STUDY)
NOTHING = Drawn(missing_reason="There is nothing to draw.")


def published_cards(rows: RowIndex) -> list[Card]:
    """The three questions, as far as published figures answer them."""
    own = RowIndex(row for row in rows.where(raters=HUMANS) if row.aggregation == AGGREGATION)
    return [
        _card("people", people_sentences.QUESTION, _agreement(own), Goal.PEOPLE),
        _card("judges", judge_sentences.QUESTION, f"{WITHOUT}.", Goal.JUDGES),
        _systems(own),
    ]


def _card(key: str, question: str, sentence: str, goal: Goal, drawn: Drawn = NOTHING) -> Card:
    badge = Badge(Tone.OPEN, "As published")
    return Card(key, question, CardAnswer("published", badge, sentence, steps=(ASK,)), drawn, goal)


def _agreement(rows: RowIndex) -> str:
    alphas = [row for row in rows.where(group={}) if row.metric.startswith(ALPHA)]
    if not alphas:
        return f"{WITHOUT}, and no agreement was published with them."
    value = number(float(alphas[0].estimate))
    return f"Published: {metric(alphas[0].metric).title} {value}, without interval or n."


def _systems(rows: RowIndex) -> Card:
    """The order by one metric: mean ranks, else the first that the table has."""
    names = {row.metric for row in rows.where(by=[SYSTEM])}
    by = MEAN_RANK if MEAN_RANK in names else first_headline(names) or min(names, default="")
    own = rows.where(by, by=[SYSTEM])
    if len(own) < 2:
        return _card("systems", system_sentences.QUESTION, f"{WITHOUT}.", Goal.SYSTEMS)
    lower = metric(by).better == "lower"
    own.sort(key=lambda row: (float(row.estimate) * (1 if lower else -1), row.group[SYSTEM]))
    told = ", ".join(_told(row) for row in own[:3])
    said = f"{metric(by).title}, as published: {told}. Not tested without the answers."
    lines = [
        Range(on_a_line(row.group[SYSTEM]), row.estimate, 0, row.group[SYSTEM])
        for row in own[:MAX_LINES]
    ]
    drawn = Drawn(Ranges(str(metric(by).title), lines), "Lower is better." if lower else "")
    return _card("systems", system_sentences.QUESTION, said, Goal.SYSTEMS, drawn)


def _told(row: Row) -> str:
    return f"{named(row.group[SYSTEM])} {number(float(row.estimate))}"
