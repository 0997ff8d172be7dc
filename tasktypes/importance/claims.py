"""The claims of a response: how a model is asked for them, and how its list is read."""

from pathlib import Path
from string import Template
from typing import Annotated

from pydantic import Field, TypeAdapter

from tasktypes.contract import Schema
from tasktypes.importance.schema import Words
from tasktypes.material import Item, Source
from tasktypes.prepared_lists import EntryField, PreparedList
from tasktypes.prompts import labelled, one_line
from tasktypes.replies import object_in

PROMPT = (Path(__file__).parent / "prompt_claims.txt").read_text(encoding="utf-8")


class Decomposed(Schema):
    """The claims that a response makes."""

    # Name, docstring and fields are sent to the model and are part of the key under which a reply
    # is cached: a change makes every cached reply useless.
    claims: Annotated[tuple[Words, ...], Field(min_length=1)]


def claims_prompt(*, query: str, claim: str, response: str) -> str:
    """What a model is asked about a response to a query, or where there is none to a claim."""
    return Template(PROMPT).substitute(
        query=labelled(Query=query, Claim="" if query else claim), response=one_line(response)
    )


def read_claims(reply: str) -> tuple[str, ...]:
    """The claims in a reply; ReplyError where there is none."""
    return object_in(reply, Decomposed).claims


def _prompt(source: Source, item: Item | None) -> str:
    sentences = item.sentences if item else ()
    response = " ".join(sentence.text for sentence in sentences)
    return claims_prompt(query=source.query, claim=source.claim, response=response)


CLAIMS = PreparedList(
    name="claims",
    title="Claims of the response",
    about="item",
    entry=TypeAdapter(Words),
    fields=(EntryField("", "Claim"),),
    may_be_empty=False,
    prompt_template=PROMPT,
    prompt=_prompt,
    reply_schema=Decomposed,
    read_reply=read_claims,
)
