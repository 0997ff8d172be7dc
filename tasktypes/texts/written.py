"""Texts as they were written: their sentences, and the white space that stands between them.

A text is kept once, cut into its sentences. What stands before a sentence is kept where it is more
than the one space that joins running text, so the whole comes back letter by letter, and a sentence
that is masked, changed or left out leaves no second copy behind that says otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from tasktypes.schemas import Schema

# White space; "strip" of the records' schemas would leave nothing of it.
Space = Annotated[str, StringConstraints(strip_whitespace=False, pattern=r"^\s*$")]
ONE_SPACE = " "


def is_empty(value: tuple[object, ...]) -> bool:
    """Whether a field holds nothing, and is left out of what is stored."""
    return not value


# What stands before each sentence; none at all where the sentences are joined by one space each.
# Absent then, so that payloads of running text are what they always were.
Spaces = Annotated[tuple[Space, ...], Field(exclude_if=is_empty)]


def trimmed(text: str) -> str:
    """A text without the white space around it, save the indentation of the first of its lines."""
    words = text.strip()
    if "\n" not in words:
        return words
    before = text[: text.index(words)]
    return before[max(before.rfind("\n"), before.rfind("\r")) + 1 :] + words


# Longer texts; "strip" of the records' schemas would take the indentation of the first line away.
Lines = Annotated[str, StringConstraints(strip_whitespace=False), AfterValidator(trimmed)]


def as_written(sentences: Iterable[str], spaces: Sequence[str] = ()) -> str:
    """The text that these sentences are, with its lines."""
    if not spaces:
        return ONE_SPACE.join(sentences)
    return "".join(part for pair in zip(spaces, sentences, strict=True) for part in pair)


def spaces_of(before: Sequence[str | None]) -> tuple[str, ...]:
    """What stands before each sentence, where None is what joins running text; empty where all
    is running text."""
    usual = [ONE_SPACE if at else "" for at in range(len(before))]
    told = tuple(u if gap is None else gap for u, gap in zip(usual, before, strict=True))
    return () if list(told) == usual else told


def offsets(sentences: Sequence[str], spaces: Sequence[str] = ()) -> tuple[tuple[int, int], ...]:
    """Where each sentence begins and ends in the text."""
    before = spaces or [ONE_SPACE if at else "" for at in range(len(sentences))]
    ends = accumulate(len(gap) + len(text) for gap, text in zip(before, sentences, strict=True))
    return tuple((end - len(text), end) for end, text in zip(ends, sentences, strict=True))


def remaining(
    before: Sequence[str | None], left_out: Callable[[int], bool]
) -> Iterator[tuple[int, str | None]]:
    """The positions of the sentences that remain, and what then stands before each: of the spaces
    around one that is left out the one with the most line breaks, so that paragraphs stay apart."""
    spaces: list[str | None] = []
    begun = False
    for position, gap in enumerate(before):
        spaces.insert(0, gap)
        if not left_out(position):
            widest = max(spaces, key=lambda gap: (gap or "").count("\n"))
            yield position, widest if begun or len(spaces) == 1 else None
            spaces, begun = [], True


class InSentences(Schema):
    """A payload whose `sentences` are one text, each of them a string."""

    spaces: Spaces = ()

    @model_validator(mode="after")
    def _one_space_each(self) -> Self:
        if self.spaces and len(self.spaces) != len(_sentences(self)):
            raise ValueError("spaces: not one before every sentence")
        return self

    @property
    def text(self) -> str:
        """The whole text as it was written; empty where there is none, or several."""
        return as_written(_sentences(self), self.spaces)


def _sentences(payload: Any) -> tuple[str, ...]:
    sentences: tuple[str, ...] = payload.sentences
    return sentences
