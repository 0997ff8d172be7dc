"""The published explanations with citations, as their authors recorded them.

A file is one JSON object, claim id to record, of one or more generators. What it says about
citations and masks is taken as recorded and never drawn or read anew; our own reading of the
sentences is compared with it, and differences are listed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from files.errors import Contradiction, ImportFailure
from files.findings import Findings
from files.readers.documents import checked
from files.readers.streams import Member, keyed_records
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord
from tasktypes.registry import PUBLISHED_BLOCKS
from tasktypes.schemas import Schema
from tasktypes.texts.citations import cited
from tasktypes.texts.material import Item, Source

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

    taken = AcceptedFiles(
        "Fact-checking explanations",
        "`<generator>_full_data.json` of one or several generators",
        (".json", ".gz"),
        group="published",
    )

    options = ("chains",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._chains: Mapping[str, tuple[tuple[int, ...], ...]] | None = None
        self._several_generators = False

    def study(self) -> StudyRecord:
        return StudyRecord(setting=SAMPLE)

    def entries(self) -> Iterator[MaterialEntry]:
        if self.input.chains is not None:
            self._chains = dict(self.skipped.usable(keyed_records(self.input.chains), _chains))
        # Unit keys depend on it, so it has to be known before the first unit.
        self._several_generators = len(_generators(self.input.files)) > 1
        for path in self.input.files:
            members = keyed_records(path, self.input.watch)
            yield from self.skipped.usable(_different(path, members), self._entry)

    def summary(self) -> list[str]:
        counts = self.findings.counts
        read, agreeing = counts["sentences_read"], counts["sentences_agreeing"]
        compared, equal = counts["references_compared"], counts["references_equal"]
        return [
            f"sentences whose citations we read as recorded: {agreeing} of {read}",
            f"reference answers equal to those recorded: {equal} of {compared}",
        ]

    def _entry(self, member: Member) -> MaterialEntry:
        if _explanation(member) is None:
            raise ImportFailure(member.where, "explanation", "missing")
        claim = checked(member.where, RecordedClaim, member.value)
        findings = Findings()
        for name in claim.model_extra or ():
            findings.note("fields_not_read", f"{member.key} {name}")
        about = {"key": member.key, "claim": claim.claim, "verdict": claim.label}
        chains = self._chains_of(member.key, claim, findings)
        try:
            source = Source.model_validate(about | {"passages": _passages(claim), "chains": chains})
        except ValueError as error:
            raise ImportFailure.of(member.where, error) from error
        reader = _ClaimReader(member.where, claim, source, self._several_generators, findings)
        return reader.entry()

    def _chains_of(
        self, claim_id: str, claim: RecordedClaim, findings: Findings
    ) -> tuple[tuple[int, ...], ...]:
        if self._chains is None:
            return ()
        if claim.claim not in self._chains:
            findings.note("claims_without_chains", claim_id)
        return self._chains.get(claim.claim, ())


@dataclass(frozen=True)
class _ClaimReader:
    """Reads the explanations of one claim; `findings` are those of its record."""

    where: str
    claim: RecordedClaim
    source: Source
    several_generators: bool
    findings: Findings

    def entry(self) -> MaterialEntry:
        items = tuple(self._item(generator) for generator in self.claim.explanation)
        units = tuple(unit for item in items for unit in self._units(item))
        return MaterialEntry(self.where, self.source, items, units, self.findings)

    def _item(self, generator: str) -> Item:
        """Readings below 0 are citations that nobody could read: they cite nothing."""
        key = f"{self.source.key}/{generator}"
        sentences = self._sentences(key, generator)
        self._compare_readings(key, sentences)
        about = {"key": key, "system": generator, "evidence_source": EVIDENCE_SOURCE}
        recorded = [
            {"text": text, "citations": [k for k in dict.fromkeys(reading) if k >= 0]}
            for text, reading in sentences
        ]
        try:
            return Item.model_validate(about | {"sentences": recorded})
        except ValidationError as error:
            field = f"explanation.{generator}"
            raise ImportFailure.of(self.where, error, within=field) from error

    def _sentences(self, key: str, generator: str) -> list[tuple[str, tuple[int, ...]]]:
        """Each sentence with its recorded reading.

        Empty ones at the end are dropped, which leaves the numbers of the others as recorded
        answers have them. An empty one in between makes the record unusable.
        """
        field = f"gen_cit.{generator}"
        texts, readings = self.claim.explanation[generator], self.claim.gen_cit.get(generator)
        if readings is None:
            raise ImportFailure(self.where, field, "missing")
        if len(readings) != len(texts):
            reason = f"{len(readings)} readings for {len(texts)} sentences"
            raise ImportFailure(self.where, field, reason)
        sentences = list(zip(texts, readings, strict=True))
        while len(sentences) > 1 and not sentences[-1][0].strip() and not sentences[-1][1]:
            sentences.pop()
            self.findings.note("empty_sentences_dropped", f"{key} sentence {len(sentences)}")
        return sentences

    def _compare_readings(self, key: str, sentences: Sequence[tuple[str, tuple[int, ...]]]) -> None:
        for number, (text, recorded) in enumerate(sentences):
            ours = cited(text)
            self.findings.count("sentences_read")
            if set(ours) == set(recorded):
                self.findings.count("sentences_agreeing")
            else:
                difference = f"recorded {sorted(set(recorded))}, read {sorted(ours)}"
                self.findings.note("readings_differ", f"{key} sentence {number}: {difference}")
            if any(k < 0 for k in recorded):
                self.findings.note("readings_unreadable", f"{key} sentence {number}")

    def _units(self, item: Item) -> Iterator[UnitSpec]:
        stem = item.key if self.several_generators else self.source.key
        existing = [k for k in item.cited if k in self.source.passage_indices]
        masked = self.claim.masked_cit.get(item.system)
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
                self._compare_reference(unit, self.claim.ans_sens.get(item.system))
            yield unit

    def _compare_reference(self, unit: UnitSpec, recorded: tuple[int, ...] | None) -> None:
        if recorded is None:
            self.findings.note("references_not_recorded", unit.key)
            return
        first = PUBLISHED_BLOCKS[0]
        sentences = [number for number in recorded if number != _NO_SENTENCE]
        try:
            expected: Schema = first.Answer.model_validate({"sentences": sentences})
        except ValidationError as error:
            raise ImportFailure.of(self.where, error, within="ans_sens") from error
        self.findings.count("references_compared")
        if first.reference(self.source, unit.items, unit.focus, first.Options()) == expected:
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


def _different(path: Path, members: Iterator[Member]) -> Iterator[Member]:
    """The members, of which there must be some, with a claim id each."""
    seen: set[str] = set()
    for member in members:
        if member.key in seen:
            raise Contradiction(member.where, "claim_id", "occurs twice in this file")
        seen.add(member.key)
        yield member
    if not seen:
        raise ImportFailure(str(path), "records", "none in this file")


def _generators(files: Sequence[Path]) -> set[str]:
    """The generators of all records, as far as these name some."""
    names: set[str] = set()
    for path in files:
        for member in keyed_records(path):
            names.update(_explanation(member) or ())
    return names


def _explanation(member: Member) -> dict[str, Any] | None:
    record = member.where.raw
    explanation = record.get("explanation") if isinstance(record, dict) else None
    return explanation if isinstance(explanation, dict) else None


def _chains(member: Member) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """A claim's text and its human chains, in the order of their numbers."""
    chain = checked(member.where, RecordedChains, member.value).chain
    return member.key, tuple(chain[key] for key in sorted(chain, key=_as_number))


def _as_number(key: str) -> tuple[int, str]:
    return (int(key), "") if key.isdecimal() else (-1, key)
