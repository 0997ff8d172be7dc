"""Forms: a row a person, a column an item; and exports with several rows of names."""

from tests.files.reading.designs.design import Design, Judged
from tests.files.reading.designs.grids import CRITERION, RATER, SOURCE, SYSTEM, Grid, Written

_FORM = ("Text {n}", "Item {n}", "Q{n}", "How good is text {n}?", "{n}. Please rate this text")
_FORM_ODD = ("Aufgabe {n}", "T{n}", "{n}", "Bitte bewerten Sie Text {n}", "s{n}_")


def form(design: Design) -> Written:
    """A form's answers, with an id of the person or without."""
    places = design.outputs()[:40]
    several = len(design.criteria) > 1
    pattern = design.rng.choice(_FORM_ODD if design.odd else _FORM)
    pattern += design.rng.choice((" [{c}]", ": {c}", " - {c}")) if several else ""
    columns = [(s, y, c) for s, y in places for c in design.criteria]
    number = {place: n for n, place in enumerate(places, 1)}
    names = [pattern.format(n=number[s, y], c=c) for s, y, c in columns]
    named = design.rng.random() < 0.7
    who = design.names.column("rater") if named else ""
    rows = []
    for rater in design.raters:
        values = [design.answers.get((s, y, rater, c), "") for s, y, c in columns]
        stamp = f"2024/0{design.rng.randint(1, 9)}/1{design.rng.randint(0, 9)} 10:22:31"
        rows.append([stamp, *([rater] if named else []), *values])
    header = ["Timestamp", *([who] if named else []), *names]
    known = {CRITERION, RATER} if named else {CRITERION}
    grid = Grid("Form responses 1", header, rows, people=design.raters)
    return Written(_kept(design, places), frozenset(known), [grid])


_META = (
    ("StartDate", "Start Date", "2024-02-11 14:08:22"),
    ("EndDate", "End Date", "2024-02-11 14:31:10"),
    ("Status", "Response Type", "IP Address"),
    ("IPAddress", "IP Address", "*******"),
    ("Progress", "Progress", "100"),
    ("Duration (in seconds)", "Duration (in seconds)", "1368"),
    ("Finished", "Finished", "True"),
    ("RecordedDate", "Recorded Date", "2024-02-11 14:31:11"),
    ("DistributionChannel", "Distribution Channel", "anonymous"),
    ("UserLanguage", "User Language", "EN"),
)


def survey(design: Design) -> Written:
    """An export with three rows of names, and perhaps a second file that tells the items."""
    places = design.outputs()[:40]
    several = len(design.criteria) > 1
    keyed = design.rng.random() < 0.6
    key = {place: f"{design.rng.getrandbits(64):016x}" for place in places}
    if not keyed:
        key = {place: f"Q{n}" for n, place in enumerate(places, 1)}
    columns = [(s, y, c) for s, y in places for c in design.criteria]
    names = [f"{key[s, y]}_{c}" if several else key[s, y] for s, y, c in columns]
    who = design.rng.choice(("participant_id", "PROLIFIC_PID", "Prolific ID", "participant"))
    header = [*(name for name, _, _ in _META), "ResponseId", who, *names]
    asked = [f"How is this text? {design.texts[s, y]} - {c}" for s, y, c in columns]
    questions = [*(words for _, words, _ in _META), "Response ID", "Your id?", *asked]
    imports = [f'{{"ImportId":"{name}"}}' for name in header]
    rows = []
    for n, rater in enumerate(design.raters):
        values = [design.answers.get((s, y, rater, c), "") for s, y, c in columns]
        rows.append([*(value for _, _, value in _META), f"R_{n}x7{n}", rater, *values])
    grid = Grid("Survey_February 11, 2024", header, rows, below=[questions, imports])
    held = frozenset((*asked, *design.texts.values()))
    written = Written(_kept(design, places), frozenset({CRITERION, RATER}), [grid], texts=held)
    if keyed:
        _add_key(design, written, key)
    return written


def _add_key(design: Design, written: Written, key: dict[tuple[str, str], str]) -> None:
    """A second table: which output an item is."""
    header = ["item", design.names.column("source")]
    header += [] if design.one_system else [design.names.column("system")]
    header.append(design.names.column("text"))
    rows = []
    for (source, system), item in key.items():
        named = [] if design.one_system else [system]
        rows.append([item, source, *named, design.texts[source, system]])
    written.grids.append(Grid("zz_items", header, rows))
    written.known |= {SOURCE} if design.one_system else {SOURCE, SYSTEM}


def _kept(design: Design, places: list[tuple[str, str]]) -> list[Judged]:
    return [a for a in design.judged() if (a.source, a.system) in {*places}]
