"""What formats of other tools share: outputs, each with scores that people or machines gave it."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from annotation.importing.answer_lines import AnswerLine
from annotation.importing.errors import ImportFailure, RecordPlace
from annotation.importing.files.streams import Watch, unwatched
from annotation.importing.findings import Findings
from annotation.importing.formats.contract import Format, FormatInput
from annotation.importing.formats.scales import (
    Measure,
    ObservedValues,
    RawRating,
    facet_name,
    measure_of,
)
from annotation.importing.material.records import Entry, UnitSpec
from annotation.importing.skipped import Placed
from annotation.importing.study_file.blocks import BlockPart
from annotation.importing.study_file.schema import StudyRecord
from tasktypes.likert import LIKERT
from tasktypes.material import Item, Source

# Beside the only label that occurs, so that there is something to choose.
ANOTHER = "another"


@dataclass(frozen=True)
class Score:
    """What a rater said of an output, by one criterion. kind: `human` or `judge`. reason: in the
    rater's words."""

    rater: str
    kind: str
    criterion: str
    value: RawRating
    replicate: int = 0
    family: str = ""
    reason: str = ""


@dataclass(frozen=True)
class RatedOutput:
    """One output with its scores; the item's key is that of its unit. findings: what of the
    record is not imported."""

    where: RecordPlace
    source: Source
    item: Item
    scores: Sequence[Score] = ()
    findings: Findings | None = None


class RatedOutputs(Format):
    """A format whose records are outputs with scores: one unit per output, one block per
    criterion. A file without scores makes a study with the question of a rating scale."""

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._measures: dict[str, Measure] = {}
        self._met: set[str] = set()
        # The facets whose values are labels, also where some of them are numbers.
        self._labelled: set[str] = set()

    @abstractmethod
    def records(self, watch: Watch = unwatched) -> Iterator[Placed]:
        """The records of all files, in order."""

    @abstractmethod
    def read(self, record: Placed) -> Sequence[RatedOutput]:
        """The outputs of a record; ImportFailure where it cannot be used."""

    def measure(self, facet: str, observed: ObservedValues) -> Measure:
        """The block for the values of a criterion."""
        if len(observed.labels) == 1 and not observed.numbers:
            observed.add(ANOTHER)
        return measure_of(facet, observed)

    def study(self) -> StudyRecord:
        """One block per criterion, on a scale that holds its scores."""
        observed: dict[str, ObservedValues] = {}
        file = str(self.input.files[0])
        is_empty = True
        for output in self._outputs():
            is_empty = False
            for score in output.scores:
                facet = facet_name(output.where, score.criterion)
                observed.setdefault(facet, ObservedValues()).add(score.value)
        if is_empty:
            raise ImportFailure(file, "records", "none in this file")
        for facet, values in observed.items():
            if values.labels:
                self._labelled.add(facet)
            try:
                self._measures[facet] = self.measure(facet, values)
            except ValueError as error:
                self.skipped.skip_part(ImportFailure.of(file, error, within=facet))
        blocks = tuple(measure.block for measure in self._measures.values())
        return StudyRecord(blocks=blocks or (BlockPart(task_type=LIKERT.slug),))

    def entries(self) -> Iterator[Entry]:
        for output in self._outputs(self.input.watch):
            if output.item.key in self._met:
                continue
            self._met.add(output.item.key)
            unit = UnitSpec(key=output.item.key, items=(output.item,))
            yield Entry(
                output.where, output.source, (output.item,), (unit,), findings=output.findings
            )

    def answers(self) -> Iterator[AnswerLine]:
        for output in self._outputs():
            for score in output.scores:
                measure = self._measures.get(facet_name(output.where, score.criterion))
                if measure is not None:
                    yield self._answer(output, score, measure)

    def _answer(self, output: RatedOutput, score: Score, measure: Measure) -> AnswerLine:
        value = score.value
        if isinstance(value, float) and measure.facet in self._labelled:
            value = f"{value:g}"
        return AnswerLine.of(
            output.where,
            unit=output.item.key,
            block=measure.block.key,
            rater=score.rater,
            kind=score.kind,
            family=score.family if score.kind == "judge" else "",
            replicate=score.replicate,
            answer=measure.answer(value),
            reasons=(score.reason,) if score.reason else (),
        )

    def _outputs(self, watch: Watch = unwatched) -> Iterator[RatedOutput]:
        return chain.from_iterable(self.skipped.usable(self.records(watch), self.read))
