"""Tables of figures, for pages and for downloads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple, Self

from django.utils.translation import gettext as _

from agreement import Estimate
from estimates.catalogue import metric
from estimates.data.rows import OF_SYSTEMS, PER_ITEM, PER_SOURCE, Row
from results.reading.titles import metric_title, value_text
from results.reading.wording import (
    decimals_for,
    interval_text,
    no_interval,
    number_text,
    plain,
    sized,
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
        decimals: int | None = None,
    ) -> Self:
        """The estimate as text. n: with the number of items or units that it is over. decimals:
        those of its column."""
        if estimate.value is None:
            return cls(undefined=estimate.undefined or "", exact=estimate)
        spread = estimate.sd if sd else None
        return cls(
            value=value_text(metric, estimate.value, decimals),
            sd="" if spread is None else number_text(spread, estimate.value, decimals),
            n=plain(sized(estimate)) if n else "",
            interval=interval_text(estimate, decimals),
            no_interval=f"no interval: {reason}" if (reason := no_interval(estimate)) else "",
            url=url,
            exact=estimate,
        )

    @classmethod
    def count(cls, number: int) -> Self:
        """A whole number."""
        return cls(value=str(number), exact=Estimate(value=float(number)))


@dataclass(frozen=True)
class GridLine:
    """One row of a table: whom or what it is about, and its cells (None: nothing to say).

    missing_reason: the one reason why none of the cells has a number. flag: what is unusual.
    """

    title: str
    cells: Sequence[Cell | None]
    simulated: bool = False
    note: str = ""
    missing_reason: str = ""
    units: int | None = None
    ratings: int | None = None
    flag: str = ""


class Column(NamedTuple):
    """The head of a column. metric: whose figures it has, where they are of one."""

    title: str
    metric: str = ""


@dataclass(frozen=True)
class Grid:
    """A table. corner: what its lines are. counts: the heads of the two columns that say what its
    lines are made from, such as units and answers; empty where cells say so. metrics: of each
    column, empty where a column has figures of several."""

    heads: Sequence[str]
    lines: Sequence[GridLine]
    title: str = ""
    corner: str = ""
    counts: Sequence[str] = ()
    metrics: Sequence[str] = ()

    @property
    def columns(self) -> list[Column]:
        """The columns of figures; where all are of one metric, `metric` names it instead."""
        names = [""] * len(self.heads) if self.metric else self.metrics
        pairs = zip_longest(self.heads, names[: len(self.heads)], fillvalue="")
        return [Column(title, name) for title, name in pairs]

    @property
    def metric(self) -> str:
        """The one metric of all columns, where there are several columns."""
        names = set(self.metrics)
        return names.pop() if len(names) == 1 and len(self.metrics) > 1 else ""

    @property
    def counted(self) -> bool:
        """Whether lines say what they are made from."""
        return bool(self.counts)


@dataclass(frozen=True)
class Layout:
    """How rows become a table: what a row's line and column (its metric) are, and their titles.

    counted: lines say what they are made from. A cell does where its line does not, or where it is
    made from something else.
    """

    line: Callable[[Row], str]
    column: Callable[[Row], str] = lambda row: row.metric
    line_title: Callable[[str], str] = str
    column_title: Callable[[str], str] = metric_title
    corner: str = ""
    counted: bool = False
    notes: Callable[[str, Sequence[Row]], str] = field(default=lambda _name, _rows: "")
    simulated: frozenset[str] = frozenset()
    sd: bool = False
    # Columns that come first, in this order; else they come as rows name them.
    columns: Sequence[str] = ()
    # Name of a line -> what is unusual about it.
    flags: Mapping[str, str] = field(default_factory=dict)

    def grid(self, rows: Sequence[Row], title: str, url: Callable[[Row], str]) -> Grid:
        """The rows in their order; where two share a cell the first is shown."""
        named = dict.fromkeys(map(self.column, rows))
        columns = [name for name in self.columns if name in named]
        columns += [name for name in named if name not in columns]
        by_line: dict[str, list[Row]] = {}
        for row in rows:
            by_line.setdefault(self.line(row), []).append(row)
        by_column: dict[str, list[Row]] = {name: [] for name in columns}
        for row in rows:
            by_column[self.column(row)].append(row)
        decimals = {name: _decimals(of) for name, of in by_column.items()}
        lines = [self._line(name, of, decimals, url) for name, of in by_line.items()]
        heads = [self.column_title(name) for name in columns]
        counts = _counts(rows) if self.counted else ()
        metrics = [_only_metric(of) for of in by_column.values()]
        return Grid(heads, lines, title, self.corner, counts, metrics)

    def _line(
        self, name: str, rows: Sequence[Row], columns: Mapping[str, int], url: Callable[[Row], str]
    ) -> GridLine:
        """columns: their decimals, by name."""
        by_column: dict[str, Row] = {}
        for row in rows:
            by_column.setdefault(self.column(row), row)
        first = rows[0].estimate
        units = first.n_units if self.counted else None
        cells = {
            column: self._cell(row, url, units, columns[column])
            for column, row in by_column.items()
        }
        return GridLine(
            title=self.line_title(name),
            cells=[cells.get(column) for column in columns],
            simulated=name in self.simulated,
            note=self.notes(name, rows),
            missing_reason=_missing_reason(by_column),
            units=units,
            ratings=first.n_ratings if self.counted else None,
            flag=self.flags.get(name, ""),
        )

    def _cell(self, row: Row, url: Callable[[Row], str], units: int | None, decimals: int) -> Cell:
        """units: how many the line says it is made from."""
        return Cell.of(
            row.estimate,
            metric=row.metric,
            sd=self.sd and metric(row.metric).kind == "average",
            n=row.estimate.n_units != units,
            url=url(row),
            decimals=decimals,
        )


def _decimals(rows: Sequence[Row]) -> int:
    return decimals_for([row.estimate.value for row in rows if row.estimate.value is not None])


def _only_metric(rows: Sequence[Row]) -> str:
    names = {row.metric for row in rows}
    return names.pop() if len(names) == 1 else ""


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


def _missing_reason(by_column: Mapping[str, Row]) -> str:
    """The reason, where it is one for all that the line has."""
    reasons = {row.estimate.undefined for row in by_column.values()}
    return (reasons.pop() or "") if len(reasons) == 1 else ""
