"""Citation markers in running text: `[6]`, `[14][39]`, `[1, 2]`, `[1; 2]`, `[3-5]`, `[ 6 ]`,
`[Reason 6]`, `【6】`.

A marker holds passage numbers and what they are called, so `[sic]` and `[his]` are words. A year in
brackets reads as a citation outside the passages: nothing in the text tells the two apart.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = "[0-9０-９]{1,6}"
_DASH = "[-‑–—－]"
# What passages are called in prompts, and so in the texts that models write.
_NAME = r"(?:reason|evidence|passage|source|document|doc|citation|reference|ref)s?[.:]?\s*"
_PART = rf"(?:{_NAME})?{_NUMBER}(?:\s*{_DASH}\s*{_NUMBER})?"
_SEPARATOR = r"\s*[,;，；、]\s*"
_INSIDE = rf"\s*{_PART}(?:{_SEPARATOR}{_PART})*\s*"
_BRACKETS = ("[]", "【】", "［］")
# `【6†source】` is how some services write that they cite a file.
_FILE = rf"【\s*{_NUMBER}†[^【】]{{0,80}}】"
# A marker, wherever it stands, as a regular expression without groups.
MARKER = (
    f"(?i:{_FILE}|"
    + "|".join(rf"{re.escape(pair[0])}{_INSIDE}{re.escape(pair[1])}" for pair in _BRACKETS)
    + ")"
)
_MARKER = re.compile(MARKER)
_ONE_PART = re.compile(
    rf"(?i:(?P<name>{_NAME})?(?P<low>{_NUMBER})(?:\s*{_DASH}\s*(?P<high>{_NUMBER}))?)"
)
_BETWEEN_MARKERS = re.compile(r"\s*[,;，；、]?\s*")
_ASCII_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")

# A longer range, or one of four digits, is a period of years rather than a list of passages.
_LONGEST_RANGE = 20
_HIGHEST_IN_RANGE = 999

_STOPS = ".!?。！？"
_PAUSES = ",;:，；：、"
_LIST_PAUSES = ",;，；、"
_FULL_STOPS = ".。"
_OPENING = "([{“‘«—–-/（【［"
_CLOSING = ")]}”’»…）】］"
_EMPTY = ("()", "[]", "（）", "【】", "［］")


@dataclass(frozen=True)
class _Part:
    """A number or a range in a marker, as written; `name` is what stands before it."""

    start: int
    end: int
    name: str
    indices: tuple[int, ...]


@dataclass(frozen=True)
class _Marker:
    start: int
    end: int
    parts: tuple[_Part, ...]

    @property
    def indices(self) -> tuple[int, ...]:
        return tuple(k for part in self.parts for k in part.indices)


def cited(text: str) -> tuple[int, ...]:
    """The passage numbers that the text cites, in order of appearance, each once."""
    return tuple(dict.fromkeys(k for marker in _markers(text) for k in marker.indices))


def split_at_markers(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The text in pieces: what stands between the markers, and each marker with what it cites."""
    end = 0
    for marker in _markers(text):
        yield text[end : marker.start], ()
        yield text[marker.start : marker.end], marker.indices
        end = marker.end
    yield text[end:], ()


def without_markers(text: str) -> str:
    """The text as it reads with every marker taken out."""
    return _rewritten(text, dropped=None)


def mask(text: str, k: int) -> str:
    """The text with passage `k` cited nowhere; every other citation stays as it was written."""
    return _rewritten(text, dropped=k)


def _markers(text: str) -> Iterator[_Marker]:
    for match in _MARKER.finditer(text):
        parts = _parts(text, match.start(), match.end())
        if parts:
            yield _Marker(match.start(), match.end(), parts)


def _parts(text: str, start: int, end: int) -> tuple[_Part, ...]:
    """The parts of one marker; none where it holds an absurd range and so is no marker."""
    stop = text.find("†", start, end)
    parts = []
    for match in _ONE_PART.finditer(text, start, end if stop < 0 else stop):
        low, high = _number(match["low"]), _number(match["high"] or match["low"])
        if match["high"] and not (low < high <= _HIGHEST_IN_RANGE and high - low < _LONGEST_RANGE):
            return ()
        indices = tuple(range(low, high + 1))
        parts.append(_Part(match.start("low"), match.end(), match["name"] or "", indices))
    return tuple(parts)


