"""Running text cut into sentences, each keeping the citations that close it.

A few rules, no model: a stop ends a sentence unless it belongs to an abbreviation, an initial
or a number, stands inside a quotation, or is followed by a small letter.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasktypes.texts.blocks import blocks, is_code
from tasktypes.texts.citations import MARKER, cited
from tasktypes.texts.material import Sentence

# A list of numbers in brackets closes a sentence even where they are years and cite nothing.
_MARKERS = rf"(?:\s*(?:\[\d[\d,\s–-]*\]|{MARKER}))+"
# A stop with the quotes, brackets and citations that close the sentence with it. Behind a
# citation the next sentence may begin without a space: `false.[3]Next`, `false [3].Next`.
_END = re.compile(
    rf"(?P<stop>(?<![.!?…])[.!?…]+)(?P<closing>[\"'”’»)\]]*)(?P<cited>{_MARKERS}[.!?]?)?"
    r"(?:(?=\s|$)|(?(cited)(?=[A-Z])|(?!))|(?<=[\d\s][\]】］][.!?])(?=[A-Z]))"
)
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
_ONLY_MARKERS = re.compile(rf"{_MARKERS}[\s.!?]*")
_BREAK = re.compile(r"[\n\x85\u2028\u2029]")
_QUOTED = (re.compile(r"“[^”]*”"), re.compile(r"«[^»]*»"))
_QUOTED_STRAIGHT = re.compile(r"\"[^\"]*\"")

_LAST_WORD = re.compile(r"[\w.]+\Z")
# No abbreviation is longer; looking further back would cost every stop the whole text.
_LONGEST_WORD = 80
_NEXT_WORD = re.compile(r"[\s\"'“‘«(*_]*(?P<word>\w*)")
_OPENS_BRACKET = re.compile(r"\s*\[")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)*[A-Z]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_LAST = _words(
    "adm approx capt cf cmdr col cpl del dr e.g eq fig figs gen gov govs hon i.e lt maj messrs "
    "mr mrs ms mt pp pres prof rep reps rev sen sens sgt supt viz vol vs"
)
_SELDOM_LAST = _words(
    "a.m al apr art assn aug ave bldg blvd bros co corp dec dept dist est etc feb ft inc jan jr "
    "jul jun ltd mar nov oct p.m ph.d rd sec sep sept sq sr st univ"
)
# Capitalised for no other reason than that they begin a sentence.
_STARTERS = _words(
    "A After Although An And As At Because Both But By Despite During Each Even For From Further "
    "Furthermore He Hence Her His However If In Instead It Its Many Meanwhile Moreover Most "
    "Nevertheless No Not On Once One Only Other Others Our Overall She Since So Some Such That "
    "The Their Then There Therefore These They This Those Though Thus To Under Until We What When "
    "Where Whether Which While Who With Yet You"
)


def split(text: str) -> tuple[str, ...]:
    """The sentences of running text in order, stripped; nothing but white space is lost. Of lines
    it knows empty ones only: methods read pages and summaries by it as they always did."""
    sentences: list[str] = []
    for start, end in _prose(text, 0, len(text)):
        if sentences and _ONLY_MARKERS.fullmatch(text, start, end):
            sentences[-1] += " " + text[start:end]
        else:
            sentences.append(text[start:end])
    return tuple(sentences)


def cut(text: str, *, with_citations: bool = True) -> tuple[Sentence, ...]:
    """A text as material: its sentences with the passages that each cites and, where it has line
    breaks, what stands before each; a text of one line is running text, whatever its spaces. Code
    cites nothing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    has_lines = bool(_BREAK.search(text.strip()))
    sentences: list[Sentence] = []
    end = 0
    for start, stop in spans(text):
        gap = text[end:start] if sentences else text[:start].rpartition("\n")[2]
        before = _told(gap, first=not sentences) if has_lines else None
        words = text[start:stop]
        citations = cited(words) if with_citations and not is_code(words) else ()
        sentences.append(Sentence(text=words, citations=citations, before=before))
        end = stop
    return tuple(sentences)


