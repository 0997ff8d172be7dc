"""The data of a study from a bundle, to compute its figures once more."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation.models import Study
from annotation.queries.group_keys import OF_RATERS
from annotation.rounds.collection import Standing
from estimates.data.bundles import layout as files
from estimates.data.bundles.files import Bundle, opened_bundle
from estimates.data.bundles.index import BundleIndex, Record
from estimates.data.raters import RaterRecord
from estimates.data.records import (
    AnswerRecord,
    AskedUnit,
    BlockRecord,
    Chains,
    ControlRecord,
    EvidenceChoice,
    ItemTexts,
    RatingRecord,
    ShownItem,
    StoredReference,
    UnansweredRecord,
)
from estimates.data.study_data import StudyData, gather
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.texts import material as texts

_LINES_OF = {"source": files.SOURCES, "item": files.ITEMS, "unit": files.UNITS}


def from_bundle(path: Path) -> tuple[Study, StudyData]:
    """The study of a bundle, as a row that is in no database, and its data.

    BundleError where the file is no bundle, or a part of it is not what was exported.
    """
    with opened_records(path) as records:
        index = records.index
        named = {name: index.header[name] for name in ("slug", "title", "revision")}
        # Bundles of earlier versions do not say that their study was open, or why it closed.
        named["state"] = index.header.get("state", Study.State.CLOSED)
        named["stops"] = index.header.get("stops", [])
        named["demonstration"] = index.header.get("demonstration", False)
        study = Study(**named)
        if "standing" in index.header:
            study.stood = Standing(index.header["standing"])
        study.halves = str(index.header.get("halves", ""))
        return study, gather(records)


@contextmanager
def opened_records(path: Path, *, sealed: bool = False) -> Iterator["BundleRecords"]:
    """The rows of a bundle, as long as it is open. sealed: with those of judges about the sealed
    half, where they were published. BundleError as for `from_bundle`."""
    with opened_bundle(path) as bundle, bundle.checked():
        index = BundleIndex(bundle, sealed=sealed)
        index.read()
        yield BundleRecords(bundle, index)


class BundleRecords:
    """The rows of a bundle as `Records`."""

    def __init__(self, bundle: Bundle, index: BundleIndex) -> None:
        self.bundle = bundle
        self.index = index
        self.epsilon = float(index.header["report"]["options"]["epsilon"])
        self.overlap = int(index.header["overlap"])
        # Bundles of before have none.
        self.margins: Mapping[str, float] = index.header.get("margins", {})
        # What files told of people is in no bundle.
        keys: Sequence[str] = index.header.get("group_by", ())
        self.group_by = [key for key in keys if not key.startswith(OF_RATERS)]
        self.published: Sequence[Record] = index.header.get("published", [])

    def own_values(self, key: str) -> Iterator[tuple[int, str]]:
        of, _, name = key.partition(".")
        for number, record in enumerate(self.bundle.lines(_LINES_OF[of]), start=1):
            value = record.get(files.METADATA, {}).get(name)
            if value is not None:
                yield number, value if isinstance(value, str) else json.dumps(value)

    def blocks(self) -> Sequence[BlockRecord]:
        return list(self.index.blocks.values())

    def rounds(self) -> Mapping[int, str]:
        return {number: name for name, number in self.index.rounds.items()}

    def raters(self) -> Sequence[RaterRecord]:
        raters = self.index.raters.values()
        return sorted(raters, key=lambda rater: (rater.kind, rater.name, rater.version))

    def ratings(self) -> Iterable[RatingRecord]:
        answers = self.index.answers
        for record in self.bundle.lines(files.RATINGS):
            at = _number_of_answer(record["answer"], len(answers.question))
            number, label, members = _held(record["value"])
            if answers.counts[at]:
                yield RatingRecord(
                    question=answers.question[at],
                    rater=answers.rater[at],
                    replicate=answers.replicate[at],
                    round=answers.round[at] or None,
                    facet=record["facet"],
                    element=record["element"],
                    number=number,
                    label=label,
                    members=members,
                )

    def units(self) -> Iterable[tuple[int, int]]:
        units = enumerate(self.index.units, start=1)
        return ((number, unit.source) for number, unit in units if unit.is_normal)

    def verdicts(self) -> Iterable[tuple[int, str]]:
        return enumerate(self.index.verdicts, start=1)

    def shown_items(self) -> Iterable[ShownItem]:
        for number, unit in enumerate(self.index.units, start=1):
            for item in unit.items if unit.is_normal else ():
                indexed = self.index.items[item - 1]
                yield ShownItem(number, item, indexed.key, indexed.source, indexed.names)

    def subset_units(self) -> Iterable[tuple[str, int]]:
        members: dict[str, list[int]] = {name: [] for name in self.index.subsets}
        for number, unit in enumerate(self.index.units, start=1):
            for name in unit.subsets:
                members[name].append(number)
        return ((name, unit) for name, units in members.items() for unit in units)

    def questions(self) -> Iterable[tuple[int, int]]:
        units = self.index.units
        rows = self.index.questions.items()
        return ((question, unit) for (unit, _), question in rows if units[unit - 1].is_normal)

    def references(self) -> Iterable[StoredReference]:
        for unit, question, block, content, _focus in self._asked():
            if content["reference"] is not None:
                source, stored = self.index.units[unit - 1].source, content["reference"]
                payload = content["payload"]
                yield StoredReference(question, unit, source, block.pk, payload, stored)

    def control_questions(self) -> Iterable[StoredReference]:
        return self.index.controls.values()

    def control_answers(self) -> Iterable[ControlRecord]:
        return self.index.control_answers

    def times(self) -> Iterable[tuple[int, int, float]]:
        answers, block_of = self.index.answers, self.block_of_question()
        rows = zip(answers.question, answers.rater, answers.counts, answers.seconds, strict=True)
        for question, rater, counts, seconds in rows:
            if counts and seconds >= 0:
                yield block_of[question], rater, seconds

    def answers(self, block: BlockRecord) -> Iterator[AnswerRecord]:
        sources = self._sources()
        questions = {
            question: AskedUnit.of(
                *(block, (question, unit), sources[self.index.units[unit - 1].source]),
                payload=content["payload"],
                focus=focus,
            )
            for unit, question, of, content, focus in self._asked()
            if of.pk == block.pk
        }
        columns = self.index.answers
        for at, record in enumerate(self.bundle.lines(files.ANSWERS)):
            if columns.counts[at] and record["block"] == block.key:
                yield AnswerRecord(
                    *(questions[columns.question[at]], columns.rater[at], columns.replicate[at]),
                    *(columns.round[at] or None, record["content"]),
                )

    def perturbed(self) -> Iterable[tuple[int, int]]:
        for number, item in enumerate(self.index.items, start=1):
            original = self.index.original_of(item)
            if original is not None:
                yield number, original

    def sentences(self) -> Iterable[tuple[int, Sequence[Mapping[str, Any]]]]:
        records = enumerate(self.bundle.lines(files.ITEMS), start=1)
        return ((number, record["sentences"]) for number, record in records)

    def item_texts(self) -> Iterator[ItemTexts]:
        sources, apart = self._sources(), self._apart()
        fields = set(texts.Item.model_fields) - {"perturbed_from"}
        for number, record in enumerate(self.bundle.lines(files.ITEMS), start=1):
            if number not in apart:
                source = self.index.items[number - 1].source
                item = texts.Item.model_validate({name: record[name] for name in fields})
                yield ItemTexts(number, source, item, sources[source])

    def chains(self) -> Iterable[Chains]:
        for number, record in enumerate(self.bundle.lines(files.SOURCES), start=1):
            if record["chains"]:
                yield Chains(number, record["chains"], record["passages"])

    def choices(self, *, but: Sequence[str]) -> Iterable[EvidenceChoice]:
        apart = self._apart()
        choices = (
            EvidenceChoice(number, item.key, item.source, item.names[1])
            for number, item in enumerate(self.index.items, start=1)
            if number not in apart and item.names[1] not in but
        )
        return sorted(choices, key=lambda choice: (choice.source, choice.item))

    def payloads(self, blocks: Sequence[BlockRecord]) -> Iterable[tuple[int, int, Any]]:
        wanted = {block.pk for block in blocks}
        for unit, _, block, content, _focus in self._asked():
            if block.pk in wanted:
                yield unit, block.pk, content["payload"]

    def unknown_orders(self) -> Iterable[int]:
        for number, record in enumerate(self.bundle.lines(files.UNITS), start=1):
            if record.get("focus", {}).get(ORDER_KNOWN) is False:
                yield number

    def unanswered(self) -> Iterable[UnansweredRecord]:
        for record in self.bundle.lines(files.RATERS):
            rater = self.index.raters[record["name"], record["version"]].pk
            for unit, block in record.get(files.UNANSWERED, ()):
                yield UnansweredRecord(self.index.unit_ids[unit], block, rater)

    def differing(self) -> Sequence[str]:
        return ()

    def sealed_units(self) -> set[int]:
        """Those of the half that judges are tested on."""
        sealed = self.index.sealed_sources
        return {at for at, unit in enumerate(self.index.units, start=1) if unit.source in sealed}

    def _asked(self) -> Iterator[tuple[int, int, BlockRecord, Record, Record]]:
        """Unit, id, block and content of the questions of normal units, and the unit's focus."""
        for number, record in enumerate(self.bundle.lines(files.UNITS), start=1):
            if self.index.units[number - 1].is_normal:
                for question, block, content in self.index.asked(record):
                    yield number, question, block, content, record.get("focus", {})

    def block_of_question(self) -> Mapping[int, int]:
        """Question -> block."""
        return {question: block for (_, block), question in self.index.questions.items()}

    def _sources(self) -> Mapping[int, texts.Source]:
        fields = texts.Source.model_fields
        return {
            number: texts.Source.model_validate(
                {name: record[name] for name in fields if name in record}
            )
            for number, record in enumerate(self.bundle.lines(files.SOURCES), start=1)
        }

    def _apart(self) -> set[int]:
        return {item for unit in self.index.units if unit.apart for item in unit.items}


def _number_of_answer(number: Any, count: int) -> int:
    """The number itself; IndexError where no answer has it."""
    if not isinstance(number, int) or not 0 <= number < count:
        raise IndexError(f"answer: {number!r} is no number of an answer")
    return number


def _held(value: Any) -> tuple[float | None, str | None, str | None]:
    """A value as number, label or members: the one that it is."""
    if isinstance(value, str):
        return None, value, None
    if isinstance(value, list):
        return None, None, json.dumps(value)
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"value: {value!r} is no number")
    return number, None, None
