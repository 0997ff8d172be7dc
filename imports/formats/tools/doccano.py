"""Exports of doccano, JSON or JSON lines: a file per annotator, or one of all of them together."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import object_of
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.tools.marks import Marks, Span, checked_spans
from imports.formats.tools.named_texts import NamedTexts, note_left_out
from imports.study_file.schema import StudyRecord

LABEL = "label"
# The file of a project whose annotators share their labels.
TOGETHER = "all"
WITHOUT = "records_without_labels"
# The fields of labels, also as earlier versions call them.
FIELDS = ("label", "labels", "cats", "entities")


class Doccano(RatedOutputs):
    """One unit per text; every annotator's file is a person"""

    taken = AcceptedFiles(
        "doccano",
        "The folder of an export, or its files: JSONL or JSON, a file per annotator",
        (".jsonl", ".json", ".gz"),
    )

    names_accounts = True
    _several = False

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        return sorted((*folder.glob("*.jsonl"), *folder.glob("*.json")))

    def study(self) -> StudyRecord:
        """Several labels on one text mean that the project allows that."""
        for record in self.records():
            try:
                categories, _ = _labels(record.where, object_of(record))
            except ImportFailure:
                continue  # told where the record is read
            self._several |= len(set(categories)) > 1
        return super().study()

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        where, value = record.where, object_of(record)  # type: ignore[arg-type]
        text = value.get("text")
        if not isinstance(text, str) or not text.strip():
            reason = "missing or empty (projects of images and sounds are not read)"
            raise ImportFailure(where, "text", reason)
        if "id" not in value:
            raise ImportFailure(where, "id", "missing (doccano numbers its texts)")
        findings, key = Findings(), str(value["id"])
        note_left_out(findings, where, value, ("id", "text", *FIELDS))
        categories, spans = _labels(where, value)
        try:
            texts = NamedTexts("text")
            source = texts.source(where, key, {"text": text})
            item = texts.item(where, key, {"text": text})
            checked_spans(spans, text)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        scores, marks = self._answers(where, categories, spans)
        if not scores and not marks:
            findings.note(WITHOUT, where)
        return [RatedOutput(where, source, item, scores, findings, marks, text)]

    def _answers(
        self, where: RecordPlace, categories: Sequence[str], spans: Sequence[Span]
    ) -> tuple[list[Score], list[Marks]]:
        """A text without any label is no answer: nobody can tell whether it was looked at."""
        rater, marks = _annotator(where.file), []
        if spans:
            marks.append(Marks(rater, "human", spans=tuple(spans)))
        if self._several and categories:
            marks.append(Marks(rater, "human", labels=tuple(dict.fromkeys(categories))))
        scores = [Score(rater, "human", LABEL, categories[0])] if categories else []
        return ([], marks) if self._several else (scores, marks)


def _annotator(file: Path) -> str:
    """doccano names each file by its annotator."""
    name = file.name.removesuffix(".gz").rpartition(".")[0]
    return "annotators" if name == TOGETHER else name


def _labels(where: str, value: Mapping[str, Any]) -> tuple[list[str], list[Span]]:
    """The labels of the whole text, and those of its parts."""
    categories: list[str] = []
    spans: list[Span] = []
    for name in FIELDS:
        labels = value.get(name)
        if labels is None:
            continue
        for label in labels if isinstance(labels, list) else [labels]:
            if isinstance(label, str):
                categories.append(label)
            else:
                spans.append(_span(where, name, label))
    return categories, spans


def _span(where: str, name: str, label: Any) -> Span:
    """A label of a part: `[start, end, label]`, or an object where relations are exported too."""
    if isinstance(label, Mapping):
        label = [label.get("start_offset"), label.get("end_offset"), label.get("label")]
    if isinstance(label, list) and len(label) == 3:
        start, end, text = label
        if isinstance(start, int) and isinstance(end, int) and isinstance(text, str):
            return Span(start, end, text)
    reason = f"{str(label)[:40]} is neither a label nor [start, end, label]"
    raise ImportFailure(where, name, reason)
