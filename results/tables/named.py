"""The tables that `report --table` prints, by name."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from results.report.cache import Report
from results.tables.detection import detection_tables
from results.tables.grids import Grid


class NamedTable(NamedTuple):
    """A table of a report. about: what it shows, in the help of the command. grids: its parts, one
    for each facet, party or pair; none where the report has no such figures."""

    about: str
    grids: Callable[[Report], Iterator[Grid]]


TABLES: Mapping[str, NamedTable] = {
    "detection": NamedTable("what each measure finds of faults made on purpose", detection_tables),
}


def about_tables() -> str:
    """The names, each with what its table shows."""
    return "; ".join(f"{name}: {table.about}" for name, table in TABLES.items())
