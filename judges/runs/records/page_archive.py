"""Retrieved pages in the database, so that what a judge read can be looked up later."""

import asyncio
import hashlib
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from threading import Thread
from typing import Any
from urllib.parse import urldefrag

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from judges.methods.contract import Method
from judges.models import RetrievedPage
from retrieval.connections import GuardedNetwork
from retrieval.download import USER_AGENT, Fetcher
from retrieval.page import NAMES_CHECKED, READABLE, Page, PageOutcome, media_type
from retrieval.proxy import configured_proxy
from retrieval.retriever import Retriever

# How long the warning that nothing outside can be reached is waited for.
_REACH_SECONDS = 6.0
# For how long a page with an outcome that may pass is not retrieved again: about once a run.
TRY_AGAIN = {
    PageOutcome.NOT_RETRIEVED: timedelta(minutes=5),
    PageOutcome.TIMEOUT: timedelta(hours=1),
    PageOutcome.FAILED: timedelta(hours=1),
    PageOutcome.DENIED: timedelta(hours=1),
    PageOutcome.DISALLOWED: timedelta(days=1),
}


class PageArchive:
    """A `retrieval.page.Pages` with the database as its store.

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
        if _may_be_wrong(page) or age > TRY_AGAIN.get(page.outcome, timedelta.max):
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
    fetcher = Fetcher(
        GuardedNetwork(
            ports=frozenset(settings.PAGES_PORTS),
            probe_names=settings.PAGES_PROBE_NAMES,
            proxy=configured_proxy(),
        ),
        user_agent=user_agent,
        honours_robots=True,
    )
    if not settings.PAGES_RENDERED:
        return Retriever(fetcher)
    from retrieval.browser import ChromiumRenderer

    return Retriever(fetcher, ChromiumRenderer(fetcher, user_agent=user_agent))


def no_pages_warning(method: Method[Any]) -> str:
    """Why a judge's links will not be retrieved, seen from this machine; empty where they will."""
    network = retriever().fetcher.network
    names = network.lookup.probe_names
    if not (method.retrieves_pages and names) or _reaches_outside(network):
        return ""
    return _(
        "This judge retrieves the pages of links, but nothing outside can be reached from this "
        "machine (tried: %(names)s). What it cannot retrieve is told to it as open, not as missing."
    ) % {"names": ", ".join(names)}


def _reaches_outside(network: GuardedNetwork) -> bool:
    """Whether a probe name can be reached soon.

    In a thread of its own, because asyncio waits at its end for lookups that hang.
    """
    results: list[bool] = []
    thread = Thread(
        target=lambda: results.append(asyncio.run(network.reaches_outside())), daemon=True
    )
    thread.start()
    thread.join(_REACH_SECONDS)
    return any(results)


def _may_be_wrong(page: Page) -> bool:
    """Whether an earlier version kept a page that this one may find or read.

    It took any name that was not found for one that does not exist, and read fewer types.
    """
    if page.outcome == PageOutcome.NOT_FOUND:
        return page.status is None and NAMES_CHECKED not in page.via
    return (
        page.outcome == PageOutcome.NO_CONTENT
        and not page.sha256
        and media_type(page.content_type) in READABLE
    )


def _key(url: str) -> str:
    """SHA-256 of the address without its fragment, which is not sent to the server."""
    return hashlib.sha256(urldefrag(url).url.encode()).hexdigest()
