"""MLflow: traces with their assessments as its SDK writes them, and tables of evaluations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.streams import RawLine, Watch, unwatched
from files.readers.tables import TableRow
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.evaluation_tables import is_table, table_output, table_rows
from imports.formats.traces.exchanges import text_in, value_of
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import Record, content_of, records_of
from imports.formats.traces.scores import plain_value, score_of
from imports.formats.traces.spans import Span, SpanKind, Trace, outputs_of, replicated

NEWEST = 3
_SCHEMA = "mlflow.trace_schema.version"
_KINDS: Mapping[str, SpanKind] = {
    "LLM": "model", "CHAT_MODEL": "model", "TOOL": "tool", "RETRIEVER": "tool",
}  # fmt: skip
_PEOPLE = "HUMAN"
_COLUMNS = b'"columns"'
_UNNAMED = ("", "default", "unknown")
# What programs may have said of a trace, which has no place in a study.
_ASIDE = ("tags", "client_request_id")
NO_VALUE, REPLACED = "assessments_without_a_value", "assessments_replaced"


class MlflowTraces(NamedOutputs):
    """One unit per trace, or per row of a table; who assessed is a person or a judge as it says"""

    taken = AcceptedFiles("MLflow", "Traces as JSONL, or a table of an evaluation as JSON")

    def records(self, watch: Watch = unwatched) -> Iterator[Placed]:
        for path in self.input.files:
            for record in records_of(path, watch):
                table = _table(record)
                yield from [record] if table is None else table_rows(record.where, table)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Record)
        content = content_of(record)
        if "row" in content and "columns" in content:
            return [table_output(record.where, content, self.leave_out)]
        trace = _trace(record, _sections(record, content))
        for name in _ASIDE:
            if _sections(record, content)["info"].get(name):
                self.leave_out(f"info.{name}", record.where)
        self.refuse_duplicate(record.where, trace.key, content)
        return outputs_of(trace)


def _table(record: Record) -> Mapping[str, Any] | None:
    """The table that a file is; None where it is something else."""
    if isinstance(record, TableRow) or (isinstance(record, RawLine) and _COLUMNS not in record.raw):
        return None
    try:
        content = content_of(record)
    except ImportFailure:
        return None  # told where it may be skipped
    return content if is_table(content) else None


def _sections(record: Record, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The trace's two parts; those of a row of `search_traces` are put together."""
    if isinstance(content.get("trace"), str):
        content = value_of(content["trace"])
    if not isinstance(content.get("info"), Mapping) or not isinstance(content.get("data"), Mapping):
        reason = "missing: this is no trace of MLflow (as Trace.to_json writes it)"
        raise ImportFailure(record.where, "info", reason)
    version = str(content["info"].get("trace_metadata", {}).get(_SCHEMA, NEWEST))
    if not version.isdecimal() or int(version) > NEWEST:
        reason = f"{version} is newer than what can be read here (up to {NEWEST})"
        raise ImportFailure(record.where, _SCHEMA, reason)
    return content


def _trace(record: Record, content: Mapping[str, Any]) -> Trace:
    info = content["info"]
    key = info.get("trace_id") or info.get("request_id")
    if not key:
        raise ImportFailure(record.where, "info.trace_id", "missing")
    findings = Findings()
    assessments = info.get("assessments") or []
    return Trace(
        where=record.where,
        key=str(key),
        spans=[_span(span) for span in content["data"].get("spans") or ()],
        input=value_of(content["data"].get("request")),
        output=value_of(content["data"].get("response")),
        scores=replicated(_scores(record.where, assessments, findings)),
        facts=[fact for assessment in assessments for fact in _facts(assessment)],
        findings=findings,
    )


def _span(span: Mapping[str, Any]) -> Span:
    attributes = {name: value_of(value) for name, value in (span.get("attributes") or {}).items()}
    return Span(
        id=str(span.get("span_id")),
        parent=str(span.get("parent_span_id") or span.get("parent_id") or ""),
        kind=_KINDS.get(str(attributes.get("mlflow.spanType")), "other"),
        name=str(span.get("name") or ""),
        input=attributes.get("mlflow.spanInputs"),
        output=attributes.get("mlflow.spanOutputs"),
        model=str(attributes.get("mlflow.llm.model") or attributes.get("mlflow.chat.model") or ""),
        start=float(span.get("start_time_unix_nano") or span.get("start_time") or 0),
    )


def _scores(
    where: str, assessments: Sequence[Mapping[str, Any]], findings: Findings
) -> Iterator[tuple[str, Score]]:
    """Feedback that stands. What a judge said stays its answer where a person said otherwise."""
    by_id = {assessment.get("assessment_id"): assessment for assessment in assessments}
    replaced = {
        assessment.get("overrides")
        for assessment in assessments
        if assessment.get("source") == by_id.get(assessment.get("overrides"), {}).get("source")
    }
    for assessment in assessments:
        name = f"{where} ({assessment.get('assessment_name')})"
        if "expectation" in assessment:
            continue
        value = plain_value((assessment.get("feedback") or {}).get("value"))
        if assessment.get("assessment_id") in replaced:
            findings.note(REPLACED, name)
        elif value is None:
            findings.note(NO_VALUE, name)
        else:
            yield str(assessment.get("span_id") or ""), _score(assessment, value)


def _score(assessment: Mapping[str, Any], value: float | str) -> Score:
    source = assessment.get("source") or {}
    kind = "human" if source.get("source_type") == _PEOPLE else "judge"
    named = str(source.get("source_id") or "").strip()
    # People and judges without a name would be one rater.
    rater = named if named not in _UNNAMED else str(source.get("source_type") or "code").lower()
    criterion = str(assessment.get("assessment_name") or "feedback")
    return score_of(rater, kind, criterion, value, assessment.get("rationale"))


def _facts(assessment: Mapping[str, Any]) -> Iterator[str]:
    """What somebody expects of the output: a text, or several."""
    value = (assessment.get("expectation") or {}).get("value")
    if value is None and "serialized_value" in (assessment.get("expectation") or {}):
        value = value_of((assessment["expectation"]["serialized_value"] or {}).get("value"))
    for fact in value if isinstance(value, list) else [value]:
        if text := text_in(fact):
            yield text
