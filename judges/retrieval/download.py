"""Fetch one link of the public web, within limits of time, size and redirects."""

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
from judges.retrieval.decompression import BadEncoding, Decompressor, TooLarge
from judges.retrieval.page import PageOutcome

USER_AGENT = "Jurybox (retrieves pages that explanations link to, once each, for research)"
READABLE = ("text/html", "application/xhtml+xml", "text/plain")
_REDIRECTS = (301, 302, 303, 307, 308)
_GONE = (404, 410)
_LONGEST_URL = 4000


@dataclass(frozen=True)
class Limits:
    """seconds: in all, from resolving the name to the last byte. size: bytes, decompressed."""

    seconds: float = 20.0
    size: int = 2_000_000
    redirects: int = 5


@dataclass(frozen=True)
class Fetched:
    """A server's response. body: decompressed; empty unless the outcome is `found`."""

    outcome: PageOutcome
    reason: str = ""
    final_url: str = ""
    status: int | None = None
    content_type: str = ""
    body: bytes = b""


class _Stopped(Exception):
    """A fetch that ends without a body."""

    def __init__(self, outcome: PageOutcome, reason: str, **fields: Any) -> None:
        super().__init__(reason)
        self.outcome, self.fields = outcome, fields


class Fetcher:
    """The only way to the web. `GuardedNetwork` checks every address, on every redirect.

    It sends no cookies and no credentials, uses no proxy of the environment, and runs no scripts.
    ssl_context: the trusted certificates; by default those of the system.
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
        """The page at the link. Every failure is an outcome with a reason, none an exception.

        readable: the content types whose bodies are wanted; None: all.
        """
        trail = [url]
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._follow(url, trail, readable)
        except Exception as error:  # noqa: BLE001 (other than network errors are raised again)
            outcome, reason, fields = _explained(error, self.limits)
            return Fetched(outcome, reason, final_url=trail[-1], **fields)

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
                result = await self._get(pool, address, readable)
                if isinstance(result, Fetched):
                    return result
                url = result
        raise _Stopped(
            PageOutcome.TOO_MANY_REDIRECTS, f"more than {self.limits.redirects} redirects"
        )

    async def _get(
        self,
        pool: httpcore2.AsyncConnectionPool,
        address: httpx2.URL,
        readable: Collection[str] | None,
    ) -> Fetched | str:
        """The response of one address, or the address that it redirects to."""
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
            fields = {"status": response.status, "content_type": content_type[:200]}
            if readable is not None and not _is_one_of(content_type, readable):
                reason = f"nothing that can be read: {content_type[:80]}"
                raise _Stopped(PageOutcome.NO_CONTENT, reason, **fields)
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
            raise TooLarge
        decompressor = Decompressor(headers.get("content-encoding", ""), limit=self.limits.size)
        async for chunk in response.aiter_stream():
            decompressor.add(chunk)
        return bytes(decompressor.body)


def _checked(url: str) -> httpx2.URL:
    """The address as it will be requested; Refused unless it is an ordinary one of the web."""
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
    """Whether the body is wanted; a response without a content type may be a page."""
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
    """The outcome and reason for an error. Errors not of the network are raised again."""
    if isinstance(error, _Stopped):
        return error.outcome, str(error), error.fields
    for kinds, outcome, reason in _MEANINGS:
        if isinstance(error, kinds):
            return outcome, reason.format(error=error, limits=limits), {}
    raise error


# The first that matches counts. The reasons stand in prompts, so a change of a word makes another
# prompt, for which no reply is cached.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], PageOutcome, str], ...] = (
    ((Refused,), PageOutcome.REFUSED, "{error}"),
    ((NoSuchName,), PageOutcome.NOT_FOUND, "nobody has the name {error}"),
    ((TooLarge,), PageOutcome.TOO_LARGE, "more than {limits.size} bytes"),
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
    ((BadEncoding,), PageOutcome.FAILED, "{error}"),
    ((OSError,), PageOutcome.FAILED, "no connection: {error}"),
)
