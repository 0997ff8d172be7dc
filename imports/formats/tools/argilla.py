"""Datasets of Argilla 2 on disk: `records.json`, best with the settings that say what was asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.documents import array_records, whole_object
from files.readers.streams import Member, Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import AskedFacet, RatedOutput, RatedOutputs, Score
from imports.formats.scales import RawRating
from imports.formats.tools.marks import Marks, Span, checked_spans
from imports.formats.tools.named_texts import NamedTexts, note_left_out, system_in

SETTINGS = "settings.json"
SUGGESTION = "suggestion"
# The kinds of questions: those with one value, those with several labels, and those of spans.
SINGLE, SEVERAL, SPANS = ("label_selection", "rating"), "multi_label_selection", "span"
READ = ("id", "fields", "responses", "suggestions", "status", "_server_id", "score")


@dataclass(frozen=True)
class Question:
    """A question of a dataset. field: of a question of spans, the field that is marked."""

    kind: str
    title: str
    offered: tuple[RawRating, ...]
    field: str

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> "Question":
        settings = described.get("settings") or {}
        options = settings.get("options") or ()
        values = (option.get("value") for option in options if isinstance(option, Mapping))
        offered = tuple(v if isinstance(v, str) else float(v) for v in values if v is not None)
        title = str(described.get("description") or described.get("title") or "")
        title = "" if title == described.get("name") else title
        return cls(str(settings.get("type")), title, offered, str(settings.get("field") or ""))


@dataclass
class _Read:
    """What is read of a record."""

    where: RecordPlace
    output: str
    text: str
    questions: Mapping[str, Question]
    scores: list[Score] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def take(self, name: str, rater: str, kind: str, value: Any) -> None:
        """The value that a rater gave to a question."""
        question = self.questions.get(name) or _guessed(value)
        if question.kind in SINGLE and isinstance(value, str | int | float):
            rating = value if isinstance(value, str) else float(value)
            self.scores.append(Score(rater, kind, name, rating))
        elif question.kind == SEVERAL and isinstance(value, list):
            labels, offered = tuple(map(str, value)), tuple(map(str, question.offered))
            self.marks.append(Marks(rater, kind, name, labels=labels, offered=offered))
        elif question.kind == SPANS and question.field in ("", self.output):
            spans = checked_spans(_spans(value), self.text)
            offered = tuple(map(str, question.offered))
            self.marks.append(Marks(rater, kind, name, spans=spans, offered=offered))
        else:
            self.findings.note(f"{name}_not_imported", self.where)


class Argilla(RatedOutputs):
    """One unit per record; users are people, and agents of suggestions judges"""

    taken = AcceptedFiles(
        "Argilla",
        "The folder that `Dataset.to_disk` writes, or `records.json` with `settings.json`",
        (".json", ".gz"),
    )

    options = ("text",)
    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        settings = [path for path in format_input.files if path.name.startswith(SETTINGS)]
        self._files = [path for path in format_input.files if path not in settings]
        if not self._files:
            raise ImportFailure(str(settings[0]), "file", "give the file of records, too")
        self._questions = _questions(settings)
        self._texts = NamedTexts(format_input.text)

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        """What `Dataset.to_disk` writes."""
        files = (folder / "records.json", folder / ".argilla" / SETTINGS)
        return [file for file in files if file.is_file()]

    def asked(self) -> Mapping[str, AskedFacet]:
        single = {name: q for name, q in self._questions.items() if q.kind in SINGLE}
        return {name: AskedFacet(q.title, q.offered) for name, q in single.items()}

    def records(self, watch: Watch = unwatched) -> Iterator[Member]:
        for path in self._files:
            yield from array_records(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Member)
        where, value = record.where, record.value
        fields = _object(where, value, "fields")
        key = str(value.get("id") or record.key)
        output = self._texts.output_field(where, fields)
        read = _Read(where, output, str(fields.get(output, "")), self._questions)
        note_left_out(read.findings, where, value, READ)
        try:
            system = system_in(value.get("metadata") or {})
            source = self._texts.source(where, key, fields)
            item = self._texts.item(where, key, fields, system=system)
            for name, user, answer in _responses(where, value):
                read.take(name, user, "human", answer)
            for name, suggested in _object(where, value, "suggestions").items():
                agent = str(suggested.get("agent") or SUGGESTION)
                read.take(name, agent, "judge", suggested.get("value"))
        except (ValueError, AttributeError) as error:
            raise ImportFailure.of(where, ValueError(str(error))) from error
        return [RatedOutput(where, source, item, read.scores, read.findings, read.marks, read.text)]


def _questions(files: Sequence[Path]) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    for path in files:
        described = whole_object(path).get("questions")
        if not isinstance(described, list) or not all("name" in q for q in described):
            raise ImportFailure(str(path), "questions", "missing: no settings of Argilla 2")
        questions |= {str(q["name"]): Question.of(q) for q in described}
    return questions


def _object(where: RecordPlace, value: Any, name: str) -> Mapping[str, Any]:
    part = value.get(name) if isinstance(value, Mapping) else None
    if name != "fields" and part is None:
        return {}
    if not isinstance(part, Mapping):
        reason = "no object: this is no record as Argilla 2 writes it"
        raise ImportFailure(where, name, reason)
    return part


def _responses(where: RecordPlace, value: Any) -> Iterator[tuple[str, str, Any]]:
    """(question, user, value) of every response. The file does not say which are drafts."""
    for name, responses in _object(where, value, "responses").items():
        for response in responses:
            yield name, str(response["user_id"]), response.get("value")


def _guessed(value: Any) -> Question:
    """What a question must be, by a value, where there are no settings."""
    if isinstance(value, list):
        marked = any(isinstance(part, Mapping) for part in value)
        spans = marked and all("start" in part for part in value)
        return Question(SPANS if spans else "ranking" if marked else SEVERAL, "", (), "")
    return Question(SINGLE[0], "", (), "")


def _spans(value: Any) -> list[Span]:
    return [Span(int(span["start"]), int(span["end"]), str(span["label"])) for span in value]
