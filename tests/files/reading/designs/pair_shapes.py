"""Comparisons of two systems as tables: a row a judgement, or a column a person."""

from collections.abc import Callable
from zlib import crc32

from tests.files.reading.designs.design import Design
from tests.files.reading.designs.grids import CRITERION, RATER, SOURCE, SYSTEM, Grid, Written

Pair = tuple[str, str]
Coded = Callable[[Pair, str], str]

_ENDS = (("_a", "_b"), ("_1", "_2"), ("1", "2"), ("_left", "_right"), (" A", " B"), ("A", "B"))
_TIES = ("tie", "Tie", "equal", "both", "same", "similar", "neither")
_ODD_TIES = ("C", "unentschieden", "no preference", "draw", "both are good", "=", "gleich")


def pairs_long(design: Design) -> Written:
    """A row a judgement, or a person and pair with a column a criterion."""
    ends = design.rng.choice(_ENDS)
    header, said = _shown(design, ends)
    coded = _coding(design, ends)
    rater = design.names.column("rater")
    several = len(design.criteria) > 1
    by_column = several and design.rng.random() < 0.5
    header.append(rater)
    if by_column:
        header += [design.rng.choice((f"{c}", f"better_{c}")) for c in design.criteria]
    else:
        header += [design.names.column("criterion")] if several else []
        header.append(design.names.column("winner"))
    rows, people = [], []
    for source, pair, who in {(s, y, r): None for s, y, r, _ in design.answers}:
        assert isinstance(pair, tuple)
        given = {c: design.answers.get((source, pair, who, c)) for c in design.criteria}
        cells = {c: coded(pair, v) if v else "" for c, v in given.items()}
        if by_column:
            more = [[*cells.values()]]
        else:
            more = [[*([c] if several else []), v] for c, v in cells.items() if v]
        rows += [[*said(source, pair), who, *one] for one in more]
        people += [who] * len(more)
    return _written(design, Grid("comparisons", header, rows, people=people))


def pairs_wide(design: Design) -> Written | None:
    """A row a pair, a column a person."""
    if len(design.criteria) > 1:
        return None
    ends = design.rng.choice(_ENDS)
    header, said = _shown(design, ends)
    coded = _coding(design, ends)
    patterns = ("annotator{n}", "rater_{n}", "Annotator {n}", "human_{n}", "ann{n}_preference")
    pattern = design.rng.choice(("Bewerter {n}", "{r}", "P{n}") if design.odd else patterns)
    header += [pattern.format(n=n, r=r) for n, r in enumerate(design.raters, 1)]
    (what,) = design.criteria
    rows = []
    for source, pair in {(s, y): None for s, y, _, _ in design.answers}:
        assert isinstance(pair, tuple)
        given = [design.answers.get((source, pair, r, what)) for r in design.raters]
        rows.append([*said(source, pair), *(coded(pair, v) if v else "" for v in given)])
    return _written(design, Grid("pairs", header, rows))


def pairs_batch(design: Design) -> Written:
    """Batch results with both outputs and their systems as input."""
    ends = design.rng.choice(_ENDS[:3])
    header, said = _shown(design, ends)
    coded = _coding(design, ends, letters=True)
    answered = [f"Answer.best_{c}" for c in design.criteria]
    meta = ["HITId", "AssignmentId", "WorkerId", "WorkTimeInSeconds", "LifetimeApprovalRate"]
    rows = []
    for n, (source, pair, who) in enumerate({(s, y, r): None for s, y, r, _ in design.answers}):
        assert isinstance(pair, tuple)
        given = [design.answers.get((source, pair, who, c)) for c in design.criteria]
        row = [
            f"3H{crc32(repr((source, pair)).encode()):08X}",
            f"AS{n:07}",
            who,
            str(design.rng.randint(9, 900)),
        ]
        row += ["99% (120/121)", *said(source, pair)]
        rows.append([*row, *(coded(pair, v) if v else "" for v in given)])
    names = [*meta, *(f"Input.{name}" for name in header), *answered]
    return _written(design, Grid("Batch_99_batch_results", names, rows))


def _shown(
    design: Design, ends: tuple[str, str]
) -> tuple[list[str], Callable[[str, Pair], list[str]]]:
    """The columns of a pair with what they say: the source, two systems, and perhaps two texts."""
    with_texts = design.rng.random() < 0.6
    system = design.rng.choice(("system", "model", "sys", "generator"))
    text = design.rng.choice(("summary", "response", "text", "output", "answer"))
    key = design.names.column("source")
    header = [key, *(system + end for end in ends)]
    header += [text + end for end in ends] if with_texts else []

    def said(source: str, pair: Pair) -> list[str]:
        texts = [design.texts[source, y] for y in pair] if with_texts else []
        return [source, *pair, *texts]

    return header, said


def _coding(design: Design, ends: tuple[str, str], *, letters: bool = False) -> Coded:
    """How a winner is told: by letter, number, name, side or the end of the columns' names."""
    tie = design.rng.choice(_ODD_TIES if design.odd else _TIES)
    codes = (("A", "B", tie), ("1", "2", "0"), ("1", "2", tie), ("a", "b", tie))
    ended = tuple(end.strip("_ ") for end in ends)
    by_end = (*ended, tie)
    form = "letters" if letters else design.rng.choice(("codes", "end", "name", "name"))
    if letters or form == "codes":
        first, second, neither = codes[0] if letters else design.rng.choice(codes)
    elif form == "end":
        first, second, neither = by_end

    def coded(pair: Pair, value: str) -> str:
        if form == "name":
            return tie if value == "tie" else value
        return neither if value == "tie" else first if value == pair[0] else second

    return coded


def _written(design: Design, grid: Grid) -> Written:
    known = frozenset({SOURCE, SYSTEM, RATER, CRITERION})
    return Written([*design.judged()], known, [grid], texts=frozenset(design.texts.values()))
