"""A bundle read through once: every record is checked, and numbered as in a database.

What estimates need of all records is kept in few bytes. Texts, payloads and whole answers stay in
the archive, where they are read again by those who need them.
"""

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.models import Unit
from estimates.data.bundles import layout as files
from estimates.data.bundles.files import Bundle
from estimates.data.raters import RaterKind, RaterOrigin, RaterRecord
from estimates.data.records import BlockRecord, ControlRecord, StoredReference
from tasktypes.registry import task_type

Record = Mapping[str, Any]


class Ids(dict[str, int]):
    """Keys numbered from 1 in the order in which they come."""

    def add(self, key: Any) -> int:
        """The number of a new key; ValueError where there is no key, or it came before."""
        if not isinstance(key, str) or not key or key in self:
            raise ValueError(f"key: {key!r} is missing or comes twice")
        self[key] = len(self) + 1
        return self[key]


class IndexedItem(NamedTuple):
    """An item with the id of its source. names: as `records.ITEM_NAMES`; original: key of the item
    that it was made from, or None."""

    key: str
    source: int
    names: tuple[str, ...]
    original: str | None


class IndexedUnit(NamedTuple):
    """A unit with the ids of its source and its items. apart: what it is about enters no figure
    of items."""

    source: int
    items: tuple[int, ...]
    subsets: tuple[str, ...]
    is_normal: bool
    apart: bool


class AnswerColumns(NamedTuple):
    """Parallel, an entry per answer: ids of its question, rater and round (0: none), its replicate,
    whether it counts, and its active seconds (below zero: not known)."""

    question: "array[int]"
    rater: "array[int]"
    replicate: "array[int]"
    round: "array[int]"
    counts: "array[int]"
    seconds: "array[float]"


def _columns() -> AnswerColumns:
    return AnswerColumns(array("q"), array("q"), array("q"), array("q"), array("b"), array("d"))


