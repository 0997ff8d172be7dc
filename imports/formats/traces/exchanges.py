"""What a program was given and what it gave, whatever form a tool keeps that in."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from files.readers.json_values import json_value
from imports.formats.tools.chats import is_message, text_of, turns_of
from tasktypes.texts.material import Item, Source, Turn
from tasktypes.texts.sentences import cut
from tasktypes.texts.written import trimmed

# Names of an input's fields that tell what they hold; the first that there is counts.
_QUERY = ("question", "query", "prompt", "input", "inputs", "instruction", "user_input", "message")
_DOCUMENT = ("document", "article", "context", "passage")
_CLAIM = ("claim",)
# Where the words of an output stand, the first that is there.
_OUTPUT = ("content", "output", "outputs", "answer", "response", "completion", "text", "result")


def value_of(raw: object) -> Any:
    """A value that may have been written as JSON into a text."""
    if isinstance(raw, str) and raw[:1] in ("{", "[", '"'):
        try:
            return json_value(raw)
        except ValueError:
            return raw
    return raw


def turns_in(value: object) -> tuple[Turn, ...]:
    """The conversation that an input is, or holds; nothing where it holds none."""
    if is_message(value):
        value = [value]
    if isinstance(value, Mapping):
        return turns_in(value.get("messages"))
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):  # a batch of one, as LangChain has it
            return turns_in(value[0])
        if value and all(map(is_message, value)):
            return turns_of(value)
    return ()


def text_in(value: object) -> str:
    """The words of an output: a text, the last message, or the first choice of several."""
    if value is None or isinstance(value, str):
        return trimmed(value or "")
    if turns := turns_in(value):
        return turns[-1].words
    if isinstance(value, Mapping) and (inner := _inner(value)) is not None:
        return text_in(inner)
    parts = isinstance(value, list) and all(isinstance(part, Mapping) for part in value)
    written = "" if value in ({}, []) else json.dumps(value, ensure_ascii=False)
    return (text_of(value) if parts else "") or written


def _inner(value: Mapping[str, Any]) -> object:
    """What of an object is its words; None where that cannot be told."""
    if value.get("choices"):
        first = value["choices"][0]
        return first.get("message", first.get("text"))
    named = next((value[name] for name in _OUTPUT if value.get(name)), None)
    return next(iter(value.values())) if named is None and len(value) == 1 else named


def source_of(
    content: object, *, turns: Iterable[Turn] = (), facts: Iterable[str] = ()
) -> tuple[Source, tuple[str, ...]]:
    """The source that an input is, and the names of the input's fields that have no place in it.

    turns: a conversation that counts in place of the input. facts: what a good answer says.
    Inputs that are the same make the same source: its key is a digest of it.
    """
    about, unused = _about(content, tuple(turns) or turns_in(content))
    about["nuggets"] = [{"text": fact, "vital": True} for fact in dict.fromkeys(facts)]
    text = json.dumps(about, sort_keys=True, ensure_ascii=False)
    key = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return Source.model_validate({"key": key, **about}), unused


def _about(content: object, turns: tuple[Turn, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
    if len(turns) == 1 and turns[0].role == "user" and not turns[0].calls:
        return {"query": turns[0].text}, ()
    if turns:
        return {"turns": [turn.model_dump() for turn in turns]}, ()
    if not isinstance(content, Mapping):
        return {"query": text_in(content)}, ()
    kinds = {"query": _QUERY, "document": _DOCUMENT, "claim": _CLAIM}
    used = {
        kind: next((n for n in names if text_in(content.get(n))), "")
        for kind, names in kinds.items()
    }
    if not any(used.values()):
        return {
            "query": "\n".join(f"{name}: {text_in(part)}" for name, part in content.items())
        }, ()
    about = {kind: text_in(content[name]) for kind, name in used.items() if name}
    return about, tuple(name for name in content if name not in used.values())


def item_of(key: str, system: str, text: str) -> Item:
    """An output as sentences; ValueError where it says nothing."""
    if not text.strip():
        raise ValueError("output: empty (it ended without an answer, or in an error)")
    return Item(key=key, system=system[:200], sentences=cut(text, with_citations=False))
