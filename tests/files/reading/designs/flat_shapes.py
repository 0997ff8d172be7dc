"""A design as one flat table: long, wide by annotator, criterion or system, batch, form."""

from statistics import fmean
from zlib import crc32

from tests.files.reading.designs.design import Design, Judged
from tests.files.reading.designs.grids import (
    CRITERION,
    RATER,
    SOURCE,
    SYSTEM,
    About,
    Grid,
    Written,
    about,
    judged_of,
    rated,
    value_of,
)


def long(design: Design) -> Written:
    """A row an answer."""
    told = about(design)
    rater, value = design.names.column("rater"), design.names.column("value")
    several = len(design.criteria) > 1
    criterion = [design.names.column("criterion")] if several else []
    rows, people = [], []
    for source, system, who, what, said in design.judged():
        rows.append([*told.cells(source, str(system)), who, *([what] * several), said])
        people.append(who)
    header = [*told.names, rater, *criterion, value]
    return _written(design, told, Grid("ratings", header, rows, people=people))


def wide_by_criterion(design: Design) -> Written:
    """A row a person and output, a column a criterion."""
    told = about(design)
    rater = design.names.column("rater")
    rows, people = [], []
    for source, system, who in rated(design):
        values = [value_of(design, source, system, who, c) for c in design.criteria]
        rows.append([*told.cells(source, system), who, *values])
        people.append(who)
    grid = Grid("annotations", [*told.names, rater, *design.criteria], rows, people=people)
    return _written(design, told, grid)


_BY_RATER = ("annotator{n}", "ann{n}", "rater_{n}", "{rater}", "Rater {n}", "human{n}", "coder{n}")
_BY_RATER_ODD = ("Bewerter {n}", "{rater}", "A{n}", "score_{n}", "P{n}", "Note {n}", "r{n}_rating")


_JUDGES = ("gpt-4_judge", "llm_judge", "judge_gpt4o", "auto_rater")
_MEANS = ("mean", "average", "avg_score", "Mittelwert")


def wide_by_rater(design: Design) -> Written:
    """A row an output, or an output and criterion; a column a person, and perhaps one a judge, and
    one the mean of people."""
    told = about(design)
    several = len(design.criteria) > 1
    criterion = [design.names.column("criterion")] if several else []
    pattern = design.rng.choice(_BY_RATER_ODD if design.odd else _BY_RATER)
    columns = [pattern.format(n=n, rater=r) for n, r in enumerate(design.raters, 1)]
    judge = [design.rng.choice(_JUDGES)] if design.rng.random() < 0.2 else []
    mean = [design.rng.choice(_MEANS)] if _has_mean(design) else []
    rows, judged = [], []
    for source, system in design.outputs():
        for what in design.criteria:
            values = [value_of(design, source, system, r, what) for r in design.raters]
            if not any(values):
                continue
            means = [f"{fmean(float(v) for v in values if v):.2f}" for _ in mean]
            more = [design.rng.choice(design.scale.values) for _ in judge]
            judged += [Judged(source, system, judge[0], what, value) for value in more]
            row = [*told.cells(source, system), *([what] * several), *values, *more, *means]
            rows.append(row)
    header = [*told.names, *criterion, *columns, *judge, *mean]
    written = _written(design, told, Grid("table", header, rows))
    written.answers = [*written.answers, *judged]
    return written


def _has_mean(design: Design) -> bool:
    numbers = all(value.replace(".", "").isdecimal() for value in design.scale.values)
    return numbers and design.rng.random() < 0.2


_BY_BOTH = ("ann{n}_{c}", "{c}_ann{n}", "{c} (ann {n})", "{c}_annotator{n}", "rater{n}.{c}")
_BY_BOTH_ODD = (
    "{c}.{n}",
    "{c}_a{n}",
    "{rater}: {c}",
    "{c} {n}",
    "Bewerter{n}-{c}",
    "{c}__{rater}",
    "{n}_{c}",
)


def wide_by_both(design: Design) -> Written | None:
    """A row an output; a column a person and criterion."""
    if len(design.criteria) < 2:
        return None
    told = about(design)
    pattern = design.rng.choice(_BY_BOTH_ODD if design.odd else _BY_BOTH)
    places = [(n, r, c) for n, r in enumerate(design.raters, 1) for c in design.criteria]
    columns = [pattern.format(n=n, rater=r, c=c) for n, r, c in places]
    rows = []
    for source, system in design.outputs():
        values = [value_of(design, source, system, r, c) for _, r, c in places]
        if any(values):
            rows.append([*told.cells(source, system), *values])
    return _written(design, told, Grid("all_ratings", [*told.names, *columns], rows))


_BY_SYSTEM = ("{y}", "{y}_score", "rating_{y}", "{y} rating")
_BY_SYSTEM_ODD = ("{y}", "Note {y}", "{y}_x", "score ({y})")


