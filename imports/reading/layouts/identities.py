"""Which columns tell sources, outputs and systems from each other, and the criteria of rows."""

from collections.abc import Sequence

from imports.columns.names import words_of
from imports.columns.words import (
    ANSWERS,
    CHOICES,
    CRITERIA,
    IDENTITIES,
    ITEMS,
    OUTPUTS,
    QUALITIES,
    SYSTEMS,
)
from imports.reading.evidence.families import is_question
from imports.reading.evidence.profiles import Content
from imports.reading.layouts.sketch import ANSWER, INPUT, Sketch, plain_name, says, says_only
from imports.reading.model import Axis, Holds

_ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES)
_MOST_SYSTEMS = 60


def may_answer(sketch: Sketch, name: str) -> bool:
    """Whether the name says that the cells are answers."""
    if name.startswith(ANSWER) or is_question(name):
        return True
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
            if of_criteria or named or asked:
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
    if named:
        best = max(named, key=lambda n: (len(sketch.profile(n).values) > 1, says_only(n, SYSTEMS)))
        sketch.put(best, Holds.SYSTEM)


def _names_system(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    kinds = (Content.LABELS, Content.CODES)
    told = says_only(name, SYSTEMS, {*IDENTITIES, "name", "type", "input", "source", "label"})
    return told and profile.content in kinds and len(profile.values) <= _MOST_SYSTEMS


def put_keys(sketch: Sketch) -> None:
    """Decide the columns that are keys of sources and outputs."""
    texts = [n for n in sketch.of(Holds.TEXT) if not sketch.holds[n].at]
    about = sketch.of(*_ABOUT)
    if sketch.of(Holds.SOURCE):
        return
    if is_form(sketch):
        return
    candidates = [name for name in sketch.free if _may_be_key(sketch, name)]
    if texts or about or sketch.of(Holds.TEXT):
        _keys_of_texts(sketch, candidates, about, texts)
    else:
        _keys_alone(sketch, candidates)
    if not sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, *_ABOUT):
        _take_back_key(sketch)


def _take_back_key(sketch: Sketch) -> None:
    """Decide a column of ids that was set aside, such as that of a batch's tasks, where without it
    each row would be a unit of its own."""
    names = sketch.sample.names
    beside = [n for n in sketch.of(Holds.RATER, Holds.SYSTEM, Holds.CRITERION) if n in names]
    fit = [
        name
        for name in [*sketch.of(Holds.KEPT), *sketch.free]
        if sketch.profile(name).content is Content.CODES
        and sketch.sample.comes_again([name]) > 1.2
        and sketch.sample.is_key([name, *beside])
    ]
    if fit:
        inputs = [name for name in fit if name.startswith(INPUT)]
        sketch.put((inputs or fit)[0], Holds.SOURCE)


