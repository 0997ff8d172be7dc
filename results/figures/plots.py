"""The contents of a figure before it is drawn, and the table of its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf
from typing import Protocol

from django.utils.translation import gettext as _

from agreement import Estimate
from estimates.catalogue.scores import F1, MEAN, SHARE, STRENGTH, WIN_SHARE
from results.reading.wording import LONG
from results.tables.grids import Cell, Grid, GridLine
from tasktypes.facets import Facet

# Where an axis ends at the latest: nowhere, for coefficients, for shares.
OPEN, COEFFICIENTS, SHARES = (-inf, inf), (-1.0, 1.0), (0.0, 1.0)
# Rows of a symmetric heat map whose numbers are written twice.
MOST_TWICE = 12


class Plot(Protocol):
    """Anything that can be drawn. measure: the name of its numbers."""

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
        return Grid([_("Why there is no figure")], [GridLine("", [Cell(undefined=self.reason)])])


@dataclass(frozen=True)
class Series:
    """The points of one party, one per category; None where it has none."""

    name: str
    points: Sequence[Estimate | None]


@dataclass(frozen=True)
class Points:
    """Points with intervals: categories downwards, parties beside each other. ends: of the axis."""

    measure: str
    categories: Sequence[str]
    series: Sequence[Series]
    ends: tuple[float, float] = OPEN

    def grid(self) -> Grid:
        """Categories downwards, a column per party."""
        lines = [GridLine(name, _cells(self.series, at)) for at, name in enumerate(self.categories)]
        return Grid([party.name for party in self.series], lines, self.measure)

    def numbers(self) -> list[float]:
        """Every value and bound."""
        return _numbers(self.series)


@dataclass(frozen=True)
class Matrix:
    """One number per row and column, as a heat map; None where there is none, with the reason in
    `cells`. low, high: what the two ends of the colours stand for, middle: where one becomes the
    other. marked: rows and columns of numbers with a star. symmetric: both halves are the same,
    and a large one has its numbers in the lower half alone. counted: each number is followed by
    how many ratings it is over."""

    measure: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Estimate | None]]
    low: float
    high: float
    note: str = ""
    marked: frozenset[tuple[int, int]] = frozenset()
    symmetric: bool = False
    middle: float = 0.0
    counted: bool = False

    def text(self, row: int, column: int) -> str:
        """The number of a field as it is written into it; empty where there is none."""
        cell = self.cells[row][column]
        twice = self.symmetric and row < column and len(self.rows) > MOST_TWICE
        if cell is None or cell.value is None or twice:
            return ""
        decimals = 2 if max(-self.low, self.high) < LONG else 1
        star = "*" if (row, column) in self.marked else ""
        over = f" ({cell.n_ratings:,})" if self.counted else ""
        text = f"{cell.value:z.{decimals}f}{star}{over}"  # z: no −0.00
        return text.replace("-", "−")

    def grid(self) -> Grid:
        """As it is drawn."""
        lines = [
            GridLine(name, [None if cell is None else Cell.of(cell, n=self.counted) for cell in of])
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
            GridLine(at.isoformat(timespec="seconds"), _cells(self.series, n))
            for n, at in enumerate(self.times)
        ]
        return Grid([party.name for party in self.series], lines, self.measure, _("Answers until"))

    def numbers(self) -> list[float]:
        """Every value."""
        return _numbers(self.series)


@dataclass(frozen=True)
class Cloud:
    """Pairs of numbers, equal ones once with their number. note: how many of them are drawn,
    where these are not all. own_scales: the two are of different things, so that equal numbers
    mean nothing and each has its axis, called `across` and `up` alone."""

    measure: str
    across: str
    up: str
    x: Sequence[float]
    y: Sequence[float]
    times: Sequence[int]
    note: str = ""
    own_scales: bool = False

    @property
    def titles(self) -> tuple[str, str]:
        """The titles of both axes."""
        if self.own_scales:
            return self.across, self.up
        return f"{self.measure}: {self.across}", f"{self.measure}: {self.up}"

    def grid(self) -> Grid:
        """A line per distinct pair."""
        lines = [
            GridLine(
                str(at), [Cell.of(Estimate(value=x)), Cell.of(Estimate(value=y)), Cell.count(n)]
            )
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

    @property
    def title(self) -> str:
        """What the distribution is of."""
        return ", ".join(filter(None, [self.name, self.party]))


@dataclass(frozen=True)
class Boxes:
    """Distributions below each other. ends: of the axis."""

    measure: str
    boxes: Sequence[Box]
    ends: tuple[float, float] = OPEN

    def grid(self) -> Grid:
        """A line per distribution."""
        heads = ["n", _("least"), _("lower quartile"), _("median"), _("upper quartile"), _("most")]
        lines = [
            GridLine(
                box.title,
                [Cell.count(box.n), *(Cell.of(Estimate(value=fence)) for fence in box.fences)],
            )
            for box in self.boxes
        ]
        return Grid(heads, lines, self.measure)


def _numbers(series: Sequence[Series]) -> list[float]:
    """Of points that are drawn: those without a value are not."""
    return [
        number
        for of in series
        for point in of.points
        if point is not None and point.value is not None
        for number in (point.low, point.value, point.high)
        if number is not None
    ]


def _cells(series: Sequence[Series], at: int) -> list[Cell | None]:
    points = [party.points[at] for party in series]
    return [None if point is None else Cell.of(point) for point in points]


def scale_title(facet: Facet) -> str:
    """The facet's name with the ends of its scale, where it has any: "Utility (0–100)"."""
    if facet.ends is None or facet.own_scale:
        return facet.title
    low, high = (f"{end:.3g}".replace("-", "−") for end in facet.ends)
    dash = "–" if facet.ends[0] >= 0 else _(" to ")
    return f"{facet.title} ({low}{dash}{high})"


def ends_of(name: str, facet: Facet) -> tuple[float, float]:
    """The ends of the range of a headline metric of a facet, where they are known."""
    if name == MEAN:
        return facet.ends or OPEN
    return SHARES if name in (SHARE, F1, STRENGTH, WIN_SHARE) else OPEN


@dataclass(frozen=True)
class Range:
    """One line of `Ranges`: an estimate of a party (its mark, from 0), and its name where that
    stands cut on the line."""

    name: str
    estimate: Estimate | None
    party: int = 0
    whole: str = ""


@dataclass(frozen=True)
class Ranges:
    """Estimates below each other on one axis. marks: values that they are compared with. ends: of
    the axis."""

    measure: str
    lines: Sequence[Range]
    marks: Sequence[float] = ()
    ends: tuple[float, float] = OPEN

    def grid(self) -> Grid:
        """A line per estimate."""
        cells = [None if of.estimate is None else Cell.of(of.estimate, n=True) for of in self.lines]
        return Grid(
            [self.measure],
            [
                GridLine(of.whole or of.name, [cell])
                for of, cell in zip(self.lines, cells, strict=True)
            ],
            self.measure,
        )

    def numbers(self) -> list[float]:
        """Every value, bound and mark."""
        series = Series("", [line.estimate for line in self.lines])
        return [*_numbers([series]), *self.marks]
