"""The columns of a table of items: which of them holds what."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from files.columns.names import OUTPUTS, customary
from files.errors import ImportFailure, OpenQuestion
from files.readers.tables import require_columns
from files.reading.model import ABOUT, ColumnReading, Holds
from imports.study_file.keys import read_keys
from imports.study_file.parts import StudyFilePart, Text


class ItemColumns(StudyFilePart):
    """The columns of a table of items, by what they hold. What is not named is looked for under
    its customary name.
    """

    source: str = ""
    """The name of what an output is about; without it, rows with one document, claim and query are
    about one source."""
    item: str = ""
    """The name of the output; without it the source's with the system, or with a number."""
    system: str = ""
    """Who wrote it."""
    text: str = ""
    """The output."""
    document: str = ""
    """A text that outputs are about."""
    claim: str = ""
    """What is checked."""
    query: str = ""
    """A question that outputs answer."""
    verdict: str = ""
    """The label of the claim's verdict."""
    passages: str | Annotated[tuple[Text, ...], Field(min_length=1)] = ""
    """Numbered evidence: a column with a JSON list or with lines, or a list of columns."""
    reference: str = ""
    """The right answer: a value, or an answer as JSON."""
    system_family: str = ""
    """Of the system."""
    evidence_source: str = ""
    """Whose evidence the output rests on."""
    condition: str = ""
    """What else groups it."""
    delimiter: Literal["", ",", ";", "\t", "|"] = ""
    """Of the file, where the detected one is wrong."""
    encoding: str = ""
    """The same."""

    @model_validator(mode="after")
    def _each_column_once(self) -> Self:
        named: dict[str, str] = {}
        for role, column in self.named():
            if column in named and {role, named[column]} not in _SHARED:
                raise ValueError(f"{role}: {column!r} is the column of {named[column]} already")
            named[column] = role
        return self

    @property
    def passage_columns(self) -> tuple[str, ...]:
        """The columns that hold passages."""
        if isinstance(self.passages, tuple):
            return self.passages
        return (self.passages,) if self.passages else ()

    def named(self) -> list[tuple[str, str]]:
        """(role, column) of every column that is named."""
        roles = [name for name in type(self).model_fields if name not in _OF_THE_FILE]
        single = [(role, getattr(self, role)) for role in roles if role != "passages"]
        passages = [("passages", column) for column in self.passage_columns]
        return [(role, column) for role, column in [*single, *passages] if column]

    def readings(self) -> list[ColumnReading]:
        """The same as a reading has it."""
        return [ColumnReading(column=column, holds=_HELD[role]) for role, column in self.named()]


_OF_THE_FILE = ("delimiter", "encoding")
_HELD: Mapping[str, Holds] = {"item": Holds.OUTPUT, **{holds.value: holds for holds in Holds}}
# A short text may be its own name.
_SHARED = ({"source", "claim"}, {"source", "query"}, {"item", "text"}, {"source", "document"})


def filled_columns(columns: ItemColumns, names: Collection[str], table: Path) -> ItemColumns:
    """The map with its gaps filled by the customary names; ImportFailure where a column that it
    names is not in the table, or nothing tells the output or what it is about."""
    require_columns(table, names, [column for _, column in columns.named()])
    taken = {column for _, column in columns.named()}
    several = [name for name in names if name in OUTPUTS["text"] and name not in taken]
    if not columns.text and len(several) > 1:
        listed = ", ".join(several)
        reason = f"which of these columns holds the outputs? {listed}"
        how = "name it as text in the map of columns"
        raise OpenQuestion(f"{table}:1", "columns.text", f"{reason} ({how})")
    free = [name for name in names if name not in taken]
    found = {role: customary(free, wanted) for role, wanted in OUTPUTS.items()}
    found = {role: column for role, column in found.items() if not getattr(columns, role)}
    complete = columns.model_copy(update=found)
    existing = ", ".join(names)
    if not complete.text:
        reason = f"no column is named that holds the outputs (the file has: {existing})"
        raise ImportFailure(f"{table}:1", "columns.text", reason)
    if not any(getattr(complete, role) for role in ABOUT):
        reason = (
            "no column is named that holds what the outputs are about: document, claim or query "
            f"(the file has: {existing})"
        )
        raise ImportFailure(f"{table}:1", "columns.document", reason)
    return complete


def said_columns(names: Collection[str], of_file: Mapping[str, Any]) -> dict[str, Holds]:
    """What columns hold that are known to be of outputs: by the `columns` of a study file, as far
    as they are there, and else by their customary names."""
    found = {role: customary(names, wanted, _plain) for role, wanted in OUTPUTS.items()}
    if sum(_plain(name) in OUTPUTS["text"] for name in names) > 1:
        del found["text"]
    said = {role: [named] if isinstance(named, str) else named for role, named in of_file.items()}
    kept = {role: columns for role, columns in said.items() if {*columns} <= {*names}}
    columns = {role: [column] for role, column in found.items() if column} | kept
    wanted = set(said.get("passages") or OUTPUTS["passages"])
    if members := [name for name in names if _MEMBER.sub("", name) in wanted]:
        columns["passages"] = members
    return {name: _HELD[role] for role in columns if role in _HELD for name in columns[role]}


# What stands behind the name of a list whose members are columns.
_MEMBER = re.compile(r"\.\d+$")


def _plain(name: str) -> str:
    return name.strip().lower()


# What tells two columns of one row apart.
_SIDES = (("a", "b"), ("1", "2"), ("0", "1"), ("first", "second"), ("left", "right"))


def refuse_second_text(column: str, names: Collection[str], table: Path) -> None:
    """OpenQuestion where the texts to compare stand side by side in one row: rows of one source
    would be compared instead."""
    known = {name.lower(): name for name in names}
    for side, other in (*_SIDES, *((other, side) for side, other in _SIDES)):
        before = "[0-9]" if side.isdigit() else "[a-z0-9]"
        renamed = re.sub(rf"(?<!{before}){side}(?![a-z0-9])", other, column.lower())
        second = known.get(renamed, column)
        if second != column:
            reason = (
                f"{column} and {second} stand in one row, and rows are not read as pairs: write "
                "each text in a row of its own, with one source for the two, and its system"
            )
            raise OpenQuestion(f"{table}:1", "columns.text", reason)


def read_item_columns(path: Path | None) -> ItemColumns:
    """The map in a YAML file; ImportFailure where it is none."""
    if path is None:
        return ItemColumns()
    try:
        return ItemColumns.model_validate(read_keys(path))
    except ValidationError as error:
        raise ImportFailure.of(str(path), error) from error
