"""Names of keys and of answers, and tables that are forms."""

import re

from files.columns.names import words_of
from files.columns.words import (
    ANSWERS,
    CHOICES,
    IDENTITIES,
    ITEMS,
    QUALITIES,
    RATERS,
)
from files.reading.evidence.families import is_question
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import (
    ANSWER,
    Sketch,
    numberless,
    plain_name,
    says,
    says_only,
)
from files.reading.model import Holds

_NO_KEYS = frozenset(["hit", "assignment", "session", "batch", "timestamp", "hash", "checksum"])
# They say how something is, and name no id as `docid` does.
_QUALITIES_IN_ID = frozenset(
    ["valid", "invalid", "vivid", "solid", "fluid", "lucid", "candid", "rigid", "stupid", "avoid"]
)
_MANY_ASKED = 8
# So many columns whose names differ in a number are no key each.
_MANY_ALIKE = 4
_STAMPS = ("timestamp", "zeitstempel", "start", "started", "submitted")


def may_answer(sketch: Sketch, name: str) -> bool:
    """Whether the name says that the cells are answers."""
    if name.startswith(ANSWER) or is_question(name):
        return True
    if re.search(r"[_ ]id$", name, re.IGNORECASE):
        return False
    return says(name, ANSWERS | QUALITIES | CHOICES) and not says_only(name, IDENTITIES, ITEMS)


def names_key(name: str) -> bool:
    """Whether the name of a column is one of a key."""
    words = {word for word in words_of(plain_name(name)) if not word.isdigit()}
    if words & _NO_KEYS and not words & ITEMS:
        return False
    ends = any(word.endswith("id") and len(word) > 2 for word in words - _QUALITIES_IN_ID)
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
    keys = [n for n in sketch.free if names_key(n) and may_be_key(sketch, n)]
    return once and len(labels) > 1 and (stamped or not keys)


def may_be_key(sketch: Sketch, name: str) -> bool:  # noqa: PLR0911 a rule a line
    """Whether a column may be a key by its cells."""
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
