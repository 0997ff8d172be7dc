"""A design in several files: one a person, system or criterion, or a second one that says more."""

from collections.abc import Callable
from dataclasses import replace

from tests.files.reading.designs.design import Design, Judged
from tests.files.reading.designs.flat_shapes import long, wide_by_criterion, wide_by_rater
from tests.files.reading.designs.grids import (
    CRITERION,
    RATER,
    SOURCE,
    SYSTEM,
    Grid,
    Written,
    about,
)


def file_by_rater(design: Design) -> Written:
    """A file, sheet or folder a person."""
    told = about(design)
    draw = design.rng
    place = draw.choice(("{}", "{}", "annotator_{}", "results {}", "{}/ratings"))
    if design.odd:
        place = draw.choice((place, "Bewertung_{}", "{}_final"))
    grids = []
    for rater in design.raters:
        rows = []
        for source, system in design.outputs():
            values = [design.answers.get((source, system, rater, c), "") for c in design.criteria]
            if any(values):
                rows.append([*told.cells(source, system), *values])
        grids.append(Grid(place.format(rater), [*told.names, *design.criteria], rows))
    known = told.known | {RATER, CRITERION}
    sheets = "/" not in place and draw.random() < 0.3
    return _written(design, known, grids, texts=told.texts, sheets=sheets)


def file_by_system(design: Design) -> Written | None:
    """A file, sheet or folder a system; rows as in a long or wide table."""
    if design.one_system:
        return None
    return _split(
        design,
        design.systems,
        ("{}", "{}_out", "outputs/{}", "human_eval_{}", "{}/annotations"),
        lambda answer, system: answer.system == system,
        SYSTEM,
    )


def file_by_criterion(design: Design) -> Written | None:
    """A file or sheet a criterion."""
    if len(design.criteria) < 2:
        return None
    return _split(
        design,
        design.criteria,
        ("{}", "{}_results", "ratings_{}", "batch {}"),
        lambda answer, criterion: answer.criterion == criterion,
        CRITERION,
    )


def _split(
    design: Design,
    parts: list[str],
    places: tuple[str, ...],
    belongs: Callable[[Judged, str], bool],
    axis: str,
) -> Written:
    """One table a part; a row an answer, or a person and output where the part is a system."""
    told = about(design, with_system=axis != SYSTEM)
    rater = design.names.column("rater")
    by_criterion = axis == SYSTEM
    columns = design.criteria if by_criterion else [design.names.column("value")]
    place = design.rng.choice(places)
    grids = []
    for part in parts:
        rows = []
        mine = [a for a in design.judged() if belongs(a, part)]
        for s, y, r in {(a.source, str(a.system), a.rater): None for a in mine}:
            what = design.criteria if by_criterion else [part]
            values = [design.answers.get((s, y, r, c), "") for c in what]
            rows.append([*told.cells(s, y), r, *values])
        grids.append(Grid(place.format(part), [*told.names, rater, *columns], rows))
    sheets = "/" not in place and design.rng.random() < 0.3
    known = told.known | {axis, CRITERION}
    return _written(design, known, grids, texts=told.texts, sheets=sheets)


def blinded(design: Design) -> Written | None:
    """A table that has codes of systems, or of outputs, and a second one that tells them."""
    if design.one_system:
        return None
    shape = design.rng.choice((long, wide_by_criterion, wide_by_rater))
    by_output = design.rng.random() < 0.5
    codes = _codes(design, by_output=by_output)
    inner = _blind(design, codes)
    found = shape(inner)
    if len(found.answers) != len(design.answers):
        return None
    key = design.rng.choice(("code", "blind_id", "anon_id", "label_id", "Kürzel"))
    head = ["key_file", "codes", "zz_systems"]
    (grid,) = found.grids
    column = _column_of(inner, grid)
    if column is None:
        return None
    grid.header[column] = key
    rows = [[code, y] for (_, y), code in codes.items()]
    header = [key, design.names.column("system")]
    if by_output:
        rows = [[code, s, y] for (s, y), code in codes.items()]
        header = [key, design.names.column("source"), header[1]]
    found.grids.append(Grid(design.rng.choice(head), header, [*map(list, {*map(tuple, rows)})]))
    known = found.known | {SYSTEM} | ({SOURCE} if by_output else frozenset())
    return _written(design, known, found.grids, texts=found.texts)


