"""Retrieved pages in the database, so that what a judge read can be looked up later."""

import hashlib
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from urllib.parse import urldefrag

from django.conf import settings
from django.utils import timezone

from judges.models import RetrievedPage
from judges.retrieval.download import USER_AGENT, Fetcher
from judges.retrieval.page import TRANSIENT, Page
from judges.retrieval.retriever import Retriever

# After a transient failure, a page is not retrieved again for so long: about once a run.
TRY_AGAIN = timedelta(hours=1)


class PageArchive:
    """A `judges.retrieval.page.Pages` with the database as its store.

    A page is retrieved once and is then the same for every judge, so that judges do not differ
    because a page has changed. Another retrieval is another row; the newest counts.
    """

    def __init__(self, retriever: Retriever) -> None:
        self.retriever = retriever

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        """The page as it was last retrieved, unless that is too long ago."""
        row = RetrievedPage.objects.filter(url_sha256=_key(url)).order_by("-pk").first()
        if row is None:
            return None
        page = row.as_page()
        age = timezone.now() - page.retrieved_at
        if page.outcome in TRANSIENT and age > TRY_AGAIN:
            return None
        return page if max_age_days is None or age <= timedelta(days=max_age_days) else None

    def keep(self, page: Page) -> None:
        """Store a page; earlier retrievals stay."""
        RetrievedPage.objects.create(url_sha256=_key(page.url), **asdict(page))

    async def retrieve(self, url: str) -> Page:
        """Retrieve the link now."""
        return await self.retriever.retrieve(url)


@cache
def retriever() -> Retriever:
    """The retriever, by the settings; one per process."""
    user_agent = settings.PAGES_USER_AGENT or USER_AGENT
    fetcher = Fetcher(user_agent=user_agent, ports=frozenset(settings.PAGES_PORTS))
    if not settings.PAGES_RENDERED:
        return Retriever(fetcher)
    from judges.retrieval.browser import ChromiumRenderer

    return Retriever(fetcher, ChromiumRenderer(fetcher, user_agent=user_agent))


def _key(url: str) -> str:
    """SHA-256 of the address without its fragment, which is not sent to the server."""
    return hashlib.sha256(urldefrag(url).url.encode()).hexdigest()
