"""The door that every reply comes in by: what no database keeps stays outside, and is counted.

A NUL, half of a surrogate pair or a number that is none is refused by PostgreSQL, and one of them
in one reply would take down with it every reply that is written together with it.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from judges.backends.contract import Reply

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ODD = re.compile("[\0\ud800-\udfff]")
# In `Reply.detail`: how many characters and numbers were not kept as they came.
REPLACED = "replaced"


def clean_text(text: str) -> str:
    """The text, with a replacement character for each that cannot be kept."""
    kept: str = _counted(text)[0]
    return kept


def cleaned(reply: Reply) -> Reply:
    """The reply as it can be kept, and in its detail how much of it was replaced, if any was."""
    (text, error, detail), odd = _counted([reply.text, reply.error, reply.detail])
    if not odd:
        return reply
    return replace(reply, text=text, error=error, detail={**detail, REPLACED: odd})


def _counted(value: Any) -> tuple[Any, int]:
    """The value, whatever JSON it is, without what cannot be kept, and how much that was."""
    if isinstance(value, str):
        is_plain = value.isascii() and "\0" not in value
        return (value, 0) if is_plain else _ODD.subn(REPLACEMENT, value)
    if isinstance(value, float):
        return (value, 0) if isfinite(value) else (None, 1)
    if isinstance(value, Mapping):
        keys, odd_keys = _counted(list(value))
        values, odd_values = _counted(list(value.values()))
        return dict(zip(keys, values, strict=True)), odd_keys + odd_values
    if isinstance(value, list | tuple):
        parts = [_counted(part) for part in value]
        return [part for part, _ in parts], sum(odd for _, odd in parts)
    return value, 0
