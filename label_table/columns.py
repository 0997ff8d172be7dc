"""What the columns of a table of labels hold, as whoever reads a check is told it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from files.reading.model import Axis, ColumnReading, Holds, Reading
from files.reading.proposals import Stated


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns by what they hold; empty: none does. Where rows name raters, `rater` and `label`
    are columns, and humans and judges those that were stated; where columns are raters', humans
    and judges are columns."""

    unit: str = ""
    source: str = ""
    system: str = ""
    rater: str = ""
    label: str = ""
    kind: str = ""
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    criterion: str = ""

    @property
    def is_long(self) -> bool:
        """Whether rows, and no columns, tell the rater."""
        return not (self.humans or self.judges) or bool(self.rater)

    @property
    def used(self) -> frozenset[str]:
        """Every column that is named."""
        single = (self.unit, self.source, self.system, self.rater, self.label, self.kind)
        several = (*self.humans, *self.judges, self.criterion)
        return frozenset(name for each in (*single, *several) for name in each.split(JOINED))


JOINED = " + "


def held_by(named: Mapping[str, str]) -> Mapping[str, Holds]:
    """Column -> what it holds, of columns that are named by `unit`, `source` and so on. A unit is
    its own source unless another column is that."""
    holds = {
        "unit": Holds.OUTPUT if named.get("source") else Holds.SOURCE,
        "source": Holds.SOURCE,
        "system": Holds.SYSTEM,
        "rater": Holds.RATER,
        "label": Holds.ANSWER,
        "kind": Holds.KIND,
    }
    return {named[name]: held for name, held in holds.items() if named.get(name)}


def columns_of(reading: Reading, criterion: str, stated: Stated) -> Columns:
    """The columns for one criterion."""
    answers = answer_columns(reading, criterion)
    whose = [column for column in answers if Axis.RATER in column.at]
    humans, judges = stated.humans, stated.judges
    if whose:
        humans = tuple(column.column for column in whose if column.kind != "judge")
        judges = tuple(column.column for column in whose if column.kind == "judge")
    outputs, sources = _named(reading, Holds.OUTPUT), _named(reading, Holds.SOURCE)
    return Columns(
        unit=outputs or sources,
        source=sources if outputs else "",
        system=_named(reading, Holds.SYSTEM),
        rater=_named(reading, Holds.RATER),
        label=_joined(column for column in answers if Axis.RATER not in column.at),
        kind=_named(reading, Holds.KIND),
        humans=humans,
        judges=judges,
        criterion=_named(reading, Holds.CRITERION),
    )


def answer_columns(reading: Reading, criterion: str) -> list[ColumnReading]:
    """The columns that hold answers to a criterion."""
    return [
        column
        for table in reading.tables
        for column in table.columns
        if column.holds is Holds.ANSWER and column.at.get(Axis.CRITERION, criterion) == criterion
    ]


def _named(reading: Reading, holds: Holds) -> str:
    columns = (column for table in reading.tables for column in table.columns)
    return _joined(column for column in columns if column.holds is holds)


def _joined(columns: Iterable[ColumnReading]) -> str:
    return JOINED.join(dict.fromkeys(column.column for column in columns))
