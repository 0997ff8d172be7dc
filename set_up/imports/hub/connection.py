"""Requests to the Hugging Face Hub: through the guarded network, within limits of time and size.

The token goes to the hub and its converting service alone, never to where these redirect to. It
is in no message: errors name the dataset and a host.
"""

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import httpcore2
import httpx2
from django.conf import settings

from files.errors import ImportFailure
from files.readers.json_values import json_value
from files.readers.streams import Watch, unwatched
from retrieval.connections import GuardedNetwork, LinkRefused
from retrieval.exchange import NO_CONNECTION, answered, redirect_target, web_address
from retrieval.proxy import configured_proxy
from set_up.imports.hub.addresses import DatasetAddress, hub_root, viewer_root
from set_up.imports.hub.refusals import LONGEST_WAIT, Later, check_answer

TRIES = 3
# Seconds: of one answer to begin or to go on, and of all requests of one import.
_SILENCE, LONGEST = 60.0, 2 * 3600.0
_LARGEST_JSON = 64 * 2**20
_MOST_REDIRECTS = 5
# What the hub says of a file it says where it redirects to the storage.
_OF_FILE = ("x-repo-commit", "x-linked-size", "x-linked-etag")
T = TypeVar("T")
Headers = dict[str, str]


class HubConnection:
    """A client of the hub for one import. token: empty for what is public. watch: is told of the
    bytes of files, and often while it waits."""

    def __init__(
        self, address: DatasetAddress, *, token: str = "", watch: Watch = unwatched
    ) -> None:
        self.address, self._token, self._watch = address, token, watch
        self._trusted = {_origin(httpx2.URL(root)) for root in (hub_root(), viewer_root())}
        self._until = time.monotonic() + LONGEST
        self._network = GuardedNetwork(
            ports=settings.HUB_PORTS, allowed=settings.HUB_PRIVATE, proxy=configured_proxy()
        )

    def json(self, url: str, *, tries: int = TRIES) -> tuple[Mapping[str, str], Any]:
        """The headers and the value of an address; ImportFailure where there is none."""

        def read() -> tuple[Mapping[str, str], Any]:
            headers: Headers = {}
            body = b"".join(self._pieces(url, headers, _LARGEST_JSON))
            try:
                return headers, json_value(body)
            except ValueError as error:
                raise Later("its reply is not JSON") from error

        return self._tried(read, tries)

    def download(self, url: str, path: Path, *, size: int | None, most: int) -> Mapping[str, str]:
        """Write a file; the headers. size: its bytes, where somebody has said them. ImportFailure
        above `most` bytes, and where other bytes arrive than the hub announces."""

        def write() -> Mapping[str, str]:
            headers: Headers = {}
            digest, written = hashlib.sha256(), 0
            try:
                with path.open("wb") as file, closing(self._pieces(url, headers, most)) as pieces:
                    for piece in pieces:
                        file.write(piece)
                        digest.update(piece)
                        written += len(piece)
                        self._watch(len(piece))
                _check_whole(headers, size, written, digest.hexdigest())
            except OSError as error:  # a full disk, which no other try helps
                reason = error.strerror or "cannot be written to"
                raise self._failure("disk", reason) from error
            except Later:
                self._watch(-written)
                raise
            return headers

        return self._tried(write, TRIES)

    def _pieces(self, url: str, headers: Headers, most: int) -> Generator[bytes, None, None]:
        """The body at an address. headers: takes those of the answer. Between two pieces no event
        loop runs, so that whoever watches may write to the database."""
        body, total = self._body(url, headers), 0

        async def following() -> bytes | None:
            return await anext(body, None)

        async def end() -> None:
            await body.aclose()

        with asyncio.Runner() as runner:
            try:
                while (piece := runner.run(following())) is not None:
                    total += len(piece)
                    if total > most:
                        raise self._failure("size", too_large(most))
                    yield piece
                    self._check_time()
            except (*NO_CONNECTION, httpcore2.ProtocolError) as error:
                away = f"it cannot be reached ({str(error) or type(error).__name__})"
                broken = f"it broke off after {total:,} bytes"
                raise Later(broken if total else away) from error
            finally:
                runner.run(end())

    async def _body(self, url: str, headers: Headers) -> AsyncGenerator[bytes, None]:
        """The body of the answer after redirects; each is a new connection that is checked."""
        for _ in range(_MOST_REDIRECTS + 1):
            address = web_address(url)
            sent = {"User-Agent": "Jurybox", "Accept-Encoding": "identity"}
            if self._token and _origin(address) in self._trusted:
                sent["Authorization"] = f"Bearer {self._token}"
            async with answered(
                self._network, "GET", address, headers=sent, silence=_SILENCE
            ) as response:
                kept = {name: headers[name] for name in _OF_FILE if name in headers}
                headers.clear()
                headers.update(dict(response.headers.multi_items()) | kept)
                if url := _redirected(address, response):
                    continue
                check_answer(
                    self.address, response.status_code, headers, has_token=bool(self._token)
                )
                async for piece in response.aiter_raw():
                    yield piece
                return
        raise LinkRefused(f"more than {_MOST_REDIRECTS} redirects")

    def _tried(self, attempt: Callable[[], T], tries: int) -> T:
        """What the attempt makes; it is made again where that may help."""
        for tried in range(1, tries + 1):
            try:
                self._check_time()
                return attempt()
            except LinkRefused as error:
                raise self._failure("address", f"refused: {error}") from error
            except Later as later:
                wait = 2.0 ** (tried - 1) if later.wait is None else later.wait
                if tried == tries or wait > LONGEST_WAIT:
                    raise self._failure("hub", str(later)) from later
                self._pause(wait)
        raise AssertionError

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._watch(0)
            time.sleep(min(left, 1))

    def _check_time(self) -> None:
        if time.monotonic() > self._until:
            raise self._failure("hub", f"it took longer than {LONGEST / 3600:g} hours")

    def _failure(self, field: str, reason: str) -> ImportFailure:
        return ImportFailure(str(self.address), field, reason)


def too_large(most: int) -> str:
    """Why a dataset of more bytes is refused."""
    return f"larger than {most // 2**20:,} MiB (HUB_MIB): choose a split, or download it first"


def _check_whole(headers: Headers, size: int | None, written: int, digest: str) -> None:
    """Raise Later where something else was written than the hub announced."""
    announced = headers.get("x-linked-size") or headers.get("content-length", "")
    whole = int(announced) if announced.isdecimal() else size
    if whole is not None and written != whole:
        raise Later(f"it broke off after {written:,} of {whole:,} bytes")
    stored = headers.get("x-linked-etag", "").strip('W/"')
    if len(stored) == len(digest) and stored != digest:
        raise Later("the file does not match its SHA-256")


def _redirected(address: httpx2.URL, response: httpx2.Response) -> str:
    """Where an answer redirects to; empty if nowhere."""
    target = redirect_target(address, response)
    if target and address.scheme == "https" and not target.startswith("https:"):
        raise LinkRefused(f"redirects to {httpx2.URL(target).host} without TLS")
    return target


def _origin(address: httpx2.URL) -> tuple[str, str, int | None]:
    return address.scheme, address.host, address.port
