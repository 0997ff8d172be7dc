"""How the tables of sketches are read: the columns of each, with what somebody stated of them."""

import shlex
from collections.abc import Collection

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.reading.layouts.own_columns import columns_of
from files.reading.layouts.raters import People
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, ColumnReading, Holds, TableReading
from files.reading.relations.joined_tables import Related


def tables_of(
    sketch: Sketch, of_all: Related, people: People, groups: Collection[str]
) -> list[TableReading]:
    """A reading for each set of columns that its tables have. groups: own columns that results are
    to be grouped by."""
    alike: dict[frozenset[str], list[RawTable]] = {}
    for table in sketch.sample.tables:
        alike.setdefault(frozenset(table.names), []).append(table)
    found = []
    for names, tables in alike.items():
        own = [_grouping(c, groups, sketch) for c in columns_of(sketch) if c.column in names]
        columns = [_kind(column, people) for column in own]
        has_answers = any(c.holds is Holds.ANSWER for c in columns)
        found.append(
            TableReading(
                files=tuple(table.name for table in tables),
                columns=tuple(columns),
                names=tuple(sketch.names),
                join=of_all.joins.get(id(sketch)),
                header_rows=tables[0].header_rows,
                left_out={n: v for n, v in sketch.left_out.items() if n in names},
                numbered_raters=sketch.numbered_raters and has_answers,
            )
        )
    return found


def _kind(column: ColumnReading, people: People) -> ColumnReading:
    said = {column.column, column.at.get(Axis.RATER, column.column)}
    if column.holds is Holds.ANSWER and said & {*people.humans}:
        return column.model_copy(update={"kind": "human"})
    if column.holds is Holds.ANSWER and said & {*people.judges}:
        return column.model_copy(update={"kind": "judge"})
    return column


def _grouping(column: ColumnReading, groups: Collection[str], sketch: Sketch) -> ColumnReading:
    """With the mark that results are grouped by it; ImportFailure where they cannot be."""
    if column.column not in groups:
        return column
    if column.holds is not Holds.KEPT:
        reason = f"read as {column.holds}, and results are grouped by own columns"
        remedy = f"--column {shlex.quote(f'{column.column}=kept')}"
        raise ImportFailure(f"{sketch.table.name}:1", column.column, f"{reason}: {remedy}")
    if not column.may_group:
        reason = "tells of single answers; results are grouped by what tells of texts or raters"
        raise ImportFailure(f"{sketch.table.name}:1", column.column, reason)
    return column.model_copy(update={"groups": True})


def unread_tables(sketch: Sketch) -> list[TableReading]:
    """Tables of which nothing is read."""
    return [
        TableReading(
            files=(table.name,),
            columns=tuple(ColumnReading(column=n, holds=Holds.LEFT_OUT) for n in table.names),
        )
        for table in sketch.sample.tables
    ]
