"""Citation markers as buttons that show the passage they cite."""

import re
from collections.abc import Collection
from html import escape
from itertools import pairwise

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tasktypes.texts.citations import split_at_markers

# A browser may break the line behind any button, also before a full stop.
_CLOSING = re.compile(r"[.,;:!?)\]…”’»。，、；：！？）」]+")


def with_buttons(text: str, passages: Collection[int]) -> SafeString:
    """The text as HTML, with a button for every marker that cites one of these passages.

    Without its script a button does nothing, and reads as the marker that it is.
    """
    pieces = [
        (piece, [index for index in indices if index in passages])
        for piece, indices in split_at_markers(text)
    ]
    html, closing = "", ""
    for (piece, shown), (after, cites) in pairwise([*pieces, ("", [])]):
        if not shown:
            html += escape(piece.removeprefix(closing))
        closing = _closing(after) if shown and not cites else ""
        if shown:
            html += _button(piece, shown, closing)
    return mark_safe(html)  # noqa: S308 (every piece is escaped)


def _closing(text: str) -> str:
    """The marks at the beginning of a text that no line may begin with."""
    found = _CLOSING.match(text)
    return found[0] if found else ""


def _button(text: str, passages: list[int], closing: str) -> str:
    numbers, title = " ".join(map(str, passages)), escape(gettext("Show the passage"))
    button = (
        f'<button type="button" class="cites" data-passages="{numbers}" title="{title}">'
        f"{escape(text)}</button>"
    )
    return f'<span class="cites-closed">{button}{escape(closing)}</span>' if closing else button
