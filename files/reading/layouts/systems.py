"""Which columns name systems, and the criteria of rows."""

from collections.abc import Mapping, Sequence

from files.columns.names import words_of
from files.columns.words import (
    CRITERIA,
    IDENTITIES,
    QUALITIES,
    SYSTEMS,
)
from files.reading.doubts import Doubts, Option
from files.reading.evidence.families import families, is_question
from files.reading.evidence.profiles import Content
from files.reading.evidence.system_names import are_systems
from files.reading.layouts.keys.key_names import is_form, may_answer
from files.reading.layouts.sketch import (
    ANSWER,
    Sketch,
    says_only,
)
from files.reading.model import Axis, Holds

_MOST_SYSTEMS = 60
# Criteria that are called by numbers.
_PLAINLY = ("criterion", "criteria", "kriterium", "aspect", "dimension")


def put_criteria(sketch: Sketch) -> None:
    """Decide the column that says to which of several questions a row answers."""
    if sketch.of(Holds.CRITERION) or is_form(sketch):
        return
    for name in sketch.free:
        profile = sketch.profile(name)
        if not profile.is_categorical or profile.is_constant:
            continue
        if profile.numeric > 0.5 and not says_only(name, _PLAINLY, IDENTITIES):
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
    if not named and (_are_raters_told(sketch) or not _has_answers(sketch)):
        named = [n for n in sketch.free if are_named_systems(sketch, n)][:1]
    beside = {name for family in families(named, sketch.paths)[0] for name in family.places}
    named = [n for n in named if n not in beside]
    if named:
        best = max(named, key=lambda n: (len(sketch.profile(n).values) > 1, says_only(n, SYSTEMS)))
        sketch.put(best, Holds.SYSTEM)


def put_systems_beside_files(sketch: Sketch) -> None:
    """Decide the column whose cells are names of systems, where the names of files say who
    answered: it is an own column until then."""
    by_files = any(name.says is Axis.RATER for name in sketch.names)
    if not by_files or sketch.of(Holds.SYSTEM) or any(n.says is Axis.SYSTEM for n in sketch.names):
        return
    if any(Axis.SYSTEM in reading.at for reading in sketch.holds.values()):
        return
    named = [n for n in sketch.of(Holds.KEPT) if are_named_systems(sketch, n)]
    if named:
        sketch.put(named[0], Holds.SYSTEM)


def _are_raters_told(sketch: Sketch) -> bool:
    return bool(sketch.of(Holds.RATER)) or any(Axis.RATER in r.at for r in sketch.holds.values())


def _has_answers(sketch: Sketch) -> bool:
    """Whether there may be answers; where there are none, no name is that of a judge."""
    return bool(sketch.of(Holds.ANSWER)) or any(may_answer(sketch, n) for n in sketch.free)


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


def join_spellings(sketches: Sequence[Sketch], doubts: Doubts) -> Mapping[str, str]:
    """Spelling -> name, of systems whose names differ in case and marks alone, where somebody said
    that they are one."""
    columns = [(sketch, name) for sketch in sketches for name in sketch.of(Holds.SYSTEM)]
    names = dict.fromkeys(
        value
        for sketch, name in columns
        if not sketch.holds[name].split
        for value in sketch.profile(name).values
    )
    by_fold: dict[str, list[str]] = {}
    for name in names:
        by_fold.setdefault("".join(c for c in name.casefold() if c.isalnum()), []).append(name)
    several = [names for fold, names in by_fold.items() if fold and len(names) > 1]
    if not several:
        return {}
    told = "; ".join(" or ".join(f"`{name}`" for name in spellings) for spellings in several[:4])
    taken = doubts.decide(
        "spellings",
        f"Systems are written in several ways: {told}. Are they one system each?",
        Option("apart", "no, each spelling is a system of its own"),
        Option("joined", "yes, under the first of these names"),
        is_asked=False,
    )
    joined = {other: spellings[0] for spellings in several for other in spellings[1:]}
    return joined if taken == "joined" else {}
