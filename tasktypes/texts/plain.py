"""A text as it was typed: its paragraphs, lines and indentation, and code between fences in a code
face."""

import re
from collections.abc import Collection, Iterator
from html import escape

from django.utils.safestring import SafeString, mark_safe

from tasktypes.texts.citation_buttons import with_buttons

# One blank line parts paragraphs. Those after it belong to the next, where they stay.
_BLANK = re.compile(r"(?<!\n)\n[^\S\n]*\n")
# To the closing fence, or else to the end; the fences are part of what was typed.
_CODE = re.compile(
    r"^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*.*?(?:^[ \t]*\1[`~]*[ \t\r]*$|\Z)", re.M | re.S
)


def paragraphs(text: str, passages: Collection[int] = ()) -> SafeString:
    """Each paragraph by itself, so that each goes in the direction of its letters."""
    return mark_safe("".join(_drawn(text, passages)))  # noqa: S308 (every part is escaped)


def _drawn(text: str, passages: Collection[int]) -> Iterator[str]:
    end = 0
    for code in _CODE.finditer(text):
        yield from _prose(text[end : code.start()], passages)
        yield f'<pre dir="ltr"><code>{escape(code[0])}</code></pre>'
        end = code.end()
    yield from _prose(text[end:], passages)


def _prose(text: str, passages: Collection[int]) -> Iterator[str]:
    if lines := text.strip("\n"):
        for part in _BLANK.split(lines):
            yield f'<p dir="auto">{with_buttons(part, passages)}</p>'
