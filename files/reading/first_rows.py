"""The first rows of tables, held in memory: a page reads them several times, and spreadsheets and
archives are slow to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow

# Rows of a table, and characters of all tables together.
MOST_ROWS, MOST_CHARACTERS = 10_000, 32 * 2**20


@dataclass(frozen=True)
class FirstRows(RawTable):
    """A table with its first rows alone. has_more: whether there are others. failure: what kept
    others from being read."""

    held: Sequence[TableRow] = ()
    has_more: bool = False
    failure: ImportFailure | None = None

    def rows(self, _watch: Watch = unwatched) -> Iterator[TableRow]:
        """The rows that are held."""
        yield from self.held
        if self.failure is not None:
            raise self.failure


def first_rows(tables: Sequence[RawTable]) -> list[FirstRows]:
    """The tables with their first rows."""
    return [_held(table, MOST_CHARACTERS // len(tables)) for table in tables]


def _held(table: RawTable, most: int) -> FirstRows:
    same = {field.name: getattr(table, field.name) for field in fields(RawTable)}
    held: list[TableRow] = []
    size = 0
    try:
        for row in table.rows():
            if len(held) == MOST_ROWS or size > most:
                return FirstRows(**same, held=held, has_more=True)
            held.append(row)
            size += sum(map(len, row.texts))
    except ImportFailure as failure:
        return FirstRows(**same, held=held, failure=failure)
    return FirstRows(**same, held=held)
