"""What formats of other tools share: outputs, each with scores that people or machines gave it."""

import hashlib
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from files.errors import Contradiction, ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import object_records
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.answer_lines import AnswerLine
from imports.formats.contract import Format, FormatInput
from imports.formats.scales import Measure, ObservedValues, RawRating, facet_name, measure_of
from imports.formats.tools.marks import YES_NO, MarkedLabels, Marks, sentence_places
from imports.study_file.blocks import BlockPart
from tasktypes.likert import LIKERT
from tasktypes.texts.material import Item, Source

if TYPE_CHECKING:
    from imports.material.records import MaterialEntry
    from imports.study_file.schema import StudyRecord

# Beside the only label that occurs, so that there is something to choose.
ANOTHER = "another"


@dataclass(frozen=True)
class Score:
    """What a rater said of an output, by one criterion. kind: `human` or `judge`. value: a
    tuple has one per sentence. reason: in the rater's words. passed: what the tool itself makes of
    the value, where it says that."""

    rater: str
    kind: str
    criterion: str
    value: RawRating | tuple[RawRating, ...]
    replicate: int = 0
    family: str = ""
    reason: str = ""
    passed: bool | None = None

    @property
    def values(self) -> tuple[RawRating, ...]:
        """The value, or those of all sentences."""
        return self.value if isinstance(self.value, tuple) else (self.value,)


@dataclass(frozen=True)
class AskedFacet:
    """A question as the file describes it. values: everything that could be answered."""

    question: str = ""
    values: Sequence[RawRating] = ()


@dataclass(frozen=True)
class RatedOutput:
    """One output with its scores; the item's key is that of its unit. findings: what of the
    record is not imported. marks: labels of which several may apply, or that are of parts of
    `text`, the output as the file has it."""

    where: RecordPlace
    source: Source
    item: Item
    scores: Sequence[Score] = ()
    findings: Findings | None = None
    marks: Sequence[Marks] = ()
    text: str = ""

    @property
    def digest(self) -> bytes:
        """Tells texts apart."""
        content = self.source.model_dump_json() + self.item.model_dump_json()
        return hashlib.sha256(content.encode("utf-8", "replace")).digest()

    @property
    def places(self) -> Sequence[tuple[int, int]]:
        """Where its sentences stand in the text."""
        return sentence_places(self.text, [sentence.text for sentence in self.item.sentences])


