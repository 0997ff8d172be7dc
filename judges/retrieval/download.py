"""Fetch one link from the public web, within limits of time, size and redirects."""

import asyncio
import ssl
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from judges.retrieval.connections import (
    USUAL_PORTS,
    GuardedNetwork,
    NoSuchName,
    Refused,
    Resolver,
    system_resolver,
)
from judges.retrieval.decompression import BadPacking, TooMuch, Unpacker
from judges.retrieval.page import PageOutcome

USER_AGENT = "Jurybox (retrieves pages that explanations link to, once each, for research)"
READABLE = ("text/html", "application/xhtml+xml", "text/plain")
_REDIRECTS = (301, 302, 303, 307, 308)
_GONE = (404, 410)
_LONGEST_URL = 4000


@dataclass(frozen=True)
class Limits:
    """What a page may take: seconds in all, from the name to the last byte; bytes, unpacked."""

    seconds: float = 20.0
    size: int = 2_000_000
    redirects: int = 5


@dataclass(frozen=True)
class Fetched:
    """What a server answered. `body` is unpacked, and empty unless the outcome is `found`."""

    outcome: PageOutcome
    reason: str = ""
    final_url: str = ""
    status: int | None = None
    content_type: str = ""
    body: bytes = b""


class _Stopped(Exception):
    """The end of a fetch before there was a body."""

    def __init__(self, outcome: PageOutcome, reason: str, **found: Any) -> None:
        super().__init__(reason)
        self.outcome, self.found = outcome, found


class Fetcher:
    """The one way out to the web. Addresses are guarded by `GuardedNetwork`, on every redirect.

    It sends no cookies and no credentials, follows no proxy of the environment, and runs no
    script. ssl_context: whom to trust; by default those whom the system trusts.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        ports: Collection[int] = USUAL_PORTS,
        resolver: Resolver = system_resolver,
        allowed: Collection[tuple[str, int]] = (),
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self.limits, self.ssl_context = limits or Limits(), ssl_context
        self.network = GuardedNetwork(resolver=resolver, ports=ports, allowed=allowed)
        self.headers = (
            ("User-Agent", user_agent),
            ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"),
            ("Accept-Encoding", "gzip"),
            ("Connection", "close"),
        )

    async def fetch(self, url: str, *, readable: Collection[str] | None = READABLE) -> Fetched:
        """What is at the link. Every failure is an outcome with a reason, none an exception.

        readable: the content types whose bodies are wanted; None: all.
        """
        trail = [url]
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._follow(url, trail, readable)
        except Exception as error:  # noqa: BLE001 (what is not of the network is raised on)
            outcome, reason, found = _explained(error, self.limits)
            return Fetched(outcome, reason, final_url=trail[-1], **found)

    async def _follow(
        self, url: str, trail: list[str], readable: Collection[str] | None
    ) -> Fetched:
        pool = httpcore2.AsyncConnectionPool(
            ssl_context=self.ssl_context, network_backend=self.network, max_connections=1
        )
        async with pool:
            for _ in range(self.limits.redirects + 1):
                address = _checked(url)
                trail.append(str(address))
                answer = await self._get(pool, address, readable)
                if isinstance(answer, Fetched):
                    return answer
                url = answer
        raise _Stopped(
            PageOutcome.TOO_MANY_REDIRECTS, f"more than {self.limits.redirects} redirects"
        )

    async def _get(
        self,
        pool: httpcore2.AsyncConnectionPool,
        address: httpx2.URL,
        readable: Collection[str] | None,
    ) -> Fetched | str:
        """The answer at one address, or where it sends us."""
        target = httpcore2.URL(
            scheme=address.raw_scheme,
            host=address.raw_host,
            port=address.port,
            target=address.raw_path,
        )
        async with pool.stream("GET", target, headers=self.headers) as response:
            headers = _headers(response)
            if response.status in _REDIRECTS and headers.get("location"):
                return _joined(address, headers["location"])
            _check_status(response.status)
            content_type = headers.get("content-type", "")
            found = {"status": response.status, "content_type": content_type[:200]}
            if readable is not None and not _is_one_of(content_type, readable):
                reason = f"nothing that can be read: {content_type[:80]}"
                raise _Stopped(PageOutcome.NO_CONTENT, reason, **found)
            body = await self._body(response, headers)
        return Fetched(
            PageOutcome.FOUND,
            final_url=str(address),
            status=response.status,
            content_type=content_type[:200],
            body=body,
        )

    async def _body(self, response: httpcore2.Response, headers: Mapping[str, str]) -> bytes:
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self.limits.size:
            raise TooMuch
        unpacker = Unpacker(headers.get("content-encoding", ""), limit=self.limits.size)
        async for piece in response.aiter_stream():
            unpacker.add(piece)
        return bytes(unpacker.body)


def _checked(url: str) -> httpx2.URL:
    """The address as it will be asked for; refused unless it is an ordinary one of the web."""
    if len(url) > _LONGEST_URL:
        raise Refused("the address is too long")
    try:
        address = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError) as error:
        raise Refused("not an address of the web") from error
    if address.scheme not in ("http", "https") or not address.host:
        raise Refused("not an address of the web")
    if address.userinfo:
        raise Refused("the address holds credentials")
    return address.copy_with(fragment=None)


def _joined(address: httpx2.URL, location: str) -> str:
    try:
        return str(address.join(location))
    except (httpx2.InvalidURL, ValueError) as error:
        raise Refused("redirects to what is no address of the web") from error


def _headers(response: httpcore2.Response) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
    }


def _is_one_of(content_type: str, readable: Collection[str]) -> bool:
    """A server that says nothing about the type may have sent a page."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind in readable


def _check_status(status: int) -> None:
    if 200 <= status < 300:
        return
    reason = f"the server answered {status}"
    if status in _GONE:
        raise _Stopped(PageOutcome.NOT_FOUND, reason, status=status)
    denied = 400 <= status < 500
    raise _Stopped(PageOutcome.DENIED if denied else PageOutcome.FAILED, reason, status=status)


def _explained(error: Exception, limits: Limits) -> tuple[PageOutcome, str, dict[str, Any]]:
    """What an error means for the page. One that is not of the network is raised on."""
    if isinstance(error, _Stopped):
        return error.outcome, str(error), error.found
    for kinds, outcome, reason in _MEANINGS:
        if isinstance(error, kinds):
            return outcome, reason.format(error=error, limits=limits), {}
    raise error


# The first that fits counts.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], PageOutcome, str], ...] = (
    ((Refused,), PageOutcome.REFUSED, "{error}"),
    ((NoSuchName,), PageOutcome.NOT_FOUND, "nobody has the name {error}"),
    ((TooMuch,), PageOutcome.TOO_LARGE, "more than {limits.size} bytes"),
    (
        (TimeoutError, httpcore2.TimeoutException),
        PageOutcome.TIMEOUT,
        "no whole page within {limits.seconds:g} seconds",
    ),
    ((httpcore2.ConnectError,), PageOutcome.FAILED, "no connection: {error}"),
    (
        (httpcore2.ProtocolError, httpcore2.NetworkError),
        PageOutcome.FAILED,
        "the server broke off: {error}",
    ),
    ((BadPacking,), PageOutcome.FAILED, "{error}"),
    ((OSError,), PageOutcome.FAILED, "no connection: {error}"),
)
