"""Tables as Parquet, with types that hold for every row."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.models import Study
from annotation.models.answers import Moment
from estimates.report.cache import Report
from exports.choice import WHOLE, ExportChoice
from exports.tables import estimates, ratings
from exports.tables.columns import Column, Kind
from exports.tables.own_columns import OwnColumns

if TYPE_CHECKING:
    from polars._typing import SchemaDict

# Rows in memory at once, while they come and while they are put together: texts may be long.
CHUNK = 2_000
ROW_GROUP = 10_000
PIECE = 1 << 20
WHOLE_NUMBERS = ("version", "replicate", "batch", "sd_ddof", "n_units", "n_raters", "n_ratings")
NUMBERS = ("number", "seconds", "sd", "low", "high", "confidence")
TIMES = ("answered_at",)
VALUE, NUMBER = "value", "number"
MEANINGS = {**ratings.MEANINGS, NUMBER: "the value as a number, where it is one"}


def rating_pieces(
    study: Study, choice: ExportChoice = WHOLE, *, moment: Moment | None = None
) -> Iterator[bytes]:
    """The rows of `ratings.csv`; the value as text, and beside it as a number where it is one."""
    at = ratings.HEAD.index(VALUE)
    own = OwnColumns.of(study)
    stored = ratings.rating_rows(study, choice, moment=moment, own=own)
    rows = (_with_number(row, at) for row in stored)
    yield from table_pieces(rating_columns(own), rows)


def rating_columns(own: OwnColumns) -> Sequence[Column]:
    """The columns of `rating_pieces`."""
    at = ratings.HEAD.index(VALUE)
    head = (*ratings.HEAD[: at + 1], NUMBER, *ratings.HEAD[at + 1 :])
    return [*(_column(name, NUMBERS) for name in head), *own.columns]


def estimate_pieces(report: Report) -> Iterator[bytes]:
    """The rows of `estimates.csv`; what has no value is null and has a reason instead."""
    columns = [_column(name, (*NUMBERS, VALUE)) for name in estimates.HEAD]
    yield from table_pieces(columns, estimates.estimate_rows(report))


def _column(name: str, numbers: Sequence[str]) -> Column:
    kind: Kind = "text"
    if name in numbers:
        kind = "number"
    elif name in WHOLE_NUMBERS:
        kind = "whole"
    elif name in TIMES:
        kind = "time"
    return Column(name, kind, MEANINGS.get(name, ""))


def _with_number(row: tuple[object, ...], at: int) -> tuple[object, ...]:
    value = row[at]
    number = value if isinstance(value, float) else None
    return (*row[:at], str(value), number, *row[at + 1 :])


def table_pieces(columns: Sequence[Column], rows: Iterable[tuple[object, ...]]) -> Iterator[bytes]:
    """The rows as one file. They go to disk a few thousand at a time, and from there into the
    file: a table can be larger than memory."""
    import polars as pl

    types = _types(columns)
    with tempfile.TemporaryDirectory(prefix="jurybox-parquet-") as folder:
        parts: list[Path] = []
        for chunk in chain([[]], _chunks(rows)):  # an empty one first: a file has a part at least
            parts.append(Path(folder) / f"{len(parts)}.part")
            pl.DataFrame(_typed(chunk, columns), schema=types).write_parquet(parts[-1])
        whole = Path(folder) / "whole.parquet"
        pl.scan_parquet(parts).sink_parquet(whole, row_group_size=ROW_GROUP)
        with whole.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def _chunks(rows: Iterable[tuple[object, ...]]) -> Iterator[list[tuple[object, ...]]]:
    left = iter(rows)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def _types(columns: Sequence[Column]) -> "SchemaDict":
    import polars as pl

    plain: dict[Kind, Any] = {
        "text": pl.String,
        "number": pl.Float64,
        "whole": pl.Int64,
        "time": pl.Datetime("us", "UTC"),
    }
    return {
        column.name: pl.List(plain[column.part]) if column.is_list else plain[column.part]
        for column in columns
    }


def _typed(
    rows: Sequence[tuple[object, ...]], columns: Sequence[Column]
) -> dict[str, Sequence[object]]:
    by_column = zip(*rows, strict=True) if rows else [()] * len(columns)
    return {
        column.name: _cells(values, column.kind)
        for column, values in zip(columns, by_column, strict=True)
    }


def _cells(values: Sequence[Any], kind: Kind) -> Sequence[object]:
    """Values as their column holds them."""
    if kind == "text":
        return [value if isinstance(value, str) else _text(value) for value in values]
    if kind == "texts":
        return [None if value is None else [str(part) for part in value] for value in values]
    return values


def _text(value: object) -> str | None:
    """A text column holds a list as JSON."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
