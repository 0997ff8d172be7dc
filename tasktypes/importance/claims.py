"""The claims of a response: how a model is asked for them, and how its list is read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from tasktypes.importance.schema import Options, Words
from tasktypes.machines.prompts import Slot, in_lines, labelled
from tasktypes.machines.replies import object_in
from tasktypes.prepared_lists import EntryField, PreparedList
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source

PROMPT = (Path(__file__).parent / "prompt_claims.txt").read_text(encoding="utf-8")


class Decomposed(Schema):
    """The claims that a response makes."""

    # Name, docstring and fields are sent to the model and are part of the key under which a reply
    # is cached: a change makes every cached reply useless.
    claims: Annotated[tuple[Words, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Response:
    """A response and what it was written to."""

    query: str
    claim: str
    text: str


def asked_text(about: Any) -> str:
    """The query; where there is none, the claim."""
    return labelled(Query=about.query, Claim="" if about.query else about.claim)


SLOTS: tuple[Slot, ...] = (
    Slot("asked", "`Query: …`, or `Claim: …` where there is no query", asked_text),
    Slot("response", "the response", lambda about: in_lines(about.text)),
)


def read_claims(reply: str) -> tuple[str, ...]:
    """The claims in a reply; ReplyError where there is none."""
    return object_in(reply, Decomposed).claims


def _shown(source: Source, item: Item | None) -> Response:
    return Response(source.query, source.claim, item.text if item else "")


def _until(options: Options) -> str:
    if options.claims == "prepared":
        return ""
    return (
        "each sentence of a response is asked about as a claim until its list is accepted; to ask "
        "about checked claims alone, choose “prepared” for Claims"
    )


CLAIMS = PreparedList(
    name="claims",
    title="Claims of the response",
    about="item",
    entry=TypeAdapter(Words),
    fields=(EntryField("", "Claim"),),
    may_be_empty=False,
    prompt_template=PROMPT,
    slots=SLOTS,
    shown=_shown,
    reply_schema=Decomposed,
    read_reply=read_claims,
    until=_until,
)
