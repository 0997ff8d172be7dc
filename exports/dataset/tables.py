"""The labelled dataset as CSV, JSON lines and Parquet."""

import json
from collections.abc import Iterator

from exports import frames
from exports.csv_text import csv_line
from exports.dataset.rows import Dataset


def csv_lines(dataset: Dataset) -> Iterator[str]:
    """The head, then a line per row; a list is written as a JSON list."""
    yield csv_line(column.name for column in dataset.columns)
    for row in dataset.rows():
        yield csv_line(map(_flat, row))


def json_lines(dataset: Dataset) -> Iterator[str]:
    """An object per row, with values and lists as they are."""
    names = [column.name for column in dataset.columns]
    for row in dataset.rows():
        record = dict(zip(names, row, strict=True))
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def parquet_pieces(dataset: Dataset) -> Iterator[bytes]:
    """The rows with typed columns."""
    return frames.table_pieces(dataset.columns, dataset.rows())


def _flat(cell: object) -> object:
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell
