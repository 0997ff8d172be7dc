"""Places chosen for a batch, and how likely they were to be."""

from typing import NamedTuple

# The numbers by which the places of a round are shuffled lie below.
ORDER = 1 << 31


class ChosenPlace(NamedTuple):
    """A place chosen for a batch, and whether its room is held.

    inclusion: the share of the round's random order that is given out up to this place; None for
    places that are not taken in that order.
    """

    place: int
    unit: int
    source: int
    holds: bool
    inclusion: float | None = None


def share_of_order(shuffle: int) -> float:
    """The probability with which a unit of the round stands no later in its random order."""
    return (shuffle + 1) / ORDER
