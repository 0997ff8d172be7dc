"""What Prodigy's `db-out` writes: a line per answer of an annotator."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import object_of
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.tools.marks import YES_NO, Marks, Span, checked_spans
from imports.formats.tools.named_texts import NamedTexts, note_left_out
from imports.study_file.schema import StudyRecord

ANSWERS = ("accept", "reject", "ignore")
CHOICE, ACCEPT = "choice", "accept"
IGNORED, REJECTED = "answers_ignored", "answers_rejected"
# Interfaces that ask whether a suggestion is right; all others with spans let people mark them.
BINARY = ("ner", "spans", "pos", "dep")
# Of how a task was shown and stored: nothing that somebody answered.
TECHNICAL = ("tokens", "config", "html", "_is_binary", "_view_id", "_timestamp", "_task_hash")
READ = (
    *("text", "label", "options", "accept", "answer", "spans"),
    *("_input_hash", "_session_id", "_annotator_id"),
)


class Prodigy(RatedOutputs):
    """One unit per text; every session or annotator is a person"""

    taken = AcceptedFiles(
        "Prodigy", "What `prodigy db-out` writes (JSONL)", (".jsonl", ".json", ".gz")
    )

    names_accounts = True
    _several = False

    def study(self) -> StudyRecord:
        """Several options accepted at once, or the setting, mean that several may be chosen."""
        for record in self.records():
            try:
                value = object_of(record)
            except ImportFailure:
                continue  # told where the record is read
            accepted, config = value.get("accept"), value.get("config")
            self._several |= isinstance(accepted, list) and len(accepted) > 1
            self._several |= isinstance(config, Mapping) and (
                config.get("choice_style") == "multiple"
            )
        return super().study()

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        where, value = record.where, object_of(record)  # type: ignore[arg-type]
        text, answer = value.get("text"), value.get("answer")
        if not isinstance(text, str) or not text.strip():
            reason = "missing or empty (tasks of images, sounds or comparisons are not read)"
            raise ImportFailure(where, "text", reason)
        if answer not in ANSWERS:
            reason = f"{answer!r} is none of {', '.join(ANSWERS)}"
            raise ImportFailure(where, "answer", "missing" if answer is None else reason)
        findings, key = Findings(), str(value.get("_input_hash") or _hash(text))
        note_left_out(findings, where, value, (*READ, *TECHNICAL))
        try:
            texts = NamedTexts("text")
            source = texts.source(where, key, {"text": text})
            item = texts.item(where, key, {"text": text})
            scores, marks = self._answers(where, value, text, findings)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        return [RatedOutput(where, source, item, scores, findings, marks, text)]

    def _answers(
        self, where: RecordPlace, value: Mapping[str, Any], text: str, findings: Findings
    ) -> tuple[list[Score], list[Marks]]:
        """An ignored task is no answer, and neither is one whose choice or spans are rejected:
        that says what they are not."""
        rater, accepted = _annotator(where, value), value["answer"] == ACCEPT
        if value["answer"] == "ignore":
            findings.note(IGNORED, where)
            return [], []
        offered = _options(value)
        spans = value.get("spans")
        marked = isinstance(spans, list) and value.get("_view_id") not in BINARY
        if not offered and not marked:
            criterion = str(value.get("label") or ACCEPT)
            return [Score(rater, "human", criterion, YES_NO[not accepted])], []
        if not accepted:
            findings.note(REJECTED, where)
            return [], []
        marks = []
        if marked:
            marks.append(Marks(rater, "human", spans=_spans(spans or (), text)))
        chosen = tuple(map(str, value.get("accept") or ())) if offered else ()
        if self._several and offered:
            marks.append(Marks(rater, "human", CHOICE, labels=chosen, offered=offered))
        scores = [Score(rater, "human", CHOICE, chosen[0])] if chosen else []
        return ([], marks) if self._several else (scores, marks)


def _annotator(where: RecordPlace, value: Mapping[str, Any]) -> str:
    named = value.get("_annotator_id") or value.get("_session_id")
    return str(named or where.file.name.partition(".")[0])


def _options(value: Mapping[str, Any]) -> tuple[str, ...]:
    options = value.get("options")
    if not isinstance(options, list):
        return ()
    return tuple(str(option["id"]) for option in options if isinstance(option, Mapping))


def _spans(spans: Sequence[Any], text: str) -> tuple[Span, ...]:
    try:
        read = [Span(int(span["start"]), int(span["end"]), str(span["label"])) for span in spans]
    except (KeyError, TypeError) as error:
        raise ValueError("spans: one without start, end or label") from error
    return checked_spans(read, text)


def _hash(text: str) -> str:
    """Names a text that Prodigy did not number."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
