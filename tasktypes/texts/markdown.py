"""Markdown: a parser for what researchers write, and a stricter one for texts that are judged.

Those come from strangers, and are there to be judged as they were written. So nothing in them leads
anywhere or loads anything, no heading enters the page's outline, lines and indentation stay, and a
part whose marks would hide a letter of it is shown with its marks.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from tasktypes.texts.citation_buttons import with_buttons
from tasktypes.texts.formulas import FORMULA, MATHML, SIZES, add_formulas, drawn_formula, is_size
from tasktypes.texts.plain import paragraphs

# Rules that change what plain texts say or drop parts of them: lines of dashes that make a heading
# of the line above, "[1]: a note", and names of characters such as "&amp;".
_UNUSED = ("lheading", "reference", "entity", "html_block", "html_inline")
_TAGS = {
    *("p", "br", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td", "div", "span", "button"),
}
_BOX = {"class", "tabindex", "role", "aria-label"}
_ATTRIBUTES = {
    **{tag: {"dir"} for tag in ("p", "ul", "ol", "blockquote", "table")},
    "ol": {"dir", "start"},
    "li": {"value"},
    "div": _BOX,
    "span": _BOX,
    "button": {"data-passages", "title"},
}
_CLASSES = {
    "p": {"written__heading"},
    "div": {"written__wide"},
    "span": {"written__wide", "written__formula", "written__language"},
    "td": {"written__center", "written__right"},
    "th": {"written__center", "written__right"},
    "button": {"cites"},
}
_NO_LETTERS = re.compile(r"[\W_]+")


def new_parser(kind: type[MarkdownIt] = MarkdownIt) -> MarkdownIt:
    """Markdown with tables, and without HTML."""
    parser = kind("commonmark", {"html": False, "breaks": True}).enable("table")
    parser.disable(list(_UNUSED))
    return parser


def as_html(text: str, *, formulas: bool, passages: Collection[int] = ()) -> SafeString:
    """The text as HTML that may stand on any page, with a button for every marker that cites one of
    these passages."""
    text = _one_kind_of_break(text)
    blocks = list(_blocks(text, formulas))
    if _letters("".join(lines for _, lines in blocks)) != _letters(text):
        return paragraphs(text, passages)
    drawn = "".join(_drawn(tokens, lines, passages) for tokens, lines in blocks)
    return mark_safe(drawn)  # noqa: S308 (each is cleaned or escaped)


def in_line(text: str, *, formulas: bool, passages: Collection[int] = ()) -> SafeString | None:
    """The same for a text that is one paragraph, without it; None where it is anything else."""
    blocks = list(_blocks(_one_kind_of_break(text.strip()), formulas))
    if len(blocks) != 1 or blocks[0][0][0].type != "paragraph_open":
        return None
    tokens, lines = blocks[0]
    return _drawn(tokens[1:-1], lines, passages) if _keeps(tokens, lines) else None


def _one_kind_of_break(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _blocks(text: str, formulas: bool) -> Iterator[tuple[list[Token], str]]:
    """The parts of the outermost level, each with the lines that it is made of."""
    lines, part = text.split("\n"), list[Token]()
    for token in _strict(formulas).parse(text):
        part.append(token)
        if token.level == 0 and token.nesting <= 0:
            start, end = part[0].map or (0, 0)
            yield part, "\n".join(lines[start:end])
            part = []


def _drawn(tokens: list[Token], lines: str, passages: Collection[int]) -> SafeString:
    if not _keeps(tokens, lines):
        return paragraphs(lines.strip("\n"), passages)
    parser = _strict(formulas=False)  # Both draw alike.
    page = parser.renderer.render(tokens, parser.options, {"passages": passages})
    return SafeString(_cleaner().clean(page))


def _keeps(tokens: Sequence[Token], lines: str) -> bool:
    return _letters("".join(_words(tokens))) == _letters(lines)


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    """What is read of them, in order. Cells beyond the last column, what is nested too deep, and
    numbers that begin with 0 are not."""
    for token in tokens:
        if token.children is not None:
            yield from _words(token.children)
        elif token.type == "list_item_open":
            yield str(token.attrs.get("value", ""))
        else:
            yield token.info if token.type == "fence" else ""
            yield token.content


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text)


class _Strict(MarkdownIt):
    """Every address is as good as another, as none leads anywhere; all stay as they were."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        return link

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


