"""Answers as separate values: for judges without a model, which fit each value to people's.

The optional part of the contract beside `tasktypes.machines.scores` and `pairs`: a type whose
answers come apart into numbers and labels derives from `InParts`, too.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tasktypes.schemas import Schema

P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
Value = float | str


@dataclass(frozen=True)
class Part:
    """One value that an answer holds.

    facet: what it is about; parts of a facet are of one kind. options: the points or labels to
    choose from; none where any number from low to high will do. text: what is judged. source: what
    it can be compared with; empty where there is nothing. rivals: the other texts, where it is
    judged against them. place: its position, where the commonest answer depends on it.
    """

    facet: str
    text: str
    source: str = ""
    options: tuple[Value, ...] = ()
    low: float = 0.0
    high: float = 1.0
    rivals: tuple[str, ...] = ()
    place: int | None = None

    @property
    def slot(self) -> str:
        """The name of what its base rate is taken over."""
        return self.facet if self.place is None else f"{self.facet}/{self.place}"


class InParts(ABC, Generic[P, A]):
    """What a type does besides, so that judges without a model can answer it."""

    @abstractmethod
    def parts(self, payload: P) -> tuple[Part, ...]:
        """Every value that an answer takes, in an order that is always the same."""

    @abstractmethod
    def to_parts(self, payload: P, answer: A) -> Sequence[Value | None]:
        """The values of an answer, in the order of `parts`; None for one that it lacks."""

    @abstractmethod
    def from_parts(self, payload: P, values: Sequence[Value]) -> A:
        """The answer that these values make. Numbers may lie anywhere from low to high."""


def others(texts: Sequence[str], at: int) -> tuple[str, ...]:
    """The texts but the one at that position."""
    return (*texts[:at], *texts[at + 1 :])


def highest(values: Sequence[float], how_many: int) -> list[int]:
    """The positions of the highest values, ascending; of equal ones the first."""
    order = sorted(range(len(values)), key=lambda at: -values[at])
    return sorted(order[:how_many])
