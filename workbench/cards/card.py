"""A judge's card as a value, and as the JSON that is published."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

# Of the JSON below.
EDITION = 1


class Part(StrEnum):
    """A part of a card, in its order; the value is the part's title."""

    SEALED = "Sealed half, by counted looks"
    AGREEMENT = "Agreement with people"
    ERRORS = "What it lets pass, and what it fails"
    BIASES = "Biases"
    STRESS = "Under stress: asked again, and faults made on purpose"
    DRIFT = "Drift"
    ANSWERS = "Answers and price"
    LABELS = "Whose labels these are"


class Half(StrEnum):
    """Which sources a number is of."""

    ALL = "all sources"
    DEVELOPMENT = "development half"
    SEALED = "sealed half"


@dataclass(frozen=True, kw_only=True)
class CardFigure:
    """One number of a card.

    name: of its metric, or its own. level: how it was put together, where not over all ratings.
    group: the label, condition or other part that it is of.
    people: what people reach among themselves, on the same units. n: units, or what else the title
    counts. stated: why it cannot be computed again from a bundle; empty where it can.
    """

    part: Part
    name: str
    title: str
    half: Half
    facet: str = ""
    level: str = ""
    group: Mapping[str, str] = field(default_factory=dict)
    value: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    n: int | None = None
    raters: int | None = None
    people: float | None = None
    undefined: str = ""
    look: str = ""
    stated: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, tuple[tuple[str, str], ...]]:
        """What tells it from all others of its card."""
        group = tuple(sorted(self.group.items()))
        return self.part.name, self.name, self.facet, self.level, group

    @property
    def numbers(self) -> dict[str, float | None]:
        """All that must come out again."""
        names = ("value", "low", "high", "confidence", "n", "raters", "people")
        return {name: getattr(self, name) for name in names}

    @property
    def about(self) -> str:
        """What it is of, in words: the title with the parts."""
        level = self.level.replace("_", " ")
        parts = [f"{key.replace('_', ' ')} {name}" for key, name in self.group.items()]
        words = ", ".join(filter(None, [level, *parts]))
        return f"{self.title} ({words})" if words else self.title


@dataclass(frozen=True, kw_only=True)
class JudgeSaid:
    """What a version of a judge is. parameters: without worked examples and what it was fitted on.
    prompt: as it was asked, before the material is filled in; sha256: of that text."""

    name: str
    version: int
    origin: str
    family: str = ""
    method: str = ""
    method_title: str = ""
    backend: str = ""
    model: str = ""
    fingerprint: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    examples: int = 0
    prompt: str = ""
    sha256: str = ""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True, kw_only=True)
class TaskSaid:
    """The study and block that it answered."""

    study: str
    title: str
    block: str
    kind: str
    facets: Sequence[str]

    def __str__(self) -> str:
        return f"{self.title}: {self.block}"


@dataclass(frozen=True, kw_only=True)
class Card:
    """One document for one version of a judge and one task. caution: what is to be said beside all
    figures. revision: of the study's answers; program, layout: that wrote it."""

    judge: JudgeSaid
    task: TaskSaid
    figures: Sequence[CardFigure]
    limits: Sequence[str]
    revision: int
    program: str
    layout: str = ""
    caution: str = ""
    card: int = EDITION

    @property
    def parts(self) -> Iterator[tuple[Part, list[CardFigure]]]:
        """The parts that have figures, with these."""
        for part in Part:
            if figures := [figure for figure in self.figures if figure.part is part]:
                yield part, figures

    @property
    def main(self) -> CardFigure | None:
        """The figure that stands for the card: of the sealed half where there is one, else the
        first of agreement."""
        shown = (Part.SEALED, Part.AGREEMENT)
        defined = (f for f in self.figures if f.part in shown and f.value is not None)
        return next(defined, None)

    @property
    def stated(self) -> list[CardFigure]:
        """Those that no bundle recomputes."""
        return [figure for figure in self.figures if figure.stated]


def as_json(card: Card) -> str:
    """The card as it is published."""
    return json.dumps(asdict(card), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


_CARD = TypeAdapter(Card)


def from_json(text: str) -> Card:
    """The card in a text of `as_json`; ValueError where it is none."""
    card = _CARD.validate_json(text)
    if card.card != EDITION:
        raise ValueError(f"card: edition {card.card}; this program reads {EDITION}")
    return card
