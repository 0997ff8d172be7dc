"""The values of cells: one, one for each label of a set, or a sum over the rows of marks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from files.reading.records import RawValue
from files.reading.rows.answers import GivenCell
from files.reading.rows.values import NO, SIDES, TIE, YES, NoAnswer

# Between a criterion and one of its labels, of which several may apply.
OF_LABEL = ": "


def cell_values(cell: GivenCell, systems: Mapping[str, str]) -> list[tuple[str, RawValue]]:
    """(criterion, value) of all that a cell answers; NoAnswer where it holds something else.
    systems: the name of each by its spelling."""
    try:
        if cell.words.rules.form == "choice":
            value: RawValue | None = _side(cell, systems)
        elif cell.words.rules.form == "set":
            return _of_set(cell, systems)
        else:
            value = cell.words.value(cell.text)
    except NoAnswer:
        raise
    except ValueError as error:  # of a number that is none
        raise NoAnswer(str(error)) from error
    return [] if value is None else [(cell.criterion, value)]


def _side(cell: GivenCell, systems: Mapping[str, str]) -> str | None:
    """The better one of a unit's pair, in the order of the first row that has it."""
    names = [output.system for output in cell.unit.outputs]
    side = cell.words.side(cell.text, names, systems)
    if side in (None, TIE) or not cell.unit.turned:
        return side
    return SIDES[1 - SIDES.index(side)]


def _of_set(cell: GivenCell, systems: Mapping[str, str]) -> list[tuple[str, RawValue]]:
    members = cell.words.members(cell.text)
    if members is None:
        return []
    if not cell.place:
        return _of_labels(cell, members)
    names = {systems.get(member, member) for member in members}
    if cell.words.rules.names_system:
        return [(cell.criterion, YES if cell.unit.outputs[0].system in names else NO)]
    if unknown := members - cell.places:
        raise NoAnswer(f"{min(unknown)[:40]!r} is none of the places that the row has")
    return [(cell.criterion, YES if cell.place in members else NO)]


def _of_labels(cell: GivenCell, members: frozenset[str]) -> list[tuple[str, RawValue]]:
    labels = cell.words.labels
    if unknown := members - set(labels):
        raise NoAnswer(f"{min(unknown)[:40]!r} is none of {', '.join(labels)[:200]}")
    named = cell.criterion and f"{cell.criterion}{OF_LABEL}"
    return [(f"{named}{label}", YES if label in members else NO) for label in labels]


@dataclass
class MarkSums:
    """Marks on outputs, a row for each: how many a rater made, or the sum of their weights."""

    _sums: dict[tuple[str, str, str], float] = field(default_factory=dict)
    _cells: dict[tuple[str, str, str], GivenCell] = field(default_factory=dict)

    def add(self, cell: GivenCell) -> None:
        """Count a mark; NoAnswer where the reading does not say what it weighs."""
        try:
            weight = cell.words.weight(cell.text)
        except NoAnswer:
            raise
        except ValueError as error:
            raise NoAnswer(str(error)) from error
        if weight is None:
            return
        slot = cell.unit.key, cell.rater, cell.criterion
        self._cells.setdefault(slot, cell)
        self._sums[slot] = self._sums.get(slot, 0.0) + weight

    def sums(self) -> Iterator[tuple[GivenCell, float]]:
        """The first cell of each unit, rater and criterion with the sum; 0 where a rater marked
        the unit by other criteria alone."""
        criteria = {criterion: None for _, _, criterion in self._sums}
        told: set[tuple[str, str]] = set()
        for (unit, rater, _), cell in self._cells.items():
            if (unit, rater) in told:
                continue
            told.add((unit, rater))
            for criterion in criteria:
                slot = unit, rater, criterion
                yield cell._replace(criterion=criterion), self._sums.get(slot, 0.0)