def _number(digits: str) -> int:
    return int(digits.translate(_ASCII_DIGITS))


def _clusters(text: str) -> Iterator[list[_Marker]]:
    """Markers that stand together, with nothing but a comma or a space between them."""
    cluster: list[_Marker] = []
    for marker in _markers(text):
        if cluster and not _BETWEEN_MARKERS.fullmatch(text, cluster[-1].end, marker.start):
            yield cluster
            cluster = []
        cluster.append(marker)
    if cluster:
        yield cluster


def _rewritten(text: str, *, dropped: int | None) -> str:
    """The text without passage `dropped`, or without any citation where that is None."""
    done, position = "", 0
    for cluster in _clusters(text):
        kept = "" if dropped is None else _without(text, cluster, dropped)
        done += text[position : cluster[0].start]
        position = cluster[-1].end
        if kept:
            done += kept
        else:
            done, rest = _closed_gap(done, text[position:])
            position = len(text) - len(rest)
    return done + text[position:]


def _without(text: str, cluster: list[_Marker], dropped: int) -> str:
    """What is left of a cluster: each surviving marker with what stood before it."""
    kept, before = "", cluster[0].start
    for marker in cluster:
        survivors = [k for k in marker.indices if k != dropped]
        if survivors:
            kept += text[before : marker.start] if kept else ""
            whole = len(survivors) == len(marker.indices)
            kept += text[marker.start : marker.end] if whole else _reduced(text, marker, dropped)
        before = marker.end
    return kept


def _reduced(text: str, marker: _Marker, dropped: int) -> str:
    """A marker without one of its numbers, the others as they were written."""
    first, last = marker.parts[0], marker.parts[-1]
    kept, before = "", first.end
    for part in marker.parts:
        survivors = [k for k in part.indices if k != dropped]
        if survivors:
            # The name of the first number stands for those after it, as in `[Reasons 1, 2]`.
            gap = text[before : part.start] if kept else part.name or first.name
            whole = len(survivors) == len(part.indices)
            kept += gap + (text[part.start : part.end] if whole else ", ".join(map(str, survivors)))
        before = part.end
    opening = text[marker.start : first.start - len(first.name)]
    return opening + kept + text[last.end : marker.end]


def _closed_gap(left: str, right: str) -> tuple[str, str]:
    """Both sides of a marker that is gone, joined as a careful writer would have left them."""
    left, right = _unwrapped(left, right)
    before, after = left.rstrip(), right.lstrip()
    if not before:
        return "", after.lstrip(_STOPS + _PAUSES).lstrip()
    if not after:
        return before.rstrip(_LIST_PAUSES), ""
    spaces = left[len(before) :] + right[: len(right) - len(after)]
    if _is_punctuation(after):
        return _one_mark(before, after)
    if before[-1] in _OPENING:
        return (before, after) if left == before else (left, after)
    if not spaces and after[0].isalnum():
        return before + " ", after  # `bank[3]says`: the marker was all that parted the words
    return before + _one_space(spaces), after


def _unwrapped(left: str, right: str) -> tuple[str, str]:
    """Without the brackets of `([5])` and `[[5]]`, which would be left empty."""
    before, after = left.rstrip(), right.lstrip()
    if before[-1:] + after[:1] in _EMPTY:
        return before[:-1], after[1:]
    return left, right


def _is_punctuation(after: str) -> bool:
    decimal = after[0] == "." and after[1:2].isdigit()
    return after[0] in _STOPS + _PAUSES + _CLOSING and not decimal


def _one_mark(before: str, after: str) -> tuple[str, str]:
    """`false.[3].` has one stop too many without its marker; `false,[3].` a comma."""
    if before[-1] in _LIST_PAUSES and after[0] in _STOPS + _PAUSES:
        before = before.rstrip(_LIST_PAUSES + " ")
    elif before[-1] in _STOPS and after[0] in _FULL_STOPS and not after.startswith(".."):
        after = after[1:]
    return before, after


def _one_space(spaces: str) -> str:
    if "\n" in spaces:
        return "\n"
    return " " if spaces else ""
