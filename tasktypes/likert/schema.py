"""What a Likert question and its answer consist of."""

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from tasktypes.facets import FacetName
from tasktypes.pages.candidates import Candidate, Seed, check_candidates
from tasktypes.pages.criteria import Criterion, CriterionKey, check_distinct
from tasktypes.pages.point_lines import IN_LINE, MOST_POINTS, points_in
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import EVERYTHING, Parts, Surroundings
from tasktypes.texts.written import InSentences

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=80)]
PointValue = Number | Name

_ENDS = ("low", "high", "low_label", "high_label")


class Point(Schema):
    """One point of a scale."""

    value: PointValue
    """What is stored."""
    label: str = ""
    """What people read beside it."""
    definition: str = ""
    """What it means."""

    @property
    def text(self) -> str:
        """The value as it is posted and printed."""
        whole = isinstance(self.value, float) and self.value.is_integer()
        return str(int(self.value)) if whole else str(self.value)


class Scale(Criterion):
    """A criterion with the points to choose from, in order.

    A file may give `low` and `high`, whole numbers, with `low_label` and `high_label` in place of
    the points, or the points as one text, such as `1–5, very poor … very good`.
    """

    distance: Literal["nominal", "ordinal", "interval"] = "ordinal"
    """How far apart two points are; the points of a nominal criterion are names."""
    points: Annotated[
        tuple[Point, ...],
        Field(min_length=2, max_length=MOST_POINTS, json_schema_extra=IN_LINE),
    ]
    """What there is to choose from, from the lowest to the highest."""
    tolerance: Annotated[int, Field(strict=True, ge=0)] = 0
    """How many points beside the right one still count as right on a control question. A control
    is right where every criterion is, so 0 asks for the very point of each."""

    @model_validator(mode="before")
    @classmethod
    def _from_ends(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("points"), str):
            data = _from_line(data)
        if not isinstance(data, dict) or not data.keys() & set(_ENDS):
            return data
        if "points" in data:
            raise ValueError("points: given beside low and high; use one of them")
        rest = {key: value for key, value in data.items() if key not in _ENDS}
        return rest | {"points": _between_ends(data)}

    @model_validator(mode="after")
    def _fits_its_distance(self) -> Self:
        values = [point.value for point in self.points]
        if len(set(values)) < len(values):
            raise ValueError("points: a value occurs twice")
        if self.distance == "nominal":
            if not all(isinstance(value, str) for value in values):
                raise ValueError("points: those of a nominal criterion are names, not numbers")
            if self.tolerance:
                raise ValueError("tolerance: names have no neighbours")
        elif any(isinstance(value, str) for value in values):
            raise ValueError(f"points: those of an {self.distance} criterion are numbers")
        elif values != sorted(values, key=float):
            raise ValueError("points: the values do not ascend")
        return self

    @cached_property
    def values(self) -> tuple[PointValue, ...]:
        return tuple(point.value for point in self.points)

    def has_point(self, value: PointValue) -> bool:
        """Whether the value is one to choose from."""
        return value in self.values

    def spans(self, value: PointValue) -> bool:
        """The same for names; any number from the first point to the last."""
        ends = (self.values[0], self.values[-1])
        if isinstance(value, str) or isinstance(ends[0], str) or isinstance(ends[1], str):
            return self.has_point(value)
        return ends[0] <= value <= ends[1]

    def tolerates(self, value: PointValue, right: PointValue) -> bool:
        """Whether a value counts as right where another is."""
        return abs(self.nearest(value) - self.nearest(right)) <= self.tolerance

    def words(self, value: PointValue) -> str:
        """A value as people read it: the label of a name, a number with its label if it has one."""
        point = Point(value=value)
        if self.has_point(value):
            point = self.points[self.values.index(value)]
        if isinstance(value, str):
            return point.label or value
        return f"{point.text} ({point.label})" if point.label else point.text

    def nearest(self, value: PointValue) -> int:
        """The place of the point that is closest to the value, the lower one of two."""
        if isinstance(value, str):
            return self.values.index(value)
        away = [abs(value - point) for point in self.values if not isinstance(point, str)]
        return away.index(min(away))


class AskedScale(Scale):
    """A criterion as a study sets it."""

    compared_with: tuple[FacetName, ...] = ()
    """For judges: also compare their numbers with these facets of other blocks."""

    @model_validator(mode="after")
    def _has_numbers(self) -> Self:
        if self.compared_with and self.distance == "nominal":
            raise ValueError("compared_with: the points of a nominal criterion are names")
        if self.key in self.compared_with:
            raise ValueError("compared_with: a criterion is not compared with itself")
        return self

    @property
    def shown(self) -> Scale:
        """What of it is part of a question."""
        return Scale.model_validate(self.model_dump(exclude={"compared_with"}))


def _from_line(data: dict[str, Any]) -> dict[str, Any]:
    """With the points of a line; those without numbers are names unless something else is said."""
    points = points_in(data["points"])
    named = {"distance": "nominal"} if isinstance(points[0]["value"], str) else {}
    return named | data | {"points": points}


def _between_ends(ends: dict[str, Any]) -> list[dict[str, Any]]:
    low, high = ends.get("low"), ends.get("high")
    if type(low) is not int or type(high) is not int:
        raise ValueError("low: give low and high as whole numbers, or give points")
    if not 0 < high - low < MOST_POINTS:
        raise ValueError(f"low: not below high, or more than {MOST_POINTS} points apart")
    labels = {low: ends.get("low_label", ""), high: ends.get("high_label", "")}
    return [{"value": value, "label": labels.get(value, "")} for value in range(low, high + 1)]


QUALITY = AskedScale(
    key="quality",
    question="How good is this text?",
    points=(
        Point(value=1, label="Very poor"),
        Point(value=2),
        Point(value=3),
        Point(value=4),
        Point(value=5, label="Very good"),
    ),
)


class Options(Schema):
    """What a study may set."""

    criteria: Annotated[tuple[AskedScale, ...], Field(min_length=1)] = (QUALITY,)
    """One, `quality` from 1 to 5, or the study's own."""
    per_sentence: bool = False
    """Ask one question per sentence."""
    together: bool = False
    """Show all systems' outputs of a document on one page."""
    shows: Parts = EVERYTHING
    """The parts of the source to show."""
    seed: Seed = 0
    """Of the order of several items."""

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        if self.per_sentence and self.together:
            raise ValueError("per_sentence: not together with several items")
        return self


class Payload(InSentences, Surroundings):
    """The criteria, and one text as a whole, its sentences, or several texts side by side."""

    criteria: Annotated[tuple[Scale, ...], Field(min_length=1)]
    per_sentence: bool
    sentences: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        check_candidates(self.candidates)
        if bool(self.sentences) == bool(self.candidates):
            raise ValueError("sentences: either sentences or candidates are asked about")
        if self.per_sentence and self.candidates:
            raise ValueError("per_sentence: not together with several items")
        return self

    @property
    def whole(self) -> bool:
        """Whether one value per criterion is asked for, rather than a list."""
        return not self.per_sentence and not self.candidates

    @property
    def size(self) -> int:
        """How many values each criterion takes."""
        if self.candidates:
            return len(self.candidates)
        return len(self.sentences) if self.per_sentence else 1


class Answer(Schema):
    """A point per criterion: one value, or a list with one per sentence or item of the unit."""

    scores: dict[CriterionKey, PointValue | tuple[PointValue, ...]]

    def of(self, key: str) -> tuple[PointValue, ...]:
        """The values of a criterion as a list, whatever its length."""
        values = self.scores[key]
        return values if isinstance(values, tuple) else (values,)
