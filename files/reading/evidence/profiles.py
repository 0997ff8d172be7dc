"""What the cells of a column say, whatever its name is."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from files.columns.cells import MOST_POINTS, is_number
from files.columns.words import NO_ANSWERS

# A longer text is nobody's key.
LONGEST_KEY = 200
# Words on a scale may be short sentences.
LONGEST_LABEL = 160
MOST_LABELS = 15
_DATE = re.compile(
    r"\d{4}[-/.]\d\d?[-/.]\d\d?([T ].{0,40})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}([ ,].{0,30})?"
    r"|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? .{6,60}|\d{1,2}:\d\d(:\d\d)?( ?[AP]M)?"
)
_LINK = re.compile(r"(https?|ftp)://\S{1,2000}")
_COMMA = re.compile(r"[+-]?\d{1,12},\d{1,12}")
_SET = re.compile(r"\w{1,20}(?:\s?([|;,])\s?\w{1,20}){1,30}")
_NUMBERED = re.compile(r"[(\[]?[+-]?\d{1,2}[)\]]?\s*[:.=–—-]")
_MOST = 0.9


class Content(StrEnum):
    """What most cells of a column are."""

    EMPTY = "nothing"
    DATES = "dates"
    LINKS = "links"
    OBJECTS = "objects"
    TEXTS = "texts"
    LABELS = "few values"
    NUMBERS = "numbers"
    CODES = "codes"


@dataclass(frozen=True)
class Profile:
    """A column of a sample. cells: of all rows, stripped; empty in those that lack the column."""

    name: str
    cells: Sequence[str]
    rows: int
    """How many rows have the column at all."""

    @cached_property
    def values(self) -> Counter[str]:
        """How often each value stands, without empty cells."""
        return Counter(filter(None, self.cells))

    @cached_property
    def filled(self) -> int:
        """How many cells say something."""
        return self.values.total()

    @property
    def share_filled(self) -> float:
        """The same as a share of all."""
        return self.filled / self.rows if self.rows else 0.0

    @cached_property
    def longest(self) -> int:
        """The length of the longest value."""
        return max(map(len, self.values), default=0)

    @cached_property
    def mean_length(self) -> float:
        """The mean length of the different values."""
        return sum(map(len, self.values)) / max(1, len(self.values))

    @cached_property
    def said(self) -> Counter[str]:
        """The values without those that say that there is no answer."""
        return Counter({v: n for v, n in self.values.items() if v.casefold() not in NO_ANSWERS})

    @cached_property
    def numeric(self) -> float:
        """The share of cells that are numbers, of those with an answer."""
        return self._share(lambda value: is_number(value) or bool(_COMMA.fullmatch(value)))

    @cached_property
    def numbers(self) -> list[float]:
        """Those among its values, with a point or a comma."""
        return [float(v) for v in (each.replace(",", ".") for each in self.said) if is_number(v)]

    @cached_property
    def is_unique(self) -> bool:
        """Whether no value stands twice."""
        return bool(self.filled) and len(self.values) == self.filled

    @property
    def is_constant(self) -> bool:
        """Whether all rows say the same."""
        return len(self.values) == 1

    @cached_property
    def has_commas(self) -> bool:
        """Whether numbers are written with a comma, and these are no places: `1,3`."""
        return any(_COMMA.fullmatch(value) for value in self.values) and not _are_places(self.said)

    @cached_property
    def separator(self) -> str:
        """The mark between the members of a set; empty: the cells hold none."""
        found = Counter(m[1] for value in self.values if (m := _SET.fullmatch(value)))
        if not found or self.has_commas:
            return ""
        mark = found.most_common(1)[0][0]
        cells = [v for v in self.values if mark in v]
        members = {part.strip() for v in self.values for part in v.split(mark)}
        enough = len(cells) > 1 or all(part.isdigit() for part in members)
        return mark if enough and len(members) <= MOST_POINTS else ""

    @cached_property
    def content(self) -> Content:
        """What most cells are."""
        if not self.values:
            return Content.EMPTY
        for content, is_one in _KINDS.items():
            if self._share(is_one) >= _MOST:
                return content
        if self.numeric >= _MOST:
            return Content.LABELS if self._has_few_points else Content.NUMBERS
        if self._has_few_words:
            return Content.LABELS
        spaces = sum(value.count(" ") for value in self.values) / len(self.values)
        is_text = self.longest > LONGEST_KEY or (self.mean_length > 20 and spaces >= 2)
        return Content.TEXTS if is_text else Content.CODES

    @property
    def is_categorical(self) -> bool:
        """Whether its values come again and again."""
        return self.content is Content.LABELS

    @property
    def may_be_key(self) -> bool:
        """Whether cells are short and mostly there."""
        kinds = (Content.CODES, Content.NUMBERS, Content.LABELS, Content.DATES)
        return self.content in kinds and self.longest <= LONGEST_KEY and self.share_filled > _MOST

    @property
    def _has_few_points(self) -> bool:
        rare = [v for v, n in self.said.items() if n <= 0.02 * self.said.total()]
        if len(self.said) - len(rare) > MOST_POINTS:
            return False
        few = len(self.said) <= MOST_POINTS
        comes_again = self.said.total() >= 1.3 * len(self.said) or len(self.said) <= 5
        is_sparse = self.share_filled < 0.5 or (self.filled <= 12 and max(map(len, self.said)) < 2)
        return few and (is_sparse or (comes_again and not (self.is_unique and len(self.said) > 2)))

    @property
    def _has_few_words(self) -> bool:
        if self.filled <= 12 and self.longest <= 3:
            return True
        if self.longest > LONGEST_LABEL or (self.is_unique and len(self.values) > 2):
            return False
        if len(self.values) > 5 and self.mean_length > 45 and not self._has_numbers_in_front:
            return False
        most = max(MOST_LABELS, min(40, self.filled // 8))
        return len(self.values) <= most and self.filled >= 1.5 * len(self.values)

    @property
    def _has_numbers_in_front(self) -> bool:
        numbered = sum(bool(_NUMBERED.match(value)) for value in self.values)
        return numbered >= 0.4 * len(self.values)

    def _share(self, is_one: Callable[[str], bool]) -> float:
        total = self.said.total()
        return sum(n for v, n in self.said.items() if is_one(v)) / total if total else 0.0


def _are_places(values: Collection[str]) -> bool:
    """Whether cells name places, one after another; of numbers with a comma, halves are usual."""
    several = [value.split(",") for value in values if "," in value]
    if not all(part.isdigit() for value in values for part in value.split(",")):
        return False
    rising = all(0 < int(one) < int(other) for each in several for one, other in pairwise(each))
    return rising and {each[-1] for each in several} - {"5", "25", "75"} != set()


def _is_object(value: str) -> bool:
    if value[:1] not in "{[" or len(value) < 2:
        return False
    try:
        return isinstance(json.loads(value), dict | list)
    except ValueError:
        return value[0] == "[" and value[-1] == "]"


_KINDS: dict[Content, Callable[[str], bool]] = {
    Content.DATES: lambda value: bool(_DATE.fullmatch(value)),
    Content.LINKS: lambda value: bool(_LINK.fullmatch(value)),
    Content.OBJECTS: _is_object,
}
