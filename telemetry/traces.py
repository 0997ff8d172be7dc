"""Spans for OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where they go.

It is the extra `otel`, imported with the first span. A span has a name from the code, and numbers:
neither addresses nor texts.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from telemetry.context import current

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
NameIt = Callable[..., None]


def is_on() -> bool:
    """Whether spans are sent anywhere."""
    return any(os.environ.get(name) for name in ENDPOINTS)


def _ignore(_name: str, **_attributes: Any) -> None:
    """Where no spans are sent."""


@contextmanager
def span(name: str, *, kind: str = "internal", **attributes: Any) -> Iterator[NameIt]:
    """A span around the body, with the ids of the work under way. What is yielded gives it another
    name and further attributes, once they are known."""
    if not is_on():
        yield _ignore
        return
    from opentelemetry import trace

    kinds = {"server": trace.SpanKind.SERVER, "client": trace.SpanKind.CLIENT}
    ids = {f"jurybox.{label}": value for label, value in current().items()}
    begun = _tracer(os.getpid()).start_as_current_span(
        name,
        kind=kinds.get(kind, trace.SpanKind.INTERNAL),
        attributes={**ids, **attributes},
        # The message of an exception may hold what somebody typed.
        record_exception=False,
        set_status_on_exception=False,
    )
    with begun as opened:

        def name_it(better: str, **more: Any) -> None:
            opened.update_name(better)
            opened.set_attributes(more)

        try:
            yield name_it
        except BaseException as error:
            opened.set_attribute("error.type", type(error).__qualname__)
            opened.set_status(trace.StatusCode.ERROR)
            raise


@cache
def _tracer(_process: int) -> Any:
    """The tracer of this process: a fork has not the thread that its parent sends with."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME", "jurybox")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("jurybox")
