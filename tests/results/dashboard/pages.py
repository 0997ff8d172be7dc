"""The page of results for tests: its address, its questions, and its tables by their key."""

import re
from collections.abc import Sequence

from django.urls import reverse

from annotation.models import Study
from results.dashboard.panels import Panel, Section


def panel_of(sections: Sequence[Section], key: str) -> Panel:
    """The table of that key."""
    (found,) = [
        panel
        for section in sections
        for part in section.parts
        for panel in part.panels
        if panel.key == key
    ]
    return found


QUESTIONS = [
    "Can the humans be trusted?",
    "Can the judges replace them?",
    "What did the study find?",
]
# No number that is none: as a word of its own in a page, a file or a figure's text.
# "none: one cluster only" says why there is no interval.
NO_NUMBER = re.compile(r"\b(nan|inf|infinity|none(?!:))\b", re.IGNORECASE)


def address(study: Study, name: str = "dashboard") -> str:
    return reverse(f"results:{name}", args=[study.slug])
