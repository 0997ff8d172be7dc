"""What is shown around the texts in question: the claim with its verdict, a query, the evidence."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Protocol

from django.utils.translation import gettext_lazy
from pydantic import Field

from tasktypes.contract import GIVEN_AWAY, LastLook
from tasktypes.machines.prompts import INDENT, Slot, entry, in_lines, labelled, one_line
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Passage, Source, Turn, is_empty, is_known

SurroundingPart = Literal["claim", "verdict", "query", "document", "passages"]
EVERYTHING: tuple[SurroundingPart, ...] = ("claim", "verdict", "query", "document", "passages")
# A block may hide part of the source, such as the verdict from whoever is to guess it.
Parts = tuple[SurroundingPart, ...]


class ShownTurn(Turn):
    """A turn of a conversation;"""

    asked: bool = False
    """The question is about it."""


# Absent where there are none, so that payloads without conversations are what they always were.
ShownTurns = Annotated[tuple[ShownTurn, ...], Field(exclude_if=is_empty)]


class Surroundings(Schema):
    """The part of a payload that comes from the source; what is not shown is empty."""

    claim: str = ""
    verdict: str = ""
    query: str = ""
    document: str = ""
    passages: tuple[Passage, ...] = ()
    turns: ShownTurns = ()

    @property
    def has_document(self) -> bool:
        """Whether there is a document to be shown."""
        return is_known(self.document)


class ShownMaterial(Protocol):
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
    @property
    def turns(self) -> tuple[ShownTurn, ...]: ...


def shown(source: Source, parts: Parts, items: Sequence[Item] = ()) -> dict[str, Any]:
    """The fields of Surroundings, for those parts of the source; a conversation is always shown.
    items: those in question, which may be turns of it."""
    fields: dict[str, Any] = {part: getattr(source, part) for part in EVERYTHING if part in parts}
    return {**fields, "turns": shown_turns(source, items)}


def shown_turns(source: Source, items: Sequence[Item]) -> tuple[ShownTurn, ...]:
    """The conversation; the turns that the items consist of are those that are asked about."""
    asked = {sentence.turn for item in items for sentence in item.sentences}
    return tuple(
        ShownTurn(**dict(turn), asked=number in asked) for number, turn in enumerate(source.turns)
    )


def asked_numbers(turns: Iterable[ShownTurn]) -> list[int]:
    """The turns that are asked about, by number from 1."""
    return [number for number, turn in enumerate(turns, start=1) if turn.asked]


def turns_text(turns: Iterable[Turn]) -> str:
    """A conversation as entries `[number] role: text`, numbered from 1; calls follow their turn,
    and ` (in question)` marks the turns that are asked about."""
    return "\n".join(
        line for number, turn in enumerate(turns, start=1) for line in _turn_lines(number, turn)
    )


def _turn_lines(number: int, turn: Turn) -> list[str]:
    mark = " (in question)" if isinstance(turn, ShownTurn) and turn.asked else ""
    said = [entry(f"[{number}] {one_line(turn.speaker)}{mark}:", turn.text, 2 * INDENT).rstrip()]
    calls = [
        f"{INDENT}calls {one_line(call.name)}({one_line(call.arguments)})" for call in turn.calls
    ]
    return said + calls


VERDICT_GIVEN_AWAY = LastLook(
    gettext_lazy(
        "The next page shows the verdict. After that you can no longer change this answer."
    ),
    gettext_lazy("You can no longer change this answer, because you have seen the verdict."),
)


class ShownInParts:
    """A task type whose options say which parts of the surroundings it `shows`."""

    def hides(self, options: Any) -> bool:
        return set(options.shows) != set(EVERYTHING)

    def last_look(self, options: Any) -> LastLook:
        return GIVEN_AWAY if "verdict" in options.shows else VERDICT_GIVEN_AWAY


def surroundings(payload: Any) -> Surroundings:
    """Those of a payload that has all of their fields."""
    return Surroundings(**{part: getattr(payload, part) for part in (*EVERYTHING, "turns")})


def as_prompt(payload: ShownMaterial) -> str:
    """The surroundings as lines of a prompt; empty where there are none."""
    lines = labelled(
        Claim=payload.claim,
        Verdict=payload.verdict,
        Query=payload.query,
        Document=payload.document,
    )
    evidence = ["Evidence:", passages_text(payload.passages)] if payload.passages else []
    talk = ["Conversation:", turns_text(payload.turns)] if payload.turns else []
    return "\n".join(part for part in (lines, *talk, *evidence) if part)


def passages_text(passages: Iterable[Passage], selected: str = "") -> str:
    """An entry `[number] text` for each passage; `selected` marks those that are."""
    return "\n".join(
        entry(f"[{passage.index}]{selected if passage.selected else ''}", passage.text)
        for passage in passages
    )


# What prompts can show of any payload that has the fields of Surroundings.
SLOTS: tuple[Slot, ...] = (
    Slot(
        "material",
        "claim, verdict, query, document, conversation and passages, as far as shown",
        as_prompt,
    ),
    Slot("claim", "the claim", lambda payload: in_lines(payload.claim)),
    Slot("verdict", "the verdict on the claim", lambda payload: one_line(payload.verdict)),
    Slot("query", "the query", lambda payload: in_lines(payload.query)),
    Slot("document", "the document", lambda payload: in_lines(payload.document)),
    Slot(
        "passages",
        "the passages of evidence, `[number] text` each",
        lambda payload: passages_text(payload.passages),
    ),
    Slot(
        "conversation",
        "the conversation, `[number] role: text` for each turn",
        lambda payload: turns_text(payload.turns),
    ),
)
