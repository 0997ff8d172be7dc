"""Spans go to a collector where one is named, and cost nothing elsewhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from django.conf import settings
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.services.ports import free_port

ASK = """
import sys
import django
django.setup()
from django.test import Client
from telemetry.context import bound
from telemetry.traces import span
loaded = "opentelemetry.sdk" in sys.modules or "prometheus_client" in sys.modules
reply = Client(HTTP_HOST="localhost").get("/join/a-secret-token/no/?PROLIFIC_PID=abc")
try:
    with bound(job=7), span("job export"):
        raise ValueError("what somebody typed")
except ValueError:
    pass
print(reply["X-Request-ID"], reply.status_code, loaded, "opentelemetry.sdk" in sys.modules)
"""


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a collector, and what it was sent."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Nothing on the terminal."""

    server = HTTPServer(("127.0.0.1", free_port()), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(folder: Path, **variables: str) -> list[str]:
    kept = {name: os.environ[name] for name in os.environ if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=kept
        | {"JURYBOX_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "1"}
        | {"OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
        | variables,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def spans_of(body: bytes) -> list[Span]:
    request = ExportTraceServiceRequest()
    request.ParseFromString(body)
    return [
        span
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def test_without_a_collector_nothing_of_it_is_imported(tmp_path: Path) -> None:
    assert ask(tmp_path)[1:] == ["404", "False", "False"]


def test_a_collector_is_sent_names_of_the_code_and_ids_alone(tmp_path: Path) -> None:
    with collector() as (address, received):
        request_id, *rest = ask(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert rest == ["404", "False", "True"]
    spans = {span.name: span for body in received for span in spans_of(body)}
    assert set(spans) == {"GET none", "job export"}
    attributes = {
        name: {each.key: each.value.string_value for each in span.attributes}
        for name, span in spans.items()
    }
    assert attributes["GET none"]["jurybox.request"] == request_id
    assert attributes["job export"] == {"jurybox.job": "7", "error.type": "ValueError"}
    assert spans["job export"].status.code == 2  # an error
    for secret in (b"a-secret-token", b"PROLIFIC", b"abc", b"somebody typed"):
        assert not any(secret in body for body in received)
