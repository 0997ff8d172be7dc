"""Where a study's webhook posts to: a program that is not always well."""

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass
class Receiver:
    """Takes messages; refuses some with 503, none twice: after a second refusal one is put off for
    longer than the end of a test waits. taken: how often each, by its key."""

    port: int
    rng: Random
    share_refused: float = 0.1
    taken: Counter[str] = field(default_factory=Counter)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)

    async def start(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            status = self._status(json.loads(await reader.readexactly(length)))
            writer.write(
                b"HTTP/1.1 %d -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status
            )
            await writer.drain()
        writer.close()

    def _status(self, message: dict[str, Any]) -> int:
        if message["id"] not in self.refused and self.rng.random() < self.share_refused:
            self.refused.add(message["id"])
            return 503
        self.taken[message["id"]] += 1
        self.messages[message["id"]] = message
        return 204
