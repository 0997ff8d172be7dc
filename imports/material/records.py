"""Our own records, one per line, and the entries that every format produces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from annotation.models import Unit
from files.errors import ImportFailure
from files.findings import Findings
from imports.material.fields import FiniteJson, JsonObject, UnitKey
from imports.material.metadata import Metadata, RecordedMetadata
from imports.study_file.schema import StudyRecord
from tasktypes.texts.citations import cited
from tasktypes.texts.material import Index, Item, Key, Material, Name, Sentence, Source, Text, Turn
from tasktypes.texts.sentences import cut, located
from tasktypes.texts.written import Space

SubsetName = Annotated[str, Field(min_length=1, max_length=80)]


@dataclass(frozen=True)
class UnitSpec:
    """A unit to create. `payload` and `reference`: (value,) where a file gives them verbatim."""

    key: str
    items: tuple[Item, ...]
    role: str = Unit.Role.NORMAL
    subsets: tuple[str, ...] = ()
    focus: Mapping[str, Any] = field(default_factory=dict)
    round: str = ""
    reasons: str = ""
    part_reasons: Mapping[str, str] = field(default_factory=dict)
    generated: bool = False
    payload: tuple[Any, ...] = ()
    reference: tuple[Any, ...] = ()
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class MaterialEntry:
    """One record of any format: a source, its items, and its units (None: to be planned).

    findings: what is odd about the record, which counts where the record is imported.
    source_metadata, item_metadata: own columns, of items by their keys. They are apart from the
    material, of which questions and prompts are made.
    """

    where: str
    source: Source
    items: tuple[Item, ...]
    units: tuple[UnitSpec, ...] | None = None
    findings: Findings | None = None
    source_metadata: Metadata = field(default_factory=dict)
    item_metadata: Mapping[str, Metadata] = field(default_factory=dict)


class RecordedSource(Source):
    """A source with its own columns."""

    metadata: RecordedMetadata = {}
    """Own columns, by name: texts, numbers, true or false. No worker and no judge is shown them."""

    def source(self) -> Source:
        return Source.model_construct(**{name: getattr(self, name) for name in Source.model_fields})


class RecordedSentence(Material):
    """A sentence; without `citations` they are read from its text."""

    text: Text
    citations: tuple[Index, ...] | None = None
    turn: Index | None = None
    """Of the source's conversation, from 0, where the text is one."""
    before: Space | None = None
    """White space that parts it from the sentence before, such as a line break; without it, one
    space."""

    def sentence(self) -> Sentence:
        citations = cited(self.text) if self.citations is None else self.citations
        return Sentence(text=self.text, citations=citations, turn=self.turn, before=self.before)


class RecordedItem(Material):
    """An output as running text or as sentences."""

    key: Key
    """Its name, once in a study."""
    system: Name = ""
    """Who wrote it."""
    system_family: Name = ""
    """Of the system, such as `gpt-4`."""
    evidence_source: Name = ""
    """Whose evidence it rests on, such as `human` or `machine`."""
    condition: Name = ""
    """What else groups it in the results."""
    perturbed_from: Name = ""
    """The key of the item that it was made from."""
    text: Annotated[Text, StringConstraints(strip_whitespace=False)] | None = None
    """Its text as it was written, with its lines."""
    sentences: Annotated[tuple[RecordedSentence, ...], Field(min_length=1)] | None = None
    """In place of `text`, or beside it where somebody else cut it, each with `text` and optionally
    `citations` and `before`."""
    turns: Annotated[tuple[Index, ...], Field(min_length=1)] | Text | None = None
    """In place of both, the turns of the source's conversation that are asked about, counted from
    0, or a role, such as `assistant`, for all turns of it."""
    metadata: RecordedMetadata = {}
    """Own columns, as of a source."""

    @model_validator(mode="after")
    def _text_or_sentences(self) -> Self:
        if self.turns is not None:
            if self.text is not None or self.sentences is not None:
                raise ValueError("turns: given beside a text; use one of them")
            return self
        if self.text is None and self.sentences is None:
            raise ValueError("sentences: missing (an item needs sentences or text)")
        if self.text is not None and not self.text.strip():
            raise ValueError("text: empty")
        if self.text is not None and self.sentences is not None and not self._located():
            raise ValueError("text: does not consist of the sentences that are given beside it")
        return self

    def item(self, source: Source | None = None) -> Item:
        """The item; ValueError where it is to consist of turns that the source does not have."""
        about = self.model_dump(exclude={"text", "sentences", "turns", "metadata"})
        if self.turns is not None:
            turns = () if source is None else source.turns
            return Item(**about, sentences=asked_turns(turns, self.turns))
        return Item(**about, sentences=self._sentences())

    def _located(self) -> tuple[Sentence, ...]:
        return located(self.text or "", [sentence.text for sentence in self.sentences or ()])

    def _sentences(self) -> tuple[Sentence, ...]:
        if self.sentences is None:
            return cut(self.text or "")
        given = tuple(sentence.sentence() for sentence in self.sentences)
        if self.text is None:
            return given
        return tuple(
            sentence.model_copy(update={"text": found.text, "before": found.before})
            for sentence, found in zip(given, self._located(), strict=True)
        )


