"""Tables of figures, for pages and for downloads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from agreement import Estimate
from results.data.rows import Row
from results.metrics.catalogue import metric
from results.tables.titles import interval_text, number_text, value_text


@dataclass(frozen=True)
class Cell:
    """One number of a table as text, with the units behind it; or why there is none.

    exact: the number with all of its digits; none in a cell of words.
    """

    value: str = ""
    sd: str = ""
    interval: str = ""
    n: str = ""
    undefined: str = ""
    url: str = ""
    exact: Estimate | None = None

    @classmethod
    def of(
        cls,
        estimate: Estimate,
        *,
        metric: str = "",
        sd: bool = False,
        n: bool = False,
        url: str = "",
    ) -> Self:
        """The estimate as text. n: with the number of items or units behind it."""
        if estimate.value is None:
            return cls(undefined=estimate.undefined or "", exact=estimate)
        spread = estimate.sd if sd else None
        sized = n and estimate.n_units is not None
        return cls(
            value=value_text(metric, estimate.value),
            sd="" if spread is None else number_text(spread, estimate.value),
            n=f"n = {estimate.n_units}" if sized else "",
            interval=interval_text(estimate),
            url=url,
            exact=estimate,
        )

    @classmethod
    def count(cls, number: int) -> Self:
        """A whole number."""
        return cls(value=str(number), exact=Estimate(value=float(number)))


@dataclass(frozen=True)
class Line:
    """One row of a table: whom or what it is about, and its cells (None: nothing to say).

    silence: the one reason why none of the cells has a number.
    """

    title: str
    cells: Sequence[Cell | None]
    simulated: bool = False
    note: str = ""
    silence: str = ""
    units: int | None = None
    ratings: int | None = None


@dataclass(frozen=True)
class Grid:
    """A table. corner: what its lines are; counted: they say how many units and answers."""

    heads: Sequence[str]
    lines: Sequence[Line]
    title: str = ""
    corner: str = ""
    counted: bool = False


@dataclass(frozen=True)
class Layout:
    """How rows become a table: what a row's line and column are, and how both are called."""

    line: Callable[[Row], str]
    column: Callable[[Row], str]
    line_title: Callable[[str], str] = str
    column_title: Callable[[str], str] = str
    corner: str = ""
    counted: bool = False
    notes: Callable[[str, Sequence[Row]], str] = field(default=lambda _name, _rows: "")
    simulated: frozenset[str] = frozenset()
    sd: bool = False
    # Whether each cell says how much it is made from: where lines do not, since cells differ.
    sized: bool = False
    # Columns that come first, in this order; else they come as rows name them.
    columns: Sequence[str] = ()

    def grid(self, rows: Sequence[Row], title: str, url: Callable[[Row], str]) -> Grid:
        """The rows in their order; where two share a cell the first is shown."""
        named = dict.fromkeys(map(self.column, rows))
        columns = [name for name in self.columns if name in named]
        columns += [name for name in named if name not in columns]
        by_line: dict[str, list[Row]] = {}
        for row in rows:
            by_line.setdefault(self.line(row), []).append(row)
        lines = [self._line(name, of, columns, url) for name, of in by_line.items()]
        heads = [self.column_title(name) for name in columns]
        return Grid(heads, lines, title, self.corner, self.counted)

    def _line(
        self, name: str, rows: Sequence[Row], columns: Sequence[str], url: Callable[[Row], str]
    ) -> Line:
        by_column: dict[str, Row] = {}
        for row in rows:
            by_column.setdefault(self.column(row), row)
        cells = {column: self._cell(row, url) for column, row in by_column.items()}
        first = rows[0].estimate
        return Line(
            title=self.line_title(name),
            cells=[cells.get(column) for column in columns],
            simulated=name in self.simulated,
            note=self.notes(name, rows),
            silence=_silence(by_column),
            units=first.n_units if self.counted else None,
            ratings=first.n_ratings if self.counted else None,
        )

    def _cell(self, row: Row, url: Callable[[Row], str]) -> Cell:
        sd = self.sd and metric(row.metric).kind == "average"
        return Cell.of(row.estimate, metric=row.metric, sd=sd, n=self.sized, url=url(row))


def _silence(by_column: Mapping[str, Row]) -> str:
    """The reason, where it is one for all that the line has."""
    reasons = {row.estimate.undefined for row in by_column.values()}
    return (reasons.pop() or "") if len(reasons) == 1 else ""
