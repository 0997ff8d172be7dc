"""Which columns tell sources, outputs and systems from each other, and the criteria of rows."""

import re
from collections.abc import Sequence

from files.columns.names import words_of
from files.columns.words import (
    ANSWERS,
    CHOICES,
    CRITERIA,
    IDENTITIES,
    ITEMS,
    QUALITIES,
    RATERS,
    SYSTEMS,
)
from files.reading.evidence.families import families, is_question
from files.reading.evidence.profiles import Content
from files.reading.evidence.system_names import are_systems
from files.reading.layouts.sketch import (
    ANSWER,
    INPUT,
    Sketch,
    numberless,
    plain_name,
    says,
    says_only,
)
from files.reading.layouts.unnamed_keys import put_unnamed_key
from files.reading.model import Axis, Holds

_ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES)
_MOST_SYSTEMS = 60
# So many columns whose names differ in a number are no key each.
_MANY_ALIKE = 4
# `t0`, `t1`: ids of texts, and no systems.
_TURN = re.compile(r"[a-z]\d{1,4}")
_MANY_ASKED = 8
_STAMPS = ("timestamp", "zeitstempel", "start", "started", "submitted")
_NO_KEYS = frozenset(["hit", "assignment", "session", "batch", "timestamp", "hash", "checksum"])


def may_answer(sketch: Sketch, name: str) -> bool:
    """Whether the name says that the cells are answers."""
    if name.startswith(ANSWER) or is_question(name):
        return True
    if re.search(r"[_ ]id$", name, re.IGNORECASE):
        return False
    return says(name, ANSWERS | QUALITIES | CHOICES) and not says_only(name, IDENTITIES, ITEMS)


def put_criteria(sketch: Sketch) -> None:
    """Decide the column that says to which of several questions a row answers."""
    if sketch.of(Holds.CRITERION):
        return
    for name in sketch.free:
        profile = sketch.profile(name)
        if not profile.is_categorical or profile.is_constant or profile.numeric > 0.5:
            continue
        if is_question(name) or profile.longest > 60:
            continue
        words = [words_of(value) for value in profile.values]
        of_criteria = sum(bool(each & QUALITIES) for each in words) >= 0.5 * len(words)
        named = says_only(name, CRITERIA, {*IDENTITIES, "name", "type", "question"})
        asked = says_only(name, {"question", "frage"}) and _crosses(sketch, name)
        if (named or asked or of_criteria) and not name.startswith(ANSWER):
            sketch.put(name, Holds.CRITERION)
            return


def _crosses(sketch: Sketch, name: str) -> bool:
    """Whether all its values come with many others: with each of some key."""
    sample = sketch.sample
    keys = [n for n in sketch.free if n != name and sketch.profile(n).may_be_key]
    return any(sample.comes_again([n]) > 1.5 and not sample.determines([n], name) for n in keys)


def put_systems(sketch: Sketch) -> None:
    """Decide the column with the names of systems, by its name, or since it tells which of a
    source's outputs a row is about."""
    if sketch.of(Holds.SYSTEM) or any(Axis.SYSTEM in r.at for r in sketch.holds.values()):
        return
    named = [n for n in sketch.free if _names_system(sketch, n)]
    if not named and _are_raters_told(sketch):
        named = [n for n in sketch.free if are_named_systems(sketch, n)][:1]
    beside = {name for family in families(named, sketch.paths)[0] for name in family.places}
    named = [n for n in named if n not in beside]
    if named:
        best = max(named, key=lambda n: (len(sketch.profile(n).values) > 1, says_only(n, SYSTEMS)))
        sketch.put(best, Holds.SYSTEM)


def _are_raters_told(sketch: Sketch) -> bool:
    return bool(sketch.of(Holds.RATER)) or any(Axis.RATER in r.at for r in sketch.holds.values())


