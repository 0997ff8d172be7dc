"""Langfuse: traces, observations and scores, as its pages, its API and its export to storage write
them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.exchanges import value_of
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import PartRecord, Record, content_of, records_of
from imports.formats.traces.scores import plain_value, score_of
from imports.formats.traces.spans import Span, SpanKind, Trace, outputs_of, replicated

_KINDS: Mapping[str, SpanKind] = {"GENERATION": "model", "TOOL": "tool", "RETRIEVER": "tool"}
_SCORE_TYPES = ("NUMERIC", "BOOLEAN", "CATEGORICAL", "TEXT", "CORRECTION")
_SOURCES = ("ANNOTATION", "API", "EVAL")
# Where a score says what it is of.
_SUBJECTS = ("subject", "trace_id", "session_id", "dataset_run_id", "observation_id")
# What is no answer to a question: remarks and better outputs.
_REMARKS = ("TEXT", "CORRECTION")
_REMARK, _ELSEWHERE = "remarks_not_imported", "scores_of_sessions_or_runs"
# The rater of scores that came by the API: the file does not say who gave them.
_API = "api"
# Fields of a trace; the table of traces on a page has a column for each name of a score as well.
_FIELDS = frozenset(
    [
        "id",
        "timestamp",
        "name",
        "user_id",
        "session_id",
        "release",
        "version",
        "environment",
        "tags",
        "bookmarked",
        "public",
        "input",
        "output",
        "metadata",
        "latency",
        "usage",
        "input_cost",
        "output_cost",
        "total_cost",
        "level",
        "error_count",
        "warning_count",
        "default_count",
        "debug_count",
        "observation_count",
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "comments",
        "project_id",
        "created_at",
        "updated_at",
        "html_path",
        "external_id",
        "observations",
        "scores",
        "cost_details",
        "usage_details",
        "trace_id",
        "trace",
    ]
)
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass
class _Parts:
    """What the files say of one trace."""

    where: RecordPlace | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)
    observations: list[Mapping[str, Any]] = field(default_factory=list)
    scores: list[tuple[RecordPlace, Mapping[str, Any]]] = field(default_factory=list)


# (trace, observation or score; its place; its fields)
_Row = tuple[str, RecordPlace, Mapping[str, Any]]


class LangfuseTraces(NamedOutputs):
    """One unit per trace, and per observation with scores of its own; annotators are people,
    evaluators and the API judges"""

    taken = AcceptedFiles("Langfuse", "All files of an export: traces or observations, and scores")

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._traces: dict[str, _Parts] | None = None

    def records(self, watch: Watch = unwatched) -> Iterator[Placed]:
        """A record per trace; its parts may stand in several files, so all are read first."""
        if self._traces is None:
            self._traces = self._grouped(watch)
        for key, parts in self._traces.items():
            if parts.where is not None:
                yield PartRecord(parts.where, (key, parts))

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, PartRecord)
        key, parts = record.value
        findings = Findings()
        for name, value in parts.trace.items():
            if name not in _FIELDS and value not in (None, [], ""):
                self.leave_out(f"{name} (export the table of scores)", record.where)
        for name in ("metadata", "tags", "comments"):
            if parts.trace.get(name):
                self.leave_out(name, record.where)
        return outputs_of(
            Trace(
                where=record.where,
                key=key,
                spans=[_span(observation) for observation in parts.observations],
                input=value_of(parts.trace.get("input")),
                output=value_of(parts.trace.get("output")),
                scores=replicated(_scores(parts.scores, findings)),
                findings=findings,
            )
        )

    def _grouped(self, watch: Watch) -> dict[str, _Parts]:
        traces: dict[str, _Parts] = {}
        records = (
            part
            for path in self.input.files
            for record in records_of(path, watch)
            for part in _parts(record)
        )
        for rows in self.skipped.usable(records, self._rows):
            for kind, where, row in rows:
                if key := _trace_of(kind, row):
                    _take(traces.setdefault(key, _Parts()), kind, where, row)
                else:
                    self.findings.note(_ELSEWHERE, where)
        for key, parts in traces.items():
            for where, _ in parts.scores if parts.where is None else ():
                reason = f"{key!r} is in none of the files"
                self.skipped.skip_answer(ImportFailure(where, "traceId", reason))
        return traces

    def _rows(self, record: Record) -> list[_Row]:
        """The trace, observation or score that a record is; all of them where a trace was
        downloaded whole."""
        rows = list(_flat(record.where, content_of(record)))
        for kind, where, row in rows:
            self.refuse_duplicate(where, f"{kind} {row['id']}", row)
        return rows


def _parts(record: Record) -> Iterator[Record]:
    """The record, or those of a page of the API."""
    try:
        page = content_of(record).get("data")
    except ImportFailure:
        page = None  # told where it may be skipped
    if not isinstance(page, list):
        yield record
        return
    for number, part in enumerate(page):
        where = RecordPlace(f"{record.where} (data {number})", file=record.where.file, raw=part)
        yield PartRecord(where, part)


def _flat(where: RecordPlace, content: Mapping[str, Any]) -> Iterator[_Row]:
    row = {_snake(name): value for name, value in content.items()}
    inner = [
        (f"{where} ({name} {number})", part)
        for name in ("observations", "scores")
        for number, part in enumerate(row.pop(name, None) or ())
        if isinstance(part, Mapping)
    ]
    if isinstance(row.get("trace"), Mapping):
        row = {_snake(name): value for name, value in row["trace"].items()}
    yield _recognized(where, row), where, row
    for place, part in inner:
        yield from _flat(RecordPlace(place, file=where.file, raw=part), part)


def _recognized(where: RecordPlace, row: Mapping[str, Any]) -> str:
    """What a row is; ImportFailure where it is nothing of Langfuse's."""
    if not row.get("id"):
        reason = "missing: this is no trace, observation or score of Langfuse"
        raise ImportFailure(where, "id", reason)
    if "data_type" in row and "name" in row:
        for name, names in (("source", _SOURCES), ("data_type", _SCORE_TYPES)):
            if row.get(name) not in names:
                reason = f"{row.get(name)!r} is not known here ({', '.join(names)})"
                raise ImportFailure(where, name, reason)
        if not any(row.get(name) for name in _SUBJECTS):
            reason = "missing (ask the API for fields=details,subject,annotation)"
            raise ImportFailure(where, "subject", reason)
        return "score"
    return "observation" if "trace_id" in row and "type" in row else "trace"


