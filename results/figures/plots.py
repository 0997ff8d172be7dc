"""What a figure shows, before anybody draws it; and the table that holds its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.utils.translation import gettext as _

from agreement import Estimate
from results.data.rows import Row
from results.report.cache import Report
from results.tables.choice import Choice, headline, shown_parties
from results.tables.grids import Cell, Grid, Line
from results.tables.wording import metric_title, party_title


class Plot(Protocol):
    """Anything that can be drawn. measure: what its numbers are."""

    @property
    def measure(self) -> str: ...
    def grid(self) -> Grid: ...


@dataclass(frozen=True)
class Nothing:
    """There is nothing to draw, and why."""

    reason: str
    measure: str = ""

    def grid(self) -> Grid:
        """The reason as a table."""
        return Grid([_("Why there is no figure")], [Line("", [Cell(undefined=self.reason)])])


@dataclass(frozen=True)
class Series:
    """The points of one party, one per category; None where it has none."""

    name: str
    points: Sequence[Estimate | None]


@dataclass(frozen=True)
class Points:
    """Points with intervals: categories downwards, parties beside each other."""

    measure: str
    categories: Sequence[str]
    series: Sequence[Series]

    def grid(self) -> Grid:
        """Categories downwards, a column per party."""
        lines = [Line(name, _cells(self.series, at)) for at, name in enumerate(self.categories)]
        return Grid([one.name for one in self.series], lines, self.measure)


@dataclass(frozen=True)
class Matrix:
    """One number per row and column, as a heat map; None where there is none, with the reason in
    `cells`. low, high: what the two ends of the colours stand for."""

    measure: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Estimate | None]]
    low: float
    high: float
    note: str = ""

    def grid(self) -> Grid:
        """As it is drawn."""
        lines = [
            Line(name, [None if one is None else Cell.of(one) for one in of])
            for name, of in zip(self.rows, self.cells, strict=True)
        ]
        return Grid(self.columns, lines, self.measure)


@dataclass(frozen=True)
class Curve:
    """A figure over time, one line per party."""

    measure: str
    times: Sequence[datetime]
    series: Sequence[Series]

    def grid(self) -> Grid:
        """Times downwards, a column per party."""
        lines = [
            Line(at.isoformat(timespec="seconds"), _cells(self.series, n))
            for n, at in enumerate(self.times)
        ]
        return Grid([one.name for one in self.series], lines, self.measure, _("Answers until"))


@dataclass(frozen=True)
class Cloud:
    """Pairs of numbers, equal ones once with their number. total: of all pairs, where only some
    are drawn."""

    measure: str
    across: str
    up: str
    x: Sequence[float]
    y: Sequence[float]
    times: Sequence[int]
    total: int

    def grid(self) -> Grid:
        """A line per distinct pair."""
        lines = [
            Line(str(at), [Cell.of(Estimate(value=x)), Cell.of(Estimate(value=y)), Cell.count(n)])
            for at, (x, y, n) in enumerate(zip(self.x, self.y, self.times, strict=True), 1)
        ]
        return Grid([self.across, self.up, _("Times")], lines, self.measure, _("Pair"))


@dataclass(frozen=True)
class Box:
    """Least, lower quartile, median, upper quartile and most of n numbers."""

    name: str
    party: str
    n: int
    fences: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Boxes:
    """Distributions below each other."""

    measure: str
    boxes: Sequence[Box]

    def grid(self) -> Grid:
        """A line per distribution."""
        heads = ["n", _("least"), _("lower quartile"), _("median"), _("upper quartile"), _("most")]
        lines = [
            Line(
                ", ".join(filter(None, [box.name, box.party])),
                [Cell.count(box.n), *(Cell.of(Estimate(value=one)) for one in box.fences)],
            )
            for box in self.boxes
        ]
        return Grid(heads, lines, self.measure)


def _cells(series: Sequence[Series], at: int) -> list[Cell | None]:
    points = [one.points[at] for one in series]
    return [None if point is None else Cell.of(point) for point in points]


def systems_plot(report: Report, facet: str, choice: Choice) -> Plot:
    """The headline figure of a facet by system, as a whole where systems are not told apart."""
    metric = headline(report, facet)
    rows = [row for row in report.rows if row.facet == facet and row.metric == metric]
    drawn = _by_system(rows, choice) or {"": [row for row in rows if row.group == choice.group]}
    series = [
        Series(party_title(party), [_point(of, party) for of in drawn.values()])
        for party in shown_parties(report)
    ]
    series = [one for one in series if any(one.points)]
    if not series:
        return Nothing(_("nobody has a number for this part of the study"))
    return Points(metric_title(metric), [name or choice.system for name in drawn], series)


def _by_system(rows: Sequence[Row], choice: Choice) -> dict[str, list[Row]]:
    wanted = {key: name for key, name in choice.group.items() if key != "system"}
    found: dict[str, list[Row]] = {}
    for row in rows:
        rest = dict(row.group)
        system = rest.pop("system", "")
        if system and rest == wanted and choice.system in ("", system):
            found.setdefault(system, []).append(row)
    return found


def _point(rows: Sequence[Row], party: str) -> Estimate | None:
    for row in rows:
        if row.raters == party and row.estimate.value is not None:
            return row.estimate
    return None
