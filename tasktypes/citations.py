"""Citation markers in running text: `[6]`, `[14][39]`, `[1, 2]`, `[3-5]`.

A marker holds passage numbers and nothing else, so `[sic]` and `[his]` are words. A year in
brackets reads as a citation outside the passages: nothing in the text tells the two apart.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBERS = r"\d{1,6}(?:\s*[-–]\s*\d{1,6})?"
_MARKER = re.compile(rf"\[{_NUMBERS}(?:,\s*{_NUMBERS})*\]", re.ASCII)
_BETWEEN_MARKERS = re.compile(r"\s*[,;]?\s*")
_RANGE = re.compile(r"\s*[-–]\s*")

# A longer range, or one of four digits, is a period of years rather than a list of passages.
_LONGEST_RANGE = 20
_HIGHEST_IN_RANGE = 999

_STOPS = ".!?"
_PAUSES = ",;:"
_OPENING = "([{“‘«—–-/"
_CLOSING = ")]}”’»…"


@dataclass(frozen=True)
class _Marker:
    start: int
    end: int
    indices: tuple[int, ...]


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
        indices = _indices(match[0][1:-1])
        if indices:
            yield _Marker(match.start(), match.end(), indices)


def _indices(inside: str) -> tuple[int, ...]:
    """The numbers of one marker; none where it holds an absurd range and so is no marker."""
    indices: list[int] = []
    for part in inside.split(","):
        first, _, last = _RANGE.sub("-", part.strip()).partition("-")
        low, high = int(first), int(last or first)
        if last and not (low < high <= _HIGHEST_IN_RANGE and high - low < _LONGEST_RANGE):
            return ()
        indices.extend(range(low, high + 1))
    return tuple(indices)


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
            kept += text[marker.start : marker.end] if whole else f"[{_listed(survivors)}]"
        before = marker.end
    return kept


def _listed(indices: list[int]) -> str:
    return ", ".join(map(str, indices))


def _closed_gap(left: str, right: str) -> tuple[str, str]:
    """Both sides of a marker that is gone, joined as a careful writer would have left them."""
    left, right = _unwrapped(left, right)
    before, after = left.rstrip(), right.lstrip()
    if not before:
        return "", after.lstrip(_STOPS + _PAUSES).lstrip()
    if not after:
        return before.rstrip(",;"), ""
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
    if before[-1:] + after[:1] in ("()", "[]"):
        return before[:-1], after[1:]
    return left, right


def _is_punctuation(after: str) -> bool:
    decimal = after[0] == "." and after[1:2].isdigit()
    return after[0] in _STOPS + _PAUSES + _CLOSING and not decimal


def _one_mark(before: str, after: str) -> tuple[str, str]:
    """`false.[3].` has one stop too many without its marker; `false,[3].` a comma."""
    if before[-1] in ",;" and after[0] in _STOPS + _PAUSES:
        before = before.rstrip(",; ")
    elif before[-1] in _STOPS and after[0] == "." and not after.startswith(".."):
        after = after[1:]
    return before, after


def _one_space(spaces: str) -> str:
    if "\n" in spaces:
        return "\n"
    return " " if spaces else ""
