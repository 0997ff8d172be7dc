"""What a proposed reading comes with: its questions, what it finds, and what to know of it."""

from typing import Annotated

from pydantic import Field

from files.errors import OpenQuestion
from files.reading.model import Reading, ReadingPart, Text


class Choice(ReadingPart):
    """One way to decide a question. key: what `Stated.decided` has for it."""

    key: Text
    label: Text
    """What it means, in words."""
    flags: str
    """The options of a command that decide it so."""
    reading: Reading


class Question(ReadingPart):
    """What the files leave open."""

    key: Text
    text: Text
    choices: Annotated[tuple[Choice, ...], Field(min_length=2, max_length=4)]

    def __str__(self) -> str:
        ways = "; ".join(f"{choice.flags} ({choice.label})" for choice in self.choices)
        return f"{self.text} {ways}"


class Counts(ReadingPart):
    """What the reading finds."""

    sources: int = 0
    outputs: int = 0
    systems: int = 0
    units: int = 0
    raters: int = 0
    judges: int = 0
    criteria: int = 0
    answers: int = 0
    answers_per_unit: tuple[int, int] = (0, 0)
    """The fewest and the most answers of people that a unit has to one criterion."""
    sampled: bool = False
    """Whether these are counts of the first rows alone."""


class Remark(ReadingPart):
    """Something to know before the import, such as cells off the scale or a column left out."""

    key: Text
    text: Text
    flags: str = ""
    """The options that change it, where some do."""


class Proposal(ReadingPart):
    """A reading with what is open about it."""

    reading: Reading
    sentence: Text
    """The reading in one sentence."""
    counts: Counts
    questions: tuple[Question, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def refuse_open(self, where: str) -> None:
        """OpenQuestion with the first question and the options that decide it."""
        if self.questions:
            rest = len(self.questions) - 1
            more = f" (and {rest} more question{'s' if rest > 1 else ''})" if rest else ""
            first = self.questions[0]
            choices = [(f"{first.key}={each.key}", each.label) for each in first.choices]
            raise OpenQuestion(where, "question", f"{first}{more}", choices=choices)
