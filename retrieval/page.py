"""A web page as a judge sees it, or the reason why there is none to see."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

# The media types of pages that are read.
HTML = ("text/html", "application/xhtml+xml")
PLAIN = ("text/plain", "text/markdown", "text/csv")
JSON = ("application/json", "application/ld+json")
PDF = ("application/pdf",)
READABLE = (*HTML, *PLAIN, *JSON, *PDF)


class PageOutcome(StrEnum):
    """The result of retrieving a link. Every outcome is shown to the judge and counted."""

    FOUND = "found"
    NO_CONTENT = "no content"
    NOT_FOUND = "not found"
    DENIED = "denied"
    REFUSED = "refused address"
    TOO_LARGE = "too large"
    TOO_MANY_REDIRECTS = "too many redirects"
    DISALLOWED = "disallowed by robots"
    TIMEOUT = "timeout"
    FAILED = "failed"
    NOT_RETRIEVED = "not retrieved"


# A server answered with a page, whether or not it can be read.
EXISTING = frozenset(
    {PageOutcome.FOUND, PageOutcome.NO_CONTENT, PageOutcome.TOO_LARGE, PageOutcome.DENIED}
)
# A reader who follows the link finds no page: the name does not exist, the server has no such page,
# or the address is not on the public web.
MISSING = frozenset({PageOutcome.NOT_FOUND, PageOutcome.REFUSED})
# The part of `Page.via` that says that a missing name was told from a network without names.
NAMES_CHECKED = "names checked"


@dataclass(frozen=True)
class Page:
    """What was retrieved at a link, at a certain time.

    final_url: after redirects. status: the HTTP status, None where no server answered. sha256: of
    the decompressed body. text: the article, without navigation; empty unless the outcome is
    `found`. via: what fetched it and what extracted the text, with versions.
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
        """Whether there is a page; None where that is unknown."""
        if self.outcome in EXISTING:
            return True
        return False if self.outcome in MISSING else None


def media_type(content_type: str) -> str:
    """The type in a Content-Type header, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


class Pages(Protocol):
    """Retrieves pages, and stores those that were retrieved.

    `kept` and `keep` are called in the thread that called the judge's method, never in an event
    loop; `retrieve` is called in an event loop and does not use the database.
    """

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        """The page as it was last retrieved, unless that is too long ago."""

    def keep(self, page: Page) -> None:
        """Store a page; earlier retrievals stay."""

    async def retrieve(self, url: str) -> Page:
        """Retrieve the link now. A failure is a page too, not an exception."""


class NoPages:
    """For a method without access to the web."""

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        return None

    def keep(self, page: Page) -> None:
        pass

    async def retrieve(self, url: str) -> Page:
        raise ValueError("pages: this run cannot retrieve any")
