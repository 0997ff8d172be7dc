"""Citation markers as buttons that show the passage they cite."""

from collections.abc import Collection
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tasktypes.texts.citations import split_at_markers


def with_buttons(text: str, passages: Collection[int]) -> SafeString:
    """The text as HTML, with a button for every marker that cites one of these passages.

    Without its script a button does nothing, and reads as the marker that it is.
    """
    pieces = [
        _button(piece, shown) if shown else escape(piece)
        for piece, indices in split_at_markers(text)
        for shown in ([index for index in indices if index in passages],)
    ]
    return mark_safe("".join(pieces))  # noqa: S308 (every piece is escaped)


def _button(text: str, passages: list[int]) -> str:
    numbers, title = " ".join(map(str, passages)), escape(gettext("Show the passage"))
    return (
        f'<button type="button" class="cites" data-passages="{numbers}" title="{title}">'
        f"{escape(text)}</button>"
    )
