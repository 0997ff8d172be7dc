"""A page of the web as a judge gets to see it, or the plain reason why there is nothing to see."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol


class PageOutcome(StrEnum):
    """What came of going to a link. Told to the judge and counted, whatever it is."""

    FOUND = "found"
    NO_CONTENT = "no content"
    NOT_FOUND = "not found"
    DENIED = "denied"
    REFUSED = "refused address"
    TOO_LARGE = "too large"
    TOO_MANY_REDIRECTS = "too many redirects"
    TIMEOUT = "timeout"
    FAILED = "failed"


# Somebody answered at the address with a page, whether we could read it or not.
THERE = frozenset(
    {PageOutcome.FOUND, PageOutcome.NO_CONTENT, PageOutcome.TOO_LARGE, PageOutcome.DENIED}
)
# A reader who follows the link finds no page: nobody has the name, the server knows of no such
# page, or the address leads nowhere that everybody can go.
NOT_THERE = frozenset({PageOutcome.NOT_FOUND, PageOutcome.REFUSED})
# It may be otherwise in a while.
PASSING = frozenset({PageOutcome.TIMEOUT, PageOutcome.FAILED, PageOutcome.DENIED})


@dataclass(frozen=True)
class Page:
    """What was found at a link, at a certain time.

    final_url: where redirects led. status: the HTTP status, None where no server answered.
    sha256: of the body as it was unpacked. text: the article alone, without navigation; empty
    unless the outcome is `found`. via: what fetched it, and what read it, with versions.
    """

    url: str
    outcome: PageOutcome
    reason: str = ""
    final_url: str = ""
    status: int | None = None
    content_type: str = ""
    sha256: str = ""
    title: str = ""
    text: str = ""
    via: str = ""
    retrieved_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def exists(self) -> bool | None:
        """Whether there is a page; None where that was not found out."""
        if self.outcome in THERE:
            return True
        return False if self.outcome in NOT_THERE else None


class Pages(Protocol):
    """Pages of the web, and those that were retrieved before.

    `kept` and `keep` are called in the thread that called the method, never in that of an event
    loop; `retrieve` is called in an event loop, and touches no database.
    """

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        """The page as it was retrieved last, unless that is too long ago."""

    def keep(self, page: Page) -> None:
        """Keep what was retrieved; what was kept before stays."""

    async def retrieve(self, url: str) -> Page:
        """Go to the link now. A failure is a page too, not an exception."""


class NoPages:
    """Where a run has no way to the web."""

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        return None

    def keep(self, page: Page) -> None:
        pass

    async def retrieve(self, url: str) -> Page:
        raise ValueError("pages: this run cannot retrieve any")
