"""The columns of a table that have no role, which are kept with what they describe."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from files.columns.names import LONGEST_IDENTIFYING, personal
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.raw_tables import RawTable
from files.readers.tables import TableRow
from files.reading.model import ABOUT, ColumnReading, Holds
from imports.material.metadata import MOST
from imports.study_file.item_columns import ItemColumns

Described = Literal["source", "output", "answer"]
# Rows by which it is told what a column describes.
SAMPLE = 1_000
# Findings, each with a file and its columns.
KEPT, PERSONAL = "own_columns_kept", "columns_left_out_that_identify_people"
BEYOND, DIFFERENT = "own_columns_beyond_the_first_100", "columns_left_out_that_differ_for_one_text"


class RowKeys(NamedTuple):
    """What a row is about, so far as two rows can be told apart."""

    source: Hashable
    output: Hashable


@dataclass(frozen=True)
class OwnColumns:
    """The own columns of a file by what each describes, and those that are not kept."""

    path: Path = Path()
    of: Mapping[str, Described] = field(default_factory=dict)
    personal: Sequence[str] = ()
    beyond: Sequence[str] = ()

    @classmethod
    def of_table(
        cls, table: RawTable, columns: ItemColumns, limit: int | None = None
    ) -> "OwnColumns":
        """Those of a table, by its first rows. columns: those that have a role. limit: rows that
        are read at most."""
        taken = [column for _, column in columns.named()]
        about = [columns.source] if columns.source else [getattr(columns, name) for name in ABOUT]
        own = [name for name in table.names if name not in taken]
        rows = islice(table.rows(), min(SAMPLE, limit or SAMPLE)) if own else ()
        sample = list(_sampled(rows, own, [*filter(None, about)], taken))
        cells = {name: [row[at] for _, row in sample] for at, name in enumerate(own)}
        people = [name for name in own if personal(name, cells[name])]
        filled = [name for name in own if name not in people and any(cells[name])]
        owners = [key for key, _ in sample]
        kept = {name: _described(cells[name], owners) for name in filled[:MOST]}
        return cls(table.path, kept, people, filled[MOST:])

    def readings(self) -> list[ColumnReading]:
        """Those that are kept, as a reading has them."""
        return [
            # As the file has the name, which may have spaces around it.
            ColumnReading.model_construct(column=name, holds=Holds.KEPT, of=of)
            for name, of in self.of.items()
            if of != "answer"
        ]

    def tell(self, findings: Findings) -> None:
        """Say which are kept: those of answers are not, which are not imported."""
        kept = [f"{name} (of the {of})" for name, of in self.of.items() if of != "answer"]
        different = [name for name, of in self.of.items() if of == "answer"]
        told = {KEPT: kept, PERSONAL: self.personal, BEYOND: self.beyond, DIFFERENT: different}
        for finding, names in told.items():
            if names:
                findings.note(finding, f"{self.path.name}: {', '.join(names)}")


def _sampled(
    rows: Iterable[TableRow], names: Sequence[str], about: Sequence[str], taken: Sequence[str]
) -> Iterator[tuple[RowKeys, list[str]]]:
    for row in rows:
        try:
            keys = RowKeys(*(hash(tuple(row.cells[name] for name in of)) for of in (about, taken)))
            # As long as personal ones may be: longer cells differ at their beginning, or seldom.
            yield keys, [row.cells[name][: LONGEST_IDENTIFYING + 1] for name in names]
        except ImportFailure:
            continue  # told where the row is read


def _described(cells: Sequence[str], owners: Sequence[RowKeys]) -> Described:
    """What a column describes: the widest within which its cells are the same."""
    sources, outputs = zip(*owners, strict=True)
    if not _steady(cells, outputs):
        return "answer"
    several = len(set(owners)) > len(set(sources))
    return "source" if several and _steady(cells, sources) else "output"


def _steady(cells: Sequence[str], owners: Sequence[Hashable]) -> bool:
    """Whether no owner has two different cells."""
    first: dict[Hashable, str] = {}
    return all(first.setdefault(*row) == row[1] for row in zip(owners, cells, strict=True))
