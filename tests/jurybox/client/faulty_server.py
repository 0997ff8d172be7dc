"""A web server of the tests' own that answers by a script, and keeps what it was asked."""

import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    """What is answered to one request; status 0: the connection is closed without an answer."""

    status: int
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class FaultyServer:
    """script: the answers that are still to be given, in order; 200 and an empty object after
    them."""

    url: str
    script: deque[Answer]
    asked: list[Asked]


@contextmanager
def faulty_server(*script: Answer) -> Iterator[FaultyServer]:
    """Serve until the block ends."""
    answers, asked = deque(script), list[Asked]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.append(Asked(self.command, self.path, dict(self.headers), body))
            answer = answers.popleft() if answers else Answer(200)
            if not answer.status:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in {"Content-Length": len(answer.body), **answer.headers}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_PUT = do  # noqa: N815 (names of the standard library)

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield FaultyServer(f"http://127.0.0.1:{server.server_port}", answers, asked)
        finally:
            server.shutdown()
            thread.join()
