"""Choices of the best and the worst of several outputs, which no kind of question asks."""

from files.columns.names import words_of
from files.errors import ImportFailure
from files.reading.evidence.families import families
from files.reading.layouts.sketch import Sketch, plain_name
from files.reading.model import Holds

_BEST, _WORST = frozenset(["best", "most"]), frozenset(["worst", "least"])
# Of two, the better one is the best.
_FEWEST = 3


def refuse_best_worst(sketch: Sketch) -> None:
    """ImportFailure where two columns choose the best and the worst of those beside them."""
    free = [*sketch.free, *sketch.of(Holds.ANSWER, Holds.KEPT)]
    best, worst = (
        [n for n in free if words_of(plain_name(n)) & words] for words in (_BEST, _WORST)
    )
    if not best or not worst:
        return
    others = [n for n in sketch.sample.names if n not in (*best, *worst)]
    for family in families(others, sketch.paths)[0]:
        columns = list(family.places)
        if len(columns) >= _FEWEST and all(
            _chooses(sketch, n, columns) for n in (best[0], worst[0])
        ):
            reason = (
                f"the best and the worst of {len(columns)} (`{columns[0]}` to `{columns[-1]}`), "
                "which cannot be imported: import a rating of each output, such as how often it "
                "was the best less how often the worst, or its comparisons in pairs"
            )
            raise ImportFailure(f"{sketch.table.name}:1", f"{best[0]}, {worst[0]}", reason)


def _chooses(sketch: Sketch, name: str, columns: list[str]) -> bool:
    """Whether the cells name one of those beside them, or its place."""
    places = {str(place) for place in range(1, len(columns) + 1)}
    rows = [
        (cell, beside)
        for cell, beside in zip(sketch.sample.cells(name), sketch.sample.keys(columns), strict=True)
        if cell
    ]
    named = sum(cell in beside for cell, beside in rows)
    numbered = sum(cell in places for cell, _ in rows)
    return bool(rows) and max(named, numbered) >= 0.9 * len(rows)
