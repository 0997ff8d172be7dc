"""People's labels in a table beside a tool's results: `unit,rater,label`, a row per label, as
`jurybox mark` writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.tables import TableRow, table_rows
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.scores import plain_value, score_of

# Names of its columns, of which the first that there is counts.
UNIT, RATER = ("unit", "id", "key", "item"), ("rater", "annotator", "person", "labeller", "labeler")
LABEL, CRITERION = ("label", "human", "verdict", "value"), ("criterion", "metric", "name")
REASON = ("note", "reason", "comment")
NOBODY = "you"


def with_labels(outputs: Sequence[RatedOutput], tables: Sequence[Path]) -> Sequence[RatedOutput]:
    """The outputs with the labels of the tables among their scores. ImportFailure for a label of an
    output that is not there."""
    by_key = {output.item.key: list(output.scores) for output in outputs}
    criterion = _only_criterion(outputs)
    for path in tables:
        for row in table_rows(path):
            key = _cell(row, UNIT, needed="unit")
            if key not in by_key:
                raise ImportFailure(row.where, UNIT[0], f"{key!r} is no output of the results")
            if (score := _score(row, criterion)) is not None:
                by_key[key].append(score)
    return [replace(output, scores=by_key[output.item.key]) for output in outputs]


def _only_criterion(outputs: Sequence[RatedOutput]) -> str:
    """The criterion of all judges, where there is one alone."""
    names = {score.criterion for output in outputs for score in output.scores}
    return names.pop() if len(names) == 1 else "label"


def _score(row: TableRow, criterion: str) -> Score | None:
    said: Any = plain_value(_cell(row, LABEL, needed="label"))
    if said is None:
        return None
    passed: Mapping[str, bool] = {"pass": True, "fail": False}
    name = _cell(row, CRITERION) or criterion
    rater = _cell(row, RATER) or NOBODY
    held = passed.get(str(said).casefold())
    return score_of(rater, "human", name, said, _cell(row, REASON), passed=held)


def _cell(row: TableRow, names: Sequence[str], needed: str = "") -> str:
    """The cell of the first such column; ImportFailure where there has to be one."""
    name = next((name for name in names if name in row.cells), "")
    if needed and not name:
        raise ImportFailure(row.where, needed, f"no such column (one of {', '.join(names)})")
    return row.cells[name] if name else ""
