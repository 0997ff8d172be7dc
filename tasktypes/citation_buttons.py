"""Citation markers as buttons that show the passage they cite."""

from collections.abc import Collection

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tasktypes.citations import split_at_markers


def with_buttons(text: str, passages: Collection[int]) -> SafeString:
    """The text as HTML, with a button for every marker that cites one of these passages.

    Without its script a button does nothing, and reads as the marker that it is.
    """
    return mark_safe(  # noqa: S308 (every piece is escaped)
        "".join(_piece(piece, indices, passages) for piece, indices in split_at_markers(text))
    )


def _piece(text: str, indices: tuple[int, ...], passages: Collection[int]) -> str:
    shown = [index for index in indices if index in passages]
    if not shown:
        return conditional_escape(text)
    return format_html(
        '<button type="button" class="cites" data-passages="{}" title="{}">{}</button>',
        " ".join(map(str, shown)),
        gettext("Show the passage"),
        text,
    )
