"""The reading of files as a value: printed, edited, sent and kept as JSON or YAML."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tasktypes.schemas import DESCRIBED

Text = Annotated[str, Field(min_length=1)]
Level = Literal["nominal", "ordinal", "interval"]
Repeated = Literal["first", "last", "none", "all", "refused"]
# In place of a criterion: every one.
ANY = "*"


class Axis(StrEnum):
    """What tells one answer from another."""

    SOURCE = "source"  # what outputs were made from
    OUTPUT = "output"  # one of a source's outputs
    SYSTEM = "system"
    RATER = "rater"
    CRITERION = "criterion"
    # The place within a row: of the first and second text of a pair, of numbered columns.
    POSITION = "position"


class Holds(StrEnum):
    """What the cells of a column are."""

    SOURCE = "source"  # its key; several such columns make one key
    OUTPUT = "output"  # its key within the study; several make one key
    SYSTEM = "system"
    SYSTEM_FAMILY = "system_family"
    EVIDENCE_SOURCE = "evidence_source"  # whose evidence the output rests on
    CONDITION = "condition"  # what else groups outputs
    RATER = "rater"
    KIND = "kind"  # whether the rater is a person or a judge
    CRITERION = "criterion"
    POSITION = "position"
    DOCUMENT = "document"
    CLAIM = "claim"
    QUERY = "query"
    VERDICT = "verdict"  # the label that the claim was given
    PASSAGES = "passages"
    TEXT = "text"  # of the output
    PART = "part"  # the statement or question about the output that an answer belongs to
    ANSWER = "answer"
    REASON = "reason"  # what the rater said about the answer
    REFERENCE = "reference"  # the right answer
    KEPT = "kept"  # an own column, which stays with what it describes
    PERSONAL = "personal"  # identifies a person, and is left out
    LEFT_OUT = "left out"


# Texts that a worker or a judge may read.
MATERIAL = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES, Holds.TEXT, Holds.PART)
# What results may be grouped by, as the keys of a study call it.
GROUPED = {"source": "source", "output": "item", "unit": "unit", "rater": "rater"}
MOST_GROUPED = 5
# Those that tell what outputs are about.
ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY)
# Those among them that models can write texts about.
ASKING = (Holds.CLAIM, Holds.QUERY)
# What is told of an output beside its system.
OF_SYSTEMS = (Holds.SYSTEM_FAMILY, Holds.EVIDENCE_SOURCE, Holds.CONDITION)
_OF_OUTPUTS = (Holds.TEXT, Holds.OUTPUT, Holds.SYSTEM, Holds.PART)


class ReadingPart(BaseModel):
    """Base of all parts of a reading: frozen, strict about unknown keys. What YAML reads as a
    number may be a name."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        str_strip_whitespace=True,
        use_attribute_docstrings=DESCRIBED,
        coerce_numbers_to_str=True,
    )


class ColumnReading(ReadingPart):
    """What one column holds."""

    column: Text
    """Its name in the file. The members of nested JSON are joined by points and numbered from 1:
    `fluency.3.1`."""
    holds: Holds
    at: Mapping[Axis, str] = {}
    """What its name says of each of its cells, such as the rater and the criterion. Columns of one
    row with the same place belong together."""
    split: str = ""
    """A mark between several values in a cell, the first of which is at the first position."""
    of: Literal["", "source", "output", "unit", "answer", "rater"] = ""
    """What an own column describes."""
    named: str = ""
    """What the study calls an own column, where another name than its own is wanted."""
    groups: bool = False
    """Whether results are grouped by an own column, of anything but single answers."""
    kind: Literal["", "human", "judge"] = ""
    """Who the rater is that the column's name stands for."""
    tag: str = ""
    """What stands around marked parts of a text, and is taken out of it: `v` of `<v>…</v>`."""
    required: bool = False
    """Whether a row in which it is empty is left out and listed."""
    blank: tuple[str, ...] = ()
    """Cells that stand for nothing, such as the padding of numbered columns: what is at their
    place in the row is passed over, answers too."""

    @property
    def may_group(self) -> bool:
        """Whether results can be grouped by it."""
        return self.holds is Holds.KEPT and self.of in GROUPED

    @property
    def own_name(self) -> str:
        """The name of an own column in the study, without the number of its place: of `length_3`
        length."""
        name, place = self.named or self.column, self.at.get(Axis.POSITION, "")
        bare = name.removesuffix(place).rstrip("_.- ") if place else name
        return bare or name

    @model_validator(mode="after")
    def _groups_by_what_is_kept(self) -> Self:
        if self.groups and not self.may_group:
            told = f"an own column, of a {', '.join(GROUPED)}"
            raise ValueError(f"groups: results are grouped by what is kept: {told}")
        return self


