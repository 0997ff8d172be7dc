"""Numbers in parameters have ends: a delay or a limit without one would let a definition hold a
worker that all studies share."""

from collections.abc import Iterator
from typing import Any

from tasktypes.schemas import Schema

_LEAST = ("minimum", "exclusiveMinimum", "const", "enum")
_LARGEST = ("maximum", "exclusiveMaximum", "const", "enum")


def unbounded(schema: type[Schema]) -> list[str]:
    """The parameters with a number, however deep within them, that has no end."""
    described = schema.model_json_schema()
    parts = described.get("$defs", {})
    return [
        name
        for name, part in described.get("properties", {}).items()
        if any(_is_endless(node) for node in _nodes(part, parts, frozenset()))
    ]


def _is_endless(node: dict[str, Any]) -> bool:
    is_number = node.get("type") in ("integer", "number")
    return is_number and not all(any(key in node for key in end) for end in (_LEAST, _LARGEST))


def _nodes(value: Any, parts: dict[str, Any], seen: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, through its references."""
    if isinstance(value, list):
        for part in value:
            yield from _nodes(part, parts, seen)
    elif isinstance(value, dict):
        yield value
        name = str(value.get("$ref", "")).rpartition("/")[2]
        if name in parts and name not in seen:
            yield from _nodes(parts[name], parts, seen | {name})
        for part in value.values():
            yield from _nodes(part, parts, seen)
