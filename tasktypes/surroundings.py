"""What is shown around the texts in question: the claim with its verdict, a query, the evidence."""

from collections.abc import Iterable
from typing import Any, Literal, Protocol

from django.utils.translation import gettext_lazy

from tasktypes.contract import GIVEN_AWAY, LastLook
from tasktypes.material import Passage, Source
from tasktypes.prompts import Slot, labelled, one_line
from tasktypes.schemas import Schema

Part = Literal["claim", "verdict", "query", "document", "passages"]
EVERYTHING: tuple[Part, ...] = ("claim", "verdict", "query", "document", "passages")
# A block may hide part of the source, such as the verdict from whoever is to guess it.
Parts = tuple[Part, ...]


class Surroundings(Schema):
    """The part of a payload that comes from the source; what is not shown is empty."""

    claim: str = ""
    verdict: str = ""
    query: str = ""
    document: str = ""
    passages: tuple[Passage, ...] = ()


class Shown(Protocol):
    """A payload with these fields, be it one of Surroundings or not."""

    @property
    def claim(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def query(self) -> str: ...
    @property
    def document(self) -> str: ...
    @property
    def passages(self) -> tuple[Passage, ...]: ...


def shown(source: Source, parts: Parts) -> dict[str, Any]:
    """The fields of Surroundings, for those parts of the source."""
    return {part: getattr(source, part) for part in EVERYTHING if part in parts}


VERDICT_GIVEN_AWAY = LastLook(
    gettext_lazy(
        "The next page shows the verdict. After that you can no longer change this answer."
    ),
    gettext_lazy("You can no longer change this answer, because you have seen the verdict."),
)


def last_look(parts: Parts) -> LastLook:
    """What a page that shows these parts only says of its answer."""
    return GIVEN_AWAY if "verdict" in parts else VERDICT_GIVEN_AWAY


def surroundings(payload: Any) -> Surroundings:
    """Those of a payload that has all of their fields."""
    return Surroundings(**{part: getattr(payload, part) for part in EVERYTHING})


def as_prompt(payload: Shown) -> str:
    """The surroundings as lines of a prompt; empty where there are none."""
    lines = labelled(
        Claim=payload.claim,
        Verdict=payload.verdict,
        Query=payload.query,
        Document=payload.document,
    )
    evidence = ["Evidence:", passages_text(payload.passages)] if payload.passages else []
    return "\n".join(part for part in (lines, *evidence) if part)


def passages_text(passages: Iterable[Passage], selected: str = "") -> str:
    """A line `[number] text` for each passage; `selected` marks those that are."""
    return "\n".join(
        f"[{passage.index}]{selected if passage.selected else ''} {one_line(passage.text)}"
        for passage in passages
    )


# What prompts can show of any payload that has the fields of Surroundings.
SLOTS: tuple[Slot, ...] = (
    Slot("material", "claim, verdict, query, document and passages, as far as shown", as_prompt),
    Slot("claim", "the claim", lambda payload: one_line(payload.claim)),
    Slot("verdict", "the verdict on the claim", lambda payload: one_line(payload.verdict)),
    Slot("query", "the query", lambda payload: one_line(payload.query)),
    Slot("document", "the document", lambda payload: one_line(payload.document)),
    Slot(
        "passages",
        "the passages of evidence, a line `[number] text` each",
        lambda payload: passages_text(payload.passages),
    ),
)
