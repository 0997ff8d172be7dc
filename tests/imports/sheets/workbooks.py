"""Sheets as the tests fill them in: opened with openpyxl, like any file that comes back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
from django.core.management import call_command

from annotation.models import Study

FRONT = ("Instructions", "jurybox")


def write_sheet(study: Study, folder: Path, *raters: str, block: str = "") -> list[Path]:
    """The files that export_sheets writes, in the order of the raters."""
    options = ["--block", block] if block else []
    call_command("export_sheets", study.slug, "--raters", *raters, "--out", str(folder), *options)
    return sorted(folder.glob("*.xlsx"), key=lambda path: [path.stem.endswith(r) for r in raters])


def fill(path: Path, values: Mapping[str, Mapping[str, Any]]) -> None:
    """Fill in every row: worksheet -> text in the row -> what goes into its cells, from the left.

    The text picks the row, as people do: by what they read in it.
    """
    workbook = openpyxl.load_workbook(path)
    for page in workbook.worksheets:
        if page.title in FRONT:
            continue
        for row in page.iter_rows(min_row=2):
            cells = [cell for cell in row if not cell.protection.locked]
            read = " ".join(str(cell.value) for cell in row)
            given = next(v for text, v in values[page.title].items() if text in read)
            for cell, value in zip(cells, given, strict=True):
                cell.value = value
    workbook.save(path)


def change(path: Path, sheet: str, **cells: Any) -> None:
    """Put values into cells by their coordinates."""
    workbook = openpyxl.load_workbook(path)
    for place, value in cells.items():
        workbook[sheet][place] = value
    workbook.save(path)


def everything_in(path: Path) -> str:
    """All that the file says, worksheets that are not shown included."""
    workbook = openpyxl.load_workbook(path)
    cells = [cell.value for page in workbook.worksheets for row in page.iter_rows() for cell in row]
    return json.dumps([str(value) for value in cells if value is not None], ensure_ascii=False)
