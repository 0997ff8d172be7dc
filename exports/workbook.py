"""Ratings and estimates as one workbook for a spreadsheet."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from annotation.models import Study
from annotation.models.answers import Moment
from estimates.report.cache import Report
from exports import readme
from exports.choice import ExportChoice
from exports.tables import estimates, ratings
from exports.tables.own_columns import OwnColumns

if TYPE_CHECKING:
    from openpyxl import Workbook

PIECE = 1 << 20
# What a sheet of this format can hold, its head included.
MOST_ROWS = 1_048_576


class TooLarge(RuntimeError):
    """More rows than a sheet can hold."""


def workbook_pieces(
    study: Study, choice: ExportChoice, report: Report, moment: Moment
) -> Iterator[bytes]:
    """Three sheets: a description of the others, ratings, estimates. Rows go to disk as they
    come; TooLarge where a sheet cannot hold them."""
    from openpyxl import Workbook

    # Before the first row is written: a sheet that ends in the middle cannot be closed.
    if ratings.count_ratings(study, choice, moment=moment) >= MOST_ROWS:
        raise TooLarge(f"more ratings than a sheet holds ({MOST_ROWS - 1}); use csv or parquet")
    book = Workbook(write_only=True)
    described = readme.readme_lines(study, readme.XLSX, "standing", moment=moment)
    lines = "".join(described).splitlines()
    _sheet(book, "README", (), ((line,) for line in lines))
    own = OwnColumns.of(study)
    head = [*ratings.HEAD, *(column.name for column in own.columns)]
    rows = ratings.rating_rows(study, choice, moment=moment, own=own)
    _sheet(book, "ratings", head, rows)
    _sheet(book, "estimates", estimates.HEAD, estimates.estimate_rows(report))
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _sheet(
    book: "Workbook", name: str, head: Sequence[str], rows: Iterable[tuple[object, ...]]
) -> None:
    sheet = book.create_sheet(name)
    if head:
        sheet.append([_cell(sheet, name) for name in head])
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])


def _cell(sheet: Any, value: object) -> Any:
    """A number as it is; a text as text, even where it looks like a formula."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if isinstance(value, datetime):  # a sheet's own times have no zone
        value = value.isoformat(timespec="seconds")
    if not isinstance(value, str):
        return value
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value))
    cell.data_type = "s"
    return cell
