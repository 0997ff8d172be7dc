"""Places chosen for a batch, and how likely they were to be."""

from typing import NamedTuple

from annotation.models.places import ORDER


class ChosenPlace(NamedTuple):
    """A place chosen for a batch, and whether its room is held.

    inclusion: the share of the round's random order that is given out up to this place; None for
    places that are not taken in that order. meets_again: whether the worker may meet other units of
    the source.
    """

    place: int
    unit: int
    source: int
    holds: bool
    inclusion: float | None = None
    meets_again: bool = False


def share_of_order(turn: int) -> float | None:
    """The probability with which a unit of the round stands no later in its random order. None for
    a unit whose priority was changed: it is reached by choice, not at random."""
    return (turn + 1) / ORDER if 0 <= turn < ORDER else None
