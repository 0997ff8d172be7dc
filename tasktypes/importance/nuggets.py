"""The nuggets of a query: how a model is asked for the facts that a good response holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter

from tasktypes.importance.schema import Options, Words
from tasktypes.machines.replies import object_in
from tasktypes.prepared_lists import EntryField, PreparedList, listed_in
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Nugget, Source
from tasktypes.texts.surroundings import EVERYTHING, SLOTS, Surroundings, shown

PROMPT = (Path(__file__).parent / "prompt_nuggets.txt").read_text(encoding="utf-8")
Importance = Literal["vital", "okay"]


class ListedNugget(Schema):
    """A fact that a good response holds, and how much it matters to the query."""

    # As of `Decomposed`: a change makes every cached reply useless.
    text: Words
    importance: Importance


class Listed(Schema):
    """The facts that a good response holds."""

    nuggets: Annotated[tuple[ListedNugget, ...], Field(min_length=1)]


_LIST = TypeAdapter(tuple[ListedNugget, ...])


def source_with_nuggets(source: Source, focus: Mapping[str, Any]) -> Source:
    """The source with the nuggets that were prepared for it, where there are any."""
    if NUGGETS.name not in focus:
        return source
    listed = listed_in(focus, NUGGETS.name, (), _LIST)
    nuggets = tuple(Nugget(text=one.text, vital=one.importance == "vital") for one in listed)
    return source.model_copy(update={"nuggets": nuggets})


def _shown(source: Source, item: Item | None) -> Surroundings:
    return Surroundings(**shown(source, EVERYTHING))


def _wanted(options: Options) -> bool:
    return "nuggets" in options.parts


def _first(entries: Sequence[Mapping[str, str]]) -> str:
    """The first vital fact: a list has the most important ones first."""
    return next((entry["text"] for entry in entries if entry["importance"] == "vital"), "")


NUGGETS = PreparedList(
    name="nuggets",
    title="Nuggets of the query",
    about="source",
    entry=TypeAdapter(ListedNugget),
    fields=(
        EntryField("text", "Fact"),
        EntryField("importance", "Importance", get_args(Importance)),
    ),
    may_be_empty=False,
    prompt_template=PROMPT,
    slots=SLOTS,
    shown=_shown,
    reply_schema=Listed,
    read_reply=lambda reply: object_in(reply, Listed).nuggets,
    wanted=_wanted,
    given="nuggets",
    without="no recall",
    first=_first,
)
