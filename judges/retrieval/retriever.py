"""Go to a link and read what is there."""

import hashlib
from dataclasses import replace
from typing import Protocol

from judges.retrieval.article import extracted, extractor
from judges.retrieval.download import Fetched, Fetcher
from judges.retrieval.limits import Turns
from judges.retrieval.page import Page, PageOutcome
from judges.retrieval.threads import apart

# Pages that one run fetches at the same time; many links of a study may lead to one server.
AT_ONCE = 6


class Renderer(Protocol):
    """Makes of an address the page that its scripts would make."""

    name: str

    async def rendered(self, url: str) -> Fetched:
        """The page once its scripts have run. A failure is an outcome, not an exception."""


class Retriever:
    """Fetches a page and takes its article out.

    renderer: asked for the pages that hold no article as they are sent. None: these stay without.
    """

    def __init__(self, fetcher: Fetcher, renderer: Renderer | None = None) -> None:
        self.fetcher, self.renderer, self.turns = fetcher, renderer, Turns(AT_ONCE)

    async def retrieve(self, url: str) -> Page:
        """The page at the link; every failure is an outcome with a reason."""
        async with self.turns.here:
            fetched = await self.fetcher.fetch(url)
        page = await self._read(url, fetched, via="http")
        if self.renderer is None or not _may_be_made_by_scripts(page):
            return page
        made = await self.renderer.rendered(page.final_url)
        rendered = await self._read(url, made, via=self.renderer.name)
        if rendered.outcome == PageOutcome.FOUND:
            return rendered
        return replace(page, reason=f"{page.reason}; by scripts: {rendered.reason}")

    async def _read(self, url: str, fetched: Fetched, *, via: str) -> Page:
        title = text = digest = ""
        outcome, reason = fetched.outcome, fetched.reason
        if outcome == PageOutcome.FOUND:
            title, text = await apart(
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


def _may_be_made_by_scripts(page: Page) -> bool:
    return page.outcome == PageOutcome.NO_CONTENT and bool(page.sha256)
