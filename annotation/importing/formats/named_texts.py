"""Texts of other tools' records, told by the names of their fields: outputs and their sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.importing.findings import Findings
from annotation.importing.formats.chats import turns_of
from annotation.importing.formats.stand_ins import source_named
from tasktypes.material import Item, Sentence, Source, Turn
from tasktypes.sentences import split

# Names of fields that tell what they hold; the first that there is counts.
OUTPUT = ("text", "output", "response", "answer", "completion", "summary")
ABOUT = {
    "claim": ("claim",),
    "query": ("query", "question", "prompt", "instruction"),
    "document": ("document", "article", "context", "passage"),
}
SYSTEM = ("system", "model", "model_name", "generator")
_ABOUT = frozenset(name for names in ABOUT.values() for name in names)
_NO_OUTPUT = _ABOUT | {*SYSTEM, "id", "key", "label"}


def source_in(key: str, data: Mapping[str, Any]) -> Source:
    """What the output of these fields is about; without anything, a source known by its key."""
    output = output_field(data)
    texts = {
        part: _first(data, [name for name in names if name != output])
        for part, names in ABOUT.items()
    }
    turns = turns_in(data)
    if turns:
        return Source(key=key, turns=turns, **texts)
    return source_named(key, **texts)


def item_in(key: str, data: Mapping[str, Any], *, system: str = "") -> Item:
    """The output of these fields, or a conversation as a whole; ValueError without either."""
    output = output_field(data)
    if output:
        sentences = tuple(Sentence(text=sentence) for sentence in split(data[output]))
    else:
        turns = turns_in(data)
        sentences = tuple(Sentence(text=turn.words, turn=n) for n, turn in enumerate(turns))
    if not sentences:
        raise ValueError("data: no field with a text or a conversation")
    return Item(key=key, system=system[:200], sentences=sentences)


def output_field(data: Mapping[str, Any]) -> str:
    """The name of the field with the output: one of the usual names, else the first text that is
    not what outputs are about, else, where there is no conversation, the first text."""
    texts = [k for k, v in data.items() if isinstance(v, str) and v.strip()]
    named = [name for name in OUTPUT if name in texts]
    others = [name for name in texts if name not in _NO_OUTPUT]
    rest = [] if turns_in(data) else texts
    return next(iter([*named, *others, *rest]), "")


def system_in(data: Mapping[str, Any]) -> str:
    """Who made the output, where a field says so."""
    return _first(data, SYSTEM)


def turns_in(data: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The first field that is a list of messages or paragraphs."""
    for value in data.values():
        if isinstance(value, list) and value and all(_is_message(part) for part in value):
            return turns_of(
                {**part, "role": part.get("role") or part.get("author") or "user"}
                | ({"content": part["text"]} if "content" not in part and "text" in part else {})
                for part in value
            )
    return ()


def note_left_out(
    findings: Findings, where: str, data: Mapping[str, Any], used: Sequence[str]
) -> None:
    """Count the fields of a record that hold something and are not imported."""
    for name, value in data.items():
        if name not in used and value not in (None, "", [], {}):
            findings.note(f"{name[:60]}_not_imported", where)


def _is_message(part: object) -> bool:
    return isinstance(part, Mapping) and bool({"content", "text", "parts"} & part.keys())


def _first(data: Mapping[str, Any], names: Sequence[str]) -> str:
    texts = (data.get(name) for name in names)
    return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "")
