"""The blocks that the lines of a text make: code, tables, formulas, headings, list items, prose.

What a reader of Markdown sees as one thing; the marks are those of CommonMark and of tables as most
programs write them. A text of one line is prose, whatever it begins with.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["prose", "code", "table", "formula", "heading", "item"]

# ```such``` is code within a line.
_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})")
_FORMULA = re.compile(r"[ \t]*(?P<opening>\$\$|\\\[)")
_CLOSING = {"$$": "$$", "\\[": "\\]"}
_LONGEST_FORMULA = 200  # lines; looking further would cost every opening mark the whole text
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+\S")
# A number in a line of its own begins a list, but inside a paragraph only 1 does: `in May\n12. …`.
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•‣◦–]|(?P<number>\d{1,3})[.)])[ \t]+\S")
_ROW = re.compile(r"[ \t]*\S.*\|.*|[ \t]*\|.*")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")


@dataclass(frozen=True)
class Block:
    """A stretch of a text, without white space at its ends."""

    kind: Kind
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end

    @property
    def whole(self) -> bool:
        """Whether it is never cut into sentences."""
        return self.kind != "prose"


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def blocks(text: str) -> Iterator[Block]:
    """The blocks of the text in order; all words of the text are in one of them."""
    if "\n" not in text.strip():
        kinds: Iterator[tuple[Kind, int, int]] = iter([("prose", 0, len(text))])
    else:
        kinds = _stretches(_lines(text), len(text))
    for kind, start, end in kinds:
        words = text[start:end]
        if stripped := words.strip():
            begin = start + words.index(stripped[0])
            yield Block(kind, begin, begin + len(stripped))


def is_code(block: str) -> bool:
    """Whether a block is code between fences."""
    return bool(_FENCE.match(block))


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(_Line(start, line.rstrip("\r")))
        start += len(line) + 1
    return lines


def _stretches(lines: list[_Line], length: int) -> Iterator[tuple[Kind, int, int]]:
    """The blocks with white space at their ends; prose takes the lines that are nothing else."""
    at, prose, starts = 0, 0, [*(line.start for line in lines), length]
    while at < len(lines):
        kind, end = _block_at(lines, at, inside_prose=at > prose and not lines[at - 1].blank)
        if kind == "prose":
            at += 1
            continue
        yield "prose", starts[prose], starts[at]
        yield kind, starts[at], starts[end]
        at = prose = end
    yield "prose", starts[prose], starts[len(lines)]


def _block_at(lines: list[_Line], at: int, *, inside_prose: bool) -> tuple[Kind, int]:
    """What begins with this line, and the number of the line after it."""
    line = lines[at].text
    if fence := _FENCE.match(line):
        return "code", _after_fence(lines, at, fence["marks"])
    if formula := _FORMULA.match(line):
        return "formula", _after_formula(lines, at, formula)
    if _HEADING.match(line):
        return "heading", at + 1
    if _begins_table(lines, at):
        return "table", _after_rows(lines, at)
    item = _ITEM.match(line)
    if item and not (inside_prose and item["number"] not in (None, "1")):
        return "item", _after_item(lines, at, item["indent"])
    return "prose", at + 1


def _after_fence(lines: list[_Line], at: int, marks: str) -> int:
    """Without a closing fence, code goes to the end of the text."""
    for end in range(at + 1, len(lines)):
        closing = lines[end].text.strip()
        if closing.startswith(marks) and not closing.strip(marks[0]):
            return end + 1
    return len(lines)


def _after_formula(lines: list[_Line], at: int, formula: re.Match[str]) -> int:
    closing, rest = _CLOSING[formula["opening"]], formula.string[formula.end() :]
    for end in range(at, min(at + _LONGEST_FORMULA, len(lines))):
        if closing in (rest if end == at else lines[end].text):
            return end + 1
        if lines[end].blank:
            break
    return at + 1


def _begins_table(lines: list[_Line], at: int) -> bool:
    if at + 1 >= len(lines) or "|" not in lines[at].text:
        return False
    rule = lines[at + 1].text.strip()
    return "|" in rule and "-" in rule and bool(_RULE.fullmatch(rule))


def _after_rows(lines: list[_Line], at: int) -> int:
    end = at + 2
    while end < len(lines) and _ROW.fullmatch(lines[end].text):
        end += 1
    return end


def _after_item(lines: list[_Line], at: int, indent: str) -> int:
    """An item goes on to the next blank line or the next block; what is indented below it, such as
    the code of a step, belongs to it, lists within do not."""
    end = at + 1
    while end < len(lines) and not lines[end].blank and not _ITEM.match(lines[end].text):
        kind, after = _block_at(lines, end, inside_prose=False)
        indented = len(lines[end].text) - len(lines[end].text.lstrip()) > len(indent)
        if kind != "prose" and not (indented and kind in ("code", "formula", "table")):
            break
        end = after
    return end
