"""Scales of imported ratings, and the blocks for them."""

import re
from collections.abc import Collection, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from files.columns.cells import MOST_POINTS
from files.errors import ImportFailure
from imports.study_file.blocks import BlockPart
from tasktypes.contract import TaskType
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.pairwise.schema import PREFERENCE
from tasktypes.schemas import Schema
from tasktypes.slider import SLIDER

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
RawRating = float | str

LONGEST_FACET = 40
# Scores that all lie in this lowest part of a line are probably on another scale.
_FOOT = 0.1
# The usual ends of machine scores; otherwise the lowest and highest score are the ends.
_USUAL_ENDS = ((0.0, 1.0), (0.0, 100.0))


@dataclass
class ObservedValues:
    """The values among the ratings of one criterion: distinct ones while they are few."""

    labels: dict[str, None] = field(default_factory=dict)
    numbers: set[float] = field(default_factory=set)
    low: float = float("inf")
    high: float = float("-inf")

    def add(self, value: RawRating) -> None:
        if isinstance(value, str):
            self.labels[value] = None
            return
        self.low, self.high = min(self.low, value), max(self.high, value)
        if len(self.numbers) <= MOST_POINTS:
            self.numbers.add(value)

    def include(self, other: "ObservedValues") -> None:
        """Take in the values of another rater."""
        self.labels |= other.labels
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.numbers |= other.numbers

    def __bool__(self) -> bool:
        return bool(self.labels or self.numbers)

    @property
    def whole(self) -> bool:
        """Whether these are few whole numbers close to each other."""
        few = len(self.numbers) <= MOST_POINTS and self.high - self.low < MOST_POINTS
        return few and all(number.is_integer() for number in self.numbers)


@dataclass(frozen=True)
class Measure:
    """A block with one facet, and how a rating becomes an answer to it.

    stated: the file states the scale; otherwise it was inferred from the ratings.
    """

    block: BlockPart
    task_type: TaskType[Any, Any, Any]
    facet: str
    stated: bool = False

    @property
    def is_named(self) -> bool:
        """Whether its points are names."""
        (facet,) = self.task_type.facets(self.task_type.Options.model_validate(self.block.options))
        return self.task_type is LIKERT and facet.kind == "label"

    def worded(self, question: str) -> "Measure":
        """The same with the words of a question that the file has."""
        if not question.strip():
            return self
        options: dict[str, Any] = deepcopy(self.block.options)
        asked = options if self.task_type is SLIDER else options["criteria"][0]
        asked["question"] = question.strip()
        return replace(self, block=self.block.model_copy(update={"options": options}))

    def by_sentence(self) -> "Measure":
        """The same, asked of each sentence; ValueError of a continuous scale."""
        if self.task_type is SLIDER:
            raise ValueError("values: a continuous scale is not asked by sentence")
        options = {**self.block.options, "per_sentence": True}
        return replace(self, block=self.block.model_copy(update={"options": options}))

    def answer(self, value: RawRating | Sequence[RawRating]) -> dict[str, Any]:
        """The answer that a rating is, or one rating per sentence."""
        if self.task_type is SLIDER:
            return {"value": value}
        if self.task_type is PAIRWISE:
            return {"preferred": {self.facet: value}}
        return {"scores": {self.facet: value}}

    def takes(self, observed: "ObservedValues") -> bool:
        """Whether all these numbers are on the scale, as far as can be told.

        Numbers within the ends are, between points too. But where the ends are inferred, numbers
        that all lie at the bottom of a line, and decimals from 0 to 1 beside points that go
        further, are taken to be on another scale.
        """
        options: Schema = self.task_type.Options.model_validate(self.block.options)
        (facet,) = self.task_type.facets(options)
        if facet.low is None or facet.high is None:
            return False
        if facet.low > observed.low or observed.high > facet.high:
            return False
        if self.stated:
            return True
        if self.task_type is SLIDER:
            return observed.high > facet.low + _FOOT * (facet.high - facet.low)
        low, high = _USUAL_ENDS[0]
        shares = low <= observed.low and observed.high <= high < facet.high
        return observed.whole or not shares


