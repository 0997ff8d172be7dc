"""What an own column of a table describes, told by where its cells are the same."""

from collections.abc import Hashable, Sequence
from typing import Literal

from files.columns.names import PROPERTY, words_of

Described = Literal["source", "output", "answer", "rater"]
Keys = Sequence[Hashable]


def described(
    name: str, cells: Sequence[str], *, sources: Keys, outputs: Keys, raters: Keys = ()
) -> Described:
    """What the column describes: of a sample of rows, the widest within which its cells are the
    same. sources, outputs, raters: whose the rows are; no raters: the rows are no answers."""
    of_output = _steady(cells, outputs)
    of_rater = len(set(raters)) < len(raters) and _steady(cells, raters)
    if of_rater and (not of_output or words_of(name) & PROPERTY):
        return "rater"
    if not of_output:
        return "answer"
    several = len(set(zip(sources, outputs, strict=True))) > len(set(sources))
    return "source" if several and _steady(cells, sources) else "output"


def _steady(cells: Sequence[str], owners: Keys) -> bool:
    """Whether no owner has two different cells."""
    first: dict[Hashable, str] = {}
    return all(first.setdefault(*row) == row[1] for row in zip(owners, cells, strict=True))
