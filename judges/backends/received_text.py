"""Clean every reply of what a database refuses, and count what was replaced.

PostgreSQL refuses NUL characters, lone surrogates, NaN and infinity. One of them in one reply would
make the whole transaction fail, with all the replies that are written in it.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from files.readers.json_values import json_value
from judges.backends.contract import Reply

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# The key in `Reply.detail` for how many characters and numbers were replaced.
REPLACED = "replaced"


def decoded(content: bytes) -> str:
    """UTF-8 as text, with half of a surrogate pair for each byte that is none: `cleaned` replaces
    and counts them."""
    return content.decode("utf-8-sig", errors="surrogateescape")


def parsed_json(content: bytes) -> Any:
    """The JSON in a body, whose encoding may be wrong in single bytes; ValueError otherwise."""
    try:
        return json_value(content)
    except UnicodeDecodeError:
        return json_value(decoded(content))


def clean_text(text: str) -> str:
    """The text, with a replacement character for each that cannot be stored."""
    clean: str = _cleaned(text)[0]
    return clean


def cleaned(reply: Reply) -> Reply:
    """The reply as it can be stored, with the number of replacements, if any, in its detail."""
    (text, error, detail), n_replaced = _cleaned([reply.text, reply.error, reply.detail])
    if not n_replaced:
        return reply
    return replace(reply, text=text, error=error, detail={**detail, REPLACED: n_replaced})


def _cleaned(value: Any) -> tuple[Any, int]:
    """Any JSON value as it can be stored, and the number of replacements."""
    if isinstance(value, str):
        is_plain = value.isascii() and "\0" not in value
        return (value, 0) if is_plain else _UNSTORABLE.subn(REPLACEMENT, value)
    if isinstance(value, float):
        return (value, 0) if isfinite(value) else (None, 1)
    if isinstance(value, Mapping):
        keys, n_keys = _cleaned(list(value))
        values, n_values = _cleaned(list(value.values()))
        return dict(zip(keys, values, strict=True)), n_keys + n_values
    if isinstance(value, list | tuple):
        parts = [_cleaned(part) for part in value]
        return [part for part, _ in parts], sum(n for _, n in parts)
    return value, 0
