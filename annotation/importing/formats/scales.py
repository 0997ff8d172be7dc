"""The scale that imported ratings lie on, and the block of a study that asks for such ratings."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from annotation.importing.errors import ImportFailure
from annotation.importing.study_file.schema import BlockPart
from tasktypes.contract import Schema, TaskType
from tasktypes.likert import LIKERT
from tasktypes.slider import SLIDER

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
RatingGiven = float | str

# More points than these are a line to point at, not a row of buttons.
MOST_POINTS = 21
_LONGEST_FACET = 40
# The part of a line at whose foot all scores of a machine on another scale may lie.
_FOOT = 0.1
# Scores of machines usually lie within these; the ends of any other scale are what occurs.
_USUAL_ENDS = ((0.0, 1.0), (0.0, 100.0))


@dataclass
class Seen:
    """What occurs among the ratings by one criterion: distinct values as far as they are few."""

    labels: dict[str, None] = field(default_factory=dict)
    numbers: set[float] = field(default_factory=set)
    low: float = float("inf")
    high: float = float("-inf")

    def add(self, value: RatingGiven) -> None:
        if isinstance(value, str):
            self.labels[value] = None
            return
        self.low, self.high = min(self.low, value), max(self.high, value)
        if len(self.numbers) <= MOST_POINTS:
            self.numbers.add(value)

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

    stated: somebody said which scale it is; else it is what was found to hold the ratings.
    """

    block: BlockPart
    task_type: TaskType[Any, Any, Any]
    facet: str
    stated: bool = False

    def answer(self, value: RatingGiven) -> dict[str, Any]:
        if self.task_type is SLIDER:
            return {"value": value}
        return {"scores": {self.facet: value}}

    def takes(self, seen: "Seen") -> bool:
        """Whether all these numbers are on the scale, as far as can be told.

        Numbers that all lie at the foot of a line whose ends nobody stated are on another one,
        such as 0 to 1 beside 0 to 100.
        """
        options: Schema = self.task_type.Options.model_validate(self.block.options)
        (facet,) = self.task_type.facets(options)
        if facet.low is None or facet.high is None:
            return False
        if facet.low > seen.low or seen.high > facet.high:
            return False
        if self.task_type is not SLIDER:
            return seen.whole
        return self.stated or seen.high > facet.low + _FOOT * (facet.high - facet.low)


def facet_name(where: str, given: str) -> str:
    """The facet of a criterion as a file names it: small letters, digits, underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", given.lower()).strip("_")
    if not re.match("[a-z]", name) or len(name) > _LONGEST_FACET:
        raise ImportFailure(where, "criterion", f"{given[:60]!r} makes no name for a facet")
    return name


def nominal(facet: str, labels: Sequence[str], **options: Any) -> Measure:
    """Named points; ValueError where there are fewer than two or too many."""
    _check_count(len(labels))
    return _likert(facet, "nominal", [{"value": label} for label in labels], **options)


def points(facet: str, seen: Seen, level: Level) -> Measure:
    """A row of numbers: those from the lowest to the highest where they are whole, else those
    that occur; ValueError where they are too many."""
    if seen.whole:
        numbers: Collection[float] = range(int(seen.low), int(seen.high) + 1)
    else:
        numbers = sorted(seen.numbers)
    _check_count(len(numbers))
    return _likert(facet, level, [{"value": number} for number in numbers])


def line(facet: str, low: float, high: float, *, compared_with: Sequence[str] = ()) -> Measure:
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
    }
    return Measure(_block(SLIDER, facet, options), SLIDER, facet)


def line_through(facet: str, seen: Seen, *, compared_with: Sequence[str] = ()) -> Measure:
    """A continuous scale that holds all that was seen, with the usual ends where they fit."""
    low, high = next(
        (ends for ends in _USUAL_ENDS if ends[0] <= seen.low and seen.high <= ends[1]),
        (seen.low, seen.high),
    )
    return line(facet, low, high, compared_with=compared_with)


def measure_of(facet: str, seen: Seen, level: Level | None = None) -> Measure:
    """The block that fits what was seen: named points, a row of numbers, or a line.

    level: nominal, ordinal or interval where that is known. ValueError where it does not fit.
    """
    if seen.labels or level == "nominal":
        labels = [*seen.labels, *(f"{number:g}" for number in sorted(seen.numbers))]
        return nominal(facet, sorted(labels))
    if level == "ordinal" or (seen.whole and len(seen.numbers) > 1):
        return points(facet, seen, level or "ordinal")
    return line_through(facet, seen)


def _check_count(number: int) -> None:
    if number < 2:
        raise ValueError("a scale needs two different values")
    if number > MOST_POINTS:
        raise ValueError(f"{number} different values, more than the {MOST_POINTS} of a scale")


def _likert(facet: str, level: Level, of_scale: list[dict[str, Any]], **options: Any) -> Measure:
    criterion = {
        "key": facet,
        "question": _question(facet),
        "distance": level,
        "points": of_scale,
    }
    return Measure(_block(LIKERT, facet, {"criteria": [criterion], **options}), LIKERT, facet)


def _block(task_type: TaskType[Any, Any, Any], facet: str, options: dict[str, Any]) -> BlockPart:
    return BlockPart(task_type=task_type.slug, key=facet, options=options)


def _question(facet: str) -> str:
    return f"{facet.replace('_', ' ').capitalize()}?"
