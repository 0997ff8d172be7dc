"""Tables as they lie in files, folders and archives, before anybody says what they mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imports.errors import ImportFailure
from imports.readers.detection import TableForm, detected_form
from imports.readers.item_rows import nested_parts, nested_records
from imports.readers.streams import Watch, unwatched
from imports.readers.tables import TableRow, UnreadRow, headings, table_rows
from imports.readers.unfolding import Unfolding


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
    unfolding: Unfolding | None = field(default=None, repr=False, compare=False)

    def rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        """Every row that is not blank, as a stream."""
        if self.form.kind in ("text", "workbook"):
            return table_rows(self.path, watch, form=self.form, sheet=self.sheet)
        return self._unfolded(watch)

    def _unfolded(self, watch: Watch) -> Iterator[TableRow]:
        assert self.unfolding is not None
        for record in nested_records(self.path, self.form, watch, self.sheet):
            try:
                for where, texts in self.unfolding.rows(record):
                    yield TableRow(where, self.names, texts)
            except ImportFailure as failure:
                yield UnreadRow(record.where, self.names, [], failure=failure)


def raw_tables(files: Sequence[Path]) -> list[RawTable]:
    """The tables of files, folders and ZIP archives, in order of their names. ImportFailure where
    one cannot be read as a table."""
    return [table for path in files for table in _tables_of(path)]


def _tables_of(path: Path) -> Iterator[RawTable]:
    form = detected_form(path)
    if form.kind in ("text", "workbook"):
        for sheet, heading in headings(path, form=form).items():
            yield RawTable(
                f"{path.name}#{sheet}" if sheet else path.name,
                path,
                form,
                heading.names,
                sheet=sheet,
                header_rows=heading.rows,
                questions=heading.questions,
                notes=heading.notes,
            )
    else:
        for part in nested_parts(path, form):
            unfolding = Unfolding(str(path), nested_records(path, form, part=part))
            yield RawTable(
                f"{path.name}#{part}" if part else path.name,
                path,
                form,
                unfolding.names,
                sheet=part,
                paths=dict(zip(unfolding.names, unfolding.paths, strict=True)),
                notes=unfolding.notes,
                unfolding=unfolding,
            )