def _may_be_key(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if not profile.may_be_key or profile.is_constant or profile.separator:
        return False
    if may_answer(sketch, name) and not says(name, IDENTITIES):
        return False
    if profile.content is Content.NUMBERS and any("." in v for v in profile.values):
        return False
    if profile.content is Content.LABELS:
        return says(name, IDENTITIES | ITEMS) or len(profile.values) > 5
    return True


def _keys_of_texts(
    sketch: Sketch, candidates: Sequence[str], about: Sequence[str], texts: Sequence[str]
) -> None:
    sample = sketch.sample
    every = [*about, *sketch.of(Holds.TEXT)]
    told = [n for n in candidates if any(sample.determines([n], t, share=0.9) for t in every)]
    of_output = [n for n in told if texts and sample.determines([n], texts[0])]
    # The same source may be written in two ways.
    of_source = [
        n for n in told if about and all(sample.determines([n], t, share=0.9) for t in about)
    ]
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    if not about and texts and not of_output:
        # A source of several outputs, of which the table has no text.
        of_source = [n for n in candidates if _is_coarse(sketch, n, texts[0], systems)]
        if not of_source and not systems:
            of_source = _put_crossing(sketch, candidates, texts[0])
            systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    coarse = [n for n in of_source if n not in of_output]
    if not systems and texts and (coarse or about):
        _put_telling(sketch, texts[0], coarse, about)
    keys = coarse or of_source or of_output
    if not about and not texts:
        keys = [n for n in candidates if _tells_pairs(sketch, n)]
    elif not texts:
        keys = [n for n in told if all(sample.determines([n], text) for text in every)] or keys
    if keys:
        best = max(keys, key=lambda n: _key_fit(sketch, n))
        sketch.put(best, Holds.SOURCE)
        fine = [n for n in of_output if n != best and not sample.determines([best], n)]
        if fine and best in coarse:
            sketch.put(max(fine, key=lambda n: _key_fit(sketch, n)), Holds.OUTPUT)
    elif of_output:
        sketch.put(max(of_output, key=lambda n: _key_fit(sketch, n)), Holds.OUTPUT)


def _tells_pairs(sketch: Sketch, name: str) -> bool:
    """Whether it is the key of what several texts of a row are about: with the system of each it
    tells the text, or is named as a key where there are no systems."""
    at = {sketch.holds[n].at.get(Axis.POSITION): n for n in sketch.of(Holds.SYSTEM)}
    texts = {sketch.holds[n].at.get(Axis.POSITION): n for n in sketch.of(Holds.TEXT)}
    told = [[name, *([at[place]] if place in at else [])] for place in texts]
    if not at and not _names_key(name):
        return False
    return not at or all(
        sketch.sample.determines(keys, text)
        for keys, text in zip(told, texts.values(), strict=True)
    )


def _put_telling(sketch: Sketch, text: str, coarse: Sequence[str], about: Sequence[str]) -> None:
    """Decide the column of few values that, with the source, tells which output it is."""
    sample = sketch.sample
    source = [*coarse[:1]] or [*about]
    if sample.determines(source, text):
        return
    for name in sketch.free:
        profile = sketch.profile(name)
        few = 1 < len(profile.values) <= _MOST_SYSTEMS and profile.share_filled > 0.95
        kinds = (Content.LABELS, Content.CODES)
        if name in source or not few or profile.content not in kinds or profile.numeric > 0.9:
            continue
        if may_answer(sketch, name):
            continue
        if sample.determines([*source, name], text) and sample.comes_again([name]) > 2:
            sketch.put(name, Holds.SYSTEM)
            return


def _put_crossing(sketch: Sketch, candidates: Sequence[str], text: str) -> list[str]:
    """A key that, with a column of few values or with the file, tells the output: the key, and
    that column is decided."""
    sample = sketch.sample
    for name in [n for n in candidates if _names_key(n)]:
        for other in sketch.free:
            profile = sketch.profile(other)
            few = 1 < len(profile.values) <= _MOST_SYSTEMS and profile.share_filled > 0.95
            kinds = (Content.LABELS, Content.CODES)
            if other == name or not few or profile.content not in kinds or profile.numeric > 0.9:
                continue
            if not may_answer(sketch, other) and sample.determines([name, other], text):
                sketch.put(other, Holds.SYSTEM)
                return [name]
        if len(sample.tables) > 1 and sample.determines([name], text, by_file=True):
            return [name]
    return []


def _is_coarse(sketch: Sketch, name: str, text: str, systems: Sequence[str]) -> bool:
    sample = sketch.sample
    with_system = [name, *systems]
    return bool(systems) and sample.determines(with_system, text) and says(name, IDENTITIES | ITEMS)


def _key_fit(sketch: Sketch, name: str) -> tuple[float, ...]:
    words = words_of(plain_name(name))
    return (
        bool(words & IDENTITIES) or any(w.endswith("id") for w in words),
        bool(words & ITEMS),
        sketch.profile(name).numeric < 0.9 or sketch.profile(name).content is Content.CODES,
        -sketch.sample.names.index(name),
    )


def _keys_alone(sketch: Sketch, candidates: Sequence[str]) -> None:
    """Keys of a table without texts: by their names, or since all rows of one rater differ."""
    sample = sketch.sample
    named = [n for n in candidates if _names_key(n)]
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    keys = named or _most_telling(sketch, candidates)
    if not keys:
        return
    # Of two keys the one that the other one tells is the source.
    best = max(keys, key=lambda n: (*_key_fit(sketch, n)[:2], -sample.names.index(n)))
    coarser = [
        n
        for n in keys
        if n != best and sample.determines([best], n) and not sample.determines([n], best)
    ]
    finer = [
        n
        for n in keys
        if n != best
        and sample.determines([n], best)
        and not sample.determines([best], n)
        and _names_key(n)
    ]
    if coarser:
        sketch.put(coarser[0], Holds.SOURCE)
        sketch.put(best, Holds.OUTPUT)
    elif finer and says(finer[0], OUTPUTS | ITEMS):
        sketch.put(best, Holds.SOURCE)
        sketch.put(finer[0], Holds.OUTPUT)
    else:
        sketch.put(best, Holds.SOURCE)
    del systems


def is_form(sketch: Sketch) -> bool:
    """Whether each row is what one person said to all questions."""
    if sketch.of(Holds.TEXT, Holds.DOCUMENT, Holds.QUERY, Holds.CLAIM):
        return False
    if sketch.questions:
        return True
    dated = [n for n in sketch.sample.names if sketch.profile(n).content is Content.DATES]
    stamped = (
        says(dated[0], ("timestamp", "zeitstempel", "start", "started", "submitted"))
        if (dated and dated[0] in sketch.sample.names[:3])
        else False
    )
    raters = [n for n in sketch.of(Holds.RATER) if not sketch.holds[n].at]
    once = sketch.sample.comes_again(raters) < 1.3 if raters else stamped
    labels = [n for n in sketch.free if sketch.profile(n).content is Content.LABELS]
    keys = [n for n in sketch.free if _names_key(n) and _may_be_key(sketch, n)]
    return once and len(labels) > 1 and (stamped or not keys)


def _names_key(name: str) -> bool:
    words = {word for word in words_of(plain_name(name)) if not word.isdigit()}
    if words & {"hit", "assignment", "session", "batch", "timestamp"}:
        return False
    ends = any(word.endswith("id") and len(word) > 2 for word in words)
    return bool(words & IDENTITIES) or says_only(name, ITEMS, IDENTITIES) or ends


def _most_telling(sketch: Sketch, candidates: Sequence[str]) -> list[str]:
    """The column with the most values of those that come again with each rater."""
    kinds = (Content.CODES, Content.NUMBERS)
    found = [n for n in candidates if sketch.profile(n).content in kinds]
    return sorted(found, key=lambda n: -len(sketch.profile(n).values))[:1]
