"""What the numbers of cards are made from, and the numbers.

The database and a bundle both give a `Basis`, so that one function chooses a card's numbers from
either, and a bundle's card can be held against the numbers that its data give.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agreement import DISTANCES
from estimates.catalogue import Table, alpha_of, metric, place_of
from estimates.catalogue.judges import (
    ALT_ADVANTAGE,
    ALT_GAP,
    ALT_WINNING_RATE,
    KENDALL_TAU_B,
    PEARSON,
    SPEARMAN,
)
from estimates.catalogue.scorecard import (
    AGREEMENT_AMONG_PEOPLE,
    AGREEMENT_GAP,
    AGREEMENT_WITH_PEOPLE,
    RATE_BIAS,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
)
from estimates.data.groups import CONDITION, LABEL
from estimates.data.parties import HUMANS
from estimates.data.rows import POOLED, SCORE_FACET, Row
from tasktypes.facets import Facet
from workbench.cards.card import CardFigure, Half, Part
from workbench.cards.prices import Paid
from workbench.figures import NO_SHARED

AGREEMENT = (
    *(AGREEMENT_WITH_PEOPLE, AGREEMENT_GAP, PEARSON, SPEARMAN, KENDALL_TAU_B),
    *(ALT_WINNING_RATE, ALT_ADVANTAGE, ALT_GAP),
)
# What is judged wrong, by the rate that says how much is judged right: of verdicts, and of parts of
# a text that are chosen or left out.
ERRORS = {
    TRUE_NEGATIVE_RATE: (
        "passes",
        "Passes, of what people fail",
        "Chooses, of what they do not",
    ),
    TRUE_POSITIVE_RATE: ("fails", "Fails, of what people pass", "Leaves out, of what they choose"),
}
MISSED = "Misses, of what people call so"
# What people reach among themselves, where it has another name.
PEOPLES = {AGREEMENT_WITH_PEOPLE: AGREEMENT_AMONG_PEOPLE}
# The tables that other parts are made of.
TABLES = {
    Table.BIASES: Part.BIASES,
    Table.AGAIN: Part.STRESS,
    Table.DETECTION: Part.STRESS,
    Table.DRIFT: Part.DRIFT,
    Table.UNANSWERED: Part.ANSWERS,
}
FAMILY = "family"
# By which keys a part also has figures.
GROUPS = {
    Part.AGREEMENT: {SCORE_FACET},
    Part.ERRORS: {LABEL},
    Part.BIASES: {SCORE_FACET, FAMILY},
    Part.STRESS: {CONDITION},
}
NO_PROBES = "the answers to probes are in no bundle"
NOT_PUBLISHED = "the answers behind looks are not published"


@dataclass(frozen=True)
class Labels:
    """Whose labels a block has: counted answers of people by origin, how many people gave them to
    how many units, and how many gold answers there are. people: None where files do not say."""

    here: int
    imported: int
    people: int | None
    units: int
    gold: int


@dataclass(frozen=True)
class Looked:
    """A look: its number, how many there may be, its figures, and why they are stated only."""

    number: int
    planned: int
    figures: Sequence[Mapping[str, Any]]
    stated: str = ""


@dataclass(frozen=True)
class Basis:
    """All that the cards of a study are made from. versions: that plain names in rows stand for.
    facets: by block. labels: by block. paid: by name, version and block. looks: by name and
    version."""

    rows: Sequence[Row]
    versions: Mapping[str, int]
    facets: Mapping[str, Sequence[Facet]]
    labels: Mapping[str, Labels]
    paid: Mapping[tuple[str, int, str], Paid]
    looks: Mapping[tuple[str, int], Looked] = field(default_factory=dict)
    is_split: bool = False

    def figures(self, name: str, version: int, block: str) -> list[CardFigure]:
        """The numbers of one card, in the order of its parts."""
        facets = {facet.name: facet for facet in self.facets[block]}
        judge = name if self.versions.get(name) == version else f"{name}@{version}"
        found = [
            *_of_look(self.looks.get((name, version)), facets),
            *self._of_rows(judge, facets),
            *_of_calls(self.paid.get((name, version, block)), self._half),
            *_of_labels(self.labels.get(block)),
        ]
        return sorted(found, key=lambda figure: list(Part).index(figure.part))

    @property
    def _half(self) -> Half:
        return Half.DEVELOPMENT if self.is_split else Half.ALL

    def _of_rows(self, judge: str, facets: Mapping[str, Facet]) -> Iterator[CardFigure]:
        pair = f"{HUMANS}~{judge}"
        own = [row for row in self.rows if row.facet in facets and row.raters in (judge, pair)]
        for row in sorted(own, key=lambda row: (row.facet, _place(row.metric))):
            part = _part_of(row, facets[row.facet])
            of_level = row.aggregation != POOLED and row.estimate.value is None
            if part and not of_level and row.group.keys() <= GROUPS.get(part, set()):
                yield self._figure(part, row, facets[row.facet])

    def _people(self, row: Row) -> float | None:
        """What people reach among themselves in what a row says of the judge with them."""
        if row.group:
            return None
        name = PEOPLES.get(row.metric, row.metric)
        whose = row.raters if name == AGREEMENT_AMONG_PEOPLE else HUMANS
        like = (name, row.facet, whose, row.aggregation)
        found = (r.estimate.value for r in self._whole if _like(r) == like)
        return next(found, None)

    @cached_property
    def _whole(self) -> Sequence[Row]:
        wanted = (AGREEMENT_AMONG_PEOPLE, *map(alpha_of, DISTANCES))
        return [row for row in self.rows if not row.group and row.metric in wanted]

    def _figure(self, part: Part, row: Row, facet: Facet) -> CardFigure:
        of, name, title = row.estimate, row.metric, str(metric(row.metric).title)
        value, low, high = of.value, of.low, of.high
        if part is Part.ERRORS:  # the share of the others
            name, verdict, choice = ERRORS[row.metric]
            title = MISSED if LABEL in row.group else choice if facet.kind == "set" else verdict
            value, low, high = (None if x is None else 1 - x for x in (value, high, low))
        return CardFigure(
            part=part,
            name=name,
            title=title,
            half=self._half,
            facet=row.facet,
            level="" if row.aggregation == POOLED else row.aggregation,
            group=dict(row.group),
            value=value,
            low=low,
            high=high,
            confidence=None if low is None else of.confidence,
            n=of.n_units,
            raters=of.n_raters,
            people=self._people(row) if part is Part.AGREEMENT else None,
            undefined=of.undefined or "",
            stated=NO_PROBES if part is Part.DRIFT else "",
        )


def _place(name: str) -> tuple[int, int]:
    at = AGREEMENT.index(name) if name in AGREEMENT else len(AGREEMENT)
    return at, place_of(name)


def _like(row: Row) -> tuple[str, str, str, str]:
    return row.metric, row.facet, row.raters, row.aggregation


def _part_of(row: Row, facet: Facet) -> Part | None:
    """The part of a card that a row stands in; None where it stands in none."""
    if row.metric in AGREEMENT or row.metric == alpha_of(facet.distance):
        return Part.AGREEMENT
    if row.metric in ERRORS:  # of several labels each has both rates, which say the same
        is_doubled = LABEL in row.group and row.metric == TRUE_NEGATIVE_RATE
        return None if is_doubled else Part.ERRORS
    if row.metric == RATE_BIAS:
        return Part.BIASES
    tables = metric(row.metric).tables
    return next((part for table, part in TABLES.items() if table in tables), None)


def _of_look(look: Looked | None, facets: Mapping[str, Facet]) -> Iterator[CardFigure]:
    for figure in look.figures if look is not None else ():
        assert look is not None
        if figure["facet"] in facets:
            yield CardFigure(
                part=Part.SEALED,
                name="closeness",
                title="Closeness to people",
                half=Half.SEALED,
                facet=figure["facet"],
                value=figure["value"],
                low=figure["low"],
                high=figure["high"],
                confidence=None if figure["low"] is None else figure["confidence"],
                n=figure["n_units"],
                people=figure["people"],
                undefined=figure["undefined"] or ("" if figure["value"] is not None else NO_SHARED),
                look=f"look {look.number} of {look.planned}",
                stated=look.stated,
            )


def _of_calls(paid: Paid | None, half: Half) -> Iterator[CardFigure]:
    if paid is None:
        return
    counts = (
        ("answers_asked", "Answers that calls led to", paid.answers),
        ("calls", "Calls", paid.calls),
        ("calls_failed", "Calls without an answer", paid.failed),
    )
    for name, title, count in counts:
        yield CardFigure(part=Part.ANSWERS, name=name, title=title, half=half, value=float(count))
    reason = "" if paid.per_answer is not None else "no price is known for its calls"
    priced = {"usd_per_answer": ("USD for an answer", paid.per_answer), "usd": ("USD", paid.usd)}
    for name, (title, usd) in priced.items():
        value = None if usd is None else float(usd)
        yield CardFigure(
            part=Part.ANSWERS, name=name, title=title, half=half, value=value, undefined=reason
        )


def _of_labels(labels: Labels | None) -> Iterator[CardFigure]:
    if labels is None:
        return
    counts = (
        ("labels_here", "Answers that people gave in Jurybox", labels.here),
        ("labels_imported", "Answers of people that files brought", labels.imported),
        ("labelled_units", "Units that people answered", labels.units),
        ("gold", "Gold answers of adjudicators", labels.gold),
        ("label_people", "People", labels.people),
    )
    for name, title, count in counts:
        missing = "" if count is not None else "the files do not say who gave which answer"
        value = None if count is None else float(count)
        yield CardFigure(
            part=Part.LABELS, name=name, title=title, half=Half.ALL, value=value, undefined=missing
        )
