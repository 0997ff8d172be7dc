"""The reading of one group of tables while it is made."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from files.columns.names import TURK, words_of
from files.columns.words import last_words
from files.readers.raw_tables import RawTable
from files.reading.doubts import Doubts
from files.reading.evidence.choices import ChoiceWords
from files.reading.evidence.profiles import Profile
from files.reading.evidence.samples import Sample
from files.reading.model import Axis, ColumnReading, Holds, NameReading

INPUT, ANSWER = TURK


@dataclass
class Sketch:
    """What is known so far. holds: the columns that are decided. names: what the names of files
    say. about: what else is known of a criterion's answers, such as that they choose one of two.
    marks: what the cells of a column of errors weigh. tags: what stands around the marked parts of
    a column's texts. mirrored: columns that say the same as another, the other way round.
    """

    sample: Sample
    doubts: Doubts
    holds: dict[str, ColumnReading] = field(default_factory=dict)
    names: list[NameReading] = field(default_factory=list)
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numbered_raters: bool = False
    pairs: bool = False
    is_doubtful: bool = False
    choices: dict[str, ChoiceWords] = field(default_factory=dict)
    set_columns: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    marks: Mapping[str, float] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    mirrored: set[str] = field(default_factory=set)
    remarks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def table(self) -> RawTable:
        """The first of its tables."""
        return self.sample.tables[0]

    @property
    def files(self) -> str:
        """The name of its first table, and how many more there are."""
        more = len(self.sample.tables) - 1
        return f"`{self.table.name}`" + (f" and {more} more" if more else "")

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """Names of nested members taken apart."""
        return {name: path for table in self.sample.tables for name, path in table.paths.items()}

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """The words that a second row of names has."""
        return {n: text for table in self.sample.tables for n, text in table.questions.items()}

    @cached_property
    def is_of_turk(self) -> bool:
        """Whether Mechanical Turk wrote the file."""
        names = self.sample.names
        return any(n.startswith(INPUT) for n in names) and any(n.startswith(ANSWER) for n in names)

    @cached_property
    def numbered(self) -> Mapping[str, list[str]]:
        """The columns whose names differ in their numbers alone."""
        found: dict[str, list[str]] = {}
        for name in self.sample.names:
            found.setdefault(numberless(name), []).append(name)
        return {shape: names for shape, names in found.items() if shape}

    def profile(self, name: str) -> Profile:
        """What a column holds."""
        return self.sample.profiles[name]

    @property
    def free(self) -> list[str]:
        """The columns that nothing is decided about."""
        return [name for name in self.sample.names if name not in self.holds]

    def own_name(self, name: str) -> str:
        """A name without the outer members of nested ones and what Mechanical Turk puts before."""
        members = [member for member in self.paths.get(name, ()) if not member.isdigit()]
        return members[-1] if len(members) > 1 else plain_name(name)

    def put(
        self, name: str, holds: Holds, at: Mapping[Axis, str] | None = None, **more: object
    ) -> None:
        """Decide what a column holds."""
        old = self.holds.get(name)
        where = {**(old.at if old else {}), **(at or {})}
        self.holds[name] = ColumnReading(column=name, holds=holds, at=where, **more)

    def change(self, name: str, at: Mapping[Axis, str], **more: object) -> None:
        """Add to what is decided about a column."""
        old = self.holds[name]
        self.holds[name] = old.model_copy(update={"at": {**old.at, **at}, **more})

    def of(self, *kinds: Holds) -> list[str]:
        """The columns that hold such cells."""
        return [name for name, reading in self.holds.items() if reading.holds in kinds]


def numberless(name: str) -> str:
    """`u#` of `u7`; nothing of a name without a number."""
    found, number = re.subn(r"\d+", "#", name)
    return found if number else ""


def plain_name(name: str) -> str:
    """A column's name without what Mechanical Turk puts before it."""
    for prefix in TURK:
        name = name.removeprefix(prefix)
    return name


def says(name: str, words: Iterable[str]) -> bool:
    """Whether a name has one of these words."""
    return bool(last_words(plain_name(name)) & {*words})


def says_only(name: str, words: Iterable[str], beside: Iterable[str] = ()) -> bool:
    """Whether a name consists of these words, with others of `beside`."""
    found = {word for word in words_of(plain_name(name)) if not word.isdigit()}
    told = {*words}
    return bool(found & told) and not found - told - {*beside}
