"""Fetch one link of the public web, within limits of time, size and redirects."""

import asyncio
import ssl
from collections.abc import Collection, Mapping

import httpcore2
import httpx2

from judges.retrieval import robots
from judges.retrieval.connections import USUAL_PORTS, GuardedNetwork, Refused
from judges.retrieval.decompression import Decompressor, TooLarge
from judges.retrieval.media_types import HTML, PDF, READABLE, media_type
from judges.retrieval.names import NoSuchName, Resolver, system_resolver
from judges.retrieval.page import PageOutcome
from judges.retrieval.proxy import Proxy
from judges.retrieval.refresh import refresh_target
from judges.retrieval.responses import Fetched, Limits, Stopped, check_status, explained

USER_AGENT = "Jurybox (retrieves pages that explanations link to, once each, for research)"
_REDIRECTS = (301, 302, 303, 307, 308)
_LONGEST_URL = 4000


class Fetcher:
    """The only way to the web. `GuardedNetwork` checks every address, on every redirect.

    It sends no cookies and no credentials, uses no proxy of the environment, and runs no scripts.
    ssl_context: the trusted certificates; by default those of the system. honours_robots: whether
    each server's robots.txt is fetched and obeyed. The rest: see `GuardedNetwork`.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        ports: Collection[int] = USUAL_PORTS,
        resolver: Resolver = system_resolver,
        probe_names: Collection[str] = (),
        allowed: Collection[tuple[str, int]] = (),
        ssl_context: ssl.SSLContext | None = None,
        proxy: Proxy | None = None,
        honours_robots: bool = False,
    ) -> None:
        self.limits, self.ssl_context = limits or Limits(), ssl_context
        self.robots = robots.Robots(user_agent) if honours_robots else None
        self.network = GuardedNetwork(
            resolver=resolver, probe_names=probe_names, ports=ports, allowed=allowed, proxy=proxy
        )
        self.headers = (
            ("User-Agent", user_agent),
            ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"),
            ("Accept-Encoding", "gzip"),
            ("Connection", "close"),
        )

    async def fetch(self, url: str, *, readable: Collection[str] | None = READABLE) -> Fetched:
        """The page at the link. Every failure is an outcome with a reason, none an exception.

        readable: the content types whose bodies are wanted; None: all, and pages that only refer
        to another are left as they are.
        """
        trail = [url]
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._follow(url, trail, readable)
        except Exception as error:  # noqa: BLE001 (other than network errors are raised again)
            outcome, reason, fields = explained(error, self.limits)
            return Fetched(outcome, reason, final_url=trail[-1], **fields)

    async def _follow(
        self, url: str, trail: list[str], readable: Collection[str] | None
    ) -> Fetched:
        async with self._pool() as pool:
            for _ in range(self.limits.redirects + 1):
                address = _checked(url)
                trail.append(str(address))
                await self._ask_robots(pool, address)
                result = await self._get(pool, address, readable)
                if isinstance(result, Fetched):
                    target = "" if readable is None else _refreshed(address, result)
                    if not target:
                        return result
                    url = target
                else:
                    url = result
        raise Stopped(
            PageOutcome.TOO_MANY_REDIRECTS, f"more than {self.limits.redirects} redirects"
        )

    def _pool(self) -> httpcore2.AsyncConnectionPool:
        return httpcore2.AsyncConnectionPool(
            ssl_context=self.ssl_context, network_backend=self.network, max_connections=1
        )

    async def _ask_robots(self, pool: httpcore2.AsyncConnectionPool, address: httpx2.URL) -> None:
        """Raise Stopped where the server's robots.txt disallows the address."""
        if self.robots is None:
            return
        if self.robots.allows(address) is None:
            text = await self._robots_txt(pool, address)
            if text is not None:
                self.robots.add(address, text)
        if self.robots.allows(address) is False:
            reason = f"not allowed by the robots.txt of {address.host}"
            raise Stopped(PageOutcome.DISALLOWED, reason)

    async def _robots_txt(
        self, pool: httpcore2.AsyncConnectionPool, address: httpx2.URL
    ) -> str | None:
        """The server's robots.txt; empty where it has none, None where it leads nowhere.

        As RFC 9309 has it, a server that fails to give it disallows everything for now. An error
        of the connection is the page's own, because it is asked of the same server.
        """
        target = address.copy_with(raw_path=b"/robots.txt")
        for _ in range(self.limits.redirects + 1):
            try:
                result = await self._get(pool, target, None, cut_at=robots.SIZE)
                if isinstance(result, Fetched):
                    return result.body.decode("utf-8-sig", errors="replace")
                target = _checked(result)
            except Stopped as error:
                if error.outcome in (PageOutcome.NOT_FOUND, PageOutcome.DENIED):
                    return ""
                raise Stopped(error.outcome, f"robots.txt: {error}") from error
            except (Refused, NoSuchName):
                return None
        return None

    async def _get(
        self,
        pool: httpcore2.AsyncConnectionPool,
        address: httpx2.URL,
        readable: Collection[str] | None,
        *,
        cut_at: int = 0,
    ) -> Fetched | str:
        """The response of one address, or the address that it redirects to.

        cut_at: bytes after which the body is left, instead of refused as too large.
        """
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
            check_status(response.status)
            content_type = headers.get("content-type", "")
            kind = media_type(content_type)
            fields = {"status": response.status, "content_type": content_type[:200]}
            # A response without a content type may be a page.
            if readable is not None and kind and kind not in readable:
                reason = f"nothing that can be read: {content_type[:80]}"
                raise Stopped(PageOutcome.NO_CONTENT, reason, **fields)
            most = self.limits.pdf_size if kind in PDF else self.limits.size
            body = await _body(response, headers, most=cut_at or most, is_cut=bool(cut_at))
        return Fetched(
            PageOutcome.FOUND,
            final_url=str(address),
            status=response.status,
            content_type=content_type[:200],
            body=body,
        )


async def _body(
    response: httpcore2.Response, headers: Mapping[str, str], *, most: int, is_cut: bool
) -> bytes:
    """The decompressed body; TooLarge above `most` bytes, unless it is to be cut there."""
    length = headers.get("content-length", "")
    if not is_cut and length.isdecimal() and int(length[:20]) > most:
        raise TooLarge(f"more than {most} bytes")
    decompressor = Decompressor(headers.get("content-encoding", ""), limit=most)
    try:
        async for chunk in response.aiter_stream():
            decompressor.add(chunk)
    except TooLarge:
        if not is_cut:
            raise
    return bytes(decompressor.body[:most])


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
        raise Refused("redirects to an address that is not on the web") from error


def _refreshed(address: httpx2.URL, page: Fetched) -> str:
    """Where the page only refers its reader to; empty if it is a page of its own."""
    if media_type(page.content_type) not in ("", *HTML):
        return ""
    target = refresh_target(page.body)
    joined = _joined(address, target) if target else ""
    return "" if joined.partition("#")[0] == str(address) else joined


def _headers(response: httpcore2.Response) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
    }
