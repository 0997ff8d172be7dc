"""Fetch one link of the public web, within limits of time, size and redirects."""

import asyncio
import ssl
from collections.abc import Collection
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import httpx2

from retrieval import robots
from retrieval.connections import GuardedNetwork, LinkRefused
from retrieval.exchange import answered, joined, redirect_target, web_address
from retrieval.names import NoSuchName
from retrieval.page import HTML, PDF, READABLE, PageOutcome, media_type
from retrieval.refresh import refresh_target
from retrieval.responses import Fetched, Limits, Stopped, check_status, explained

USER_AGENT = "Jurybox (retrieves pages that explanations link to, once each, for research)"
_ENCODINGS = ("", "identity", "gzip", "x-gzip", "deflate")


class Fetcher:
    """The only way to the web. `GuardedNetwork` checks every address, on every redirect.

    It sends no cookies and no credentials, uses no proxy of the environment, and runs no scripts.
    network: how it gets there. ssl_context: the trusted certificates; by default those of the
    system. honours_robots: whether each server's robots.txt is fetched and obeyed.
    """

    def __init__(
        self,
        network: GuardedNetwork,
        *,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        ssl_context: ssl.SSLContext | None = None,
        honours_robots: bool = False,
    ) -> None:
        self.network, self.limits, self.ssl_context = network, limits or Limits(), ssl_context
        self.robots = robots.Robots(user_agent) if honours_robots else None
        self.headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip",
            "Connection": "close",
        }

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
            return replace(explained(error, self.limits), final_url=trail[-1])

    async def _follow(
        self, url: str, trail: list[str], readable: Collection[str] | None, *, cut_at: int = 0
    ) -> Fetched:
        """What redirects and refreshing pages lead to. cut_at: of a robots.txt, see `_get`."""
        for _ in range(self.limits.redirects + 1):
            address = web_address(url)
            trail.append(str(address))
            if not cut_at:
                await self._ask_robots(address)
            result = await self._get(address, readable, cut_at=cut_at)
            if isinstance(result, str):
                url = result
            elif readable is None or not (url := _refreshed(address, result)):
                return result
        raise Stopped(
            PageOutcome.TOO_MANY_REDIRECTS, f"more than {self.limits.redirects} redirects"
        )

    async def _ask_robots(self, address: httpx2.URL) -> None:
        """Raise Stopped where the server's robots.txt disallows the address."""
        if self.robots is None:
            return
        if self.robots.allows(address) is None:
            text = await self._robots_txt(address)
            if text is not None:
                self.robots.add(address, text)
        if self.robots.allows(address) is False:
            reason = f"not allowed by the robots.txt of {address.host}"
            raise Stopped(PageOutcome.DISALLOWED, reason)

    async def _robots_txt(self, address: httpx2.URL) -> str | None:
        """The server's robots.txt; empty where it has none, None where it leads nowhere.

        As RFC 9309 has it, a server that fails to give it disallows everything for now. An error
        of the connection is the page's own, because it is asked of the same server.
        """
        try:
            target = str(address.copy_with(raw_path=b"/robots.txt"))
            found = await self._follow(target, [], None, cut_at=robots.SIZE)
        except (LinkRefused, NoSuchName):
            return None
        except Stopped as error:
            if error.outcome == PageOutcome.TOO_MANY_REDIRECTS:
                return None
            if error.outcome in (PageOutcome.NOT_FOUND, PageOutcome.DENIED):
                return ""
            raise Stopped(error.outcome, f"robots.txt: {error}") from error
        return found.body.decode("utf-8-sig", errors="replace")

    async def _get(
        self, address: httpx2.URL, readable: Collection[str] | None, *, cut_at: int = 0
    ) -> Fetched | str:
        """The response of one address, or the address that it redirects to.

        cut_at: bytes after which the body is left, instead of refused as too large.
        """
        async with answered(
            self.network, "GET", address, headers=self.headers, ssl_context=self.ssl_context
        ) as response:
            if target := redirect_target(address, response):
                return target
            check_status(response.status_code)
            content_type = dict(response.headers.multi_items()).get("content-type", "")
            kind = media_type(content_type)
            fields: dict[str, Any] = {"status": response.status_code}
            fields["content_type"] = content_type[:200]
            # A response without a content type may be a page.
            if readable is not None and kind and kind not in readable:
                reason = f"nothing that can be read: {content_type[:80]}"
                raise Stopped(PageOutcome.NO_CONTENT, reason, **fields)
            most = self.limits.pdf_size if kind in PDF else self.limits.size
            body = await _body(response, most=cut_at or most, is_cut=bool(cut_at))
        return Fetched(PageOutcome.FOUND, final_url=str(address), body=body, **fields)


async def _body(response: httpx2.Response, *, most: int, is_cut: bool) -> bytes:
    """The decompressed body; Stopped above `most` bytes, unless it is to be cut there."""
    headers = dict(response.headers.multi_items())
    encoding = headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        reason = f"packed in a way that was not asked for: {encoding[:40]}"
        raise Stopped(PageOutcome.FAILED, reason)
    response.headers["content-encoding"] = encoding.removeprefix("x-")
    length, body = headers.get("content-length", ""), bytearray()
    too_large = Stopped(PageOutcome.TOO_LARGE, f"more than {most} bytes")
    if not is_cut and length.isdecimal() and int(length[:20]) > most:
        raise too_large
    # In pieces of bounded size, so that a compression bomb does not fill the memory.
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            body += piece
            if len(body) > most:
                if is_cut:
                    break
                raise too_large
    return bytes(body[:most])


def _refreshed(address: httpx2.URL, page: Fetched) -> str:
    """Where the page only refers its reader to; empty if it is a page of its own."""
    if media_type(page.content_type) not in ("", *HTML):
        return ""
    target = refresh_target(page.body)
    url = joined(address, target) if target else ""
    return "" if url.partition("#")[0] == str(address) else url