class NameReading(ReadingPart):
    """What the names of files, folders or sheets say, such as the annotator."""

    of: Literal["file", "folder", "sheet"]
    says: Axis
    pattern: Text
    """A regular expression; its only group is what the name says."""


class Join(ReadingPart):
    """How the rows of a table find those of the first one."""

    by: Literal["key", "order", "text"]
    columns: tuple[tuple[Text, Text], ...] = ()
    """(column of the first table, column of this one); none where rows are in the same order."""

    @model_validator(mode="after")
    def _has_columns(self) -> Self:
        if (self.by == "order") is bool(self.columns):
            raise ValueError("columns: needed by key or text, and by these alone")
        return self


class TableReading(ReadingPart):
    """How files with the same columns are read."""

    files: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Their names, within an archive or a folder with the path there; `*` stands for any part of a
    name. A sheet of a workbook is FILE#SHEET."""
    columns: Annotated[tuple[ColumnReading, ...], Field(min_length=1)]
    names: tuple[NameReading, ...] = ()
    join: Join | None = None
    """Of a table whose rows add to those of the first table; otherwise its rows are rows of their
    own."""
    header_rows: Annotated[int, Field(ge=1, le=10)] = 1
    """How many rows name the columns."""
    left_out: Mapping[Text, tuple[str, ...]] = {}
    """Rows that are no data: column -> the values that such rows have there."""
    numbered_raters: bool = False
    """Rows name no rater: those of one unit are numbered."""
    kind: Literal["human", "judge"] = "human"
    """Who raters are of whom nothing else tells it."""


class AnswersReading(ReadingPart):
    """What the answers to one criterion are."""

    criterion: str
    """As columns, cells or names have it; empty where there is one alone, without a name; `*` for
    every one that is not among the others."""
    title: str = ""
    """What the study calls it; its question, where that is a sentence."""
    form: Literal["scale", "choice", "set", "marks"] = "scale"
    """A value on a scale; the better of a pair; the accepted ones of several positions; marks on
    an output (a row for each), of which the number counts, or the sum of their weights."""
    level: Level | None = None
    """Of a scale."""
    words: Mapping[str, float | str | None] = {}
    """What a cell says -> the value that it means, null where it is no answer. Of a choice: a
    position, or `tie`."""
    numeric: bool = False
    """Whether a cell of a scale has to hold a number, and no label, where nothing else says so."""
    low: float | None = None
    high: float | None = None
    """Ends of a scale of numbers. Values beyond them are listed, and left out."""
    names_system: bool = False
    """Whether a choice is told by the name of the system, and not by the position."""
    separator: str = ""
    """Between the members of a set."""
    decimal_comma: bool = False
    """Whether numbers have a comma where others have a point."""


class Reading(ReadingPart):
    """How files are read, wherever it was edited."""

    tables: Annotated[tuple[TableReading, ...], Field(min_length=1)]
    answers: tuple[AnswersReading, ...] = ()
    """By criterion, in the order in which they are asked; none: the files have texts alone."""
    repeated: Repeated = "first"
    """Which of a rater's answers to one question counts; `all` keeps them as replicates. `refused`:
    the files are refused where two of them differ, or two texts of one name."""
    systems: Mapping[str, Text] = {}
    """Spelling of a system -> its name."""
    judges: tuple[str, ...] = ()
    """Raters that are machines."""

    def answers_of(self, criterion: str) -> AnswersReading | None:
        """How answers to that criterion are read."""
        found = {each.criterion: each for each in self.answers}
        return found.get(criterion) or found.get(ANY)

    @property
    def group_by(self) -> list[str]:
        """The own columns that results are to be grouped by, as the keys of a study call them."""
        marked = (c for table in self.tables for c in table.columns if c.groups)
        return [*dict.fromkeys(f"{GROUPED[c.of]}.{c.own_name}" for c in marked)]

    @model_validator(mode="after")
    def _groups_by_few(self) -> Self:
        if len(self.group_by) > MOST_GROUPED:
            raise ValueError(f"groups: results are grouped by at most {MOST_GROUPED} own columns")
        return self

    @property
    def are_sources(self) -> bool:
        """Whether claims or queries stand alone, and texts about them are still to be written."""
        held = {column.holds for table in self.tables for column in table.columns}
        return not self.answers and bool(held & {*ASKING}) and not held & {*_OF_OUTPUTS}

    @property
    def refuses_other_texts(self) -> bool:
        """Whether an output's name stands for one text, as its columns have it."""
        return self.repeated == "refused" and not self.answers

    def holding(self, *holds: Holds) -> list[str]:
        """The columns that hold one of these."""
        columns = (column for table in self.tables for column in table.columns)
        return list(dict.fromkeys(c.column for c in columns if c.holds in holds))

    @cached_property
    def has_texts(self) -> bool:
        """Whether some column holds outputs."""
        return any(c.holds is Holds.TEXT for table in self.tables for c in table.columns)
