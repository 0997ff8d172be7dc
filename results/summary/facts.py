"""Rows of one facet, found by metric, raters and group."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from agreement import Estimate
from estimates.data.parties import HUMANS, judge_in
from estimates.data.rows import Row
from estimates.report.cache import Report
from tasktypes.facets import Facet

Key = tuple[str, str, frozenset[tuple[str, str]]]


def defined(estimate: Estimate | None) -> bool:
    """Whether there is a number."""
    return estimate is not None and estimate.value is not None


def bounded(estimate: Estimate | None) -> bool:
    """Whether there is a number with an interval."""
    return estimate is not None and estimate.low is not None


def overlap(one: Estimate | None, other: Estimate | None) -> bool | None:
    """Whether the intervals of two estimates overlap; None where one of them has none."""
    if one is None or one.low is None or one.high is None:
        return None
    if other is None or other.low is None or other.high is None:
        return None
    return one.low <= other.high and other.low <= one.high


class FacetRows:
    """The rows of one facet. versions: the newest version of each judge, by its plain name."""

    def __init__(self, facet: Facet, rows: Iterable[Row], versions: Mapping[str, int]) -> None:
        self.facet = facet
        self.versions = versions
        self.rows: Sequence[Row] = [row for row in rows if row.facet == facet.name]

    @classmethod
    def of(cls, report: Report, facet: Facet) -> "FacetRows":
        """Those of a report."""
        return cls(facet, report.rows, report.versions)

    @cached_property
    def _by_key(self) -> Mapping[Key, Row]:
        by_key: dict[Key, Row] = {}
        for row in self.rows:
            by_key.setdefault((row.metric, row.raters, frozenset(row.group.items())), row)
        return by_key

    def get(self, metric: str, raters: str = HUMANS, **group: str) -> Estimate | None:
        """The first estimate of that metric; None where there is no such row."""
        row = self._by_key.get((metric, raters, frozenset(group.items())))
        return None if row is None else row.estimate

    def by(self, key: str, metric: str, raters: str) -> dict[str, Estimate]:
        """Name of a group -> its estimate."""
        return {
            row.group[key]: row.estimate
            for row in self.rows
            if row.metric == metric and row.raters == raters and row.group.keys() == {key}
        }

    @cached_property
    def judges(self) -> Sequence[str]:
        """Judges with figures in this facet, in the version that their plain name stands for."""
        names = (row.raters.rpartition("~")[2] for row in self.rows)
        return sorted({name for name in names if name in self.versions})

    def is_judge(self, name: str) -> bool:
        """Whether a name in a row is that of a judge, in whichever version."""
        return bool(judge_in(name, self.versions))

    @cached_property
    def people(self) -> int:
        """How many people answered."""
        own = (row.estimate.n_raters or 0 for row in self.rows if row.raters == HUMANS)
        return max(own, default=0)
