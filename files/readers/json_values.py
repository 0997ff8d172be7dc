"""JSON that strangers send, in every door: parsed, and not nested beyond what anybody means."""

import json
from typing import Any

# Nobody's records are so deep, and what goes through a value calls itself once or twice a level:
# Python allows that a thousand times.
DEEPEST = 100
TOO_DEEP = f"nested more than {DEEPEST} levels deep"


class NestedTooDeeply(ValueError):
    """JSON whose parts lie too deep within one another."""


def json_value(text: str | bytes, **options: Any) -> Any:
    """The value of a text; ValueError where it is no JSON, NestedTooDeeply where it is nested too
    deeply. options: as `json.loads` has them."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    try:
        value = json.loads(text, **options)
    except RecursionError as error:
        raise NestedTooDeeply(TOO_DEEP) from error
    if text.count("[") + text.count("{") > DEEPEST:
        refuse_deep(value)
    return value


def refuse_deep(value: Any) -> None:
    """NestedTooDeeply where the parts of a value lie too deep within one another."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        if not level:
            return
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
    if level:
        raise NestedTooDeeply(TOO_DEEP)
