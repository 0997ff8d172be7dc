"""Values of calls and runs as text for readers, never as Python writes them."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from judges.methods.conversation.preview import as_text

# Characters that stand on one line.
SHORT = 80


def readable(value: Any) -> str:
    """Text as it is, messages with their roles, yes or no, and whatever is nested as JSON."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if _are_messages(value):
        return as_text(value)
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value):
        return "\n".join(value)
    if isinstance(value, list | tuple | Mapping):
        short = json.dumps(value, ensure_ascii=False, default=str)
        long = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        return short if len(short) <= SHORT else long
    return str(value)


def _are_messages(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(v, Mapping) and v.keys() == {"role", "content"} for v in value)
        and all(isinstance(v["content"], str) for v in value)
    )