@dataclass(eq=False)
class BundleIndex:
    """The rows of a bundle with their ids. `read` fills it. sealed: published answers of judges
    about the sealed half count, which they do in the figures of looks alone."""

    bundle: Bundle
    sealed: bool = False
    header: Record = field(default_factory=dict)
    blocks: dict[str, BlockRecord] = field(default_factory=dict)
    rounds: Ids = field(default_factory=Ids)
    pilots: set[int] = field(default_factory=set)
    subsets: Ids = field(default_factory=Ids)
    sources: Ids = field(default_factory=Ids)
    verdicts: list[str] = field(default_factory=list)
    sealed_sources: set[int] = field(default_factory=set)
    item_ids: Ids = field(default_factory=Ids)
    items: list[IndexedItem] = field(default_factory=list)
    unit_ids: Ids = field(default_factory=Ids)
    units: list[IndexedUnit] = field(default_factory=list)
    # (unit id, block id) of each question, in the order of their ids.
    questions: dict[tuple[int, int], int] = field(default_factory=dict)
    controls: dict[int, StoredReference] = field(default_factory=dict)
    raters: dict[tuple[str, int], RaterRecord] = field(default_factory=dict)
    answers: AnswerColumns = field(default_factory=_columns)
    control_answers: list[ControlRecord] = field(default_factory=list)

    def read(self) -> None:
        """Everything but the ratings, file by file."""
        self._read_study()
        for record in self.bundle.lines(files.SOURCES):
            self._add_source(record)
        for record in self.bundle.lines(files.ITEMS):
            self._add_item(record)
        for item in self.items:
            self.original_of(item)
        for record in self.bundle.lines(files.UNITS):
            self._add_unit(record)
        for record in self.bundle.lines(files.RATERS):
            self._add_rater(record)
        for record in self.bundle.lines(files.ANSWERS):
            self._add_answer(record)

    def original_of(self, item: IndexedItem) -> int | None:
        """The id of the item that this one was made from."""
        return None if item.original is None else self.item_ids[item.original]

    def asked(self, record: Record) -> Iterator[tuple[int, BlockRecord, Record]]:
        """Id, block and content of each question of a unit's record."""
        unit = self.unit_ids[record["key"]]
        for key, content in record["questions"].items():
            block = self.blocks[key]
            yield self.questions[unit, block.pk], block, content

    def _read_study(self) -> None:
        self.header = header = self.bundle.whole(files.STUDY)
        if (edition := header.get("bundle")) != files.VERSION:
            read = f"this program reads {files.VERSION}"
            raise self.bundle.wrong(f"bundle: edition {edition}; {read}")
        for name in ("revision", "seed", "overlap"):
            int(header[name])
        for at, record in enumerate(header["blocks"]):
            slug = task_type(record["task_type"]).slug
            block = BlockRecord.of(at + 1, record["key"], slug, record["options"])
            self.blocks[block.key] = block
        for record in header["rounds"]:
            number = self.rounds.add(record["name"])
            if not record["counts"]:
                self.pilots.add(number)
        for name in header["subsets"]:
            self.subsets.add(name)

    def _add_source(self, record: Record) -> None:
        self.sources.add(record["key"])
        lacking = [name for name in files.SOURCE_FIELDS if name not in record]
        if lacking:
            raise KeyError(lacking[0])
        self.verdicts.append(record["verdict"])
        if record.get(files.SEALED) is True:
            self.sealed_sources.add(len(self.sources))

    def _add_item(self, record: Record) -> None:
        self.item_ids.add(record["key"])
        # In the order of `records.ITEM_NAMES`.
        fields = ("system", "evidence_source", "condition", "system_family")
        names = tuple(record[name] for name in fields)
        len(record["sentences"])
        source = self.sources[record["source"]]
        self.items.append(IndexedItem(record["key"], source, names, record["perturbed_from"]))

    def _add_unit(self, record: Record) -> None:
        unit, source = self.unit_ids.add(record["key"]), self.sources[record["source"]]
        role, check = Unit.Role(record["role"]), Unit.Check(record["check"])
        items = tuple(self.item_ids[key] for key in record["items"])
        is_normal = role == Unit.Role.NORMAL
        apart = not is_normal and check not in Unit.UNCHECKED
        subsets = tuple(sorted(record["subsets"], key=self.subsets.__getitem__))
        self.units.append(IndexedUnit(source, items, subsets, is_normal, apart))
        self._round_of(record)
        is_control = role in Unit.CONTROLS and check not in Unit.UNUSED
        for key, content in record["questions"].items():
            block, question = self.blocks[key], len(self.questions) + 1
            self.questions[unit, block.pk] = question
            payload, reference = content["payload"], content["reference"]
            block.task_type.Payload.model_validate(payload)
            if is_control and reference is not None:
                stored = StoredReference(question, unit, source, block.pk, payload, reference)
                self.controls[question] = stored

    def _add_rater(self, record: Record) -> None:
        fields = {name: record[name] for name in files.RATER_FIELDS}
        fields |= {
            "numbered": record.get(files.NUMBERED, False) is True,
            "kind": RaterKind(record["kind"]).value,
            "origin": RaterOrigin(record["origin"]).value,
        }
        rater = RaterRecord(pk=len(self.raters) + 1, **fields)
        self.raters[rater.name, rater.version] = rater

    def _add_answer(self, record: Record) -> None:
        block, unit = self.blocks[record["block"]], self.unit_ids[record["unit"]]
        question = self.questions[unit, block.pk]
        by = self.raters[record["rater"], record["version"]]
        rater = by.pk
        block.task_type.Answer.model_validate(record["content"])
        hidden = not self.sealed and by.kind == RaterKind.JUDGE
        hidden = hidden and self.units[unit - 1].source in self.sealed_sources
        standing = not record["surplus"] and not record["excluded"] and not hidden
        round_id, seconds = self._round_of(record), record["active_seconds"]
        counts = standing and round_id not in self.pilots and self.units[unit - 1].is_normal
        self.answers.question.append(question)
        self.answers.rater.append(rater)
        self.answers.replicate.append(record["replicate"])
        self.answers.round.append(round_id)
        self.answers.counts.append(counts)
        self.answers.seconds.append(-1.0 if seconds is None else float(seconds))
        if standing and question in self.controls:
            in_pilot = None if not round_id else round_id not in self.pilots
            about = (question, rater, record["content"], record["round"], in_pilot)
            self.control_answers.append(ControlRecord(*about))

    def _round_of(self, record: Record) -> int:
        return 0 if record["round"] is None else self.rounds[record["round"]]
