"""The published explanations with citations, as their authors recorded them.

A file is one JSON object, claim id to record, of one or more generators. What it says about
citations and masks is taken as recorded and never drawn or read anew; our own reading of the
sentences is compared with it, and differences are listed.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import keyed_records
from annotation.importing.formats.contract import Format, FormatInput
from annotation.importing.material.records import Entry, UnitSpec
from annotation.importing.study_file.schema import StudyRecord
from tasktypes.citations import cited
from tasktypes.contract import Schema
from tasktypes.material import Item, Source
from tasktypes.registry import PUBLISHED_BLOCKS

FULL, SAMPLE = "full", "sample"
# In these files the passages that an explanation is based on were selected by the generator.
EVIDENCE_SOURCE = "machine"
_PASSAGE_LINE = re.compile(r"(?P<index>\d{1,6}): ?(?P<text>.*)")
# `ans_sens` of a claim in which no sentence cites the masked passage.
_NO_SENTENCE = -2


class RecordedClaim(BaseModel):
    """One record, as far as we read it; what else it holds is counted by name."""

    model_config = ConfigDict(frozen=True, extra="allow")

    article_id: str | int = ""
    claim: str = Field(min_length=1)
    label: str = Field(min_length=1)
    passage: str = Field(min_length=1)
    chain: tuple[str, tuple[int, ...]] | None = None
    explanation: dict[str, tuple[str, ...]] = Field(min_length=1)
    gen_cit: dict[str, tuple[tuple[int, ...], ...]]
    masked_cit: dict[str, int | None] = {}
    ans_sens: dict[str, tuple[int, ...]] = {}


class RecordedChains(BaseModel):
    """The human evidence chains of a claim."""

    model_config = ConfigDict(frozen=True)

    chain: dict[str, tuple[int, ...]]


class FcExp(Format):
    """One source per claim, one item per claim and generator, one unit per cited passage."""

    options = ("chains",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._chains: Mapping[str, tuple[tuple[int, ...], ...]] | None = None
        self._several_generators = False

    def study(self) -> StudyRecord:
        return StudyRecord(setting=SAMPLE)

    def entries(self) -> Iterator[Entry]:
        if self.input.chains is not None:
            self._chains = _read_chains(self.input.chains)
        # Unit keys depend on it, so it has to be known before the first unit.
        self._several_generators = len(_generators(self.input.files)) > 1
        for path in self.input.files:
            yield from self._entries_of(path)

    def summary(self) -> list[str]:
        counts = self.findings.counts
        read, agreeing = counts["sentences_read"], counts["sentences_agreeing"]
        compared, equal = counts["references_compared"], counts["references_equal"]
        return [
            f"sentences whose citations we read as recorded: {agreeing} of {read}",
            f"reference answers equal to those recorded: {equal} of {compared}",
        ]

    def _entries_of(self, path: Path) -> Iterator[Entry]:
        seen: set[str] = set()
        for where, claim_id, value in keyed_records(path, self.input.watch):
            if claim_id in seen:
                raise ImportFailure(where, "claim_id", "occurs twice in this file")
            seen.add(claim_id)
            yield self._entry(where, claim_id, value)
        if not seen:
            raise ImportFailure(str(path), "records", "none in this file")

    def _entry(self, where: str, claim_id: str, value: Any) -> Entry:
        try:
            claim = RecordedClaim.model_validate(value)
            source = Source.model_validate(
                {
                    "key": claim_id,
                    "claim": claim.claim,
                    "verdict": claim.label,
                    "passages": _passages(claim),
                    "chains": self._chains_of(claim_id, claim),
                }
            )
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        for name in claim.model_extra or ():
            self.findings.note("fields_not_read", f"{claim_id} {name}")
        pairs = [self._item(where, source, claim, name) for name in claim.explanation]
        items = tuple(item for item, _ in pairs)
        return Entry(where, source, items, tuple(unit for _, units in pairs for unit in units))

    def _chains_of(self, claim_id: str, claim: RecordedClaim) -> tuple[tuple[int, ...], ...]:
        if self._chains is None:
            return ()
        if claim.claim not in self._chains:
            self.findings.note("claims_without_chains", claim_id)
        return self._chains.get(claim.claim, ())

    def _item(
        self, where: str, source: Source, claim: RecordedClaim, generator: str
    ) -> tuple[Item, list[UnitSpec]]:
        texts = claim.explanation[generator]
        if generator not in claim.gen_cit:
            raise ImportFailure(where, f"gen_cit.{generator}", "missing")
        readings = claim.gen_cit[generator]
        if len(readings) != len(texts):
            raise ImportFailure(
                where,
                f"gen_cit.{generator}",
                f"{len(readings)} readings for {len(texts)} sentences",
            )
        key = f"{source.key}/{generator}"
        self._compare_readings(key, texts, readings)
        item = _item(where, key, generator, texts, readings)
        return item, list(self._units(where, source, item, claim))

    def _compare_readings(
        self, key: str, texts: tuple[str, ...], readings: tuple[tuple[int, ...], ...]
    ) -> None:
        for number, (text, recorded) in enumerate(zip(texts, readings, strict=True)):
            ours = cited(text)
            self.findings.count("sentences_read")
            if set(ours) == set(recorded):
                self.findings.count("sentences_agreeing")
            else:
                difference = f"recorded {sorted(set(recorded))}, read {sorted(ours)}"
                self.findings.note("readings_differ", f"{key} sentence {number}: {difference}")
            if any(k < 0 for k in recorded):
                self.findings.note("readings_unreadable", f"{key} sentence {number}")

    def _units(
        self, where: str, source: Source, item: Item, claim: RecordedClaim
    ) -> Iterator[UnitSpec]:
        stem = item.key if self._several_generators else source.key
        existing = [k for k in item.cited if k in source.passage_indices]
        masked = claim.masked_cit.get(item.system)
        if masked not in existing:
            self.findings.note("claims_without_usable_mask", item.key)
        for k in existing:
            unit = UnitSpec(
                key=f"{stem}/{k}",
                items=(item,),
                subsets=(FULL, SAMPLE) if k == masked else (FULL,),
                focus={"passage": k},
            )
            if k == masked:
                self._compare_reference(where, source, unit, claim.ans_sens.get(item.system))
            yield unit

    def _compare_reference(
        self, where: str, source: Source, unit: UnitSpec, recorded: tuple[int, ...] | None
    ) -> None:
        if recorded is None:
            self.findings.note("references_not_recorded", unit.key)
            return
        first = PUBLISHED_BLOCKS[0]
        sentences = [number for number in recorded if number != _NO_SENTENCE]
        try:
            expected: Schema = first.Answer.model_validate({"sentences": sentences})
        except ValidationError as error:
            raise ImportFailure.of(where, error, within="ans_sens") from error
        self.findings.count("references_compared")
        if first.reference(source, unit.items, unit.focus, first.Options()) == expected:
            self.findings.count("references_equal")
        else:
            self.findings.note("references_differ", unit.key)


def _passages(claim: RecordedClaim) -> list[dict[str, Any]]:
    """The passages of `N: text` lines; ValueError('passage: …') for any other line."""
    selected = set(claim.chain[1]) if claim.chain else set()
    passages = []
    for number, line in enumerate(claim.passage.strip().split("\n"), start=1):
        match = _PASSAGE_LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"passage: line {number} does not begin with its index")
        index = int(match["index"])
        passages.append({"index": index, "text": match["text"], "selected": index in selected})
    return passages


def _item(
    where: str,
    key: str,
    generator: str,
    texts: tuple[str, ...],
    readings: tuple[tuple[int, ...], ...],
) -> Item:
    """Readings below 0 are citations that nobody could read: they cite nothing."""
    sentences = [
        {"text": text, "citations": [k for k in dict.fromkeys(recorded) if k >= 0]}
        for text, recorded in zip(texts, readings, strict=True)
    ]
    about = {"key": key, "system": generator, "evidence_source": EVIDENCE_SOURCE}
    try:
        return Item.model_validate(about | {"sentences": sentences})
    except ValidationError as error:
        raise ImportFailure.of(where, error, within=f"explanation.{generator}") from error


def _generators(files: Any) -> set[str]:
    names: set[str] = set()
    for path in files:
        for where, _, value in keyed_records(path):
            explanation = value.get("explanation") if isinstance(value, dict) else None
            if not isinstance(explanation, dict):
                raise ImportFailure(where, "explanation", "missing")
            names.update(explanation)
    return names


def _read_chains(path: Path) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Claim text to its human chains, in the order of their numbers."""
    chains = {}
    for where, claim, value in keyed_records(path):
        try:
            chain = RecordedChains.model_validate(value).chain
        except ValidationError as error:
            raise ImportFailure.of(where, error) from error
        chains[claim] = tuple(chain[key] for key in sorted(chain, key=_as_number))
    return chains


def _as_number(key: str) -> tuple[int, str]:
    return (int(key), "") if key.isdigit() else (-1, key)
