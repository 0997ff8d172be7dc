"""Questions laid out in a spreadsheet: the optional part of the contract of a task type.

A type whose answers fit into cells derives from `InSheets`, too. Nothing else asks which types
do: whoever writes or reads spreadsheets goes by `isinstance`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tasktypes.pages.criteria import Criterion
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import Surroundings, turns_text

P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)


@dataclass(frozen=True)
class SheetCell:
    """A cell to fill in. `key` names it within its question, `column` stands above it, and
    `choices` are what may be entered, in the words that people read."""

    key: str
    column: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A line of a table: what there is to read, by column, and the cells to fill in.

    `part` tells the rows of one question apart; empty where it has a single one.
    """

    texts: Mapping[str, str]
    cells: tuple[SheetCell, ...]
    part: str = ""


@dataclass(frozen=True)
class Table:
    """The part of a question that goes onto one worksheet. Questions of a block share their
    tables by `name`; `about` says line by line what is asked."""

    name: str
    about: tuple[str, ...]
    rows: tuple[Row, ...]


class CellError(ValueError):
    """What is wrong with one cell: its key, and the reason in plain words."""

    def __init__(self, key: str, reason: str) -> None:
        self.key, self.reason = key, reason
        super().__init__(f"{key}: {reason}")


class InSheets(ABC, Generic[P, A]):
    """A task type whose questions can be answered in a spreadsheet."""

    @abstractmethod
    def sheet(self, payload: P) -> tuple[Table, ...]:
        """The question as tables; no key of a cell occurs twice, and nothing names a system."""

    @abstractmethod
    def from_sheet(self, payload: P, cells: Mapping[str, str]) -> A:
        """The answer that the cells hold, by their keys, as text, "" where one is empty.

        CellError where a cell is empty or holds what it does not offer.
        """


def surrounding_texts(payload: Surroundings) -> dict[str, str]:
    """What is shown around the texts in question, by column."""
    passages = "\n".join(f"[{passage.index}] {passage.text}" for passage in payload.passages)
    return {
        "Claim": payload.claim,
        "Verdict": payload.verdict,
        "Query": payload.query,
        "Document": "\n\n".join(filter(None, (payload.document, turns_text(payload.turns)))),
        "Evidence": passages,
    }


def distinct_names(criteria: Sequence[Criterion]) -> dict[str, str]:
    """What people read for each criterion's key; with the key where two have the same name."""
    names = [criterion.name for criterion in criteria]
    return {
        criterion.key: criterion.name
        if names.count(criterion.name) == 1
        else f"{criterion.name} ({criterion.key})"
        for criterion in criteria
    }


def asked(criterion: Criterion) -> tuple[str, ...]:
    """The lines that say what a criterion asks for."""
    example = f"For example: {criterion.example}" if criterion.example else ""
    return tuple(filter(None, (criterion.question, criterion.definition, example)))
