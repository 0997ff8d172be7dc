"""The texts that questions are about, as plain values.

These schemas are what a record of a file is checked against, and what a task type
builds its payloads from. They know nothing of the database.
"""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tasktypes.schemas import DESCRIBED
from tasktypes.texts.written import (
    Lines,
    Space,
    as_written,
    is_empty,
    offsets,
    remaining,
    spaces_of,
)

Text = Annotated[str, Field(min_length=1)]
Key = Annotated[str, Field(min_length=1, max_length=200)]
Name = Annotated[str, Field(max_length=200)]
Index = Annotated[int, Field(ge=0)]

# Stands in questions for a text that an imported file does not contain.
NO_TEXT = "(The text is not in the imported file.)"


def is_none(value: object) -> bool:
    """Whether a field holds nothing, and is left out of what is stored."""
    return value is None


def is_known(text: str) -> bool:
    """Whether there is a text: neither nothing nor what stands for a missing one."""
    return bool(text.strip()) and text != NO_TEXT


class Material(BaseModel):
    """Base of all records: frozen, and strict about unknown fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, use_attribute_docstrings=DESCRIBED
    )


class Passage(Material):
    """One numbered piece of evidence."""

    index: Index
    """Its number."""
    text: Annotated[Lines, Field(min_length=1)]
    """Its words."""
    selected: bool = False
    """The explanation was to be based on it."""


class ToolCall(Material):
    """A tool that a turn of a conversation calls. arguments: as they were passed, as text."""

    name: Text
    arguments: str = ""


class Turn(Material):
    """One turn of a conversation."""

    role: Annotated[str, Field(min_length=1, max_length=80)]
    """Who speaks, such as `user`, `assistant`, `system` or `tool`."""
    text: Lines = ""
    """What is said; a turn needs text or calls."""
    name: Name = ""
    """Of the tool or the speaker, where the role does not tell."""
    calls: tuple[ToolCall, ...] = ()
    """The tools that are called, each with `name` and `arguments`."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.text or self.calls):
            raise ValueError("text: missing (a turn needs text or calls)")
        return self

    @property
    def speaker(self) -> str:
        """The role, and the name where there is one."""
        return f"{self.role} {self.name}" if self.name else self.role

    @property
    def words(self) -> str:
        """The text; of a turn that only calls tools, the calls."""
        return self.text or "; ".join(f"{call.name}({call.arguments})" for call in self.calls)


class Nugget(Material):
    """One fact that a good answer to a query holds."""

    text: Text
    vital: bool


class Source(Material):
    """The input that outputs are about: a claim with its evidence, a document, or a query."""

    key: Key
    """Its name, once in a study."""
    claim: Lines = ""
    """What is checked; a source needs a claim, a document or a query."""
    verdict: Name = ""
    """The label of the claim's verdict."""
    passages: tuple[Passage, ...] = ()
    """Numbered evidence."""
    chains: tuple[tuple[Index, ...], ...] = ()
    """The human evidence chains, each a list of passage numbers."""
    document: Lines = ""
    """A text that outputs are about."""
    query: Lines = ""
    """A question that outputs answer."""
    nuggets: tuple[Nugget, ...] = ()
    """Facts that a good answer to the query holds, each with `text` and `vital`."""
    # Absent where there are none, so that records without conversations are what they always were.
    turns: Annotated[tuple[Turn, ...], Field(exclude_if=is_empty)] = ()
    """A conversation, turn by turn, each with `role` and `text` or `calls`; in place of a claim, a
    document or a query, or beside them."""

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if not (self.claim or self.document or self.query or self.turns):
            raise ValueError("claim: missing (a source needs a claim, a document or a query)")
        indices = [passage.index for passage in self.passages]
        if len(set(indices)) < len(indices):
            raise ValueError("passages: an index occurs twice")
        return self

    @property
    def passage_indices(self) -> frozenset[int]:
        return frozenset(passage.index for passage in self.passages)

    def passage(self, index: int) -> Passage:
        """The passage of that index; KeyError where there is none."""
        for passage in self.passages:
            if passage.index == index:
                return passage
        raise KeyError(index)


class Sentence(Material):
    """One sentence with the passage indices that it was read to cite (none: empty)."""

    text: Text
    citations: tuple[Index, ...] = ()
    turn: Annotated[Index | None, Field(exclude_if=is_none)] = None
    """The turn of the source's conversation that the text is, counted from 0."""
    before: Annotated[Space | None, Field(exclude_if=is_none)] = None
    """The white space that parts it from the sentence before, where it is not one space."""


class Item(Material):
    """One output for a source: by which system, from which evidence, under which condition."""

    key: Key
    system: Name = ""
    system_family: Name = ""
    evidence_source: Name = ""
    condition: Name = ""
    perturbed_from: Name = ""
    sentences: Annotated[tuple[Sentence, ...], Field(min_length=1)]

    @property
    def cited(self) -> tuple[int, ...]:
        """Every index that some sentence cites, ascending, each once."""
        return tuple(sorted({k for sentence in self.sentences for k in sentence.citations}))

    @property
    def text(self) -> str:
        """The whole text as it was written."""
        return as_written(self._texts, self._spaces)

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Where each sentence begins and ends in that text."""
        return offsets(self._texts, self._spaces)

    @property
    def _texts(self) -> tuple[str, ...]:
        return tuple(sentence.text for sentence in self.sentences)

    @property
    def _spaces(self) -> tuple[str, ...]:
        return spaces_of([sentence.before for sentence in self.sentences])

    def remaining(self, blanked: Collection[int] = ()) -> tuple[tuple[int, Sentence], ...]:
        """The sentences with their numbers, less those that are left out."""
        before = [sentence.before for sentence in self.sentences]
        return tuple(
            (number, self.sentences[number].model_copy(update={"before": gap}))
            for number, gap in remaining(before, blanked.__contains__)
        )

    def shown(self, blanked: Collection[int] = ()) -> dict[str, Any]:
        """The fields of a payload `InSentences`, less the sentences that are left out."""
        kept = [sentence for _, sentence in self.remaining(blanked)]
        return {
            "sentences": tuple(sentence.text for sentence in kept),
            "spaces": spaces_of([sentence.before for sentence in kept]),
        }


def only_item(items: Sequence[Item], what: str) -> Item:
    """The one item that a question is about; ValueError('items: reason') where there are others."""
    if len(items) != 1:
        raise ValueError(f"items: {what} is about one item, not {len(items)}")
    return items[0]
