"""Questions whose answer is a choice between two texts: for methods that compare.

The optional part of the contract beside `tasktypes.machines.scores`: a type that shows two texts
side by side derives from `InPairs`, too.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from tasktypes.schemas import Schema

P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
Letter = Literal["A", "B"]
LETTERS: tuple[Letter, ...] = ("A", "B")


@dataclass(frozen=True)
class Pairing:
    """One choice that an answer holds, as a question of its own; `a` is the text shown first."""

    criterion: str
    question: str
    definition: str
    material: str
    document: str
    a: str
    b: str


class InPairs(ABC, Generic[P, A]):
    """What a type does besides, so that methods that compare can answer it."""

    @abstractmethod
    def pairings(self, payload: P) -> tuple[Pairing, ...]:
        """Every choice that an answer takes, in an order that is always the same."""

    @abstractmethod
    def from_choices(self, payload: P, choices: Sequence[Letter]) -> A:
        """The answer that these choices make, in the order of `pairings`."""
