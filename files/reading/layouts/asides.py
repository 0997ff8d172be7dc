"""Columns that hold neither answers nor what these are about: of sittings, runs and people, or set
aside though others of their family are answers."""

import re
from collections import Counter

from files.columns.names import personal
from files.columns.words import (
    ANSWERS,
    ASIDE,
    IDENTITIES,
    OF_RATERS,
    QUALITIES,
    REMARKS,
    SUMMARIES,
)
from files.reading.evidence.families import families
from files.reading.evidence.likeness import alike
from files.reading.evidence.odd_values import counts_places
from files.reading.evidence.profiles import Content
from files.reading.layouts.raters import names_rater
from files.reading.layouts.sketch import ANSWER, INPUT, Sketch, numberless, says, says_only
from files.reading.model import Holds

# What a nameless column is called when tables are written anew.
_NAMELESS = re.compile(r"Unnamed: \d{1,4}|column \d{1,4}|index", re.IGNORECASE)
_PLACES = ("order", "position", "trial", "sequence")
_APART = (Content.DATES, Content.LINKS, Content.OBJECTS)


def put_aside(sketch: Sketch) -> None:
    """Decide the columns that are nobody's answers, whatever their cells look like."""
    for name in sketch.free:
        profile = sketch.profile(name)
        if profile.content is Content.EMPTY or _numbers_rows(sketch, name):
            sketch.put(name, Holds.LEFT_OUT)
        elif names_rater(sketch, name):
            continue
        elif personal(name, [*profile.values][:50]):
            sketch.put(name, Holds.PERSONAL)
        elif _is_key_of_dates(sketch, name):
            continue
        elif profile.content in _APART or _is_beside(sketch, name) or _says_when(sketch, name):
            sketch.put(name, Holds.KEPT)


def _numbers_rows(sketch: Sketch, name: str) -> bool:
    """Whether a column that a tool named counts the rows of each file."""
    if not _NAMELESS.fullmatch(name):
        return False
    counted = Counter[int]()
    for number, cell in zip(sketch.sample.files, sketch.sample.cells(name), strict=True):
        if cell not in (str(counted[number]), str(counted[number] + 1)):
            return False
        counted[number] += 1
    return True


def _is_key_of_dates(sketch: Sketch, name: str) -> bool:
    """Whether dates are the ids of what was judged, as of the issues of a newspaper."""
    is_key = says(name, IDENTITIES) and not says(name, ASIDE)
    return is_key and sketch.profile(name).content is Content.DATES


def _sums_up(sketch: Sketch, name: str) -> bool:
    """Whether a column holds means and the like, by its own name or that of an outer member, of
    which one may be called `lead-sum`."""
    outer = sketch.paths.get(name, ("",))[:-1]
    return says(sketch.own_name(name), SUMMARIES) or any(
        says_only(member, SUMMARIES, ANSWERS | QUALITIES) for member in outer
    )


def _is_beside(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if sketch.is_of_turk and not name.startswith((INPUT, ANSWER)):
        return True
    if _sums_up(sketch, name) and not says(name, IDENTITIES):
        return profile.content is not Content.TEXTS or says(name, ("gold", "truth"))
    if says(name, REMARKS):
        return profile.numeric < 0.9
    if says(name, OF_RATERS):
        return not says(name, QUALITIES)
    if says(name, ASIDE) and profile.content is not Content.TEXTS:
        return not says(name, QUALITIES | ANSWERS)
    return False


def _says_when(sketch: Sketch, name: str) -> bool:
    return says(name, _PLACES) and counts_places(sketch.profile(name))


def left_columns(sketch: Sketch) -> list[str]:
    """Those whose names differ from that of an answer in a number, or in a part, and whose cells
    are like its cells."""
    answers = sketch.of(Holds.ANSWER)
    numbered = {*map(numberless, answers)} - {""}
    aside = [n for n in sketch.of(Holds.KEPT, Holds.LEFT_OUT) if n not in sketch.mirrored]
    kept = [name for name in aside if sketch.profile(name).filled]
    found = [name for name in kept if numberless(name) in numbered]
    labels = (Content.LABELS, Content.NUMBERS)
    free = [n for n in kept if n not in found and sketch.profile(n).content in labels]
    for family in families([*answers, *free], sketch.paths)[0]:
        read = [name for name in family.places if name in answers]
        if read and (family.dimensions[0].are_numbers or len(read) > 1):
            found += [n for n in family.places if n in free and _is_like(sketch, n, read)]
    return found


def _is_like(sketch: Sketch, name: str, answers: list[str]) -> bool:
    profile = sketch.profile(name)
    return any(alike(profile, sketch.profile(other)) for other in answers[:20])
