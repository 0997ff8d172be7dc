"""Pages that were retrieved, kept in the database: what a judge saw can be looked up later."""

import hashlib
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from urllib.parse import urldefrag

from django.conf import settings
from django.utils import timezone

from judges.models import RetrievedPage
from judges.retrieval.download import USER_AGENT, Fetcher
from judges.retrieval.page import PASSING, Page
from judges.retrieval.retriever import Retriever

# A failure that may pass is not asked for again and again within a run, but soon after it.
TRY_AGAIN = timedelta(hours=1)


class KeptPages:
    """`judges.retrieval.page.Pages` with rows for a memory.

    A page is retrieved once and then the same for every judge, so that judges differ by what they
    make of it. A new retrieval is a new row; the newest counts.
    """

    def __init__(self, retriever: Retriever) -> None:
        self.retriever = retriever

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        """The page as it was retrieved last, unless that is too long ago."""
        row = RetrievedPage.objects.filter(url_sha256=_key(url)).order_by("-pk").first()
        if row is None:
            return None
        page = row.as_page()
        age = timezone.now() - page.retrieved_at
        if page.outcome in PASSING and age > TRY_AGAIN:
            return None
        return page if max_age_days is None or age <= timedelta(days=max_age_days) else None

    def keep(self, page: Page) -> None:
        """Keep what was retrieved; what was kept before stays."""
        RetrievedPage.objects.create(url_sha256=_key(page.url), **asdict(page))

    async def retrieve(self, url: str) -> Page:
        """Go to the link now."""
        return await self.retriever.retrieve(url)


@cache
def retriever() -> Retriever:
    """The way to the web as the settings have it."""
    user_agent = settings.PAGES_USER_AGENT or USER_AGENT
    fetcher = Fetcher(user_agent=user_agent, ports=frozenset(settings.PAGES_PORTS))
    if not settings.PAGES_RENDERED:
        return Retriever(fetcher)
    from judges.retrieval.browser import ChromiumRenderer

    return Retriever(fetcher, ChromiumRenderer(fetcher, user_agent=user_agent))


def _key(url: str) -> str:
    """Of the address without its fragment, which is the reader's own business."""
    return hashlib.sha256(urldefrag(url).url.encode()).hexdigest()
