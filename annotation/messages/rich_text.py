"""Texts that researchers write in Markdown, as safe HTML: instructions, consent and debrief.

A text without any marks looks as it was typed: its paragraphs and line breaks stay. HTML is shown
as text, images by their description. Only links to other sites and addresses of e-mail lead away.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from tasktypes.texts.markdown import new_parser

_TAGS = {
    *("p", "br", "strong", "em", "code", "pre", "blockquote", "a"),
    *("ul", "ol", "li", "h2", "h3", "h4"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
# Rules of Markdown that change what plain texts say: indented lines and lines of dashes.
_UNUSED = ("code", "hr")
# The heading of the page is its only one of the first level.
_HEADINGS = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h4", "h5": "h4", "h6": "h4"}
# Texts that a process keeps.
_KEPT = 256
# Marks of longer texts are not read, nor of texts that are hardly more than marks: of some, the
# time grows with the square of their number. A consent has some hundred, the ends of lines among
# them.
LONGEST, MOST_MARKS = 30_000, 3_000
_MARK = re.compile(r"[][*_`!<>|#~\\\n]")


def as_html(text: str) -> SafeString:
    """The text as HTML that may stand on any page. One of more than `LONGEST` characters, or
    `MOST_MARKS` marks, has its paragraphs and line breaks alone."""
    if len(text) <= LONGEST and len(_MARK.findall(text)) <= MOST_MARKS:
        return _rendered(text)
    return SafeString(linebreaks(text, autoescape=True))


@lru_cache(maxsize=_KEPT)
def _rendered(text: str) -> SafeString:
    cleaned = _cleaner().clean(_markdown().render(text))
    return SafeString(cleaned)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    parser = new_parser().disable(list(_UNUSED))
    parser.add_render_rule("image", _description)
    parser.core.ruler.push("lowered_headings", _lower_headings)
    return parser


def _description(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    """An image would be fetched from elsewhere, which tells that site who reads the page."""
    return escape(renderer.renderInlineAsText(tokens[index].children or [], options, env))


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    """The second lock: whatever the parser lets through, no other tag, attribute or scheme."""
    return nh3.Cleaner(
        tags=_TAGS,
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        # In a page of its own: a worker does not lose the question by a click.
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
    )
