"""A light HTTP client for many visitors at once: one connection and one jar of cookies each.

It speaks just the HTTP/1.1 that the servers under test speak, so that beside them on the same
machine it takes little of the processor. It never follows a redirect by itself: whoever drives it
knows every request that it makes.
"""

import asyncio
import json
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

HOST = "127.0.0.1"
FORM, JSON = "application/x-www-form-urlencoded", "application/json"

Fields = Mapping[str, str | list[str]]


class Unexpected(Exception):
    """A response that the visitor did not expect; the text says which and where."""


@dataclass(frozen=True)
class Reply:
    """What a server answered. `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def location(self) -> str:
        """Where a redirect leads, without its host."""
        parts = urlsplit(self.headers.get("location", ""))
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def json(self) -> Any:
        return json.loads(self.body)

    def find(self, pattern: re.Pattern[bytes]) -> str:
        """The first group of a pattern in the body. Unexpected where it is not there."""
        match = pattern.search(self.body)
        if match is None:
            raise Unexpected(f"{self.status} without {pattern.pattern.decode()}")
        return match[1].decode()


@dataclass
class Visitor:
    """One browser: its cookies, and a connection that is kept while the server keeps it."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    _connection: tuple[StreamReader, StreamWriter] | None = None

    async def get(self, path: str, *, expect: int = 200) -> Reply:
        """Unexpected where the status is another than the expected one; so for each verb."""
        return await self.send("GET", path, expect=expect)

    async def post(
        self, path: str, fields: Fields, *, expect: int, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """A form, as a browser posts it."""
        body = urlencode(fields, doseq=True).encode()
        full_headers = {"Content-Type": FORM, **(headers or {})}
        return await self.send("POST", path, expect=expect, body=body, headers=full_headers)

    async def post_json(
        self, path: str, content: object, *, expect: int, headers: Mapping[str, str] | None = None
    ) -> Reply:
        full_headers = {"Content-Type": JSON, **(headers or {})}
        body = json.dumps(content).encode()
        return await self.send("POST", path, expect=expect, body=body, headers=full_headers)

    async def send(
        self,
        method: str,
        path: str,
        *,
        expect: int,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        request = self._request(method, path, body, headers or {})
        kept = self._connection is not None
        try:
            reply = await self._exchange(request)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            # A server may close an idle connection in the moment in which it is used again;
            # browsers, too, send once more then. A fresh connection that breaks is an error.
            if not kept:
                raise
            reply = await self._exchange(request)
        if reply.status != expect:
            where = re.sub(r"[\w-]{12,}", "…", path)
            raise Unexpected(f"{method} {where}: {reply.status}, not {expect}")
        return reply

    def close(self) -> None:
        if self._connection is not None:
            self._connection[1].close()
        self._connection = None

    def _request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.port}"]
        if self.cookies:
            jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            lines.append(f"Cookie: {jar}")
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def _exchange(self, request: bytes) -> Reply:
        if self._connection is None:
            self._connection = await asyncio.open_connection(HOST, self.port)
        reader, writer = self._connection
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = self._headers(head[1:])
        body = await _body(reader, headers)
        if headers.get("connection", "").lower() == "close" or _ends_with_connection(headers):
            self.close()
        return Reply(int(head[0].split(" ", 2)[1]), headers, body)

    def _headers(self, lines: list[str]) -> dict[str, str]:
        headers = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if colon and name.lower() == "set-cookie":
                self._keep_cookie(value.strip())
            elif colon:
                headers[name.lower()] = value.strip()
        return headers

    def _keep_cookie(self, text: str) -> None:
        name, _, value = text.partition(";")[0].partition("=")
        if re.search(r"max-age=0\b", text, re.IGNORECASE) or value in ("", '""'):
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value


def _ends_with_connection(headers: Mapping[str, str]) -> bool:
    return "content-length" not in headers and "transfer-encoding" not in headers


async def _body(reader: StreamReader, headers: Mapping[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await _chunks(reader)
    return await reader.read()


async def _chunks(reader: StreamReader) -> bytes:
    parts = []
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        parts.append((await reader.readexactly(size + 2))[:-2])
    await reader.readuntil(b"\r\n")  # no server here sends trailers
    return b"".join(parts)
