"""Tables as they lie in files, folders and archives, before anybody says what they mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imports.readers.detection import TableForm
from imports.readers.heads import form_and_names
from imports.readers.item_rows import item_rows
from imports.readers.streams import Watch, unwatched
from imports.readers.tables import TableRow


@dataclass(frozen=True)
class RawTable:
    """One table: a file, a sheet, or the member of an archive.

    name: as `TableReading.files` has it. paths: column -> its name taken apart, of nested JSON
    member by member (`("fluency", "3", "1")`). questions: column -> the words of a question that a
    second row of names has. notes: what was odd and read all the same, a sentence each.
    """

    name: str
    path: Path
    form: TableForm
    names: tuple[str, ...]
    folder: str = ""
    sheet: str = ""
    header_rows: int = 1
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        """Every row that is not blank, as a stream."""
        for row in item_rows(self.path, self.form, watch):
            if row.sheet == self.sheet:
                yield row


def raw_tables(files: Sequence[Path]) -> list[RawTable]:
    """The tables of files, folders and ZIP archives, in order of their names. ImportFailure where
    one cannot be read as a table."""
    tables = []
    for path in files:
        form, names = form_and_names(path)
        if form.kind == "workbook":
            sheets = dict.fromkeys(row.sheet for row in item_rows(path, form))
            tables += [
                RawTable(f"{path.name}#{sheet}", path, form, names, sheet=sheet) for sheet in sheets
            ]
        else:
            tables.append(RawTable(path.name, path, form, names))
    return tables
