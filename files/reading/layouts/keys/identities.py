"""Which columns tell sources and outputs from each other."""

import re
from collections.abc import Sequence

from files.columns.cells import is_number
from files.columns.names import words_of
from files.columns.words import (
    IDENTITIES,
    ITEMS,
)
from files.reading.evidence.profiles import Content
from files.reading.layouts.keys.key_names import is_form, may_answer, may_be_key, names_key
from files.reading.layouts.keys.unnamed_keys import put_unnamed_key
from files.reading.layouts.sketch import (
    INPUT,
    Sketch,
    plain_name,
)
from files.reading.model import Holds

_ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES)
_MOST_SYSTEMS = 60
# More words than scales have, and the end of the longest scale of numbers.
_POINTS = 7
_HIGHEST = 100
# `t0`, `t1`: ids of texts, and no systems.
_TURN = re.compile(r"[a-z]\d{1,4}")


def put_keys(sketch: Sketch) -> None:
    """Decide the columns that are keys of sources and outputs."""
    if sketch.of(Holds.SOURCE) or is_form(sketch):
        return
    candidates = [name for name in sketch.free if may_be_key(sketch, name)]
    texts, about = sketch.of(Holds.TEXT), sketch.of(*_ABOUT)
    found = _keys_of_texts(sketch, candidates, texts, about) if texts or about else False
    if not found and not (texts and sketch.sample.is_key(texts[:1])):
        _keys_alone(sketch, [n for n in candidates if names_key(n) or not about])
    if not sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, *_ABOUT):
        _take_back_key(sketch)
    put_unnamed_key(sketch)


def _take_back_key(sketch: Sketch) -> None:
    """Decide a column of ids that was set aside, such as that of a batch's tasks, where without it
    each row would be a unit of its own."""
    fit = [
        name
        for name in [*sketch.free, *sketch.of(Holds.KEPT)]
        if sketch.profile(name).content in (Content.CODES, Content.DATES)
        or (
            (name.startswith(INPUT) or _are_ids(sketch, name) or _are_many(sketch, name))
            and sketch.profile(name).content in (Content.LABELS, Content.NUMBERS)
            and sketch.sample.comes_again([name]) > 1.2
            and _tells_rows(sketch, name)
        )
    ]
    if fit:
        kinds = (Content.LABELS, Content.NUMBERS, Content.CODES)
        inputs = [name for name in fit if name.startswith(INPUT)]
        ids = [name for name in fit if sketch.profile(name).content in kinds]
        sketch.put((inputs or ids or fit)[0], Holds.SOURCE)


def _are_ids(sketch: Sketch, name: str) -> bool:
    """Whether values are words with numbers in them, or whole numbers that no scale has."""
    values = sketch.profile(name).values
    if all(map(str.isdecimal, values)):
        return any(v[0] == "0" and len(v) > 1 for v in values) or max(map(int, values)) > _HIGHEST
    return not any(map(is_number, values)) and all(any(map(str.isdigit, v)) for v in values)


def _are_many(sketch: Sketch, name: str) -> bool:
    """Whether a column of several files has words, more than a scale has points."""
    profile = sketch.profile(name)
    return len(sketch.sample.tables) > 1 and profile.numeric < 0.5 and len(profile.said) > _POINTS


def _tells_rows(sketch: Sketch, name: str) -> bool:
    """Whether no two rows say the same in a column and in those that tell the rest of it, or in
    one of few values, as nothing may have told yet that this names systems."""
    names, sample = sketch.sample.names, sketch.sample
    kinds = (Holds.RATER, Holds.SYSTEM, Holds.CRITERION)
    told = [name, *(n for n in sketch.of(*kinds) if n in names)]
    return sample.is_key(told) or any(sample.is_key([*told, n]) for n in _few(sketch, told))


def _keys_of_texts(
    sketch: Sketch, candidates: Sequence[str], texts: Sequence[str], about: Sequence[str]
) -> bool:
    """Keys that say the same wherever the same texts stand; whether there are any."""
    sample = sketch.sample
    single = [n for n in texts if not sketch.holds[n].at]
    every = [*about, *texts]
    told = [n for n in candidates if sample.determines(every, n, share=0.9)]
    telling = {n: all(sample.determines([n], t, share=0.9) for t in single) for n in told}
    fine = [n for n in told if single and telling[n] and not _of_source(sketch, n, about)]
    coarse = [n for n in told if _of_source(sketch, n, about)] if about else []
    if not about:
        coarse = [n for n in told if n not in fine and (names_key(n) or _tells(sketch, n, texts))]
    if single and not sketch.of(Holds.SYSTEM) and (coarse or about):
        _put_telling(sketch, single[0], coarse, about)
        coarse = [n for n in coarse if n in sketch.free]
    if single and not coarse and not fine and not about:
        coarse = _put_crossing(sketch, candidates, single[0])
    if coarse:
        _put_source(sketch, coarse, about[0] if about else single[0] if single else "")
        named = [n for n in fine if names_key(n)]
        if named:
            sketch.put(_best_key(sketch, named), Holds.OUTPUT)
    elif fine:
        sketch.put(_best_key(sketch, fine), Holds.OUTPUT if about else Holds.SOURCE)
    return bool(coarse or fine)


