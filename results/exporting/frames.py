"""Ratings and estimates as Parquet, with types that hold for every row."""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from annotation.models import Study
from results.exporting import estimates, ratings

if TYPE_CHECKING:
    import polars

CHUNK = 50_000
PIECE = 1 << 20
WHOLE = ("version", "replicate", "sd_ddof", "n_units", "n_raters", "n_ratings")
NUMBERS = ("number", "sd", "low", "high", "confidence")
VALUE, NUMBER = "value", "number"


def rating_pieces(study: Study) -> Iterator[bytes]:
    """The rows of `ratings.csv`; the value as text, and beside it as a number where it is one."""
    at = ratings.HEAD.index(VALUE)
    rows = (_with_number(row, at) for row in ratings.rating_rows(study))
    head = (*ratings.HEAD[: at + 1], NUMBER, *ratings.HEAD[at + 1 :])
    yield from _pieces(rows, head, numbers=NUMBERS)


def estimate_pieces(study: Study) -> Iterator[bytes]:
    """The rows of `estimates.csv`; what has no value is null and has a reason instead."""
    yield from _pieces(estimates.estimate_rows(study), estimates.HEAD, numbers=(*NUMBERS, VALUE))


def _with_number(row: tuple[object, ...], at: int) -> tuple[object, ...]:
    value = row[at]
    number = value if isinstance(value, float) else None
    return (*row[:at], str(value), number, *row[at + 1 :])


def _pieces(
    rows: Iterable[tuple[object, ...]], head: Sequence[str], *, numbers: Sequence[str]
) -> Iterator[bytes]:
    import polars as pl

    types: dict[str, Any] = {
        name: pl.Float64 if name in numbers else pl.Int64 if name in WHOLE else pl.String
        for name in head
    }
    frames, left = [pl.DataFrame(schema=types)], iter(rows)
    while chunk := list(islice(left, CHUNK)):
        frames.append(pl.DataFrame(chunk, schema=types, orient="row"))
    yield from _written(pl.concat(frames))


def _written(frame: "polars.DataFrame") -> Iterator[bytes]:
    file = io.BytesIO()
    frame.write_parquet(file)
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece
