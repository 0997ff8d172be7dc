"""The first rows of tables with the same columns, by column."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow
from files.reading.evidence.profiles import Profile

# Of all tables together; a proposal takes two seconds at most.
MOST_CELLS, MOST_ROWS, FEWEST_ROWS = 400_000, 12_000, 40
# So many pairs of rows would have to say the same, for it to tell something that none do.
_BY_CHANCE = 5


@dataclass(frozen=True)
class HeadTable(RawTable):
    """A table of which the first rows are held, so that files are read once."""

    head: tuple[TableRow, ...] = field(default=(), repr=False)

    def rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        """The rows that are held."""
        return iter(self.head)


@dataclass(frozen=True)
class Sample:
    """Tables with much the same columns, and their first rows. files: of each row the number of
    its table. whole: whether these are all rows."""

    tables: tuple[RawTable, ...]
    columns: dict[str, list[str]]
    files: list[int]
    whole: bool

    def __len__(self) -> int:
        return len(self.files)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in order."""
        return tuple(self.columns)

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """Column -> what it holds."""
        rows = Counter(self.files)
        return {
            name: Profile(
                name,
                cells,
                sum(rows[n] for n, table in enumerate(self.tables) if name in table.names),
            )
            for name, cells in self.columns.items()
        }

    def cells(self, name: str) -> list[str]:
        """The cells of a column."""
        return self.columns[name]

    def keys(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Of each row what it says in these columns."""
        if not names:
            return [()] * len(self)
        return list(zip(*(self.columns[name] for name in names), strict=True))

    def determines(
        self, names: Sequence[str], other: str, *, share: float = 0.985, by_file: bool = False
    ) -> bool:
        """Whether rows that say the same in these columns say the same in the other one. by_file:
        rows of one file."""
        first: dict[tuple[object, ...], str] = {}
        cells = self.columns[other]
        keys: Sequence[tuple[object, ...]] = self.keys(names)
        if by_file:
            keys = [(number, *key) for number, key in zip(self.files, keys, strict=True)]
        same = sum(
            first.setdefault(key, cell) == cell for key, cell in zip(keys, cells, strict=True)
        )
        return same >= share * len(self)

    def comes_again(self, names: Sequence[str]) -> float:
        """How many rows there are for each thing that they say in these columns."""
        return len(self) / max(1, len({*self.keys(names)}))

    def sets_apart(self, name: str, other: str) -> bool:
        """Whether rows that say the same in the other column hardly ever say the same in this one,
        though by chance some would: of one text, each row is somebody else's."""
        among = sum(map(_pairs, Counter(self.columns[other]).values()))
        alike = sum(map(_pairs, Counter(self.columns[name]).values()))
        expected = among * alike / max(1, _pairs(len(self)))
        met = sum(map(_pairs, Counter(self.keys([name, other])).values()))
        return expected >= _BY_CHANCE and met <= 0.05 * expected

    def is_key(self, names: Sequence[str], *, share: float = 0.97) -> bool:
        """Whether hardly two rows of a file say the same in these columns."""
        found = {*zip(self.files, self.keys(names), strict=True)}
        return len(found) >= share * len(self)


def sampled(groups: Sequence[Sequence[RawTable]]) -> list[Sample]:
    """A sample of each group of tables."""
    cells = sum(len(table.names) for group in groups for table in group)
    most = max(FEWEST_ROWS, min(MOST_ROWS, MOST_CELLS // max(1, cells)))
    return [_of_group(group, most) for group in groups]


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


def _of_group(group: Sequence[RawTable], most: int) -> Sample:
    names = dict.fromkeys(name for table in group for name in table.names)
    columns: dict[str, list[str]] = {name: [] for name in names}
    files: list[int] = []
    whole = True
    heads: list[RawTable] = []
    for number, table in enumerate(group):
        head = list(islice(table.rows(), most + 1))
        whole = whole and len(head) <= most
        told = {f.name: getattr(table, f.name) for f in fields(RawTable)}
        heads.append(HeadTable(**told, head=tuple(head[:most])))
        for row in head[:most]:
            try:
                cells = row.cells
            except ImportFailure:
                continue  # It is listed where all rows are read.
            files.append(number)
            for name, column in columns.items():
                column.append(cells.get(name, "").strip())
    return Sample(tuple(heads), columns, files, whole)