class RatedOutputs(Format):
    """A format whose records are outputs with scores: one unit per output, one block per
    criterion. A file without scores makes a study with the question of a rating scale."""

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._measures: dict[str, Measure] = {}
        self._marked = MarkedLabels()
        # The texts of the units that were met, by their keys.
        self._met: dict[str, bytes] = {}
        # The facets whose values are labels, also where some of them are numbers.
        self._labelled: set[str] = set()
        # Those that are asked of each sentence.
        self._by_sentence: set[str] = set()

    def records(self, watch: Watch = unwatched) -> Iterator[Any]:
        """The records of all files, in order: their objects, unless a format has others."""
        for path in self.input.files:
            yield from object_records(path, watch)

    def prepare(self) -> None:
        """Look at all records before the first is read, where a format has to."""

    @abstractmethod
    def read(self, record: Placed) -> Sequence[RatedOutput]:
        """The outputs of a record; ImportFailure where it cannot be used."""

    def asked(self) -> Mapping[str, AskedFacet]:
        """The questions that the files describe, by criterion; asked when a file is read."""
        return {}

    def measure(self, facet: str, observed: ObservedValues) -> Measure:
        """The block for the values of a criterion."""
        if observed.labels and not observed.numbers and set(observed.labels) <= set(YES_NO):
            observed.labels |= dict.fromkeys(YES_NO)
        if len(observed.labels) == 1 and not observed.numbers:
            observed.add(ANOTHER)
        return measure_of(facet, observed)

    def study(self) -> "StudyRecord":
        """One block per criterion, on a scale that holds its scores, and one per marked label."""
        # Imported late, as below: what only reads outputs does without the program's models.
        from imports.study_file.schema import StudyRecord

        self.prepare()
        observed: dict[str, ObservedValues] = {}
        is_empty = True
        for output in self.outputs():
            is_empty = False
            for score in output.scores:
                facet = facet_name(output.where, score.criterion)
                for value in score.values:
                    observed.setdefault(facet, ObservedValues()).add(value)
                if isinstance(score.value, tuple):
                    self._by_sentence.add(facet)
            for marks in output.marks:
                self._marked.add(marks)
        if is_empty:
            raise ImportFailure(str(self.input.files[0]), "records", "none in this file")
        self._measure_all(observed)
        for measure in self._marked.measures(self._measures):
            self._measures[measure.facet] = measure
        blocks = tuple(measure.block for measure in self._measures.values())
        return StudyRecord(blocks=blocks or (BlockPart(task_type=LIKERT.slug),))

    def _measure_all(self, observed: dict[str, ObservedValues]) -> None:
        file = str(self.input.files[0])
        described = {facet_name(file, criterion): of for criterion, of in self.asked().items()}
        for facet, of in described.items():
            for value in of.values:
                observed.setdefault(facet, ObservedValues()).add(value)
        for facet in [
            *(f for f in described if f in observed),
            *(f for f in observed if f not in described),
        ]:
            if observed[facet].labels:
                self._labelled.add(facet)
            try:
                measure = self.measure(facet, observed[facet])
                measure = measure.by_sentence() if facet in self._by_sentence else measure
            except ValueError as error:
                self.skipped.skip_part(ImportFailure.of(file, error, within=facet))
                continue
            question = described[facet].question if facet in described else ""
            self._measures[facet] = measure.worded(question)

    def entries(self) -> "Iterator[MaterialEntry]":
        from imports.material.records import MaterialEntry, UnitSpec

        for output in self.outputs(self.input.watch):
            key = output.item.key
            if key in self._met:
                if self._met[key] != output.digest:
                    reason = f"{key!r} came before with another text"
                    raise Contradiction(output.where, "id", reason)
                if output.findings is not None:
                    self.findings.add(output.findings)
                continue
            self._met[key] = output.digest
            unit = UnitSpec(key=key, items=(output.item,))
            yield MaterialEntry(
                output.where, output.source, (output.item,), (unit,), findings=output.findings
            )

    def answers(self) -> Iterator[AnswerLine]:
        for output in self.outputs():
            for score in output.scores:
                measure = self._measures.get(facet_name(output.where, score.criterion))
                if measure is not None:
                    yield self._answer(output, score, measure)
            for marks in output.marks:
                yield from self._of_marks(output, marks)

    def _answer(self, output: RatedOutput, score: Score, measure: Measure) -> AnswerLine:
        labelled = measure.facet in self._labelled
        values = [f"{v:g}" if labelled and isinstance(v, float) else v for v in score.values]
        several = measure.facet in self._by_sentence
        return self._line(
            output,
            score,
            measure,
            answer=measure.answer(values if several else values[0]),
            family=score.family if score.kind == "judge" else "",
            reasons=(score.reason,) if score.reason else (),
        )

    def _of_marks(self, output: RatedOutput, marks: Marks) -> Iterator[AnswerLine]:
        for facet, value in self._marked.values(marks, output.places):
            measure = self._measures[facet]
            yield self._line(output, marks, measure, answer=measure.answer(value))

    def _line(
        self, output: RatedOutput, by: Score | Marks, measure: Measure, **fields: Any
    ) -> AnswerLine:
        return AnswerLine.of(
            output.where,
            unit=output.item.key,
            block=measure.block.key,
            rater=by.rater,
            kind=by.kind,
            replicate=by.replicate,
            **fields,
        )

    def outputs(self, watch: Watch = unwatched) -> Iterator[RatedOutput]:
        """Every output that can be used, in order."""
        return chain.from_iterable(self.skipped.usable(self.records(watch), self.read))
