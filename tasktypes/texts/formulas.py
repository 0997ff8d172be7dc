r"""Formulas in LaTeX as MathML.

They stand between `$…$`, `$$…$$`, `\(…\)`, `\[…\]` or `\begin{align}…\end{align}`. One that cannot
be read in full is shown as it was written.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from django.utils.html import escape
from django.utils.translation import gettext
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

FORMULA = "formula"
# Longer ones are shown as they were written, and from this length on one is a box that scrolls.
LONGEST, LONG = 2_000, 40
_MOST_LINES = 60

_OPERATOR = {"stretchy", "fence", "form", "lspace", "rspace", "minsize", "maxsize", "symmetric"}
_STYLE = {"displaystyle", "scriptlevel"}
# The elements that a formula may have, with their attributes.
MATHML: Mapping[str, set[str]] = {
    **{
        key: set()
        for key in ("mrow", "ms", "msqrt", "mroot", "msub", "msup", "msubsup", "munderover")
    },
    **{key: set() for key in ("mmultiscripts", "mprescripts", "none", "mtr")},
    **{key: {"mathvariant"} for key in ("mi", "mn", "mtext")},
    "math": {"display"},
    "mo": _OPERATOR | {"accent", "largeop", "movablelimits", "separator"},
    "mspace": {"width"},
    "mfrac": {"linethickness"},
    "mover": {"accent"},
    "munder": {"accentunder"},
    "mtable": _STYLE,
    "mtd": {"columnalign"},
    "mstyle": _STYLE,
    "menclose": {"notation"},
}
SIZES = frozenset(("width", "lspace", "rspace", "minsize", "maxsize", "linethickness"))
_SIZE = re.compile(r"-?[0-3]?(\.\d+)?(em)?")
# How many parts an element consists of; with fewer, something of the formula is missing.
_PARTS = {
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "mover", "munder"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
# Environments that the converter does not know, or numbers, by the name of one that looks alike.
_OTHER_NAMES = {
    **dict.fromkeys(("align", "aligned", "split"), "align*"),
    **dict.fromkeys(("equation", "gather", "gathered", "multline"), "matrix"),
    "dcases": "cases",
}
_NAME = re.compile(rf"(\\(?:begin|end)\{{)({'|'.join(_OTHER_NAMES)})(\}})")
_BRACE = re.compile(r"\\[\\{}]|([{}])")

_DELIMITERS = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"))
_ENVIRONMENT = re.compile(r"\\begin\{((?:align|equation|gather|multline)\*?)\}")


def is_size(value: str) -> bool:
    """Whether a size of a formula's part is one that letters have."""
    return _SIZE.fullmatch(value) is not None


def add_formulas(parser: MarkdownIt) -> None:
    """Let a parser of Markdown read formulas, before it reads `_` or a backslash as its own."""
    parser.inline.ruler.before("escape", FORMULA, _in_line)
    alternatives = {"alt": ["paragraph", "blockquote", "list"]}
    parser.block.ruler.before("fence", FORMULA, _on_lines, alternatives)


def drawn_formula(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    """The token's formula, in a box that scrolls where it may be wider than the page."""
    token = tokens[index]
    own_line = token.block or token.markup in ("$$", r"\[")
    drawn = as_mathml(token.meta["latex"], own_line=own_line)
    if drawn is None:
        return f"<p>{escape(token.content)}</p>" if token.block else escape(token.content)
    if not own_line and len(token.content) < LONG:
        return drawn
    name = escape(gettext("Formula"))
    kind = "written__wide" if own_line else "written__wide written__formula"
    return f'<span class="{kind}" tabindex="0" role="group" aria-label="{name}">{drawn}</span>'


def as_mathml(latex: str, *, own_line: bool) -> str | None:
    """The formula as MathML; None where something of it cannot be read."""
    if len(latex) > LONGEST or not _is_balanced(latex):
        return None
    known = _NAME.sub(lambda match: match[1] + _OTHER_NAMES[match[2]] + match[3], latex)
    try:
        root = ElementTree.fromstring(  # noqa: S314 (made here, and no document type can stand inside)
            convert(known, display="block" if own_line else "inline", xmlns="")
        )
    except Exception:  # noqa: BLE001 (its errors have no common base)
        return None
    return ElementTree.tostring(root, encoding="unicode") if _is_whole(root) else None


def _is_balanced(latex: str) -> bool:
    depth = 0
    for match in _BRACE.finditer(latex):
        depth += {"{": 1, "}": -1}.get(match[1], 0)
        if depth < 0:
            return False
    return depth == 0


def _is_whole(root: ElementTree.Element) -> bool:
    """Whether nothing but MathML came of it, with all of its parts, and no command, no address and
    no line's end is left that it would hide."""
    return all(
        part.tag in MATHML
        and not part.attrib.keys() & {"href", "linebreak"}
        and len(part) == _PARTS.get(part.tag, len(part))
        and "\\" not in (part.text or "")
        for part in root.iter()
    )


def _in_line(state: StateInline, silent: bool) -> bool:
    for opening, closing in _DELIMITERS:
        if state.src.startswith(opening, state.pos):
            start = state.pos + len(opening)
            end = _end(state.src, start, state.posMax, closing)
            if end < 0:
                return False
            if not silent:
                token = state.push(FORMULA, "", 0)
                token.markup, token.meta = opening, {"latex": state.src[start:end]}
                token.content = state.src[state.pos : end + len(closing)]
            state.pos = end + len(closing)
            return True
    return False


def _end(text: str, start: int, most: int, closing: str) -> int:
    """Where the formula ends; −1 where none begins. A dollar sign that stands before a digit, or
    beside a space, is one of money."""
    end = text.find(closing, start, min(most, start + LONGEST))
    if end <= start or not text[start:end].strip():
        return -1
    money = text[start].isspace() or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit()
    return -1 if closing == "$" and (money or text[end - 1] == "\\") else end


def _on_lines(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A formula that begins a line and ends one."""
    if state.is_code_block(start_line):
        return False
    text = state.src
    start = state.bMarks[start_line] + state.tShift[start_line]
    opening, closing = _around(text[start : start + 30])
    if not opening:
        return False
    for line in range(start_line, min(end_line, start_line + _MOST_LINES)):
        last = text[state.bMarks[line] : state.eMarks[line]].rstrip()
        inside = last and state.sCount[line] >= state.blkIndent
        if line > start_line and not (inside and state.eMarks[line] - start < LONGEST):
            return False
        begun = len(opening) + state.tShift[start_line] if line == start_line else 0
        if last.endswith(closing) and len(last) >= begun + len(closing):
            return silent or _push(state, start_line, line, opening, closing)
    return False


def _around(beginning: str) -> tuple[str, str]:
    for opening, closing in _DELIMITERS[:2]:
        if beginning.startswith(opening):
            return opening, closing
    environment = _ENVIRONMENT.match(beginning)
    return (environment[0], rf"\end{{{environment[1]}}}") if environment else ("", "")


def _push(state: StateBlock, first: int, last: int, opening: str, closing: str) -> bool:
    source = state.getLines(first, last + 1, state.blkIndent, keepLastLF=False).strip()
    token = state.push(FORMULA, "", 0)
    token.block, token.content, token.map = True, source, [first, last + 1]
    bare = source.removeprefix(opening).removesuffix(closing)
    token.meta = {"latex": source if opening.startswith(r"\begin") else bare}
    state.line = last + 1
    return True
