"""Spans of OpenTelemetry by its conventions for generative AI (`gen_ai.*`), new and old ones."""

from collections.abc import Iterator, Mapping, Sequence

from files.findings import Findings
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.messages import gave_from, given_to
from imports.formats.traces.otlp import Recorded, RecordedLog, RecordedSpan, recorded_in
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import PartRecord, Record, content_of, records_of
from imports.formats.traces.scores import plain_value, score_of
from imports.formats.traces.spans import Span, SpanKind, Trace, outputs_of, replicated

EVALUATION = "gen_ai.evaluation.result"
_TOOL, _AGENT, _CALLED = "execute_tool", "invoke_agent", "gen_ai.tool.call"
# Operations that give an answer.
_ASKING = ("chat", "text_completion", "generate_content", _AGENT, "invoke_workflow")
# Spans of other programs than those that ask models, such as requests of a browser.
_OTHER, _UNASSIGNED, _NO_VALUE = (
    "spans_without_gen_ai", "evaluations_without_a_span", "evaluations_without_a_value",
)  # fmt: skip


# The spans of one trace, by id.
_Spans = dict[str, RecordedSpan]


class OpenTelemetrySpans(NamedOutputs):
    """One unit per outermost operation of generative AI with an answer, and per span that was
    evaluated; each kind of evaluation is a judge"""

    taken = AcceptedFiles(
        "OpenTelemetry",
        "Spans as JSON lines, with the files of logs beside them",
        (".jsonl", ".json", ".gz"),
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._traces: dict[str, _Spans] | None = None

    def records(self, watch: Watch = unwatched) -> Iterator[Placed]:
        """A record per outermost operation; spans come in any order, so all are read first."""
        if self._traces is None:
            self._traces = self._grouped(watch)
        for of in self._traces.values():
            for outermost in _outermost(of):
                yield PartRecord(outermost.where, (outermost, of))

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, PartRecord)
        outermost, of = record.value
        return outputs_of(_trace(outermost, of))

    def _grouped(self, watch: Watch) -> dict[str, _Spans]:
        traces: dict[str, _Spans] = {}
        logs: list[RecordedLog] = []
        records = (record for path in self.input.files for record in records_of(path, watch))
        for recorded in self.skipped.usable(records, self._recorded):
            for part in recorded:
                if isinstance(part, RecordedLog):
                    logs.append(part)
                else:
                    traces.setdefault(part.trace, {})[part.id] = part
        self._attach(logs, traces)
        return traces

    def _recorded(self, record: Placed) -> list[Recorded]:
        assert isinstance(record, Record)
        parts = list(recorded_in(record.where, content_of(record)))
        for part in parts:
            if isinstance(part, RecordedSpan):
                self.refuse_duplicate(part.where, f"span {part.id}", part.attributes)
                if not _operation(part):
                    self.findings.note(_OTHER, part.where)
        return parts

    def _attach(self, logs: Sequence[RecordedLog], traces: Mapping[str, _Spans]) -> None:
        """Put what was logged into its span, which may be known by its response alone."""
        by_response = {
            span.attributes["gen_ai.response.id"]: span
            for of in traces.values()
            for span in of.values()
            if span.attributes.get("gen_ai.response.id")
        }
        for log in logs:
            response = log.event.attributes.get("gen_ai.response.id")
            span = traces.get(log.trace, {}).get(log.span) or by_response.get(response)
            if span is not None:
                span.events.append(log.event)
            elif log.event.name == EVALUATION:
                self.findings.note(_UNASSIGNED, log.where)


def _operation(span: RecordedSpan) -> str:
    """What a span does with models; empty where it does nothing with them."""
    if named := span.attributes.get("gen_ai.operation.name"):
        return str(named)
    # Before 1.27 spans had no such name.
    return "chat" if any(name.startswith("gen_ai.") for name in span.attributes) else ""


def _asks(span: RecordedSpan) -> bool:
    return _operation(span) in _ASKING


def _ancestors(span: RecordedSpan, of: _Spans) -> Iterator[RecordedSpan]:
    """The spans around a span, from within."""
    met = {span.id}
    while span.parent in of and span.parent not in met:
        met.add(span.parent)
        span = of[span.parent]
        yield span


def _outermost(of: _Spans) -> Iterator[RecordedSpan]:
    for span in of.values():
        if _asks(span) and not any(map(_asks, _ancestors(span, of))):
            yield span


def _trace(outermost: RecordedSpan, of: _Spans) -> Trace:
    """The operation with its steps as a trace."""
    parts = [s for s in of.values() if s is outermost or outermost in _ancestors(s, of)]
    spans = sorted(map(_span, parts), key=lambda span: span.start)
    models = [span for span in spans if span.kind == "model" and span.output is not None]
    root, findings = _span(outermost), Findings()
    return Trace(
        where=outermost.where,
        key=f"{outermost.trace}/{outermost.id}",
        spans=spans,
        # A program that calls itself an agent may leave the texts to the calls of models.
        input=root.input if root.input is not None or not models else models[0].input,
        output=root.output if root.output is not None or not models else models[-1].output,
        system=str(outermost.attributes.get("gen_ai.agent.name") or ""),
        scores=replicated(_scores(parts, of, findings)),
        findings=findings,
    )


def _span(span: RecordedSpan) -> Span:
    attributes, operation = span.attributes, _operation(span)
    is_tool = operation == _TOOL
    kind: SpanKind = "tool" if is_tool else "model" if _asks(span) else "other"
    model = attributes.get("gen_ai.response.model") or attributes.get("gen_ai.request.model")
    return Span(
        id=span.id,
        parent=span.parent,
        kind=kind,
        name=str(attributes.get("gen_ai.tool.name") or span.name),
        input=attributes.get(f"{_CALLED}.arguments")
        if is_tool
        else given_to(attributes, span.events),
        output=attributes.get(f"{_CALLED}.result")
        if is_tool
        else gave_from(attributes, span.events),
        model="" if operation == _AGENT else str(model or ""),
        start=span.start,
    )


def _scores(
    parts: Sequence[RecordedSpan], of: _Spans, findings: Findings
) -> Iterator[tuple[str, Score]]:
    """What evaluations said, of the nearest operation around them; the kind of evaluation is the
    judge, since the conventions name no other."""
    for span in parts:
        for event in span.events:
            if event.name != EVALUATION:
                continue
            evaluated = next((s for s in (span, *_ancestors(span, of)) if _asks(s)), span)
            name = str(event.attributes.get("gen_ai.evaluation.name") or "evaluation")
            value = event.attributes.get("gen_ai.evaluation.score.value")
            if value is None:
                value = event.attributes.get("gen_ai.evaluation.score.label")
            if (plain := plain_value(value)) is None:
                findings.note(_NO_VALUE, f"{event.where} ({name})")
                continue
            reason = event.attributes.get("gen_ai.evaluation.explanation")
            yield evaluated.id, score_of(name, "judge", name, plain, reason)
