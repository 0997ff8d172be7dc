"""What raters answered more than once in the rows of a sketch."""

from collections import Counter

from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds
from files.reading.rows.copies import Copies, Pair

_UNIT = (Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.SYSTEM, Holds.CRITERION)


def repeats_of(sketch: Sketch) -> tuple[int, dict[tuple[int, int], int]]:
    """(how many answers were given again, how many stand in both of two files)."""
    raters = [n for n in sketch.of(Holds.RATER) if not sketch.holds[n].at]
    keys = sketch.of(*_UNIT)
    if not raters or sketch.marks or any(sketch.holds[n].split for n in keys):
        return 0, {}
    by_file = any(n.says in (Axis.CRITERION, Axis.SYSTEM) for n in sketch.names)
    met, again, copies = set[int](), Counter[Pair | None](), Copies()
    is_left = _left_out(sketch)
    for name in sketch.of(Holds.ANSWER):
        rows = zip(
            sketch.sample.keys([*raters, *keys]),
            sketch.sample.cells(name),
            sketch.sample.files,
            is_left,
            strict=True,
        )
        for key, cell, number, left in rows:
            if left or not cell or not all(key[: len(raters)]):
                continue
            slot = hash((name, key, number if by_file else 0))
            pair = copies.add(slot, number, cell)
            if slot in met:
                again[pair] += 1
            met.add(slot)
    both = {(one, other): again.pop((one, other)) for one, other in copies.pairs}
    return again.total(), both


def _left_out(sketch: Sketch) -> list[bool]:
    """Of each row whether it is no data."""
    found = [False] * len(sketch.sample)
    for name, values in sketch.left_out.items():
        cells = sketch.sample.cells(name)
        found = [left or cell in values for left, cell in zip(found, cells, strict=True)]
    return found
