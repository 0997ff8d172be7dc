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
    for name in sketch.of(Holds.ANSWER):
        rows = zip(
            sketch.sample.keys([*raters, *keys]),
            sketch.sample.cells(name),
            sketch.sample.files,
            strict=True,
        )
        for key, cell, number in rows:
            if not cell or not all(key[: len(raters)]):
                continue
            slot = hash((name, key, number if by_file else 0))
            pair = copies.add(slot, number, cell)
            if slot in met:
                again[pair] += 1
            met.add(slot)
    both = {(one, other): again.pop((one, other)) for one, other in copies.pairs}
    return again.total(), both
