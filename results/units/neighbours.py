"""The units before and after one, for reading on."""

from dataclasses import dataclass

from results.units.drilldown import Found
from results.units.lines import UnitLines


@dataclass(frozen=True)
class Neighbours:
    """Ids of the units before and after one in a list, None at the ends. place, of: where it
    stands there, from 1."""

    before: int | None
    after: int | None
    place: int
    of: int


def neighbours_in(found: Found, unit_id: int) -> Neighbours | None:
    """In a list of units behind a number; None where the unit is not in it."""
    lines = found.lines
    ids = lines.unit_id.tolist() if isinstance(lines, UnitLines) else [of.unit_id for of in lines]
    if unit_id not in ids:
        return None
    at = ids.index(unit_id)
    before = ids[at - 1] if at else None
    after = ids[at + 1] if at + 1 < len(ids) else None
    return Neighbours(before, after, at + 1, len(ids))
