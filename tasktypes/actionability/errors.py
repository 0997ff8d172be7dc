"""The errors of a claim: how a model is asked for them, and how its list is read."""

from pathlib import Path

from pydantic import TypeAdapter

from tasktypes.actionability.schema import FactualError, Words
from tasktypes.machines.replies import ReplyError, object_in
from tasktypes.prepared_lists import EntryField, PreparedList
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source
from tasktypes.texts.surroundings import EVERYTHING, SLOTS, Surroundings, shown

PROMPT = (Path(__file__).parent / "prompt_errors.txt").read_text(encoding="utf-8")


class Dissected(Schema):
    """A claim in its parts, and what is false in it."""

    # Name, docstring and fields are sent to the model and are part of the key under which a reply
    # is cached: a change makes every cached reply useless.
    subclaims: tuple[Words, ...]
    errors: tuple[FactualError, ...]


def read_errors(reply: str) -> Dissected:
    """The subclaims and errors in a reply."""
    dissected = object_in(reply, Dissected)
    if not dissected.subclaims:
        raise ReplyError("subclaims: there is none")
    return dissected


def _shown(source: Source, item: Item | None) -> Surroundings:
    return Surroundings(**shown(source, EVERYTHING))


ERRORS = PreparedList(
    name="errors",
    title="Errors of the claim",
    about="source",
    entry=TypeAdapter(FactualError),
    fields=(
        EntryField("sentence", "What is false"),
        EntryField("reason", "Why it is false"),
        EntryField("correction", "What is right"),
    ),
    may_be_empty=True,
    prompt_template=PROMPT,
    slots=SLOTS,
    shown=_shown,
    reply_schema=Dissected,
    read_reply=lambda reply: read_errors(reply).errors,
)