def located(text: str, parts: Sequence[str]) -> tuple[Sentence, ...]:
    """Sentences that somebody else cut from a text, as they stand there; empty where they do not
    follow each other in it with nothing but white space between. Of running text as they are."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    sentences: list[Sentence] = []
    end = 0
    for part in parts:
        match = re.compile(r"\s*(" + r"\s+".join(map(re.escape, part.split())) + ")").match(
            text, end
        )
        if match is None or not match[1]:
            return ()
        gap = (
            text[end : match.start(1)] if sentences else text[: match.start(1)].rpartition("\n")[2]
        )
        sentences.append(Sentence(text=match[1], before=_told(gap, first=not sentences)))
        end = match.end()
    if end < len(text):
        return ()
    return tuple(sentences) if _BREAK.search(text) else tuple(Sentence(text=part) for part in parts)


def _told(gap: str, *, first: bool) -> str | None:
    """What stands before a sentence, where it is not what joins running text."""
    return None if gap == ("" if first else " ") else gap


def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences stand in the text, with nothing but white space between them. A block
    that lines make, such as a list item, a table or code, is one of them."""
    found: list[tuple[int, int]] = []
    for block in blocks(text):
        pieces = [block.span] if block.whole else _prose(text, *block.span)
        for start, end in pieces:
            if found and _ONLY_MARKERS.fullmatch(text, start, end):
                found[-1] = found[-1][0], end
            else:
                found.append((start, end))
    return tuple(found)


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of running text, paragraph by paragraph."""
    for match in _PARAGRAPH_BREAK.finditer(text, start, end):
        yield from _of_paragraph(text, start, match.start())
        start = match.end()
    yield from _of_paragraph(text, start, end)


def _of_paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    paragraph = text[start:end]
    quotations = _quotations(paragraph)
    cuts = [0]
    for match in _END.finditer(paragraph):
        while quotations and quotations[-1][1] <= match.end():
            quotations.pop()
        quoted = bool(quotations) and quotations[-1][0] < match.start()
        if not quoted and _ends_sentence(match):
            cuts.append(match.end())
    cuts.append(len(paragraph))
    for a, b in pairwise(cuts):
        piece = paragraph[a:b]
        if stripped := piece.strip():
            begin = start + a + piece.index(stripped[0])
            yield begin, begin + len(stripped)


def _quotations(paragraph: str) -> list[tuple[int, int]]:
    """Where quotations begin and end, the first last, those within others left out; straight
    quotes only where every one has its partner."""
    matches = [
        match
        for pattern in _QUOTED
        # Up to the last closing mark: one without its partner would cost the whole text.
        for match in pattern.finditer(paragraph, 0, paragraph.rfind(pattern.pattern[-1]) + 1)
    ]
    if paragraph.count('"') % 2 == 0:
        matches += _QUOTED_STRAIGHT.finditer(paragraph)
    outer: list[tuple[int, int]] = []
    for begin, end in sorted(match.span() for match in matches):
        if not outer or end > outer[-1][1]:
            outer.append((begin, end))
    return outer[::-1]


def _ends_sentence(match: re.Match[str]) -> bool:
    text, end = match.string, match.end()
    following = _NEXT_WORD.match(text, end)
    assert following is not None  # every part of the pattern may be empty
    word = following["word"]
    if word[:1].islower() or _OPENS_BRACKET.match(text, end):
        return False
    quotation_closed = bool(match["closing"].strip(")]"))
    stop_after_citation = (match["cited"] or "").endswith((".", "!", "?"))
    if match["stop"] != "." or quotation_closed or stop_after_citation:
        return True
    return _may_end(text[max(0, match.start() - _LONGEST_WORD) : match.start()], word)


def _may_end(before: str, next_word: str) -> bool:
    """Whether the stop after `before` may be more than an abbreviation's."""
    last = _LAST_WORD.search(before)
    if last is None:
        return True
    word = last[0].lower()
    if word in ("no", "nos"):
        return not next_word[:1].isdigit()
    if word in _NEVER_LAST:
        return False
    if word in _SELDOM_LAST or _INITIALS.fullmatch(last[0]):
        return not next_word or next_word in _STARTERS
    return True
