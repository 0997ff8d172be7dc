"""Names of facets for criteria as files have them: words, codes, or whole questions."""

import re
import unicodedata
from dataclasses import dataclass, field

from files.reading.model import AnswersReading
from imports.formats.scales import LONGEST_FACET

_WITHOUT_NAME = "rating"


@dataclass
class FacetNames:
    """A name for each criterion, once in a study."""

    _names: dict[str, str] = field(default_factory=dict)

    def name(self, criterion: str, rules: AnswersReading | None) -> str:
        """The criterion's name in small letters, or that of its title where it has none."""
        if criterion not in self._names:
            written = [criterion, rules.title if rules else "", _WITHOUT_NAME]
            self._names[criterion] = self._free(next(filter(None, map(_plain, written))))
        return self._names[criterion]

    def _free(self, name: str) -> str:
        taken, number, free = set(self._names.values()), 1, name
        while free in taken:
            number += 1
            free = f"{name[: LONGEST_FACET - 4]}_{number}"
        return free


def question(criterion: str, rules: AnswersReading | None) -> str:
    """The words of a question that a criterion is; empty where it is a name."""
    title = rules.title if rules else ""
    return next((text for text in (title, criterion) if _is_question(text)), title)


def _is_question(text: str) -> bool:
    return "?" in text or len(text.split()) > 4


def _plain(text: str) -> str:
    """Small letters, digits and underscores, as many words as there is room for."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", ascii_text.lower())
    name = ""
    for word in words:
        longer = f"{name}_{word}" if name else word
        if len(longer) > LONGEST_FACET:
            break
        name = longer
    name = name or "_".join(words)[:LONGEST_FACET]
    return name if re.match("[a-z]", name) else f"c_{name}"[:LONGEST_FACET] if name else ""
