"""Parquet files: their columns, their rows, what is written beside them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.columns import refuse_many_columns
from files.readers.first_reads import note_read

PARQUET = b"PAR1"
# Rows that are read at once.
_AT_ONCE = 1000


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The names of the columns."""
    with _readable(path):
        return _columns(path, _frame(path))


def parquet_rows(path: Path) -> Iterator[tuple[Any, ...]]:
    """The values of every row, in the order of the columns."""
    with _readable(path):
        yield from _rows(path)


def parquet_metadata(path: Path) -> Mapping[str, str]:
    """What programs have written beside the rows."""
    import polars

    with _readable(path):
        return polars.read_parquet_metadata(path)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """ImportFailure where a file is damaged, which polars may also say by a panic."""
    import polars

    try:
        yield
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise ImportFailure(str(path), "file", "no Parquet file that can be read") from error


def _frame(path: Path) -> Any:
    import polars

    return polars.scan_parquet(path)


def _columns(path: Path, frame: Any) -> tuple[str, ...]:
    names = tuple(frame.collect_schema().names())
    refuse_many_columns(str(path), len(names))
    return names


def _rows(path: Path) -> Iterator[tuple[Any, ...]]:
    import polars

    frame, number, size = _frame(path), 0, path.stat().st_size
    _columns(path, frame)
    n_rows = int(frame.select(polars.len()).collect().item())
    while number < n_rows:
        part = frame.slice(number, _AT_ONCE).collect()
        yield from part.iter_rows()
        number += part.height
        note_read(path, size * number // n_rows)
        if not part.height:
            return
