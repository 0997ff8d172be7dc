"""The fields of a schema: name, what may stand there, default, and meaning."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode

from docs.generate.markdown import code, codes, table
from tasktypes.schemas import sentence

MODE: JsonSchemaMode = "validation"
PLAIN = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "mapping",
    "array": "list",
}


def fields(model: type[BaseModel], *, without: Iterable[str] = ()) -> str:
    """A table of the schema's fields."""
    schema = model.model_json_schema(by_alias=True, mode=MODE)
    needed = set(schema.get("required", ()))
    rows = [
        [
            code(name),
            _kind(part),
            _default(name, part, needed),
            sentence(part.get("description", "")),
        ]
        for name, part in schema["properties"].items()
        if name not in set(without)
    ]
    return table(["key", "value", "default", "meaning"], rows)


def _meaning(part: Mapping[str, Any]) -> str:
    return sentence(part.get("description", ""))


def _kind(part: Mapping[str, Any]) -> str:
    """What may stand there, in a few words."""
    if "$ref" in part:
        return "mapping"
    if "enum" in part:
        return codes(part["enum"])
    if "const" in part:
        return code(part["const"])
    if "anyOf" in part or "oneOf" in part:
        kinds = [_kind(each) for each in part.get("anyOf") or part["oneOf"] if not _is_digits(each)]
        return " or ".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
    word = PLAIN.get(part.get("type", ""), "any value")
    if part.get("type") == "array" and "items" in part:
        return f"list of {_several(_kind(part['items']))}"
    return f"{word}{_bounds(part)}"


def _is_digits(part: Mapping[str, Any]) -> bool:
    """Whether it is the text that stands for an amount of money beside the number."""
    return part.get("type") == "string" and "pattern" in part


def _several(kind: str) -> str:
    words = {"text": "texts", "mapping": "mappings", "number": "numbers", "list": "lists"}
    first, space, rest = kind.replace("whole number, from 0", "numbers").partition(" ")
    return f"{words.get(first, first)}{space}{rest}"


def _bounds(part: Mapping[str, Any]) -> str:
    low, high = part.get("minimum"), part.get("maximum")
    if low is not None and high is not None:
        return f", {low:.12g} to {high:.12g}"
    above = part.get("exclusiveMinimum")
    if above is not None:
        return f", above {above:.12g}{f', to {high:.12g}' if high is not None else ''}"
    return f", from {low:.12g}" if low is not None else ""


def _default(name: str, part: Mapping[str, Any], needed: set[str]) -> str:
    if name in needed:
        return "needed"
    default = part.get("default")
    if default in (None, "", [], {}):
        return "none"
    if isinstance(default, dict | list):
        plain = isinstance(default, list) and all(isinstance(each, str) for each in default)
        return codes(default) if plain else "see below"
    if isinstance(default, bool):
        return code(str(default).lower())
    return code(f"{default:g}" if isinstance(default, float) else f"{default}")
