"""Names of files as those who import them know them, in what an import has found."""

from collections.abc import Callable
from typing import Any


def shown_in(value: Any, shown: Callable[[str], str]) -> Any:
    """The value with every text in it as `shown` has it: findings name the places of what is odd,
    with the file."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(key): shown_in(entry, shown) for key, entry in value.items()}
    return [shown_in(entry, shown) for entry in value] if isinstance(value, list) else value
