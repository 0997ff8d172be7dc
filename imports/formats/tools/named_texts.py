"""Texts of other tools' records, told by the names of their fields: outputs and their sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from files.errors import OpenQuestion
from files.findings import Findings
from imports.formats.nested_cells import nested_value, refuse_nested
from imports.formats.stand_ins import source_named
from imports.formats.tools.chats import turns_of
from tasktypes.texts.material import Item, Sentence, Source, Turn
from tasktypes.texts.sentences import cut
from tasktypes.texts.written import trimmed

# Names of fields that tell what they hold; of those about sources the first that there is counts.
OUTPUT = ("text", "output", "response", "answer", "completion", "summary")
ABOUT = {
    "claim": ("claim",),
    "query": ("query", "question", "prompt", "instruction"),
    "document": ("document", "article", "context", "passage"),
}
SYSTEM = ("system", "model", "model_name", "generator")
# How to answer the question which field it is.
HOW = "say it with --text NAME, on the page under Field with the outputs"
_ABOUT = frozenset(name for names in ABOUT.values() for name in names)
# Fields that have a place in a study besides the output.
TOLD = _ABOUT | {*SYSTEM, "id"}
_NO_OUTPUT = _ABOUT | {*SYSTEM, "id", "key", "label"}


class NamedTexts:
    """The texts of one import's records, told by the names of their fields. stated: the field with
    the outputs, where the user says it."""

    def __init__(self, stated: str = "") -> None:
        self._stated = stated
        self._unusual = ""

    def source(self, where: str, key: str, data: Mapping[str, Any]) -> Source:
        """What the output of these fields is about; without anything, a source known by its
        key."""
        output = self.output_field(where, data)
        texts = {
            part: _first(data, [name for name in names if name != output])
            for part, names in ABOUT.items()
        }
        turns = turns_in(data)
        if turns:
            return Source(key=key, turns=turns, **texts)
        return source_named(key, **texts)

    def item(self, where: str, key: str, data: Mapping[str, Any], *, system: str = "") -> Item:
        """The output of these fields, or a conversation as a whole; ValueError without either."""
        output = self.output_field(where, data)
        if output:
            sentences = cut(data[output], with_citations=False)
        else:
            turns = turns_in(data)
            sentences = tuple(Sentence(text=turn.words, turn=n) for n, turn in enumerate(turns))
        if not sentences:
            raise ValueError("data: no field with a text or a conversation")
        return Item(key=key, system=system[:200], sentences=sentences)

    def output_field(self, where: str, data: Mapping[str, Any]) -> str:
        """The name of the field with the output: the one with a usual name, else the only text
        that is not what outputs are about, else, where there is no conversation, the only text.
        OpenQuestion where there are several, and ValueError where the stated one holds none."""
        texts = [name for name, value in data.items() if isinstance(value, str) and value.strip()]
        if self._stated:
            return self._stated_field(data, texts)
        nested = [name for name in texts if nested_value(data[name]) is not None]
        texts = [name for name in texts if name not in nested]
        usual = [name for name in OUTPUT if name in texts]
        if usual:
            return self._only(where, usual)
        others = [name for name in texts if name not in _NO_OUTPUT]
        talks = bool(turns_in(data))
        for name in nested:
            if not others and not talks and name not in _NO_OUTPUT:
                refuse_nested(name, data[name])
        field = self._only(where, others or ([] if talks else texts))
        if field and self._unusual and field != self._unusual:
            raise _open(where, [self._unusual, field])
        self._unusual = self._unusual or field
        return field

    def _stated_field(self, data: Mapping[str, Any], texts: Sequence[str]) -> str:
        if self._stated not in data:
            raise ValueError(f"{self._stated}: no such field (there is: {', '.join(data)})")
        if self._stated not in texts:
            raise ValueError(f"{self._stated}: no text")
        refuse_nested(self._stated, data[self._stated])
        return self._stated

    def _only(self, where: str, fields: Sequence[str]) -> str:
        if len(fields) > 1:
            raise _open(where, fields)
        return next(iter(fields), "")


def _open(where: str, fields: Sequence[str]) -> OpenQuestion:
    listed = ", ".join(fields)
    return OpenQuestion(where, "text", f"which of these fields holds the outputs? {listed} ({HOW})")


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
    values = (data.get(name) for name in names)
    texts = (trimmed(value) for value in values if isinstance(value, str))
    return next((text for text in texts if text and nested_value(text) is None), "")
