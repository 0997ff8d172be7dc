"""Retrieve a link and extract the article."""

import hashlib
import time
from dataclasses import asdict, replace
from typing import Protocol

from retrieval.article import extractor
from retrieval.concurrency import LoopSemaphores, run_in_reader
from retrieval.download import Fetcher
from retrieval.extraction import SHARED, TextExtraction
from retrieval.page import HTML, NAMES_CHECKED, Page, PageOutcome, media_type
from retrieval.pdf import Unreadable
from retrieval.responses import Fetched

# Pages that one run fetches at once. Few, as many links of a study may lead to one server.
AT_ONCE = 6


class Renderer(Protocol):
    """Renders the page at an address with its scripts."""

    name: str

    async def rendered(self, url: str) -> Fetched:
        """The page after its scripts have run. A failure is an outcome, not an exception."""


class Retriever:
    """Fetches a page and extracts its article.

    renderer: used for pages that hold no article without their scripts. None: these get no text.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        renderer: Renderer | None = None,
        extraction: TextExtraction = SHARED,
    ) -> None:
        self.fetcher, self.renderer, self.slots = fetcher, renderer, LoopSemaphores(AT_ONCE)
        self.extraction = extraction

    async def retrieve(self, url: str) -> Page:
        """The page at the link; every failure is an outcome with a reason."""
        seconds = self.fetcher.limits.seconds
        async with self.slots.current:
            started = time.monotonic()
            fetched = await self.fetcher.fetch(url)
            left = seconds - (time.monotonic() - started)
        page = await self._read(url, fetched, via="http", seconds=left)
        if self.renderer is None or not _may_need_scripts(page):
            return page
        fetched = await self.renderer.rendered(page.final_url)
        rendered = await self._read(url, fetched, via=self.renderer.name, seconds=seconds)
        if rendered.outcome == PageOutcome.FOUND:
            return rendered
        return replace(page, reason=f"{page.reason}; by scripts: {rendered.reason}")

    async def _read(self, url: str, fetched: Fetched, *, via: str, seconds: float) -> Page:
        fields = asdict(fetched)
        body = fields.pop("body")
        page = Page(url=url, via=via, **fields)
        if page.outcome == PageOutcome.FOUND:
            return await self._with_text(page, body, seconds)
        is_by_name = page.outcome == PageOutcome.NOT_FOUND and page.status is None
        return replace(page, via=f"{via}, {NAMES_CHECKED}") if is_by_name else page

    async def _with_text(self, page: Page, body: bytes, seconds: float) -> Page:
        """The page with what is extracted from its body within so many seconds."""
        page = replace(
            page,
            sha256=hashlib.sha256(body).hexdigest(),
            via=f"{page.via}, {extractor(page.content_type)}",
        )
        reason = "the page has no text to read"
        try:
            title, text = await run_in_reader(
                self.extraction.extracted,
                body,
                content_type=page.content_type,
                url=page.final_url,
                seconds=seconds,
            )
        except Unreadable as error:
            title, text, reason = "", "", str(error)
        page = replace(page, title=title[:500], text=text)
        return page if text else replace(page, outcome=PageOutcome.NO_CONTENT, reason=reason)


def _may_need_scripts(page: Page) -> bool:
    is_html = media_type(page.content_type) in ("", *HTML)
    return page.outcome == PageOutcome.NO_CONTENT and bool(page.sha256) and is_html
