"""Columns that tell of sittings, runs and people, and hold neither answers nor what these are
about."""

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
from files.reading.evidence.profiles import Content
from files.reading.layouts.raters import names_rater
from files.reading.layouts.sketch import ANSWER, INPUT, Sketch, says, says_only
from files.reading.model import Holds

# What a nameless column is called when tables are written anew.
_NAMELESS = re.compile(r"Unnamed: \d{1,4}|column \d{1,4}|index", re.IGNORECASE)
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
        elif profile.content in _APART or _is_beside(sketch, name):
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
