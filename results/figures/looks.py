"""What tells the parties of a figure apart, on pages and in files."""

from typing import NamedTuple

# As many shapes as inks; `drawing.SHAPES`, `layout.shapes.MARKS` and the style sheet have them.
KINDS = 6


class Look(NamedTuple):
    """A party's mark: shape and ink by number, and whether only its outline is drawn."""

    shape: int
    ink: int
    hollow: bool


def look_of(party: int) -> Look:
    """The look of a figure's nth party, from 0. The first twelve differ without their ink, the
    first thirty-six with it."""
    cycle, shape = divmod(party, KINDS)
    return Look(shape, (shape + cycle) % KINDS, bool(cycle % 2))
