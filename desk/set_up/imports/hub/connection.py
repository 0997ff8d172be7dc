"""Requests to the Hugging Face Hub: through the guarded network, within limits of time and size.

The token goes to the hub and its converting service alone, never to where these redirect to. It
is in no message: errors name the dataset and a host. Files are written as they arrive; between
two pieces no event loop runs, so that whoever watches may write to the database.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import httpcore2
import httpx2
from django.conf import settings

from desk.set_up.imports.hub.addresses import DatasetAddress, hub_root, viewer_root
from desk.set_up.imports.hub.refusals import LONGEST_WAIT, Later, check_answer
from imports.errors import ImportFailure
from imports.readers.json_values import json_value
from imports.readers.streams import Watch, unwatched
from judges.retrieval.connections import GuardedNetwork, Refused
from judges.retrieval.names import NoNetwork, NoSuchName
from judges.retrieval.proxy import Proxy

TRIES = 3
# Seconds: of one answer to begin or to go on, and of all requests of one import.
_SILENCE, LONGEST = 60.0, 2 * 3600.0
_LARGEST_JSON = 64 * 2**20
_REDIRECTS, _MOST_REDIRECTS = (301, 302, 303, 307, 308), 5
# What the hub says of a file it says where it redirects to the storage.
_OF_FILE = ("x-repo-commit", "x-linked-size", "x-linked-etag")
_BROKEN = (
    NoNetwork,
    NoSuchName,
    OSError,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
)
T = TypeVar("T")


class Response(NamedTuple):
    """headers: by names in small letters; those of a file also where the hub redirected from."""

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]


class HubConnection:
    """A client of the hub for one import; a context manager. token: empty for what is public.
    watch: is told of the bytes of files, and often while it waits."""

    def __init__(
        self, address: DatasetAddress, *, token: str = "", watch: Watch = unwatched
    ) -> None:
        self.address, self._token, self._watch = address, token, watch
        self._trusted = {_origin(httpx2.URL(root)) for root in (hub_root(), viewer_root())}
        self._until = time.monotonic() + LONGEST

    def __enter__(self) -> Self:
        self._runner = asyncio.Runner()
        self._pool = httpcore2.AsyncConnectionPool(network_backend=_network(), max_connections=1)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        with self._runner as runner:
            runner.run(self._pool.aclose())

    def json(self, url: str) -> tuple[Mapping[str, str], Any]:
        """The headers and the value of an address; ImportFailure where there is none."""

        def read() -> tuple[Mapping[str, str], Any]:
            with self._opened(url) as response:
                body = b"".join(self._limited(response.pieces, _LARGEST_JSON))
            try:
                return response.headers, json_value(body)
            except ValueError as error:
                raise Later("its reply is not JSON") from error

        return self._tried(read)

    def optional_json(self, url: str) -> tuple[Mapping[str, str], Any] | None:
        """The same, once; None where the address does not answer with it."""
        try:
            with self._opened(url) as response:
                body = b"".join(self._limited(response.pieces, _LARGEST_JSON))
            return response.headers, json_value(body)
        except (Later, ImportFailure, ValueError, Refused, *_BROKEN):
            return None

    def download(self, url: str, path: Path, *, size: int | None, most: int) -> Mapping[str, str]:
        """Write a file; the headers. size: its bytes, where somebody has said them. ImportFailure
        above `most` bytes, and where other bytes arrive than the hub announces."""

        def write() -> Mapping[str, str]:
            with self._opened(url) as response:
                headers = response.headers
                announced = headers.get("x-linked-size") or headers.get("content-length", "")
                whole = int(announced) if announced.isdecimal() else size
                written, digest = self._written(response.pieces, path, most)
            if whole is not None and written != whole:
                self._watch(-written)
                raise Later(f"it broke off after {written:,} of {whole:,} bytes")
            stored = headers.get("x-linked-etag", "").strip('W/"')
            if len(stored) == len(digest) and stored != digest:
                self._watch(-written)
                raise Later("the file does not match its SHA-256")
            return headers

        return self._tried(write)

    def _written(self, pieces: Iterator[bytes], path: Path, most: int) -> tuple[int, str]:
        """The bytes and the SHA-256 of what was written."""
        written, digest = 0, hashlib.sha256()
        with path.open("wb", buffering=0) as file:
            try:
                for piece in self._limited(pieces, most):
                    self._write(file, piece)
                    digest.update(piece)
                    written += len(piece)
                    self._watch(len(piece))
            except _BROKEN as error:
                self._watch(-written)
                raise Later(f"it broke off after {written:,} bytes") from error
        return written, digest.hexdigest()

    def _write(self, file: FileIO, piece: bytes) -> None:
        rest = memoryview(piece)
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:  # a full disk, which no other try helps
            raise self._failure("disk", error.strerror or "cannot be written to") from error

    def _limited(self, pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
        total = 0
        for piece in pieces:
            total += len(piece)
            if total > most:
                raise self._failure("size", too_large(most))
            self._check_time()
            yield piece

    @contextmanager
    def _opened(self, url: str) -> Iterator[Response]:
        """The answer to a request, after redirects; each is a new connection that is checked."""
        kept: dict[str, str] = {}
        for _ in range(_MOST_REDIRECTS + 1):
            self._check_time()
            target = self._checked(url)
            answer = self._runner.run(self._sent(target))
            try:
                headers = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in answer.headers
                }
                kept = {name: headers[name] for name in _OF_FILE if name in headers} | kept
                if answer.status in _REDIRECTS and headers.get("location"):
                    url = self._joined(target, headers["location"])
                    continue
                has_token = bool(self._token)
                check_answer(self.address, answer.status, headers, has_token=has_token)
                yield Response(answer.status, headers | kept, self._pieces(answer))
                return
            finally:
                self._runner.run(answer.aclose())
        raise self._failure("address", f"more than {_MOST_REDIRECTS} redirects")

    async def _sent(self, target: httpx2.URL) -> httpcore2.Response:
        headers = {
            "Host": target.netloc.decode("ascii"),
            "User-Agent": "Jurybox",
            "Accept-Encoding": "identity",
        }
        if self._token and _origin(target) in self._trusted:
            headers["Authorization"] = f"Bearer {self._token}"
        request = httpcore2.Request(
            "GET",
            httpcore2.URL(
                scheme=target.raw_scheme,
                host=target.raw_host,
                port=target.port,
                target=target.raw_path,
            ),
            headers=list(headers.items()),
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), _SILENCE)},
        )
        return await self._pool.handle_async_request(request)

    def _pieces(self, answer: httpcore2.Response) -> Iterator[bytes]:
        stream = aiter(answer.aiter_stream())

        async def following() -> bytes | None:
            return await anext(stream, None)

        while (piece := self._runner.run(following())) is not None:
            yield piece

    def _checked(self, url: str) -> httpx2.URL:
        address = httpx2.URL(url)
        if address.scheme not in ("http", "https") or not address.host or address.userinfo:
            raise Refused("not a web address")
        return address.copy_with(fragment=None)

    def _joined(self, address: httpx2.URL, location: str) -> str:
        try:
            target = address.join(location)
        except (httpx2.InvalidURL, ValueError) as error:
            raise self._failure(
                "address", "redirects to an address that is not on the web"
            ) from error
        if address.scheme == "https" and target.scheme != "https":
            raise self._failure("address", f"redirects to {target.host} without TLS")
        return str(target)

    def _tried(self, attempt: Callable[[], T]) -> T:
        """What the attempt makes; it is made again where that may help."""
        for left in reversed(range(TRIES)):
            try:
                return attempt()
            except Refused as error:
                raise self._failure("address", f"refused: {error}") from error
            except _BROKEN as error:
                later = Later(f"it cannot be reached ({str(error) or type(error).__name__})")
            except Later as error:
                later = error
            wait = 2.0 ** (TRIES - left - 1) if later.wait is None else later.wait
            if not left or wait > LONGEST_WAIT:
                raise self._failure("hub", _in_words(later)) from later
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


def _in_words(later: Later) -> str:
    if later.wait is None:
        return later.reason
    return f"{later.reason}: try again in {later.wait:.0f} seconds"


def _origin(address: httpx2.URL) -> tuple[str, str, int | None]:
    return address.scheme, address.host, address.port


def _network() -> GuardedNetwork:
    proxy = None
    if settings.PAGES_PROXY:
        proxy = Proxy.from_url(settings.PAGES_PROXY, resolves=settings.PAGES_PROXY_RESOLVES)
    return GuardedNetwork(ports=settings.HUB_PORTS, allowed=settings.HUB_PRIVATE, proxy=proxy)