def are_named_systems(sketch: Sketch, name: str) -> bool:
    """Whether most cells of a column that holds no answers are names of systems."""
    profile = sketch.profile(name)
    if not profile.is_categorical or may_answer(sketch, name):
        return False
    return len(profile.said) > 1 and are_systems([*profile.said])


def _names_system(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    kinds = (Content.LABELS, Content.CODES)
    told = says_only(name, SYSTEMS, {*IDENTITIES, "name", "type", "input", "source", "label"})
    return told and profile.content in kinds and len(profile.values) <= _MOST_SYSTEMS


def put_keys(sketch: Sketch) -> None:
    """Decide the columns that are keys of sources and outputs."""
    if sketch.of(Holds.SOURCE) or is_form(sketch):
        return
    candidates = [name for name in sketch.free if _may_be_key(sketch, name)]
    texts, about = sketch.of(Holds.TEXT), sketch.of(*_ABOUT)
    found = _keys_of_texts(sketch, candidates, texts, about) if texts or about else False
    if not found and not (texts and sketch.sample.is_key(texts[:1])):
        _keys_alone(sketch, candidates)
    if not sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, *_ABOUT):
        _take_back_key(sketch)
    put_unnamed_key(sketch)


def _take_back_key(sketch: Sketch) -> None:
    """Decide a column of ids that was set aside, such as that of a batch's tasks, where without it
    each row would be a unit of its own."""
    names = sketch.sample.names
    beside = [n for n in sketch.of(Holds.RATER, Holds.SYSTEM, Holds.CRITERION) if n in names]
    fit = [
        name
        for name in [*sketch.of(Holds.KEPT), *sketch.free]
        if sketch.profile(name).content in (Content.CODES, Content.DATES)
        or (
            (name.startswith(INPUT) and sketch.profile(name).content is Content.LABELS)
            and sketch.sample.comes_again([name]) > 1.2
            and sketch.sample.is_key([name, *beside])
        )
    ]
    if fit:
        inputs = [name for name in fit if name.startswith(INPUT)]
        sketch.put((inputs or fit)[0], Holds.SOURCE)


def _may_be_key(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if not profile.may_be_key or profile.is_constant or profile.separator:
        return False
    if len(sketch.numbered.get(numberless(name), ())) >= _MANY_ALIKE:
        return False
    if profile.content is Content.DATES:
        return names_key(name)
    if (may_answer(sketch, name) and not says(name, IDENTITIES)) or says(name, RATERS):
        return False
    if profile.content is Content.NUMBERS and any("." in v for v in profile.values):
        return False
    if profile.content is Content.LABELS:
        return names_key(name)
    return True


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


def names_key(name: str) -> bool:
    """Whether the name of a column is one of a key."""
    words = {word for word in words_of(plain_name(name)) if not word.isdigit()}
    if words & _NO_KEYS and not words & ITEMS:
        return False
    ends = any(word.endswith("id") and len(word) > 2 for word in words)
    return bool(words & IDENTITIES) or says_only(name, ITEMS, IDENTITIES) or ends


def is_form(sketch: Sketch) -> bool:
    """Whether each row is what one person said to all questions."""
    if sketch.of(Holds.TEXT, Holds.DOCUMENT, Holds.QUERY, Holds.CLAIM):
        return False
    if sketch.questions:
        return True
    labels = [n for n in sketch.free if sketch.profile(n).content is Content.LABELS]
    near = sketch.sample.names if len(labels) >= _MANY_ASKED else sketch.sample.names[:3]
    dated = [n for n in near if sketch.profile(n).content is Content.DATES]
    stamped = any(says(n, _STAMPS) for n in dated)
    raters = [n for n in sketch.of(Holds.RATER) if not sketch.holds[n].at]
    once = sketch.sample.comes_again(raters) < 1.3 if raters else stamped
    keys = [n for n in sketch.free if names_key(n) and _may_be_key(sketch, n)]
    return once and len(labels) > 1 and (stamped or not keys)
