"""Spans and log records of OpenTelemetry as JSON: OTLP, as collectors and SDKs write it to files,
and the single spans that SDKs print."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from files.errors import ImportFailure, RecordPlace
from imports.formats.traces.exchanges import value_of

# Kinds of values of OTLP that hold the value itself.
_PLAIN = ("stringValue", "boolValue", "doubleValue", "bytesValue")


@dataclass(frozen=True)
class Event:
    """Something that happened within a span. body: of a log record."""

    name: str
    attributes: Mapping[str, Any]
    body: Any = None
    where: str = ""


@dataclass
class RecordedSpan:
    """A span as it was recorded. service: the program that it is of."""

    where: RecordPlace
    trace: str
    id: str
    parent: str
    name: str
    start: float
    attributes: Mapping[str, Any]
    service: str = ""
    events: list[Event] = field(default_factory=list)


@dataclass(frozen=True)
class RecordedLog:
    """A log record that belongs to a span."""

    where: RecordPlace
    trace: str
    span: str
    event: Event


Recorded = RecordedSpan | RecordedLog


def recorded_in(where: RecordPlace, line: Mapping[str, Any]) -> Iterator[Recorded]:
    """The spans and log records of a line; ImportFailure where it is something else."""
    if "resourceSpans" in line:
        for resource, span in _scoped(line["resourceSpans"], "scopeSpans", "spans"):
            yield _span(where, resource, span)
    elif "resourceLogs" in line:
        for _, record in _scoped(line["resourceLogs"], "scopeLogs", "logRecords"):
            yield _log(where, record)
    elif isinstance(line.get("context"), Mapping):
        yield _printed(where, line)
    else:
        reason = "missing: this is no line of OTLP JSON, and no span of an SDK"
        raise ImportFailure(where, "resourceSpans", reason)


def _scoped(
    resources: Any, scopes: str, records: str
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """(attributes of the resource, record) of every record."""
    for resource in resources:
        about = attributes_of((resource.get("resource") or {}).get("attributes"))
        for scope in resource.get(scopes) or ():
            for record in scope.get(records) or ():
                yield about, record


def _span(line: RecordPlace, resource: Mapping[str, Any], span: Mapping[str, Any]) -> RecordedSpan:
    number = _needed(line, span, "spanId")
    where = RecordPlace(f"{line} (span {number})", file=line.file, raw=span)
    return RecordedSpan(
        where=where,
        trace=_needed(where, span, "traceId"),
        id=number,
        parent=str(span.get("parentSpanId") or ""),
        name=str(span.get("name") or ""),
        start=float(span.get("startTimeUnixNano") or 0),
        attributes=attributes_of(span.get("attributes")),
        service=str(resource.get("service.name") or ""),
        events=[
            Event(str(event.get("name") or ""), attributes_of(event.get("attributes")), where=where)
            for event in span.get("events") or ()
        ],
    )


def _log(where: RecordPlace, record: Mapping[str, Any]) -> RecordedLog:
    attributes = attributes_of(record.get("attributes"))
    name = record.get("eventName") or attributes.get("event.name") or ""
    body = value_in(record["body"]) if record.get("body") else None
    event = Event(str(name), attributes, body, where)
    return RecordedLog(
        where, str(record.get("traceId") or ""), str(record.get("spanId") or ""), event
    )


def _printed(where: RecordPlace, span: Mapping[str, Any]) -> RecordedSpan:
    """A span as an SDK prints it; its ids begin with 0x."""
    context, resource = span["context"], (span.get("resource") or {}).get("attributes") or {}
    return RecordedSpan(
        where=where,
        trace=_bare(_needed(where, context, "trace_id")),
        id=_bare(_needed(where, context, "span_id")),
        parent=_bare(str(span.get("parent_id") or "")),
        name=str(span.get("name") or ""),
        start=_order(str(span.get("start_time") or "")),
        attributes={
            name: value_of(value) for name, value in (span.get("attributes") or {}).items()
        },
        service=str(resource.get("service.name") or ""),
        events=[
            Event(str(event.get("name") or ""), event.get("attributes") or {}, where=where)
            for event in span.get("events") or ()
        ],
    )


def attributes_of(listed: Any) -> dict[str, Any]:
    """Attributes by name; values that were written as JSON into a text are read."""
    return {str(pair["key"]): value_of(value_in(pair.get("value") or {})) for pair in listed or ()}


def value_in(value: Mapping[str, Any]) -> Any:
    """The value that OTLP wraps into its kind."""
    for kind in _PLAIN:
        if kind in value:
            return value[kind]
    if "intValue" in value:
        return int(value["intValue"])
    if "arrayValue" in value:
        return [value_in(part) for part in value["arrayValue"].get("values") or ()]
    if "kvlistValue" in value:
        return attributes_of(value["kvlistValue"].get("values"))
    return None


def _needed(where: str, of: Mapping[str, Any], name: str) -> str:
    if not of.get(name):
        raise ImportFailure(where, name, "missing")
    return str(of[name])


def _bare(identifier: str) -> str:
    return identifier.removeprefix("0x")


def _order(moment: str) -> float:
    """A number that grows with a moment as SDKs print it, 2026-01-31T10:00:00.000000Z."""
    digits = "".join(character for character in moment if character.isdigit())
    return float(digits or 0)