def _codes(design: Design, *, by_output: bool) -> dict[tuple[str, str], str]:
    if by_output:
        places = design.outputs()
        numbers = design.rng.sample(range(10000, 99999), len(places))
        return {place: f"x{n}" for place, n in zip(places, numbers, strict=True)}
    letters = dict(zip(design.systems, "KLMNOP", strict=False))
    return {(s, y): letters[y] for s, y in design.outputs()}


def _blind(design: Design, codes: dict[tuple[str, str], str]) -> Design:
    """The same with codes for systems."""
    texts = {(s, codes[s, y]): text for (s, y), text in design.texts.items()}
    answers: dict[tuple[str, str | tuple[str, str], str, str], str] = {
        (s, codes[s, str(y)], r, c): v for (s, y, r, c), v in design.answers.items()
    }
    return replace(design, systems=[*{*codes.values()}], texts=texts, answers=answers)


def _column_of(design: Design, grid: Grid) -> int | None:
    """Where the table has the codes."""
    for n in range(len(grid.header)):
        if {row[n] for row in grid.rows} <= {*design.systems}:
            return n
    return None


def texts_beside(design: Design) -> Written:
    """Ratings alone, and a second table with the texts, joined by the id."""
    by_rater = design.rng.random() < 0.5
    source = design.rng.choice(("doc_id", "id", "item", "Nr", "example"))
    system = design.rng.choice(("system", "model", "Variante"))
    named = [] if design.one_system else [system]
    rater, value = design.names.column("rater"), design.names.column("value")
    rows = []
    if by_rater and len(design.criteria) == 1:
        (what,) = design.criteria
        header = [source, *named, *(f"annotator_{n + 1}" for n in range(len(design.raters)))]
        for s, y in design.outputs():
            values = [design.answers.get((s, y, r, what), "") for r in design.raters]
            rows += [[s, *([y] if named else []), *values]] if any(values) else []
    else:
        criterion = [design.names.column("criterion")] if len(design.criteria) > 1 else []
        header = [source, *named, rater, *criterion, value]
        for s, which, r, c, v in design.judged():
            rows.append([s, *([str(which)] if named else []), r, *([c] if criterion else []), v])
    beside = [source, *named, design.names.column("document"), design.names.column("text")]
    texts = [
        [s, *([y] if named else []), design.documents[s], design.texts[s, y]]
        for s, y in design.outputs()
    ]
    grids = [Grid("a_ratings", header, rows), Grid("b_texts", beside, texts)]
    known = frozenset({SOURCE, RATER, CRITERION}) | ({SYSTEM} if named else frozenset())
    written = _written(design, known, grids, texts=frozenset(design.texts.values()))
    written.beside = True
    return written


def texts_in_order(design: Design) -> Written | None:
    """Ratings by person without any id, and texts in the same order."""
    every = len(design.answers) == len(design.outputs()) * len(design.raters)
    if len(design.criteria) > 1 or not every:
        return None
    (what,) = design.criteria
    header = [f"annotator_{n + 1}" for n in range(len(design.raters))]
    rows = [[design.answers[s, y, r, what] for r in design.raters] for s, y in design.outputs()]
    named = [] if design.one_system else [design.names.column("system")]
    beside = [design.names.column("source"), *named, design.names.column("text")]
    texts = [[s, *([y] if named else []), design.texts[s, y]] for s, y in design.outputs()]
    grids = [
        Grid("a_ratings", header, rows, keep_order=True),
        Grid("b_outputs", beside, texts, keep_order=True),
    ]
    known = frozenset({SOURCE, RATER, CRITERION}) | ({SYSTEM} if named else frozenset())
    written = _written(design, known, grids, texts=frozenset(design.texts.values()))
    written.beside = True
    written.open = "only the number of rows says that those of the two files belong together"
    return written


def _written(
    design: Design,
    known: frozenset[str],
    grids: list[Grid],
    *,
    texts: frozenset[str] = frozenset(),
    sheets: bool = False,
) -> Written:
    known -= {SYSTEM} if design.one_system else frozenset[str]()
    return Written([*design.judged()], known, grids, texts=texts, sheets=sheets)
