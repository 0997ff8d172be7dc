"""Tables of estimates that others published, where the answers behind them are not public."""

from collections.abc import Iterator
from typing import Any

from files.errors import Contradiction, ImportFailure
from files.readers.tables import TableRow, column_names, require_columns, table_rows
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format
from imports.material.records import MaterialEntry
from imports.study_file.schema import StudyRecord

COLUMNS = ("study", "system", "rater", "metric", "value")


class Summary(Format):
    """No sources, units or answers: only estimates, kept with the study as published."""

    taken = AcceptedFiles(
        "Published figures",
        "CSV with `study`, `system`, `rater`, `metric` and `value`",
        (".csv", ".xlsx", ".gz"),
        group="published",
    )

    def study(self) -> StudyRecord:
        return StudyRecord()

    def entries(self) -> Iterator[MaterialEntry]:
        return iter(())

    def answers(self) -> Iterator[AnswerLine]:
        return iter(())

    def published(self) -> list[dict[str, Any]]:
        """One per row; a second figure for the same study, system, rater and metric is refused."""
        where_of: dict[tuple[str, ...], str] = {}
        estimates = []
        for where, names, value in self.skipped.usable(self._rows(), _estimate):
            if names in where_of:
                raise Contradiction(where, "metric", f"the same as {where_of[names]}")
            where_of[names] = where
            estimates.append(dict(zip(COLUMNS, (*names, value), strict=True)))
        if not estimates:
            raise ImportFailure(str(self.input.files[0]), "rows", "none in this file")
        self.findings.count("published_estimates", len(estimates))
        return estimates

    def summary(self) -> list[str]:
        return [f"published estimates: {self.findings.counts['published_estimates']}"]

    def _rows(self) -> Iterator[TableRow]:
        for path in self.input.files:
            require_columns(path, column_names(path), COLUMNS)
            yield from table_rows(path, self.input.watch)


def _estimate(row: TableRow) -> tuple[str, tuple[str, ...], float]:
    for column in ("study", "rater", "metric"):
        row.text(column)
    return row.where, tuple(row.cells[column] for column in COLUMNS[:-1]), row.number("value")
