"""Proposing a reading of tables from what they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from imports.readers.raw_tables import RawTable
from imports.reading.model import Axis, Holds, Proposal


@dataclass(frozen=True)
class Stated:
    """What somebody said beforehand, by options of a command or on a page; it is taken as it is.

    columns: column -> what it holds. names: what the names of files say. humans, judges: columns
    or raters that are people or machines. decided: key of a question -> key of the choice.
    """

    columns: Mapping[str, Holds] = field(default_factory=dict)
    names: Axis | None = None
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    decided: Mapping[str, str] = field(default_factory=dict)


def proposed(tables: Sequence[RawTable], stated: Stated | None = None) -> Proposal:
    """The reading that the tables propose, with what they leave open. ImportFailure where no
    reading makes anything of them, saying what they would need."""
    raise NotImplementedError
