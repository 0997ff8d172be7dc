"""A proxy for TCP that delays, loses and cuts what it passes on, between a crowd and the web or
between the program and its database."""

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle

HOST = "127.0.0.1"
GONE = (OSError, asyncio.IncompleteReadError)


@dataclass
class Proxy:
    """One port for servers that do the same, in turn, as a load balancer does it. delay: seconds
    that each piece waits. deaf: requests arrive, and their answers are lost: the client is told
    that nothing more will come. shut: nobody gets through."""

    port: int
    targets: list[int]
    delay: float = 0.0
    deaf: bool = False
    shut: bool = False
    passed: int = 0
    _open: set[StreamWriter] = field(default_factory=set)
    _turn: int = 0

    async def start(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, HOST, self.port)

    def drop(self) -> None:
        """Cut every connection, in the middle of whatever it carries."""
        for writer in tuple(self._open):  # the loop changes it
            writer.transport.abort()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        target = None if self.shut else await self._connected()
        if target is None:
            writer.transport.abort()
            return
        far_reader, far_writer = target
        self._open |= {writer, far_writer}
        self.passed += 1
        try:
            await asyncio.gather(
                self._pump(reader, far_writer, is_answer=False),
                self._pump(far_reader, writer, is_answer=True),
            )
        finally:
            for each in (writer, far_writer):
                self._open.discard(each)
                each.transport.abort()

    async def _connected(self) -> tuple[StreamReader, StreamWriter] | None:
        """A connection to the next server that takes one."""
        self._turn += 1
        following = cycle(self.targets)
        for _ in range(self._turn % len(self.targets)):
            next(following)
        for _ in self.targets:
            with suppress(OSError):
                return await asyncio.open_connection(HOST, next(following))
        return None

    async def _pump(self, reader: StreamReader, writer: StreamWriter, *, is_answer: bool) -> None:
        with suppress(*GONE, asyncio.CancelledError):
            while data := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if is_answer and self.deaf:
                    break
                writer.write(data)
                await writer.drain()
        with suppress(*GONE):
            writer.write_eof()
