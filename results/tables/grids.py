"""Tables of figures, for pages and for downloads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from django.utils.translation import gettext as _

from agreement import Estimate
from results.data.rows import OF_SYSTEMS, PER_ITEM, PER_SOURCE, Row
from results.metrics.catalogue import metric
from results.tables.titles import (
    interval_text,
    no_interval_text,
    number_text,
    size_text,
    value_text,
)


@dataclass(frozen=True)
class Cell:
    """One number of a table as text, with the units behind it; or why there is none.

    no_interval: why there are no bounds. exact: the number with all of its digits; none in a cell
    of words.
    """

    value: str = ""
    sd: str = ""
    interval: str = ""
    no_interval: str = ""
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
        """The estimate as text. n: with the number of items or units that it is over."""
        if estimate.value is None:
            return cls(undefined=estimate.undefined or "", exact=estimate)
        spread = estimate.sd if sd else None
        return cls(
            value=value_text(metric, estimate.value),
            sd="" if spread is None else number_text(spread, estimate.value),
            n=size_text(estimate) if n else "",
            interval=interval_text(estimate),
            no_interval=no_interval_text(estimate),
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
    """A table. corner: what its lines are. counts: the heads of the two columns that say what its
    lines are made from, such as units and answers; empty where cells say so."""

    heads: Sequence[str]
    lines: Sequence[Line]
    title: str = ""
    corner: str = ""
    counts: Sequence[str] = ()

    @property
    def counted(self) -> bool:
        """Whether lines say what they are made from."""
        return bool(self.counts)


@dataclass(frozen=True)
class Layout:
    """How rows become a table: what a row's line and column are, and how both are called.

    counted: lines say what they are made from. A cell does where its line does not, or where it is
    made from something else.
    """

    line: Callable[[Row], str]
    column: Callable[[Row], str]
    line_title: Callable[[str], str] = str
    column_title: Callable[[str], str] = str
    corner: str = ""
    counted: bool = False
    notes: Callable[[str, Sequence[Row]], str] = field(default=lambda _name, _rows: "")
    simulated: frozenset[str] = frozenset()
    sd: bool = False
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
        counts = _counts(rows) if self.counted else ()
        return Grid(heads, lines, title, self.corner, counts)

    def _line(
        self, name: str, rows: Sequence[Row], columns: Sequence[str], url: Callable[[Row], str]
    ) -> Line:
        by_column: dict[str, Row] = {}
        for row in rows:
            by_column.setdefault(self.column(row), row)
        first = rows[0].estimate
        units = first.n_units if self.counted else None
        cells = {column: self._cell(row, url, units) for column, row in by_column.items()}
        return Line(
            title=self.line_title(name),
            cells=[cells.get(column) for column in columns],
            simulated=name in self.simulated,
            note=self.notes(name, rows),
            silence=_silence(by_column),
            units=units,
            ratings=first.n_ratings if self.counted else None,
        )

    def _cell(self, row: Row, url: Callable[[Row], str], units: int | None) -> Cell:
        """units: how many the line says it is made from."""
        sd = self.sd and metric(row.metric).kind == "average"
        n = row.estimate.n_units != units
        return Cell.of(row.estimate, metric=row.metric, sd=sd, n=n, url=url(row))


def _counts(rows: Sequence[Row]) -> tuple[str, str]:
    """What lines count, by what their figures are over. Systems are compared on sources, or on
    units where these show several of them."""
    over = {row.aggregation for row in rows}
    if over == {PER_ITEM}:
        return _("Items"), _("Answers")
    if over == {PER_SOURCE}:
        return _("Sources"), _("Answers")
    if over == {OF_SYSTEMS}:
        return _("Compared on"), _("Means")
    return _("Units"), _("Answers")


def _silence(by_column: Mapping[str, Row]) -> str:
    """The reason, where it is one for all that the line has."""
    reasons = {row.estimate.undefined for row in by_column.values()}
    return (reasons.pop() or "") if len(reasons) == 1 else ""
