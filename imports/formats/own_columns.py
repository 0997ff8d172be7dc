"""The columns of a table that have no role, which are kept with what they describe."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from files.columns.names import LONGEST_IDENTIFYING, personal
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.tables import TableRow
from imports.material.metadata import MOST, Value, typed_cells

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
        cls,
        path: Path,
        names: Sequence[str],
        *,
        taken: Collection[str],
        rows: Iterator[TableRow],
        keys: Callable[[TableRow], RowKeys],
    ) -> "OwnColumns":
        """Those of a table, by its first rows. taken: the columns that have a role."""
        own = [name for name in names if name not in taken]
        sample = list(_sampled(rows, own, keys)) if own else []
        cells = {name: [row[at] for _, row in sample] for at, name in enumerate(own)}
        people = [name for name in own if personal(name, cells[name])]
        filled = [name for name in own if name not in people and any(cells[name])]
        owners = [key for key, _ in sample]
        kept = {name: _described(cells[name], owners) for name in filled[:MOST]}
        return cls(path, kept, people, filled[MOST:])

    def cells(self, row: TableRow, *of: Described) -> dict[str, Value]:
        """What a row says in those that describe one of these."""
        return typed_cells({name: row.cells[name] for name, each in self.of.items() if each in of})

    def tell(self, findings: Findings) -> None:
        """Say which are kept: those of answers are not, which are not imported."""
        kept = [f"{name} (of the {of})" for name, of in self.of.items() if of != "answer"]
        different = [name for name, of in self.of.items() if of == "answer"]
        told = {KEPT: kept, PERSONAL: self.personal, BEYOND: self.beyond, DIFFERENT: different}
        for finding, names in told.items():
            if names:
                findings.note(finding, f"{self.path.name}: {', '.join(names)}")


def _sampled(
    rows: Iterator[TableRow], names: Sequence[str], keys: Callable[[TableRow], RowKeys]
) -> Iterator[tuple[RowKeys, list[str]]]:
    for row in islice(rows, SAMPLE):
        try:
            # As long as personal ones may be: longer cells differ at their beginning, or seldom.
            yield keys(row), [row.cells[name][: LONGEST_IDENTIFYING + 1] for name in names]
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
