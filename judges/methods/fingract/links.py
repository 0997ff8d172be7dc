"""How a link and its page are described in a prompt, within a limit of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.page import Page, PageOutcome
from retrieval.summary import Embedder, Summary, summary
from tasktypes.machines.prompts import one_line


@dataclass(frozen=True)
class Digest:
    """How a page is summarized to the length that the model reads."""

    tokens: int
    how: Summary
    embedder: Embedder | None = None


@dataclass(frozen=True)
class Link:
    """A link of the question. page: None where it was not retrieved."""

    number: int
    address: str
    page: Page | None = None
    text: str = ""

    @property
    def exists(self) -> bool | None:
        return None if self.page is None else self.page.exists

    def as_prompt(self) -> str:
        """The link's lines in a prompt."""
        lines = [f"{self.number}: {one_line(self.address)}"]
        if self.page is not None:
            lines.append(f"   Found: {_FOUND[self.page.outcome].format(reason=self.page.reason)}")
        if self.page is not None and self.page.title:
            lines.append(f"   Title: {one_line(self.page.title)}")
        if self.text:
            lines.append(f"   Text: {one_line(self.text)}")
        return "\n".join(lines)

    def record(self) -> dict[str, Any]:
        """What is kept with the call: enough to find the stored page again."""
        page = self.page
        assert page is not None
        return {
            "link": self.number,
            "url": self.address,
            "outcome": page.outcome.value,
            "reason": page.reason,
            "final_url": page.final_url,
            "status": page.status,
            "sha256": page.sha256,
            "retrieved_at": page.retrieved_at.isoformat(),
            "via": page.via,
            "characters": len(page.text),
            "characters_told": len(self.text),
        }


_FOUND = {
    PageOutcome.FOUND: "a page with text.",
    PageOutcome.NO_CONTENT: "a page without content that can be read ({reason}).",
    PageOutcome.NOT_FOUND: "no page ({reason}).",
    PageOutcome.DENIED: "a page that is not shown to everybody ({reason}).",
    PageOutcome.REFUSED: "nothing; the address is not one of the public web ({reason}).",
    PageOutcome.TOO_LARGE: "a page that is too large to be read ({reason}).",
    PageOutcome.TOO_MANY_REDIRECTS: "only redirects ({reason}); whether there is a page is open.",
    PageOutcome.TIMEOUT: "no answer in time ({reason}); whether there is a page is open.",
    PageOutcome.FAILED: "a failure ({reason}); whether there is a page is open.",
    PageOutcome.NOT_RETRIEVED: (
        "nothing; it could not be retrieved ({reason}); whether there is a page is open."
    ),
    PageOutcome.DISALLOWED: (
        "nothing; it may not be retrieved ({reason}); whether there is a page is open."
    ),
}


def page_text(page: Page, digest: Digest, focus: str) -> str:
    """The text of a page as the model reads it; empty where there is none."""
    if not page.text:
        return ""
    return summary(
        page.text, tokens=digest.tokens, how=digest.how, focus=focus, embedder=digest.embedder
    )


def listed(links: Sequence[Link]) -> str:
    """Several links as a prompt lists them."""
    return "\n".join(link.as_prompt() for link in links)
