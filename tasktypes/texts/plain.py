"""A text as it was typed: its paragraphs, lines and indentation, and nothing else."""

import re
from collections.abc import Collection

from django.utils.safestring import SafeString, mark_safe

from tasktypes.texts.citation_buttons import with_buttons

# One blank line parts paragraphs. Those after it belong to the next, where they stay.
_BLANK = re.compile(r"(?<!\n)\n[^\S\n]*\n")


def paragraphs(text: str, passages: Collection[int] = ()) -> SafeString:
    """Each paragraph by itself, so that each goes in the direction of its letters."""
    parts = (
        f'<p dir="auto">{with_buttons(part, passages)}</p>'
        for part in _BLANK.split(text.strip("\n"))
    )
    return mark_safe("".join(parts))  # noqa: S308 (every part is escaped)
