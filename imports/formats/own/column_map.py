"""The column map of a table of ratings, from the file given as `--columns`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from files.columns.names import RATINGS, customary
from files.errors import ImportFailure
from files.readers.tables import require_columns
from files.readers.yaml_texts import read_yaml_file
from files.reading.model import ANY, AnswersReading, Axis, ColumnReading, Holds
from imports.formats.scales import Level, Measure, between, nominal
from imports.study_file.parts import StudyFilePart
from tasktypes.texts.material import Text

# A column without a criterion, or {criterion: column}.
Columns = Text | Annotated[dict[str, Text], Field(min_length=1)]

OPTIONAL = ("system", "criterion", "kind", "text", "claim", "document", "query")
# A row that says nothing there is nobody's, or nothing's.
_REQUIRED = (Holds.SYSTEM, Holds.KIND)
LONG = ("rater", "rating", "criterion", "kind")


class ScaleEntry(StudyFilePart):
    """What the map says of a criterion's scale: names, or the two ends of a row or a line."""

    labels: Annotated[tuple[Text, ...] | None, Field(min_length=2)] = None
    low: float | None = None
    high: float | None = None
    level: Level | None = None

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        if self.labels is not None:
            if (self.low, self.high) != (None, None) or self.level not in (None, "nominal"):
                raise ValueError("labels: given beside ends or another level")
        elif self.low is None or self.high is None or self.level == "nominal":
            raise ValueError("low: a scale of numbers needs low and high, a nominal one labels")
        elif self.low >= self.high:
            raise ValueError("low: not below high")
        return self

    def measure(self, facet: str) -> Measure:
        """The block of this scale; ValueError where it has too many points."""
        if self.labels is not None:
            return nominal(facet, self.labels)
        assert self.low is not None
        assert self.high is not None
        return between(facet, self.low, self.high, self.level)


class ColumnMap(StudyFilePart):
    """The columns by what they hold. Long tables have one rating per row; wide ones name the
    columns of each rater and of each metric."""

    item: str = ""
    system: str = ""
    rater: str = ""
    rating: str = ""
    criterion: str = ""
    kind: str = ""
    text: str = ""
    claim: str = ""
    document: str = ""
    query: str = ""
    raters: dict[Text, Columns] = {}
    metrics: dict[Text, Columns] = {}
    # Of the judges' models, by the judge's name.
    families: dict[Text, Text] = {}
    facet: Text = "rating"
    scales: dict[Text, ScaleEntry] = {}

    @model_validator(mode="after")
    def _long_or_wide(self) -> Self:
        if self.wide:
            for name in LONG:
                if getattr(self, name):
                    raise ValueError(f"{name}: given beside raters or metrics; use one of them")
        both = self.raters.keys() & self.metrics.keys()
        if both:
            raise ValueError(f"metrics.{min(both)}: also among the raters")
        return self

    @property
    def wide(self) -> bool:
        return bool(self.raters or self.metrics)

    def read(self) -> list[ColumnReading]:
        """What each column holds that the map names. Where no system is told, the item is the
        output."""
        single = (
            (self.item, Holds.SOURCE if self.system else Holds.OUTPUT),
            (self.system, Holds.SYSTEM),
            (self.text, Holds.TEXT),
            (self.claim, Holds.CLAIM),
            (self.document, Holds.DOCUMENT),
            (self.query, Holds.QUERY),
            (self.rater, Holds.RATER),
            (self.kind, Holds.KIND),
            (self.criterion, Holds.CRITERION),
            (self.rating, Holds.ANSWER),
        )
        named = [
            ColumnReading(column=column, holds=holds, required=holds in _REQUIRED)
            for column, holds in single
            if column
        ]
        people, judges = _of_raters("human", self.raters), _of_raters("judge", self.metrics)
        return [*named, *people, *judges]

    def answers(self) -> tuple[AnswersReading, ...]:
        """How ratings are read: numbers, which find their scale later, or labels as stated."""
        labelled = {
            name: {label: label for label in scale.labels}
            for name, scale in self.scales.items()
            if scale.labels is not None
        }
        if self.facet in labelled:
            labelled[""] = labelled[self.facet]
        of_labels = [AnswersReading(criterion=name, words=of) for name, of in labelled.items()]
        return (*of_labels, AnswersReading(criterion=ANY, numeric=True))

    def named_columns(self) -> list[str]:
        """Every column that the map names."""
        return [column.column for column in self.read()]


def _of_raters(
    kind: Literal["human", "judge"], named: Mapping[str, Columns]
) -> Iterator[ColumnReading]:
    for rater, entry in named.items():
        for criterion, column in ({"": entry} if isinstance(entry, str) else entry).items():
            at = {Axis.RATER: rater, Axis.CRITERION: criterion}
            yield ColumnReading(column=column, holds=Holds.ANSWER, at=at, kind=kind)


def read_column_map(path: Path | None) -> ColumnMap:
    """The map in a file; an empty one where there is none."""
    if path is None:
        return ColumnMap()
    try:
        return ColumnMap.model_validate(read_yaml_file(path))
    except ValidationError as error:
        raise ImportFailure.of(str(path), error) from error


def filled_map(column_map: ColumnMap, table: Path, names: Sequence[str]) -> ColumnMap:
    """The map of a table with columns of these names, its gaps filled with the customary ones;
    ImportFailure where a column that it names, or that is needed, is not in the table."""
    require_columns(table, names, column_map.named_columns())
    filled: dict[str, Any] = {}
    for role, wanted in RATINGS.items():
        if getattr(column_map, role) or (column_map.wide and role in LONG):
            continue
        filled[role] = customary(names, wanted)
        if not filled[role] and role not in OPTIONAL:
            require_columns(table, names, wanted[:1])
    return column_map.model_copy(update=filled)
