"""Tables of evaluations, as MLflow keeps them: a row per output, columns of scores and reasons."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from files.errors import ImportFailure, RecordPlace
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.exchanges import item_of, source_of, text_in
from imports.formats.traces.records import PartRecord
from imports.formats.traces.scores import plain_value, score_of

# Names of columns, of which the first that there is counts.
_GIVEN = ("inputs", "input", "request", "question", "prompt")
_GAVE = ("outputs", "output", "response", "predictions", "prediction", "answer")
_FACTS = ("targets", "target", "ground_truth", "expected_response")
_SCORE, _REASON = "/score", "/justification"


def is_table(content: object) -> bool:
    """Whether this is a table by columns and rows, as pandas splits it."""
    return isinstance(content, Mapping) and {"columns", "data"} <= content.keys()


def table_rows(where: RecordPlace, table: Mapping[str, Any]) -> Iterator[PartRecord]:
    """A record for each row."""
    columns = table["columns"]
    for number, cells in enumerate(table["data"]):
        place = RecordPlace(f"{where} (row {number})", file=where.file, raw=cells)
        yield PartRecord(place, {"row": number, "columns": columns, "cells": cells})


def table_output(
    where: RecordPlace, row: Mapping[str, Any], leave_out: Callable[[str, str], None]
) -> RatedOutput:
    """The output of a row; each column of scores is a judge's."""
    if len(row["columns"]) != len(row["cells"]):
        reason = f"{len(row['cells'])} cells under {len(row['columns'])} names"
        raise ImportFailure(where, "data", reason)
    cells = dict(zip(row["columns"], row["cells"], strict=True))
    input_column, output_column, fact = (_first(cells, names) for names in (_GIVEN, _GAVE, _FACTS))
    if not output_column:
        raise ImportFailure(where, "outputs", f"no such column (of {', '.join(_GAVE)})")
    used = {input_column, output_column, fact}
    for name in cells:
        if name not in used and not name.endswith((_SCORE, _REASON)):
            leave_out(f"column {name}", where)
    try:
        source, _ = source_of(cells.get(input_column), facts=[text_in(cells[fact])] if fact else [])
        item = item_of(f"{where.file.stem}/{row['row']}", "", text_in(cells[output_column]))
    except ValueError as error:
        raise ImportFailure.of(where, error) from error
    return RatedOutput(where, source, item, list(_scores(cells)))


def _first(cells: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in cells), "")


def _scores(cells: Mapping[str, Any]) -> Iterator[Score]:
    """`<metric>/<version>/score` and the justification beside it."""
    for name, value in cells.items():
        if name.endswith(_SCORE) and (number := plain_value(value)) is not None:
            metric = name.removesuffix(_SCORE)
            yield score_of(
                metric, "judge", metric.split("/")[0], number, cells.get(metric + _REASON)
            )
