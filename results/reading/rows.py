"""The rows of a report, found by what they are about."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from agreement import Estimate
from annotation.rater_names import BETWEEN
from estimates.data.parties import HUMANS, SIMULATED, judge_in
from estimates.data.rows import Group, Row, people_in
from tasktypes.facets import Facet

# People together, and simulated raters together.
CROWDS = (HUMANS, SIMULATED)


class RowIndex:
    """Rows in their order. versions: the newest version of each judge, by its plain name."""

    def __init__(self, rows: Iterable[Row], versions: Mapping[str, int] | None = None) -> None:
        self.rows = tuple(rows)
        self.versions = versions or {}

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def of(self, facet: str) -> "RowIndex":
        """Those of a facet."""
        return self._by_facet.get(facet) or RowIndex((), self.versions)

    def where(
        self,
        metrics: str | Collection[str] | None = None,
        raters: str | Collection[str] | None = None,
        *,
        by: Collection[str] | None = None,
        group: Group | None = None,
    ) -> list[Row]:
        """The rows of these metrics and raters (None: of all) that have these keys in their group,
        or this very group."""
        keys = None if by is None else {*by}
        return [
            row
            for row in self._of_metrics(metrics)
            if raters is None or row.raters in _several(raters)
            if keys is None or row.group.keys() == keys
            if group is None or row.group == group
        ]

    def get(self, metric: str, raters: str = HUMANS, **group: str) -> Estimate | None:
        """The first estimate of that metric; None where there is no such row."""
        return next((row.estimate for row in self.where(metric, raters, group=group)), None)

    def by(self, key: str, metric: str, raters: str) -> dict[str, Estimate]:
        """Name of a group -> its estimate."""
        rows = self.where(metric, raters, by=[key])
        return {row.group[key]: row.estimate for row in rows}

    def is_judge(self, name: str) -> bool:
        """Whether a name in a row is that of a judge, in whichever version."""
        return bool(judge_in(name, self.versions))

    @cached_property
    def judges(self) -> list[str]:
        """Judges with figures here, in the version that their plain name stands for."""
        names = {row.second for row in self.rows}
        return sorted(names & self.versions.keys())

    @cached_property
    def people(self) -> int | None:
        """How many people answered; None where the files do not say who gave which answer."""
        return people_in(self.rows)

    @property
    def answered(self) -> bool:
        """Whether people answered."""
        return self.people != 0

    @cached_property
    def simulated(self) -> bool:
        """Whether a program's answers are there as well."""
        return bool(self.where(raters=SIMULATED))

    @cached_property
    def _by_facet(self) -> Mapping[str, "RowIndex"]:
        by_facet: dict[str, list[Row]] = {}
        for row in self.rows:
            by_facet.setdefault(row.facet, []).append(row)
        return {facet: RowIndex(rows, self.versions) for facet, rows in by_facet.items()}

    def _of_metrics(self, metrics: str | Collection[str] | None) -> Iterable[Row]:
        if isinstance(metrics, str):
            return self._by_metric.get(metrics, ())
        return self.rows if metrics is None else (r for r in self.rows if r.metric in metrics)

    @cached_property
    def _by_metric(self) -> Mapping[str, list[Row]]:
        by_metric: dict[str, list[Row]] = {}
        for row in self.rows:
            by_metric.setdefault(row.metric, []).append(row)
        return by_metric


def _several(names: str | Collection[str]) -> Collection[str]:
    return (names,) if isinstance(names, str) else names


class FacetRows(RowIndex):
    """The rows of one facet, with the facet."""

    def __init__(
        self, facet: Facet, rows: Iterable[Row], versions: Mapping[str, int] | None = None
    ) -> None:
        super().__init__((row for row in rows if row.facet == facet.name), versions)
        self.facet = facet


def is_pair(row: Row) -> bool:
    """Whether the row compares two parties."""
    return BETWEEN in row.raters


def with_crowd(row: Row) -> bool:
    """Whether the row compares a judge with people, or simulated raters, together."""
    return is_pair(row) and row.first in CROWDS
