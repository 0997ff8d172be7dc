"""A design as nested records: lists of lists, systems or raters as keys, lists of objects."""

from typing import Any

from tests.files.reading.designs.design import Design
from tests.files.reading.designs.grids import CRITERION, RATER, SOURCE, SYSTEM, Written


def _number(text: str) -> Any:
    """A value as JSON has it."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def lists_of_lists(design: Design) -> Written | None:
    """A record a source; texts in a list, and for each criterion a list of systems' lists of
    raters' answers."""
    if design.one_system or not _complete(design):
        return None
    with_key = design.rng.random() < 0.7
    key, texts = design.names.column("source"), design.rng.choice(("summaries", "outputs", "hyps"))
    document = design.names.column("document")
    records = []
    for s in design.sources:
        record: dict[str, Any] = {key: s} if with_key else {}
        record[document] = design.documents[s]
        record[texts] = [design.texts[s, y] for y in design.systems]
        for c in design.criteria:
            record[c] = [
                [_number(design.answers[s, y, r, c]) for r in design.raters] for y in design.systems
            ]
        records.append(record)
    written = _written(design, {SOURCE, CRITERION}, records, texts=True)
    written.by_place = True
    if len(design.systems) > 2:
        written.open = "texts in a list may be those of the same systems in all records, or not"
    return written


def systems_as_keys(design: Design) -> Written | None:
    """A record a source; objects by system, with lists of answers by criterion."""
    if design.one_system or not _complete(design):
        return None
    outputs = design.rng.choice(("outputs", "systems", "models", "Ausgaben"))
    scores = design.rng.choice(("ratings", "scores", "human", "annotations"))
    text, key = design.names.column("text"), design.names.column("source")
    records = []
    for s in design.sources:
        of: dict[str, Any] = {}
        for y in design.systems:
            given = {
                c: [_number(design.answers[s, y, r, c]) for r in design.raters]
                for c in design.criteria
            }
            of[y] = {text: design.texts[s, y], scores: given}
        records.append({key: s, outputs: of})
    return _written(design, {SOURCE, SYSTEM, CRITERION}, records, texts=True)


def raters_as_objects(design: Design) -> Written:
    """A record an output; a list of objects, one of each rater, with an answer by criterion."""
    annotations = design.rng.choice(("annotations", "ratings", "human_scores", "Urteile"))
    key, text = design.names.column("source"), design.names.column("text")
    system, rater = design.names.column("system"), design.names.column("rater")
    with_rater = design.rng.random() < 0.7
    records = []
    for s, y in design.outputs():
        given = []
        for r in design.raters:
            values = {
                c: _number(design.answers[s, y, r, c])
                for c in design.criteria
                if (s, y, r, c) in design.answers
            }
            if values:
                given.append({rater: r, **values} if with_rater else values)
        if given:
            record: dict[str, Any] = {key: s} | ({} if design.one_system else {system: y})
            records.append({**record, text: design.texts[s, y], annotations: given})
    known = {SOURCE, SYSTEM, CRITERION} | ({RATER} if with_rater else set())
    return _written(design, known, records, texts=True)


def raters_as_keys(design: Design) -> Written:
    """A record an output; an object by rater, with an answer or answers by criterion."""
    scores = design.rng.choice(("ratings", "scores", "labels", "Noten"))
    key, text = design.names.column("source"), design.names.column("text")
    system, single = design.names.column("system"), len(design.criteria) == 1
    records = []
    for s, y in design.outputs():
        given: dict[str, Any] = {}
        for r in design.raters:
            values = {
                c: _number(design.answers[s, y, r, c])
                for c in design.criteria
                if (s, y, r, c) in design.answers
            }
            if values:
                given[r] = next(iter(values.values())) if single else values
        if given:
            record: dict[str, Any] = {key: s} | ({} if design.one_system else {system: y})
            records.append({**record, text: design.texts[s, y], scores: given})
    return _written(design, {SOURCE, SYSTEM, RATER, CRITERION}, records, texts=True)


def objects_by_key(design: Design) -> Written | None:
    """One object: source -> system -> criterion -> answers."""
    if not _complete(design):
        return None
    found: dict[str, Any] = {}
    for s in design.sources:
        of = {
            y: {
                c: [_number(design.answers[s, y, r, c]) for r in design.raters]
                for c in design.criteria
            }
            for y in design.systems
        }
        found[s] = of[""] if design.one_system else of
    written = _written(design, {SOURCE, SYSTEM, CRITERION}, found)
    if design.one_system:
        written.open = "a list of numbers, and nothing else, may be of several people or systems"
    return written


def objects_by_rater(design: Design) -> Written | None:
    """One object: rater -> output -> answer."""
    if len(design.criteria) > 1:
        return None
    (what,) = design.criteria
    found: dict[str, Any] = {r: {} for r in design.raters}
    for n, (s, y) in enumerate(design.outputs()):
        for r in design.raters:
            if (s, y, r, what) in design.answers:
                key = s if design.one_system else f"{s}-{n}"
                found[r][key] = _number(design.answers[s, y, r, what])
    return _written(design, {RATER, CRITERION}, found)


def _complete(design: Design) -> bool:
    every = len(design.outputs()) * len(design.raters) * len(design.criteria)
    return len(design.answers) == every


def _written(design: Design, known: set[str], records: Any, *, texts: bool = False) -> Written:
    known -= {SYSTEM} if design.one_system else set()
    name = design.rng.choice(("data", "human_eval", "annotations", "testset-v2"))
    held = frozenset(design.texts.values()) if texts else frozenset[str]()
    return Written([*design.judged()], frozenset(known), records={name: records}, texts=held)
