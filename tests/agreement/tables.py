"""Tables of ratings for the tests: rows are units, columns raters, None is missing."""

from collections.abc import Sequence
from typing import Any

from agreement import Estimate, alpha

Table = Sequence[Sequence[Any]]


def tidy(table: Table, *, keep_missing: bool = False) -> tuple[list[int], list[int], list[Any]]:
    """The ratings as parallel lists of units, raters and values."""
    rows = [
        (unit, rater, value)
        for unit, row in enumerate(table)
        for rater, value in enumerate(row)
        if keep_missing or value is not None
    ]
    units, raters, values = zip(*rows, strict=True) if rows else ((), (), ())
    return list(units), list(raters), list(values)


def alpha_of(table: Table, distance: str, **options: Any) -> Estimate:
    """As the formula gives it, of one or two units as well."""
    return alpha(*tidy(table), distance=distance, **{"least": 1, **options})
