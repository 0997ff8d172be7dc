"""What the server of Potato keeps of each person, with the texts of the project.

Potato 2 writes `annotation_output/<person>/user_state.json`; Potato 1 wrote
`annotation_output/<person>/annotated_instances.jsonl`, with the texts in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.documents import whole_object
from files.readers.objects import object_of, object_records
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import AskedFacet, RatedOutput, RatedOutputs, Score
from imports.formats.tools.marks import Marks, Span, checked_spans
from imports.formats.tools.named_texts import NamedTexts, system_in
from imports.formats.tools.potato_project import CONFIG, Scheme, is_config, read_project
from tasktypes.texts.material import NO_TEXT

STATE, OLD_STATE = "user_state.json", "annotated_instances.jsonl"
SINGLE, SEVERAL = ("radio", "likert", "select", "slider", "number"), ("multiselect",)
_TAG = re.compile(r"<[^>]*>")
# Values that mean nothing but that a label was chosen.
_CHOSEN = ("true", "on", "1")


@dataclass(frozen=True)
class Annotated:
    """What one person answered about one text. chosen: label to value, by the question's name.
    spans: (question, span). text: where the file has it."""

    where: RecordPlace
    person: str
    instance: str
    chosen: Mapping[str, Mapping[str, Any]]
    spans: Sequence[tuple[str, Span]]
    text: str = ""


class Potato(RatedOutputs):
    """One unit per text; every person's folder is a person"""

    taken = AcceptedFiles(
        "Potato",
        "The folder of a project: `config.yaml`, the texts and `annotation_output`",
        (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv"),
    )

    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        files = format_input.files
        self._files = [path for path in files if not is_config(path)]
        if not self._files:
            reason = f"no {STATE} or {OLD_STATE} beside it: give the project's folder"
            raise ImportFailure(str(files[0]), "file", reason)
        projects = [read_project(path) for path in files if is_config(path)]
        self._texts = {key: text for project in projects for key, text in project.texts.items()}
        self._schemes = {name: s for project in projects for name, s in project.schemes.items()}

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        """The configuration and every person's file, of a project or of its output alone."""
        states = [*folder.rglob(STATE), *folder.rglob(OLD_STATE)]
        config = [folder / name for name in CONFIG if (folder / name).is_file()]
        return [*config, *sorted(states)] if states else []

    def asked(self) -> Mapping[str, AskedFacet]:
        single = {name: s for name, s in self._schemes.items() if s.kind in SINGLE}
        return {name: AskedFacet(s.question, s.offered) for name, s in single.items()}

    def records(self, watch: Watch = unwatched) -> Iterator[Annotated]:
        for path in self._files:
            yield from _old_records(path) if path.suffix == ".jsonl" else _records(path)
            watch(path.stat().st_size)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Annotated)
        fields = self._texts.get(record.instance) or {"text": record.text or NO_TEXT}
        text, key = fields["text"], record.instance
        if not isinstance(text, str) or not text.strip():
            raise ImportFailure(record.where, "text", "no text (only texts are read)")
        read = _Read(record, self._schemes)
        try:
            # The project says which field is its text.
            texts = NamedTexts("text")
            source = texts.source(record.where, key, fields)
            item = texts.item(record.where, key, fields, system=system_in(fields))
            for name, chosen in record.chosen.items():
                read.take(name, chosen)
            read.take_spans("" if text == NO_TEXT else text)
        except ValueError as error:
            raise ImportFailure.of(record.where, error) from error
        return [
            RatedOutput(record.where, source, item, read.scores, read.findings, read.marks, text)
        ]


@dataclass
class _Read:
    """The answers of a person to the questions about a text."""

    record: Annotated
    schemes: Mapping[str, Scheme]
    scores: list[Score] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def take(self, name: str, chosen: Mapping[str, Any]) -> None:
        """The labels that were chosen in answer to one question."""
        scheme = self.schemes.get(name) or _guessed(chosen)
        offered = tuple(map(str, scheme.offered))
        if scheme.kind in SINGLE and len(chosen) == 1:
            value = _value(scheme, *next(iter(chosen.items())))
            self.scores.append(Score(self.record.person, "human", name, value))
        elif scheme.kind in SEVERAL:
            labels = tuple(chosen)
            marks = Marks(self.record.person, "human", name, labels=labels, offered=offered)
            self.marks.append(marks)
        else:
            self.findings.note(f"{name}_not_imported", self.record.where)

    def take_spans(self, text: str) -> None:
        """What was marked; a person who answered anything was asked to mark, too."""
        names = {name: s for name, s in self.schemes.items() if s.kind == "span"}
        names |= {
            name: Scheme("span", "", ()) for name, _ in self.record.spans if name not in names
        }
        for name, scheme in names.items():
            spans = [span for of, span in self.record.spans if of == name]
            if spans and not text:
                self.findings.note(f"{name}_not_imported", self.record.where)
            elif text:
                checked = checked_spans(spans, text)
                offered = tuple(map(str, scheme.offered))
                person = self.record.person
                self.marks.append(Marks(person, "human", name, spans=checked, offered=offered))


def _value(scheme: Scheme, label: str, value: Any) -> float | str:
    """The number of a scale, or the label of a choice."""
    stated = label if str(value).lower() in (label.lower(), *_CHOSEN) else str(value)
    if scheme.kind in ("radio", "select"):
        return label
    try:
        return float(stated if scheme.kind != "likert" else label)
    except ValueError:
        return label


def _guessed(chosen: Mapping[str, Any]) -> Scheme:
    """What a question must be, by its answer, where there is no configuration: a choice, unless it
    was written, or several were chosen."""
    if any(name in chosen for name in ("text_box", "free_response")):
        return Scheme("text", "", ())
    if len(chosen) > 1:
        return Scheme("multiselect", "", ())
    label = next(iter(chosen), "")
    return Scheme("likert" if label.isdecimal() else "radio", "", ())


def _records(path: Path) -> Iterator[Annotated]:
    """The answers in a file of Potato 2."""
    state = whole_object(path)
    labels, spans = (state.get(f"instance_id_to_{what}_to_value") for what in ("label", "span"))
    person = str(state.get("user_id") or path.parent.name)
    if not isinstance(labels, Mapping) or not isinstance(spans or {}, Mapping):
        reason = "missing: this is no file that Potato 2 keeps of a person"
        raise ImportFailure(str(path), "instance_id_to_label_to_value", reason)
    for instance in dict.fromkeys([*labels, *(spans or {})]):
        raw = {"labels": labels.get(instance), "spans": (spans or {}).get(instance)}
        where = RecordPlace(f"{path} (instance {instance})", file=path, raw=raw)
        chosen: dict[str, dict[str, Any]] = {}
        for label, value in raw["labels"] or ():
            chosen.setdefault(str(label["schema"]), {})[str(label["name"])] = value
        marked = [(str(s["schema"]), _span(s, "name")) for s, _ in raw["spans"] or ()]
        yield Annotated(where, person, instance, chosen, marked)


def _old_records(path: Path) -> Iterator[Annotated]:
    """The answers in a file of Potato 1."""
    for record in object_records(path):
        value = object_of(record)
        if "id" not in value or not isinstance(value.get("label_annotations"), Mapping):
            reason = "missing: this is no file that Potato 1 kept of a person"
            raise ImportFailure(record.where, "label_annotations", reason)
        marked = value.get("span_annotations") or ()
        spans = [("", _span(span, "annotation")) for span in marked]
        text = unescape(_TAG.sub("", str(value.get("displayed_text") or "")))
        person, chosen = path.parent.name, value["label_annotations"]
        yield Annotated(record.where, person, str(value["id"]), chosen, spans, text)


def _span(span: Mapping[str, Any], label: str) -> Span:
    return Span(int(span["start"]), int(span["end"]), str(span[label]))