def asked_turns(turns: Sequence[Turn], which: Sequence[int] | str) -> tuple[Sentence, ...]:
    """Turns of a conversation as what is asked about: those of a role, or of these numbers.
    ValueError where there are none."""
    role = which if isinstance(which, str) else None
    wanted = [
        number
        for number, turn in enumerate(turns)
        if (turn.role == role if role is not None else number in which)
    ]
    if not wanted or (role is None and len(wanted) < len(set(which))):
        there = ", ".join(dict.fromkeys(turn.role for turn in turns)) or "none"
        raise ValueError(f"turns: no such turn (the conversation has {len(turns)}: {there})")
    return tuple(Sentence(text=turns[number].words, turn=number) for number in wanted)


class RecordedUnit(Material):
    """What is asked about the items together."""

    key: UnitKey
    """Its name, once in a study."""
    role: Literal["normal", "positive", "negative", "example", "training"] = "normal"
    """`positive` and `negative` are controls."""
    subsets: tuple[SubsetName, ...] = ()
    """Names such as `sample` and `full`."""
    focus: JsonObject = {}
    """What within the material it is about, as the task type has it; `{"order_known": false}` where
    answers that come with it were given with its items in another order than that shown here, or in
    several."""
    round: str = ""
    """A control's round, which may be left out where there is one only; a normal or training unit
    with a round is met in that round alone."""
    reasons: str = ""
    """Why the reference is right, for examples and training."""
    part_reasons: dict[str, str] = {}
    """The same for single parts, shown beside them: by facet and element, such as `recovery.2` or
    `recovery.none`, `utility`, `clarity.0`."""
    generated: bool = False
    """A control that was made of a normal unit and validated; its source may have normal units,
    which are not given out."""
    payload: FiniteJson = None
    """The question, verbatim."""
    reference: FiniteJson = None
    """The right answer, verbatim."""
    metadata: RecordedMetadata = {}
    """Own columns, as of a source."""

    def spec(self, items: tuple[Item, ...]) -> UnitSpec:
        fields_set = self.model_fields_set
        return UnitSpec(
            key=self.key,
            items=items,
            role=self.role,
            subsets=tuple(dict.fromkeys(self.subsets)),
            focus=self.focus,
            round=self.round,
            reasons=self.reasons,
            part_reasons=self.part_reasons,
            generated=self.generated,
            metadata=self.metadata,
            payload=(self.payload,) if "payload" in fields_set else (),
            reference=(self.reference,) if "reference" in fields_set else (),
        )


class Record(Material):
    """One line of a file of records."""

    source: RecordedSource
    items: tuple[RecordedItem, ...]
    """None where the texts about the source are still to be written."""
    unit: RecordedUnit | None = None

    @model_validator(mode="after")
    def _unit_shows_something(self) -> Self:
        if self.unit is not None and not self.items:
            raise ValueError("items: empty (a unit shows one at least)")
        return self

    def entry(self, where: str) -> MaterialEntry:
        source = self.source.source()
        try:
            items = tuple(recorded.item(source) for recorded in self.items)
        except ValueError as error:
            raise ImportFailure.of(where, error, within="items") from error
        units = None if self.unit is None else (self.unit.spec(items),)
        return MaterialEntry(
            where,
            source,
            items,
            units,
            source_metadata=self.source.metadata,
            item_metadata={item.key: item.metadata for item in self.items if item.metadata},
        )


class OpeningRecord(Material):
    """The optional first line of a file of records: the study itself."""

    study: StudyRecord
