"""Keys of sources whose columns are not called so."""

import re

from files.columns.words import ASIDE
from files.reading.doubts import Option
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Holds

_NUMBER = re.compile(r"\d")
_ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY)
_MOST_TRIED = 8
# With fewer values a column of words is none of ids.
_FEWEST = 5
# Of all combinations of sources and systems so many have a text.
_COVERED = 0.95


def put_unnamed_key(sketch: Sketch) -> None:
    """Decide the column that tells sources where none has such a name: each of its values stands
    with each system, or with texts of pairs that come again."""
    texts = sketch.of(Holds.TEXT)
    kinds = (Content.CODES, Content.NUMBERS, Content.LABELS)
    free = [n for n in sketch.free if sketch.profile(n).content in kinds and not says(n, ASIDE)]
    free = [n for n in free if sketch.profile(n).may_be_key][:_MOST_TRIED]
    if sketch.of(Holds.SOURCE, *_ABOUT):
        if len(texts) == 1 and not sketch.of(Holds.SYSTEM, Holds.OUTPUT):
            _put_system(sketch, free, texts[0])
        return
    if sketch.of(Holds.OUTPUT):
        return
    if sketch.pairs and texts:
        _put_of_pairs(sketch, free, texts)
    elif len(texts) == 1 and not sketch.holds[texts[0]].at:
        _put_crossed(sketch, free, texts[0])
    elif len(texts) > 1:
        _put_of_rows(sketch, free, texts)


def _put_system(sketch: Sketch, free: list[str], text: str) -> None:
    """Decide the column of few words, each of which stands with each source, and tells the text."""
    sample = sketch.sample
    keys = sketch.of(Holds.SOURCE) or sketch.of(*_ABOUT)[:1]
    if any(sketch.holds[n].at for n in keys) or sample.determines(keys, text):
        return
    number = len({*sample.keys(keys)})
    for name in free:
        profile = sketch.profile(name)
        few = 1 < len(profile.values) < number and profile.numeric < 0.5
        both = len({*sample.keys([*keys, name])})
        crosses = few and both >= _COVERED * number * len(profile.values)
        if crosses and sample.determines([*keys, name], text):
            sketch.put(name, Holds.SYSTEM)
            return


def _put_of_rows(sketch: Sketch, free: list[str], texts: list[str]) -> None:
    """Decide the column each value of which stands with the same texts, in whatever order."""
    shown = [frozenset(row) for row in sketch.sample.keys(texts)]
    for name in free:
        first: dict[str, frozenset[str]] = {}
        cells = sketch.sample.cells(name)
        same = sum(
            first.setdefault(cell, row) == row for cell, row in zip(cells, shown, strict=True)
        )
        if same == len(shown) > 1.3 * len(first) and len(first) >= 0.5 * len({*shown}):
            sketch.put(name, Holds.SOURCE)
            return


def _put_crossed(sketch: Sketch, free: list[str], text: str) -> None:
    sample = sketch.sample
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    told = [n for n in free if sample.determines([text], n)]
    for source in sorted(told, key=lambda n: -len(sketch.profile(n).values)):
        for system in systems or [n for n in told if n != source]:
            if _crosses(sketch, source, system) and sample.determines([source, system], text):
                sketch.put(source, Holds.SOURCE)
                sketch.put(system, Holds.SYSTEM)
                return


def _crosses(sketch: Sketch, one: str, other: str) -> bool:
    """Whether each of many values stands with each of some words."""
    first, second = sketch.profile(one), sketch.profile(other)
    few = 1 < len(second.values) < len(first.values) and second.numeric < 0.5
    both = len({*sketch.sample.keys([one, other])})
    return few and both >= _COVERED * len(first.values) * len(second.values)


def _are_ids(sketch: Sketch, name: str) -> bool:
    """Whether values are no words of a few, as categories are: ids have numbers."""
    profile = sketch.profile(name)
    return profile.content is not Content.LABELS or all(map(_NUMBER.search, profile.values))


def _put_of_pairs(sketch: Sketch, free: list[str], texts: list[str]) -> None:
    sample = sketch.sample
    told = [n for n in free if sample.determines(texts, n, share=0.9)]
    fit = [n for n in told if _are_ids(sketch, n)]
    # Of few words the values are categories as a rule, of many they may be ids.
    pairs = len({*sample.keys(texts)})
    many = [n for n in told if len(sketch.profile(n).values) >= max(_FEWEST, pairs / 4)]
    if not fit and not many:
        return
    best = max(fit or many, key=lambda n: len(sketch.profile(n).values))
    if not fit or sample.comes_again(texts) < 1.3:
        taken = sketch.doubts.decide(
            "source",
            f"Does `{best}` say which source was judged?",
            Option("source", f"`{best}` says it"),
            Option("own", "no: each pair has a source of its own"),
        )
        if taken == "own":
            return
    sketch.put(best, Holds.SOURCE)