def _trace_of(kind: str, row: Mapping[str, Any]) -> str:
    """The trace that a row belongs to; empty for a score of a session or of an experiment."""
    if kind == "trace":
        return str(row["id"])
    subject = row.get("subject") or {}
    if subject.get("kind") == "trace":
        return str(subject["id"])
    return str(row.get("trace_id") or subject.get("traceId") or subject.get("trace_id") or "")


def _take(parts: _Parts, kind: str, where: RecordPlace, row: Mapping[str, Any]) -> None:
    if kind == "score":
        parts.scores.append((where, row))
        return
    if kind == "trace":
        parts.trace, parts.where = row, where
    else:
        parts.observations.append(row)
        parts.where = parts.where or where


def _span(row: Mapping[str, Any]) -> Span:
    return Span(
        id=str(row["id"]),
        parent=str(row.get("parent_observation_id") or ""),
        kind=_KINDS.get(str(row.get("type")), "other"),
        name=str(row.get("name") or ""),
        input=value_of(row.get("input")),
        output=value_of(row.get("output")),
        model=str(row.get("model") or row.get("provided_model_name") or ""),
        start=_moment(str(row.get("start_time") or "")),
    )


def _scores(
    scores: Sequence[tuple[RecordPlace, Mapping[str, Any]]], findings: Findings
) -> Iterator[tuple[str, Score]]:
    for where, row in scores:
        value = _value(row)
        if value is None:
            findings.note(_REMARK, where)
            continue
        subject = row.get("subject") or {}
        span = row.get("observation_id") or (
            subject.get("id") if subject.get("kind") == "observation" else ""
        )
        is_person = row["source"] == "ANNOTATION"
        kind = "human" if is_person else "judge"
        yield (
            str(span or ""),
            score_of(_rater(row), kind, str(row["name"]), value, row.get("comment")),
        )


def _value(row: Mapping[str, Any]) -> float | str | None:
    """The number or the label; yes and no are 1 and 0. None for a remark."""
    kind, value = row["data_type"], value_of(row.get("value"))
    if kind in _REMARKS:
        return None
    if kind == "CATEGORICAL":
        return plain_value(row.get("string_value") or str(value))
    try:
        return plain_value(float(value if value is not None else row["string_value"] == "True"))
    except (TypeError, ValueError, KeyError):
        return None


def _rater(row: Mapping[str, Any]) -> str:
    """An annotator by name or id, an evaluator by what it evaluates, or the API."""
    if row["source"] == "EVAL":
        return str(row.get("evaluator_name") or row["name"])
    if row["source"] == "API":
        return _API
    return str(row.get("author_user_name") or row.get("author_user_id") or "annotator")


def _snake(name: str) -> str:
    return _WORD.sub("_", name).lower()


def _moment(text: str) -> float:
    """Seconds; 0 where the text is no moment."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0
