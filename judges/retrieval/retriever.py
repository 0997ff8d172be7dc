"""Retrieve a link and extract the article."""

import hashlib
from dataclasses import replace
from typing import Protocol

from judges.retrieval.article import extracted, extractor
from judges.retrieval.concurrency import LoopSemaphores, run_in_reader
from judges.retrieval.download import Fetched, Fetcher
from judges.retrieval.page import Page, PageOutcome

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

    def __init__(self, fetcher: Fetcher, renderer: Renderer | None = None) -> None:
        self.fetcher, self.renderer, self.slots = fetcher, renderer, LoopSemaphores(AT_ONCE)

    async def retrieve(self, url: str) -> Page:
        """The page at the link; every failure is an outcome with a reason."""
        async with self.slots.current:
            fetched = await self.fetcher.fetch(url)
        page = await self._read(url, fetched, via="http")
        if self.renderer is None or not _may_need_scripts(page):
            return page
        fetched = await self.renderer.rendered(page.final_url)
        rendered = await self._read(url, fetched, via=self.renderer.name)
        if rendered.outcome == PageOutcome.FOUND:
            return rendered
        return replace(page, reason=f"{page.reason}; by scripts: {rendered.reason}")

    async def _read(self, url: str, fetched: Fetched, *, via: str) -> Page:
        title = text = digest = ""
        outcome, reason = fetched.outcome, fetched.reason
        if outcome == PageOutcome.FOUND:
            title, text = await run_in_reader(
                extracted, fetched.body, content_type=fetched.content_type, url=fetched.final_url
            )
            digest = hashlib.sha256(fetched.body).hexdigest()
            if not text:
                outcome, reason = PageOutcome.NO_CONTENT, "the page has no text to read"
        return Page(
            url=url,
            outcome=outcome,
            reason=reason,
            final_url=fetched.final_url,
            status=fetched.status,
            content_type=fetched.content_type,
            sha256=digest,
            title=title[:500],
            text=text,
            via=f"{via}, {extractor()}" if digest else via,
        )


def _may_need_scripts(page: Page) -> bool:
    return page.outcome == PageOutcome.NO_CONTENT and bool(page.sha256)
