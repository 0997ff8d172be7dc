"""The rows of a study's data, wherever they are stored.

`StudyData` is put together from these rows alone. The database yields them by queries, a bundle
by reading its files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from estimates.data.raters import RaterRecord
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.registry import task_type
from tasktypes.schemas import Schema
from tasktypes.texts import material as texts

# What groups items in the results, in the order of `ShownItem.names`.
ITEM_NAMES = ("system", "evidence_source", "condition", "family")


@dataclass(frozen=True)
class BlockRecord:
    """A block. pk: its id."""

    pk: int
    key: str
    task_type: TaskType[Any, Any, Any]
    typed_options: Any
    facets: tuple[Facet, ...]

    @classmethod
    def of(cls, pk: int, key: str, slug: str, options: Mapping[str, Any]) -> Self:
        """The block with these options of a task type, which refuses others by a ValueError."""
        kind = task_type(slug)
        typed = kind.Options.model_validate(options)
        return cls(pk, key, kind, typed, kind.facets(typed))


class RatingRecord(NamedTuple):
    """One value of a counted answer. members: a set as JSON text, the same for the same set."""

    question: int
    rater: int
    replicate: int
    round: int | None
    facet: str
    element: str
    number: float | None
    label: str | None
    members: str | None


class ShownItem(NamedTuple):
    """An item that a normal unit shows."""

    unit: int
    item: int
    key: str
    source: int
    names: tuple[str, ...]


class StoredReference(NamedTuple):
    """A question with a right answer, both as they are stored."""

    question: int
    unit: int
    source: int
    block: int
    payload: Any
    reference: Any


class ControlRecord(NamedTuple):
    """A standing answer to a control question. counts: None where it belongs to no round."""

    question: int
    rater: int
    answer: Any
    round: str | None
    counts: bool | None


@dataclass(frozen=True, eq=False)
class AskedUnit:
    """A question with the texts it is about."""

    question: int
    unit: int
    source: texts.Source
    payload: Schema

    @classmethod
    def of(
        cls,
        block: BlockRecord,
        ids: tuple[int, int],
        source: texts.Source,
        *,
        payload: Any,
        focus: Mapping[str, Any],
    ) -> "AskedUnit":
        """From what is stored. ids: of question and unit. focus: the unit's, whose prepared lists
        the source is seen with."""
        kind = block.task_type
        return cls(*ids, kind.source_with(source, focus), kind.Payload.model_validate(payload))


class AnswerRecord(NamedTuple):
    """A counted answer, whole."""

    asked: AskedUnit
    rater: int
    replicate: int
    round: int | None
    answer: Any


class ItemTexts(NamedTuple):
    """An item with its texts and those of its source, which has the id `source_id`."""

    item_id: int
    source_id: int
    item: texts.Item
    source: texts.Source


class EvidenceChoice(NamedTuple):
    """An item whose explanation rests on passages that `chooser` chose."""

    item: int
    key: str
    source: int
    chooser: str


class UnansweredRecord(NamedTuple):
    """A question that a judge was asked and has no answer to. block: its key."""

    unit: int
    block: str
    rater: int


class Chains(NamedTuple):
    """A source for which people chose chains of evidence, with its passages; both as stored."""

    source: int
    chains: Sequence[Sequence[int]]
    passages: Sequence[Mapping[str, Any]]


class Records(Protocol):
    """Rows of a study. Ids ascend in the order in which rows came to be; where nothing else is
    said, rows come by ascending id. What counts is decided here: answers that do not count, and
    units of other roles where normal ones are wanted, are not among the rows. Of some kinds a
    class that is derived from this one has no rows, unless it says which."""

    @property
    def epsilon(self) -> float:
        """What a judge's lower cost is worth in the alternative annotator test."""

    @property
    def margins(self) -> Mapping[str, float]:
        """Facet -> the largest difference, in its own unit, that does not matter."""

    @property
    def overlap(self) -> int:
        """How many people each unit is for."""

    @property
    def published(self) -> Sequence[Mapping[str, Any]]:
        """Estimates that others published; then there is nothing else."""

    @property
    def group_by(self) -> Sequence[str]:
        """The keys of the own columns that results are grouped by."""
        return ()

    def own_values(self, key: str) -> Iterable[tuple[int, str]]:
        """The rows that have the own column of that key, with what it holds, as text."""
        return ()

    def blocks(self) -> Sequence[BlockRecord]:
        """By position."""

    def rounds(self) -> Mapping[int, str]:
        """Id -> name, by position."""
        return {}

    def raters(self) -> Sequence[RaterRecord]:
        """By kind, name and version."""

    def ratings(self) -> Iterable[RatingRecord]:
        """Of counted answers, in the order of the answers."""

    def units(self) -> Iterable[tuple[int, int]]:
        """Normal units with their sources."""

    def verdicts(self) -> Iterable[tuple[int, str]]:
        """Sources with their verdicts."""

    def shown_items(self) -> Iterable[ShownItem]:
        """By unit, and in the order in which it stores its items."""

    def subset_units(self) -> Iterable[tuple[str, int]]:
        """Subsets in the order in which they came to be, with the units in each."""
        return ()

    def questions(self) -> Iterable[tuple[int, int]]:
        """Questions of normal units, with the units."""

    def references(self) -> Iterable[StoredReference]:
        """Questions of normal units that have a right answer."""
        return ()

    def control_questions(self) -> Iterable[StoredReference]:
        """Questions of checked controls that have a right answer."""
        return ()

    def control_answers(self) -> Iterable[ControlRecord]:
        """Standing answers to these, of every round."""
        return ()

    def times(self) -> Iterable[tuple[int, int, float]]:
        """Block, rater and active seconds of counted answers that have some."""
        return ()

    def answers(self, block: BlockRecord) -> Iterator[AnswerRecord]:
        """Counted answers to a block. Those to one question come in their order."""
        return iter(())

    def perturbed(self) -> Iterable[tuple[int, int]]:
        """Items that were made wrong on purpose, with the items they were made from."""
        return ()

    def sentences(self) -> Iterable[tuple[int, Sequence[Mapping[str, Any]]]]:
        """Every item with its sentences."""
        return ()

    def item_texts(self) -> Iterator[ItemTexts]:
        """Items that are about no control, example or training unit."""
        return iter(())

    def chains(self) -> Iterable[Chains]:
        """Sources that have chains."""
        return ()

    def choices(self, *, but: Sequence[str]) -> Iterable[EvidenceChoice]:
        """Those of the items in `item_texts` whose evidence was chosen by somebody, and by none of
        `but`; by source."""
        return ()

    def payloads(self, blocks: Sequence[BlockRecord]) -> Iterable[tuple[int, int, Any]]:
        """Unit, block and stored payload of the questions of normal units."""
        return ()

    def unknown_orders(self) -> Iterable[int]:
        """Normal units whose imported answers were given in an order of their items that is not
        known."""
        return ()

    def unanswered(self) -> Iterable[UnansweredRecord]:
        """Questions of normal units whose calls failed, and that have no answer of the judge."""
        return ()

    def differing(self) -> Sequence[str]:
        """Keys of items that came with another selection of passages than their source has."""
        return ()
