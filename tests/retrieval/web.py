"""A small web on the loopback interface, and names for it that lead wherever a test wants."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.responses import Limits
from tests.services.ports import free_port

PUBLIC = "93.184.215.14"
ARTICLE = (
    "<html><head><title>The ferry today</title></head><body><nav><a href='/'>Home</a></nav>"
    "<article><h1>The ferry</h1><p>The white ferry still sails every day at nine.</p>"
    "<p>It has not sunk, and it never carried cars, whatever has been said about it since May. "
    "The harbour master showed the log of the last six months, in which no day is missing, and "
    "the list of what was on board: people, parcels, and once a piano.</p>"
    "<p>The company says that it will sail at nine tomorrow as well, and invites everybody who "
    "doubts it to come and see.</p></article><footer>Cookies</footer></body></html>"
)


@dataclass
class Answer:
    """What the server says at a path. `say` takes over after the headers."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    say: Callable[[BaseHTTPRequestHandler], None] | None = None


@dataclass
class Web:
    """A running server: where it is, what it answers, and what it was asked."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    leaving: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str, host: str = "pages.example") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def allowed(self) -> frozenset[tuple[str, int]]:
        return frozenset({("127.0.0.1", self.port)})


@contextmanager
def small_web() -> Iterator[Web]:
    web = Web(free_port())

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.headers["Host"], self.path))
            answer = web.answers.get(self.path, Answer(status=404))
            self.send_response(answer.status)
            if answer.content_type:
                self.send_header("Content-Type", answer.content_type)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)
            if answer.say is not None:
                answer.say(self)

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Tests are silent."""

    server = ThreadingHTTPServer(("127.0.0.1", web.port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield web
    finally:
        web.leaving.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Names:
    """A resolver: each name leads to the addresses of its next turn, the last turn for ever."""

    turns: Mapping[str, Sequence[Sequence[str]]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        turns = self.turns.get(host)
        if turns is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        turn = min(self.asked.count(host), len(turns) - 1)
        self.asked.append(host)
        return turns[turn]


HOME = Names({"pages.example": [["127.0.0.1"]]})


def fetcher(web: Web, names: Names | None = None, **limits: float) -> Fetcher:
    """A fetcher that may go to this one server of the machine, and nowhere else on it."""
    given = Limits(**{"seconds": 5.0, **limits})  # type: ignore[arg-type]
    return Fetcher(
        GuardedNetwork(resolver=names or Names(HOME.turns), allowed=web.allowed), limits=given
    )


@pytest.fixture
def web() -> Iterator[Web]:
    """A small web of pages on this machine."""
    with small_web() as started:
        yield started