def _put_source(sketch: Sketch, keys: Sequence[str], text: str) -> None:
    """Decide the best key of sources, and another one where only both tell the text."""
    best = _best_key(sketch, keys)
    sketch.put(best, Holds.SOURCE)
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    given = [n for n in sketch.of(Holds.RATER, Holds.CRITERION) if not sketch.holds[n].at]

    def tells(names: list[str]) -> bool:
        if text:
            by_file = len(sketch.sample.tables) > 1
            keys = [*names, *systems]
            return sketch.sample.determines(keys, text, share=0.9, by_file=by_file)
        return not given or sketch.sample.is_key([*names, *given])

    if tells([best]):
        return
    for other in [n for n in keys if n != best and names_key(n)]:
        if tells([best, other]):
            sketch.put(other, Holds.SOURCE)
            return


def _of_source(sketch: Sketch, name: str, about: Sequence[str]) -> bool:
    """Whether a key tells what outputs are about, and is told by it."""
    sample = sketch.sample
    return (
        bool(about)
        and sample.determines(about, name, share=0.9)
        and (names_key(name) or all(sample.determines([name], t, share=0.9) for t in about))
    )


def _tells(sketch: Sketch, name: str, texts: Sequence[str]) -> bool:
    return bool(texts) and all(sketch.sample.determines([name], t, share=0.9) for t in texts)


def _best_key(sketch: Sketch, names: Sequence[str]) -> str:
    return max(names, key=lambda name: _key_fit(sketch, name))


def _put_telling(sketch: Sketch, text: str, coarse: Sequence[str], about: Sequence[str]) -> None:
    """Decide the column of few values that, with the source, tells which output it is."""
    most = sorted(coarse, key=lambda n: -len(sketch.profile(n).values))
    source = most[:1] or [*about]
    if sketch.sample.determines(source, text):
        return
    for name in _few(sketch, source):
        if (
            sketch.sample.determines([*source, name], text)
            and sketch.sample.comes_again([name]) > 2
        ):
            sketch.put(name, Holds.SYSTEM)
            return


def _few(sketch: Sketch, but: Sequence[str]) -> list[str]:
    """Free columns of few values that are no answers."""
    found = []
    for name in sketch.free:
        profile = sketch.profile(name)
        few = 1 < len(profile.values) <= _MOST_SYSTEMS and profile.share_filled > 0.95
        kinds = (Content.LABELS, Content.CODES)
        fits = few and profile.content in kinds and profile.numeric < 0.9
        fits = fits and not (names_key(name) and all(map(_TURN.fullmatch, profile.said)))
        if fits and name not in but and not may_answer(sketch, name):
            found.append(name)
    return found


def _put_crossing(sketch: Sketch, candidates: Sequence[str], text: str) -> list[str]:
    """A key that, with a column of few values or with the file, tells the output: the key, and
    that column is decided."""
    sample = sketch.sample
    for name in [n for n in candidates if names_key(n)]:
        for other in _few(sketch, [name]):
            if sample.determines([name, other], text):
                sketch.put(other, Holds.SYSTEM)
                return [name]
        if len(sample.tables) > 1 and sample.determines([name], text, by_file=True):
            return [name]
    return []


def _key_fit(sketch: Sketch, name: str) -> tuple[float, ...]:
    words = words_of(plain_name(name))
    return (
        bool(words & IDENTITIES) or any(w.endswith("id") for w in words),
        bool(words & ITEMS),
        sketch.profile(name).numeric < 0.9 or sketch.profile(name).content is Content.CODES,
        -sketch.sample.names.index(name),
    )


def _keys_alone(sketch: Sketch, candidates: Sequence[str]) -> None:
    """Keys of a table whose texts tell none: columns without which rows of one rater would not
    differ, those first whose names are names of keys."""
    sample = sketch.sample
    named = [n for n in candidates if names_key(n)]
    given = [
        n for n in sketch.of(Holds.SYSTEM, Holds.RATER, Holds.CRITERION) if not sketch.holds[n].at
    ]
    kinds = (Content.CODES, Content.NUMBERS, Content.DATES)
    coded = [n for n in candidates if sketch.profile(n).content in kinds]
    for names in (named, coded):
        telling = [n for n in names if sample.is_key([*given, n])]
        if telling:
            best = min(telling, key=lambda n: len(sketch.profile(n).values))
            _put_key(sketch, best, names)
            return
        for one in names:
            for other in names:
                if one != other and sample.is_key([*given, one, other]):
                    sketch.put(one, Holds.SOURCE)
                    sketch.put(other, Holds.SOURCE)
                    return
    if named:
        _put_key(sketch, _best_key(sketch, named), named)
    elif coded:
        again = [n for n in coded if sample.comes_again([n]) > 1.2] or coded
        sketch.put(max(again, key=lambda n: len(sketch.profile(n).values)), Holds.SOURCE)


def _put_key(sketch: Sketch, key: str, names: Sequence[str]) -> None:
    """Decide a key; where another one tells less than it does, that is the source's."""
    sample = sketch.sample
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    of_output = bool(systems) and all(sample.determines([key], n) for n in systems)
    coarser = [
        n
        for n in names
        if n != key and sample.determines([key], n) and not sample.determines([n], key)
    ]
    if coarser and (of_output or not systems) and any(names_key(n) for n in coarser):
        sketch.put(_best_key(sketch, coarser), Holds.SOURCE)
        sketch.put(key, Holds.OUTPUT)
    else:
        sketch.put(key, Holds.SOURCE)