def facet_name(where: str, criterion: str) -> str:
    """The facet of a criterion as a file names it: small letters, digits, underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", criterion.lower()).strip("_")
    if not re.match("[a-z]", name) or len(name) > LONGEST_FACET:
        raise ImportFailure(where, "criterion", f"{criterion[:60]!r} makes no name for a facet")
    return name


def nominal(facet: str, labels: Sequence[str], *, question: str = "", **options: Any) -> Measure:
    """Named points; ValueError where there are fewer than two or too many."""
    _check_count(len(labels))
    of_scale = [{"value": label} for label in labels]
    return _likert(facet, "nominal", of_scale, question=question, **options)


def preference(facet: str, question: str = "") -> Measure:
    """The better of two outputs; without a facet, by no criterion of the study's own."""
    if not facet:
        return Measure(BlockPart(task_type=PAIRWISE.slug), PAIRWISE, PREFERENCE.key)
    criterion = {"key": facet, "question": question or _question(facet)}
    return Measure(_block(PAIRWISE, facet, {"criteria": [criterion]}), PAIRWISE, facet)


def points(facet: str, observed: ObservedValues, level: Level) -> Measure:
    """A row of numbers: those from the lowest to the highest where they are whole, else those
    that occur; ValueError where they are too many."""
    if observed.whole:
        numbers: Collection[float] = range(int(observed.low), int(observed.high) + 1)
    else:
        numbers = sorted(observed.numbers)
    _check_count(len(numbers))
    return _likert(facet, level, [{"value": number} for number in numbers])


def between(facet: str, low: float, high: float, level: Level | None = None) -> Measure:
    """A row of numbers from one end to the other where these are whole, else a line; ValueError
    where an ordinal one has too many points."""
    ends = ObservedValues()
    ends.add(low)
    ends.add(high)
    if level == "ordinal" or ends.whole:
        return points(facet, ends, level or "ordinal")
    return line(facet, low, high)


def line(
    facet: str,
    low: float,
    high: float,
    *,
    compared_with: Sequence[str] = (),
    ends_observed: bool = False,
) -> Measure:
    """A continuous scale from one end to the other."""
    high = high if high > low else low + 1
    options = {
        "question": _question(facet),
        "facet": facet,
        "low": low,
        "high": high,
        "low_label": f"{low:g}",
        "high_label": f"{high:g}",
        "step": (high - low) / 100,
        "compared_with": list(compared_with),
        "ends_observed": ends_observed,
    }
    return Measure(_block(SLIDER, facet, options), SLIDER, facet)


def line_through(
    facet: str, observed: ObservedValues, *, compared_with: Sequence[str] = ()
) -> Measure:
    """A continuous scale that holds all values, with the usual ends where they fit."""
    low, high = next(
        (ends for ends in _USUAL_ENDS if ends[0] <= observed.low and observed.high <= ends[1]),
        (observed.low, observed.high),
    )
    return line(facet, low, high, compared_with=compared_with, ends_observed=True)


def measure_of(facet: str, observed: ObservedValues, level: Level | None = None) -> Measure:
    """The block that fits the values: named points, a row of numbers, or a line.

    level: nominal, ordinal or interval where that is known. ValueError where it does not fit.
    """
    if observed.labels or level == "nominal":
        labels = [*observed.labels, *(f"{number:g}" for number in sorted(observed.numbers))]
        return nominal(facet, sorted(labels))
    if level == "ordinal" or (observed.whole and len(observed.numbers) > 1):
        return points(facet, observed, level or "ordinal")
    return line_through(facet, observed)


def _check_count(number: int) -> None:
    if number < 2:
        raise ValueError("a scale needs two different values")
    if number > MOST_POINTS:
        raise ValueError(f"{number} different values, more than the {MOST_POINTS} of a scale")


def _likert(
    facet: str, level: Level, of_scale: list[dict[str, Any]], *, question: str = "", **options: Any
) -> Measure:
    criterion = {
        "key": facet,
        "question": question or _question(facet),
        "distance": level,
        "points": of_scale,
    }
    return Measure(_block(LIKERT, facet, {"criteria": [criterion], **options}), LIKERT, facet)


def _block(task_type: TaskType[Any, Any, Any], facet: str, options: dict[str, Any]) -> BlockPart:
    return BlockPart(task_type=task_type.slug, key=facet, options=options)


def _question(facet: str) -> str:
    return f"{facet.replace('_', ' ').capitalize()}?"
