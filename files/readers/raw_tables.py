"""Tables as they lie in files, folders and archives, before anybody says what they mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from files.errors import ImportFailure, RecordPlace, files_shown
from files.readers.detection import TableForm, detected_form
from files.readers.folders import TableFile, Unpacked, table_files
from files.readers.item_rows import item_column_names, item_rows, nested_parts, nested_records
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow, UnreadRow, headings
from files.readers.unfolding import Unfolding


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
    unpacked: Unpacked | None = field(default=None, repr=False, compare=False)

    def rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        """Every row that is not blank, as a stream."""
        if self.unfolding is None:
            rows = item_rows(self.path, self.form, watch, self.sheet or None)
        else:
            rows = self._unfolded(self.unfolding, watch)
        return rows if self.unpacked is None else _shown(rows, self.unpacked)

    def _unfolded(self, unfolding: Unfolding, watch: Watch) -> Iterator[TableRow]:
        for record in nested_records(self.path, self.form, watch, self.sheet):
            try:
                for where, texts in unfolding.rows(record):
                    yield TableRow(where, self.names, texts)
            except ImportFailure as failure:
                yield UnreadRow(record.where, self.names, [], failure=failure)


def _shown(rows: Iterator[TableRow], unpacked: Unpacked) -> Iterator[TableRow]:
    """The rows, whose places name the archive in which they are."""
    with files_shown(unpacked.shown):
        for row in rows:
            place = RecordPlace(unpacked.shown(row.where), file=row.where.file, raw=row.where.raw)
            yield replace(row, where=place)


def flat_table(path: Path, form: TableForm) -> RawTable:
    """A file as one table, all sheets together, with what is nested in a record in one cell."""
    return RawTable(path.name, path, form, item_column_names(path, form))


def raw_tables(files: Sequence[Path]) -> list[RawTable]:
    """The tables of files, folders and ZIP archives, in order of their names. ImportFailure where
    one cannot be read as a table."""
    tables: list[RawTable] = []
    for file in table_files(files):
        with files_shown(file.unpacked.shown if file.unpacked else str):
            found = list(_tables_of(file))
        if not found:
            raise ImportFailure(
                str(file.path), "columns", "the file is empty: export it again, or leave it out"
            )
        tables += [replace(found[0], notes=(*found[0].notes, *filter(None, [file.note])))]
        tables += found[1:]
    return tables


def _tables_of(file: TableFile) -> Iterator[RawTable]:
    form = detected_form(file.path)
    if form.kind in ("text", "workbook"):
        for sheet, heading in headings(file.path, form=form).items():
            yield replace(
                _table(file, form, sheet, heading.names),
                header_rows=heading.rows,
                paths=heading.paths,
                questions=heading.questions,
                notes=heading.notes,
            )
        return
    for part in nested_parts(file.path, form):
        records = nested_records(file.path, form, part=part)
        unfolding = Unfolding(str(file.path), records)
        yield replace(
            _table(file, form, part, unfolding.names),
            paths=dict(zip(unfolding.names, unfolding.paths, strict=True)),
            notes=unfolding.notes,
            unfolding=unfolding,
        )


def _table(file: TableFile, form: TableForm, sheet: str, names: tuple[str, ...]) -> RawTable:
    return RawTable(
        name=f"{file.name}#{sheet}" if sheet else file.name,
        path=file.path,
        form=form,
        names=names,
        folder=file.folder,
        sheet=sheet,
        unpacked=file.unpacked,
    )