def wide_by_system(design: Design) -> Written | None:
    """A row a source and person, or these and a criterion; a column a system."""
    if design.one_system:
        return None
    several = len(design.criteria) > 1
    both = several and design.rng.random() < 0.5
    pattern = design.rng.choice(_BY_SYSTEM_ODD if design.odd else _BY_SYSTEM)
    pattern += design.rng.choice(("_{c}", " [{c}]", "/{c}")) if both else ""
    columns = [(y, c) for y in design.systems for c in (design.criteria if both else [""])]
    told = about(design, with_system=False, with_texts=False)
    header = [*told.names, design.names.column("rater")]
    header += [design.names.column("criterion")] if several and not both else []
    rows, people = [], []
    for source, who in {(s, r): None for s, _, r in rated(design)}:
        for what in [""] if both else design.criteria:
            values = [value_of(design, source, y, who, c or what) for y, c in columns]
            if any(values):
                rows.append(
                    [
                        *told.cells(source, ""),
                        who,
                        *([what] if several and not both else []),
                        *values,
                    ]
                )
                people.append(who)
    header += [pattern.format(y=y, c=c) for y, c in columns]
    told.known |= {SYSTEM}
    return _written(design, told, Grid("by_system", header, rows, people=people))


_TURK = (
    *("HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime"),
    *("MaxAssignments", "RequesterAnnotation", "AssignmentDurationInSeconds"),
)
_TURK_ROW = (
    *("AssignmentStatus", "AcceptTime", "SubmitTime", "WorkTimeInSeconds"),
    *("LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate"),
)


def batch(design: Design) -> Written:
    """Batch results of a crowdsourcing platform, with or without the workers' ids."""
    told = about(design)
    told.columns = [(f"Input.{name}", said) for name, said in told.columns]
    named = design.rng.random() < 0.7
    answered = [f"Answer.{c}" for c in design.criteria]
    who = ["AssignmentId", *(["WorkerId"] if named else []), *_TURK_ROW]
    header = ["HITId", *_TURK, *who, *told.names, *answered, "Approve", "Reject"]
    rows = []
    for n, (source, system, rater) in enumerate(rated(design)):
        values = [value_of(design, source, system, rater, c) for c in design.criteria]
        row = [f"3HIT{crc32((source + system).encode()):08X}", *turk_cells()]
        row += [f"ASG{n:08}", *([rater] if named else []), *turk_row_cells(design)]
        rows.append([*row, *told.cells(source, system), *values, "", ""])
    told.known -= frozenset() if named else {RATER}
    return _written(design, told, Grid("Batch_4711_batch_results", header, rows))


def turk_cells() -> list[str]:
    """What the platform says of a task."""
    task = ["Rate texts", "Read a text and rate it", "text, rating, research", "$0.40"]
    return ["3TYPEID", *task, "Mon Mar 04 09:12:11 PST 2024", "3", f"BatchId:{4711}", "3600"]


def turk_row_cells(design: Design) -> list[str]:
    """What the platform says of an assignment."""
    rates = [f"{design.rng.choice((100, 99, 98, 97))}% (120/122)" for _ in range(3)]
    times = [f"Tue Mar 05 1{design.rng.randint(0, 9)}:12:11 PST 2024" for _ in range(2)]
    return ["Approved", *times, str(design.rng.randint(20, 900)), *rates]


def numbered(design: Design) -> Written | None:
    """A row a person and source, with the outputs of all systems in numbered columns, in an order
    of its own."""
    if design.one_system:
        return None
    told = about(design, with_system=False, with_texts=False)
    turk = design.rng.random() < 0.5
    seen, answered = ("Input.", "Answer.") if turk else ("", "")
    many = range(1, len(design.systems) + 1)
    text, system = design.rng.choice((("summary", "system"), ("output", "model"), ("t", "sys")))
    header = [f"{seen}{name}" for name in told.names]
    header.append("WorkerId" if turk else design.names.column("rater"))
    header += [f"{seen}{text}_{k}" for k in many] + [f"{seen}{system}_{k}" for k in many]
    header += [f"{answered}{c}_{k}" for c in design.criteria for k in many]
    rows = []
    for source, who in {(s, r): None for s, _, r in rated(design)}:
        shown = design.rng.sample(design.systems, len(design.systems))
        row = [*told.cells(source, ""), who, *(design.texts[source, y] for y in shown), *shown]
        row += [value_of(design, source, y, who, c) for c in design.criteria for y in shown]
        rows.append(row)
    told.known |= {SYSTEM}
    told.texts = frozenset(design.texts.values())
    return _written(design, told, Grid("hits", header, rows))


def ticks(design: Design) -> Written | None:
    """As numbered, but the accepted outputs are named in one cell."""
    found = numbered(design)
    if found is None or len(design.criteria) > 1:
        return None
    (grid,), many = found.grids, len(design.systems)
    top = design.scale.values[len(design.scale.values) // 2 :]
    mark = design.rng.choice(("|", ";", ","))
    header = [*grid.header[:-many], grid.header[-many].rsplit("_", 1)[0]]
    rows = [
        [*row[:-many], mark.join(str(k) for k, v in enumerate(row[-many:], 1) if v in top)]
        for row in grid.rows
    ]
    every = {(s, r) for s, _, r in rated(design)}
    (what,) = design.criteria
    answers = [
        (s, y, r, what, "yes" if value_of(design, s, y, r, what) in top else "no")
        for s, r in every
        for y in design.systems
    ]
    return Written(
        [Judged(*answer) for answer in answers],
        found.known,
        [Grid("hits", header, rows)],
        texts=found.texts,
        ticks=True,
    )


def _written(design: Design, told: About, grid: Grid) -> Written:
    known = told.known | {CRITERION}
    known -= {SYSTEM} if design.one_system else frozenset[str]()
    assert SOURCE in known or told.columns
    return Written(judged_of(design), known, [grid], texts=told.texts)