@lru_cache(maxsize=2)
def _strict(formulas: bool) -> MarkdownIt:
    # Without "newline", a line's end and the indentation after it stay in the text.
    parser = new_parser(_Strict).enable("strikethrough").disable("newline")
    if formulas:
        add_formulas(parser)
    parser.core.ruler.push("as_written", _as_written)
    for name, rule in (
        ("text", _text),
        ("fence", _fence),
        ("hardbreak", _line_break),
        ("table_open", _table),
        ("table_close", _table_end),
        (FORMULA, drawn_formula),
    ):
        parser.add_render_rule(name, rule)
    return parser


def _as_written(state: StateCore) -> None:
    for token in state.tokens:
        token.hidden = False
        if token.level == 0 and token.nesting == 1:
            token.attrSet("dir", "auto")
        if token.type.startswith("heading_"):
            token.tag = "p"
            token.attrJoin("class", "written__heading")
        if token.type == "list_item_open" and token.info:
            token.attrSet("value", str(int(token.info)))
        if style := str(token.attrs.pop("style", "")):
            token.attrSet("class", f"written__{style.removeprefix('text-align:')}")
        if token.children is not None:
            token.children = list(_addresses_shown(state.md, token.children))


def _addresses_shown(parser: MarkdownIt, tokens: Sequence[Token]) -> Iterator[Token]:
    """Links and images as text: what they are called, and then the address."""
    address = ""
    for token in tokens:
        if token.type == "link_open":
            address = "" if token.info == "auto" else _address(token, "href")
        elif token.type == "link_close":
            yield Token("text", "", 0, content=address)
        elif token.type == "image":
            renderer = parser.renderer
            assert isinstance(renderer, RendererHTML)
            named = renderer.renderInlineAsText(token.children or [], parser.options, {})
            yield Token("text", "", 0, content=named + _address(token, "src"))
        else:
            yield token


def _address(token: Token, name: str) -> str:
    title = token.attrs.get("title", "")
    return f" ({token.attrs[name]}{f' “{title}”' if title else ''})"


def _text(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    return with_buttons(tokens[index].content, env["passages"])


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    token = tokens[index]
    language = escape(token.info.strip())
    shown = f'<span class="written__language">{language}</span>' if language else ""
    return f"<pre>{shown}<code>{escape(token.content)}</code></pre>"


def _line_break(*_: Any) -> str:
    return "\n"


def _table(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    table = renderer.renderToken(tokens, index, options, env)
    label = escape(gettext("Table"))
    return f'<div class="written__wide" tabindex="0" role="group" aria-label="{label}">{table}'


def _table_end(*_: Any) -> str:
    return "</table></div>"


def _allowed(tag: str, name: str, value: str) -> str | None:
    """Sizes in a formula stay within what letters take: no text moves over the page."""
    return None if tag in MATHML and name in SIZES and not is_size(value) else value


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    """The second lock: whatever the parser lets through, nothing else."""
    attributes = {tag: names - {"class"} for tag, names in _ATTRIBUTES.items()}
    return nh3.Cleaner(
        tags=_TAGS | set(MATHML),
        attributes={"*": set(), **attributes, **MATHML},
        allowed_classes=_CLASSES,
        set_tag_attribute_values={"button": {"type": "button"}, "pre": {"dir": "ltr"}},
        attribute_filter=_allowed,
        url_schemes=set(),
        link_rel=None,
    )
