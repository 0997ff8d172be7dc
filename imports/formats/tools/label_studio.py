"""Exports of Label Studio in its format JSON: tasks with annotations and predictions."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.documents import array_records
from files.readers.streams import Member, Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.tools.marks import Marks, Span, checked_spans
from imports.formats.tools.named_texts import NamedTexts, system_in
from imports.study_file.schema import StudyRecord

NOT_IMPORTED = "labels_not_imported"
# In files that were exported here: a unit's key among the data, the name of an annotator, and the
# controls by which parts of the text were to be marked, also where none was.
UNIT_KEY, RATER, ANSWERED = "jurybox_unit", "jurybox_rater", "jurybox_answered"


@dataclass(frozen=True)
class _Answerer:
    """Who made an annotation or a prediction, and how often before for the same task. answered:
    the controls of parts that the file says were answered; None where it does not say."""

    rater: str
    kind: str
    replicate: int
    answered: tuple[str, ...] | None = None

    def marked(self, used: Collection[tuple[str, str]]) -> Sequence[str]:
        """The controls of parts that the rater answered: all that the same rater used in any
        task, unless the file says which."""
        if self.answered is not None:
            return self.answered
        return sorted(control for rater, control in used if rater == self.rater)


@dataclass
class _Read:
    """What is read of a task. several: the controls where several choices were made somewhere in
    the file. spans: (rater, control) where parts of a text were marked somewhere: there the same
    rater marked nothing in a task without such regions."""

    record: Member
    text: str
    several: frozenset[str]
    spans: frozenset[tuple[str, str]]
    scores: list[Score] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def take(self, by: _Answerer, result: Sequence[Mapping[str, Any]]) -> None:
        """The answers in the result of one annotation or prediction."""
        marked: dict[str, list[Span]] = {control: [] for control in by.marked(self.spans)}
        for region in result:
            name, kind, value = region.get("from_name"), region.get("type"), region.get("value")
            chosen = value.get(kind) if isinstance(value, Mapping) else None
            if (span := _span(region)) is not None:
                marked.setdefault(str(name), []).append(span)
            elif kind == "choices" and isinstance(chosen, list) and chosen:
                self._choose(by, str(name), tuple(map(str, chosen)))
            elif kind in ("rating", "number") and isinstance(chosen, int | float):
                self.scores.append(
                    Score(by.rater, by.kind, str(name), float(chosen), replicate=by.replicate)
                )
            else:
                self.findings.note(NOT_IMPORTED, self.record.where)
        for control, spans in marked.items():
            self._mark(by, control, spans=checked_spans(spans, self.text))

    def _choose(self, by: _Answerer, control: str, chosen: tuple[str, ...]) -> None:
        if control in self.several:
            self._mark(by, control, labels=chosen)
        else:
            score = Score(by.rater, by.kind, control, chosen[0], replicate=by.replicate)
            self.scores.append(score)

    def _mark(self, by: _Answerer, control: str, **what: Any) -> None:
        self.marks.append(Marks(by.rater, by.kind, control, replicate=by.replicate, **what))


class LabelStudio(RatedOutputs):
    """One unit per task; annotators are people, and versions of models judges"""

    taken = AcceptedFiles(
        "Label Studio", "The export in the format JSON (not JSON-MIN)", (".json", ".gz")
    )

    options = ("text",)
    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._texts = NamedTexts(format_input.text)
        self._several: set[str] = set()
        self._spans: set[tuple[str, str]] = set()

    def study(self) -> StudyRecord:
        for record in self.records():
            for rater, region in _regions(record.value):
                control, value = str(region.get("from_name")), region.get("value")
                if _span(region) is not None:
                    self._spans.add((rater, control))
                elif isinstance(value, Mapping) and len(value.get("choices") or ()) > 1:
                    self._several.add(control)
        return super().study()

    def records(self, watch: Watch = unwatched) -> Iterator[Member]:
        for path in self.input.files:
            yield from array_records(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Member)
        task = record.value
        if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
            reason = "missing: this is no task of Label Studio's format JSON (JSON-MIN is not read)"
            raise ImportFailure(record.where, "data", reason)
        data = task["data"]
        key = str(data.get(UNIT_KEY) or task.get("id", record.key))
        texts = {name: value for name, value in data.items() if name != UNIT_KEY}
        try:
            source = self._texts.source(record.where, key, texts)
            item = self._texts.item(record.where, key, texts, system=system_in(texts))
            text = str(texts.get(self._texts.output_field(record.where, texts), ""))
            read = _Read(record, text, frozenset(self._several), frozenset(self._spans))
            for by, result in _answered(task):
                read.take(by, result)
        except ValueError as error:
            raise ImportFailure.of(record.where, error) from error
        return [
            RatedOutput(record.where, source, item, read.scores, read.findings, read.marks, text)
        ]


def _answered(task: Mapping[str, Any]) -> Iterator[tuple[_Answerer, Sequence[Mapping[str, Any]]]]:
    """Everybody's annotations that were not cancelled, and the predictions of models."""
    earlier: Counter[tuple[str, str]] = Counter()
    answered = [
        *(
            ("human", _annotator(a.get(RATER) or a.get("completed_by")), a)
            for a in task.get("annotations") or ()
        ),
        *(
            ("judge", str(p.get("model_version") or "prediction"), p)
            for p in task.get("predictions") or ()
        ),
    ]
    for kind, rater, made in answered:
        if not made.get("was_cancelled"):
            told = made.get(ANSWERED)
            answered_parts = tuple(map(str, told)) if isinstance(told, list) else None
            by = _Answerer(rater, kind, earlier[kind, rater], answered_parts)
            yield by, made.get("result") or ()
            earlier[kind, rater] += 1


def _regions(task: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(rater, region) of everything that was answered."""
    for by, result in _answered(task) if isinstance(task, Mapping) else ():
        for region in result:
            yield by.rater, region


def _span(region: Mapping[str, Any]) -> Span | None:
    """The part of a text that a region marks with one label; None for another kind of region."""
    value = region.get("value")
    if region.get("type") != "labels" or not isinstance(value, Mapping):
        return None
    start, end, labels = value.get("start"), value.get("end"), value.get("labels")
    whole = isinstance(start, int) and isinstance(end, int)
    if not whole or not isinstance(labels, list) or len(labels) != 1:
        return None
    return Span(int(value["start"]), int(value["end"]), str(labels[0]))


def _annotator(completed_by: object) -> str:
    if isinstance(completed_by, Mapping):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return f"annotator-{completed_by}" if isinstance(completed_by, int) else str(completed_by)
