"""The texts that are judged, and what they are held against, as they were written.

One mechanism for every page: a text and the form that its study chose (plain, markdown or formulas)
become HTML that may stand anywhere. The words are the same in every form.
"""

import json
import re
from collections.abc import Collection
from types import ModuleType
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tasktypes.texts.blocks import is_code
from tasktypes.texts.citation_buttons import with_buttons
from tasktypes.texts.plain import paragraphs

# Marks of longer texts are not read, nor of texts that are hardly more than marks: of some, the
# time grows with the square of their number.
LONGEST, MOST_MARKS = 60_000, 20_000
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_MARK = re.compile(r"[][*_`!<>|#~\\$]")

register = template.Library()


@register.filter
def written(text: str, form: str = "plain", passages: Collection[int] = ()) -> SafeString:
    """The text as HTML, its paragraphs and other parts one below the other."""
    form = _readable(text, form)
    if form == "plain":
        body = paragraphs(text, passages)
    else:
        body = _markdown().as_html(text, formulas=form == "formulas", passages=passages)
    return format_html('<div class="written written--{}">{}</div>', form, body)


@register.filter
def written_part(text: str, form: str = "plain", passages: Collection[int] = ()) -> SafeString:
    """A sentence or another part of a text, where words stand: nothing but words as long as it is
    no code and, by its form, no list or table."""
    form = _readable(text, form)
    if form == "plain":
        body = None if is_code(text) else with_buttons(text, passages)
    else:
        body = _markdown().in_line(text, formulas=form == "formulas", passages=passages)
    if body is None:
        return written(_from_the_margin(text), form, passages)
    return format_html('<span class="written written--{}">{}</span>', form, body)


def _from_the_margin(block: str) -> str:
    """A block that was cut out of a text without what its first line was indented by: the others
    lose as much, so that code within an item stays where the item's own words begin."""
    first, *others = block.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in others if line.strip()]
    item = _ITEM.match(first)
    lost = max(0, min(indents, default=0) - (item.end() if item else 0))
    return "\n".join([first, *(line[min(lost, len(line)) :] for line in others)])


@register.filter
def written_data(text: str, form: str | None = None) -> SafeString:
    """What programs pass to each other: JSON indented, anything else as code or in the form."""
    indented = _indented(text)
    if indented is None and form is not None:
        return written(text, form)
    code = text if indented is None else indented
    return format_html('<div class="written"><pre dir="ltr">{}</pre></div>', code)


def _indented(text: str) -> str | None:
    """JSON with a line for each of its values; None where it is none, or would change by it."""
    if len(text) > LONGEST or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text, parse_float=_as_spelled, object_pairs_hook=_each_once)
    except (ValueError, RecursionError):
        return None
    return json.dumps(value, ensure_ascii=False, indent=2)


def _as_spelled(number: str) -> float:
    if repr(float(number)) != number:
        raise ValueError("written otherwise than it would be shown")
    return float(number)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name occurs twice")
    return values


def _markdown() -> ModuleType:
    # Late, as a table of labels is checked where its libraries are not installed.
    from tasktypes.texts import markdown

    return markdown


def _readable(text: str, form: str) -> str:
    if form == "plain" or len(text) > LONGEST or len(_MARK.findall(text)) > MOST_MARKS:
        return "plain"
    return form
