"""The tables that `report --table` prints, by name."""

from collections.abc import Callable, Iterator, Mapping

from results.report.cache import Report
from results.tables.detection import detection_tables
from results.tables.grids import Grid

TABLES: Mapping[str, Callable[[Report], Iterator[Grid]]] = {
    "detection": detection_tables,
}
