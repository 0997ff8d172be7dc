"""The columns of a table that have no role, which are kept with what they describe."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from files.columns.descriptions import Described, described
from files.columns.names import LONGEST_IDENTIFYING, personal
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.tables import TableRow
from imports.material.metadata import MOST, Value, typed_cells

# Rows by which it is told what a column describes.
SAMPLE = 1_000
# Findings, each with a file and its columns.
KEPT, PERSONAL = "own_columns_kept", "columns_left_out_that_identify_people"
BEYOND, DIFFERENT = "own_columns_beyond_the_first_100", "columns_left_out_that_differ_for_one_text"


@dataclass(frozen=True)
class RowKeys:
    """What a row is about, so far as two rows can be told apart; rater: of an answer."""

    source: Hashable
    output: Hashable
    rater: Hashable = None


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
        read = [key for key, _ in sample]
        raters = [key.rater for key in read if key.rater is not None]
        whose = {"sources": [key.source for key in read], "outputs": [key.output for key in read]}
        kept = {
            name: described(name, cells[name], raters=raters, **whose) for name in filled[:MOST]
        }
        return cls(path, kept, people, filled[MOST:])

    def cells(self, row: TableRow, *of: Described) -> dict[str, Value]:
        """What a row says in those that describe one of these."""
        return typed_cells({name: row.cells[name] for name, each in self.of.items() if each in of})

    def tell(self, findings: Findings) -> None:
        """Say which are kept: those of answers and raters are not, which are not imported."""
        lost = ("answer", "rater")
        kept = [f"{name} (of the {of})" for name, of in self.of.items() if of not in lost]
        different = [name for name, of in self.of.items() if of in lost]
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
