"""The light client beside a server that counts for itself."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from bench.light_client import Fields, Unexpected, Visitor
from bench.serve.crowd import Load, NothingLeft, Tally, Timed, drive, percentile
from tests.services.ports import free_port


@dataclass
class Counting:
    """A server that answers every request alike, and remembers what it was asked."""

    answers: list[bytes]
    keep: bool = True
    asked: list[bytes] = field(default_factory=list)
    connections: int = 0

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0]
                body = await reader.readexactly(int(length or 0))
                self.asked.append(head + body)
                writer.write(self.answers[min(len(self.asked), len(self.answers)) - 1])
                if not self.keep:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the visitor has gone
        finally:
            writer.close()


def at(server: Counting, visit: Callable[[int], Awaitable[None]]) -> None:
    """Do something with a server running on that port."""

    async def run() -> None:
        port = free_port()
        async with await asyncio.start_server(server.serve, "127.0.0.1", port):
            await visit(port)

    asyncio.run(run())


def reply(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


def test_a_visitor_keeps_its_connection_and_its_cookies() -> None:
    server = Counting([reply(b"one", b"Set-Cookie: key=value; Path=/"), reply(b"two")])

    async def visit(port: int) -> None:
        visitor = Visitor(port)
        assert (await visitor.get("/")).body == b"one"
        fields: Fields = {"sentences": ["1", "4"], "go": "a b"}
        assert (await visitor.post("/save", fields, expect=200)).body == b"two"
        visitor.close()

    at(server, visit)
    assert server.connections == 1
    assert b"Cookie: key=value\r\n" in server.asked[1]
    assert server.asked[1].endswith(b"\r\n\r\nsentences=1&sentences=4&go=a+b")


def test_a_deleted_cookie_is_sent_no_more() -> None:
    gone = b'Set-Cookie: key=""; Max-Age=0; Path=/'
    server = Counting([reply(b"", b"Set-Cookie: key=value"), reply(b"", gone), reply(b"")])

    async def visit(port: int) -> None:
        visitor = Visitor(port)
        for _ in range(3):
            await visitor.get("/")
        visitor.close()

    at(server, visit)
    assert [b"Cookie: " in one for one in server.asked] == [False, True, False]


def test_a_connection_that_the_server_closed_is_opened_again() -> None:
    server = Counting([reply(b"as ever")], keep=False)

    async def visit(port: int) -> None:
        visitor = Visitor(port)
        for _ in range(3):
            assert (await visitor.get("/")).body == b"as ever"
        visitor.close()

    at(server, visit)
    assert (server.connections, len(server.asked)) == (3, 3)


def test_an_answer_in_chunks_is_put_together() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunked = head + b"6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n"
    server = Counting([chunked, reply(b"next")])

    async def visit(port: int) -> None:
        visitor = Visitor(port)
        assert (await visitor.get("/")).body == b"hello world"
        assert (await visitor.get("/")).body == b"next"
        visitor.close()

    at(server, visit)


def test_another_status_than_the_expected_one_is_an_error() -> None:
    server = Counting([reply(b"", status=b"403 Forbidden")])

    async def visit(port: int) -> None:
        visitor = Visitor(port)
        with pytest.raises(Unexpected, match="GET /work/: 403, not 200"):
            await visitor.get("/work/")
        visitor.close()

    at(server, visit)


@dataclass
class Clerk:
    """A worker who saves until there is nothing left."""

    visitor: Visitor
    left: int

    async def enter(self) -> None: ...

    async def fetch(self) -> None:
        if not self.left:
            raise NothingLeft
        self.left -= 1
        await self.visitor.get("/next")

    async def save(self) -> None:
        await self.visitor.post("/save", {}, expect=200)

    async def finish(self) -> None:
        self.visitor.close()


def test_the_crowd_counts_what_the_server_counts() -> None:
    server = Counting([reply(b"fine")])
    found: list[tuple[Tally, Timed]] = []

    async def visit(port: int) -> None:
        clerks = [Clerk(Visitor(port), left=20) for _ in range(5)]
        found.append(await drive([*clerks], Load(users=5, warm_up=0.0, seconds=30.0)))

    at(server, visit)
    tally, timed = found[0]
    saves = [one for one in server.asked if one.startswith(b"POST /save")]
    assert len(tally.saves) == len(timed.saves) == len(saves) == 100
    assert len(tally.fetches) == len(server.asked) - len(saves)
    assert timed.saves == sorted(timed.saves)
    assert (tally.ran_out, sum(tally.errors.values())) == (5, 0)


def test_a_save_that_fails_is_an_error_and_not_a_save() -> None:
    wrong = reply(b"", status=b"500 Internal Server Error")
    server = Counting([reply(b"page"), wrong, reply(b"page"), reply(b"saved")])
    found: list[tuple[Tally, Timed]] = []

    async def visit(port: int) -> None:
        clerks = [Clerk(Visitor(port), left=2)]
        found.append(await drive([*clerks], Load(users=1, warm_up=0.0, seconds=30.0)))

    at(server, visit)
    tally, _timed = found[0]
    assert len(tally.saves) == 1
    assert dict(tally.errors) == {"POST /save: 500, not 200": 1}


def test_only_what_ended_in_the_counted_time_is_counted() -> None:
    tally = Tally(saves=[(0.9, 0.5), (1.0, 0.3), (2.9, 0.1), (3.0, 0.2)])
    timed = tally.between(1.0, 3.0)
    assert timed.saves == [0.1, 0.3]
    assert timed.per_second == 1.0  # two saves in two seconds


@pytest.mark.parametrize(("share", "value"), [(0.5, 10.0), (0.95, 19.0), (1.0, 20.0), (0.01, 1.0)])
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(
    share: float, value: float
) -> None:
    assert percentile([float(number) for number in range(1, 21)], share) == value
