"""Templates drawn once for what they show.

A template is given one immutable value and nothing else, so that its text depends on that value
and the language alone. Two workers share a text only where it is the same for both, and no kept
text can be out of date. What belongs to one request, such as its form token and its addresses,
is put in afterwards.
"""

import re
from functools import lru_cache
from secrets import token_hex
from typing import NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.translation import get_language

# How many texts a process keeps.
KEPT = 512
# Stands where a value is put in afterwards. Whoever writes a study's texts cannot know it.
_MARK = token_hex(12)


def draw(template: str, shown: NamedTuple, **own: str) -> str:
    """The template with the fields of `shown` as its variables, and the values of `own` put in
    where it has theirs.

    `shown` is hashed and compared by content: plain values, tuples of them and task types. Values
    of `own` are not known while the template is drawn, so it can neither test nor filter them.
    """
    # With DEBUG templates are being worked on, and are drawn anew each time.
    drawn = _drawn.__wrapped__ if settings.DEBUG else _drawn
    text = [*drawn(get_language(), template, shown, tuple(own))]
    text[1::2] = [conditional_escape(own[name]) for name in text[1::2]]
    return "".join(text)


@lru_cache(maxsize=KEPT)
def _drawn(language: str, template: str, shown: NamedTuple, names: tuple[str, ...]) -> list[str]:
    """The text in pieces, of which every second is the name of a value to put in."""
    marks = {name: f"{_MARK}{name}{_MARK}" for name in names}
    text = render_to_string(template, {**shown._asdict(), **marks})
    return re.split(f"{_MARK}(.+?){_MARK}", text)


class _Saved(NamedTuple):
    problem: str
    reported: str


def draw_saved(revision: int, problem: str, reported: str = "") -> str:
    """What is said after a save, or what kept it from being one, and what became of a report."""
    return draw("annotation/_saved.html", _Saved(problem, reported), revision=str(revision))
