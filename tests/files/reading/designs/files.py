"""Tables and records as files: CSV and its kin, workbooks, JSON; in order and clean, or not."""

import csv
import gzip
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl

from tests.files.reading.designs.grids import Grid, Written

Extra = Callable[[random.Random, str], str]

EXTRA: dict[str, Extra] = {
    "date": lambda rng, _: f"2023-0{rng.randint(1, 9)}-{rng.randint(10, 28)}",
    "time_spent": lambda rng, _: str(rng.randint(3, 900)),
    "Dauer (s)": lambda rng, _: f"{rng.uniform(1, 90):.2f}",
    "hash": lambda rng, _: f"{rng.getrandbits(64):016x}",
    "n_tokens": lambda rng, _: str(rng.randint(5, 60)),
    "comment": lambda rng, _: rng.choice(("", "", "", "hard to say", "not sure about this one")),
    "Bemerkung": lambda rng, _: rng.choice(("", "", "unklar", "doppelt?")),
    "approval_rate": lambda rng, _: f"{rng.choice((97, 98, 99, 100))}%",
    "split": lambda rng, _: "test",
    "domain": lambda rng, _: rng.choice(("news", "sports", "health")),
    "url": lambda rng, _: f"https://example.org/{rng.randint(1, 99999)}",
    "passed_check": lambda rng, _: rng.choice(("True", "True", "True", "False")),
    "rouge_l": lambda rng, _: f"{rng.random():.4f}",
}
ABOUT_PEOPLE: dict[str, Callable[[int], str]] = {
    "email": lambda n: f"p{n}@example.org",
    "age": lambda n: str(20 + n % 40),
    "gender": lambda n: ("f", "m", "d")[n % 3],
    "native language": lambda n: ("English", "German", "other")[n % 3],
}


def write(folder: Path, written: Written, rng: random.Random, *, dirty: bool) -> list[Path]:
    """The files, in a folder."""
    order, dirt = rng.getrandbits(32), rng.getrandbits(32)
    alike = len({tuple(grid.header) for grid in written.grids}) == 1
    for number, grid in enumerate(written.grids):
        _shuffle_columns(grid, random.Random(order if alike else order + number))
        _shuffle_rows(grid, rng)
        if dirty:
            _soil(grid, random.Random(dirt if alike else dirt + number))
    if written.records:
        return [_json(folder, name, records, rng) for name, records in written.records.items()]
    if written.sheets:
        return [_workbook(folder / "ratings.xlsx", written.grids)]
    forms = [_csv, _csv, _csv, _tsv, _sheet, _semicolons, _zipped, _lines]
    if any(grid.below for grid in written.grids):
        forms = [_csv, _tsv]
    form = rng.choice(forms)
    return [form(folder, grid) for grid in written.grids]


def _shuffle_columns(grid: Grid, rng: random.Random) -> None:
    order = [*range(len(grid.header))]
    if rng.random() < 0.4:
        rng.shuffle(order)
    for row in (grid.header, *grid.below, *grid.rows):
        row[:] = [row[n] for n in order]


def _shuffle_rows(grid: Grid, rng: random.Random) -> None:
    """In any order, where their order says nothing."""
    if not grid.keep_order and rng.random() < 0.5:
        together = [*zip(grid.rows, grid.people or [""] * len(grid.rows), strict=True)]
        rng.shuffle(together)
        grid.rows = [row for row, _ in together]
        grid.people = [who for _, who in together] if grid.people else []


def _soil(grid: Grid, rng: random.Random) -> None:
    """Columns that are no part of the design, and what tools leave behind."""
    left, trailing, blank = (rng.random() < share for share in (0.4, 0.3, 0.4))
    for name in rng.sample([*EXTRA], rng.randint(1, 4)):
        at, cells = rng.random(), random.Random(rng.getrandbits(32))
        _insert(grid, name, [EXTRA[name](cells, "") for _ in grid.rows], at)
    if grid.people:
        number = {who: n for n, who in enumerate(sorted({*grid.people}))}
        for name in rng.sample([*ABOUT_PEOPLE], rng.randint(0, 2)):
            cells_of = [ABOUT_PEOPLE[name](number[who]) for who in grid.people]
            _insert(grid, name, cells_of, rng.random())
    if left:
        _insert(grid, "", [str(n) for n in range(len(grid.rows))], 0)
    if trailing:
        for row in (grid.header, *grid.below, *grid.rows):
            row.append("")
    if blank:
        grid.rows += [[""] * len(grid.header) for _ in range(3)]


def _insert(grid: Grid, name: str, cells: list[str], share: float) -> None:
    """A column, after that share of the others."""
    if name in grid.header:
        return
    at = int(share * (len(grid.header) + 1))
    grid.header.insert(at, name)
    for row in grid.below:
        row.insert(at, name)
    for row, cell in zip(grid.rows, cells, strict=True):
        row.insert(at, cell)


def _lined(grid: Grid) -> list[list[str]]:
    return [grid.header, *grid.below, *grid.rows]


def _text(grid: Grid, delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(_lined(grid))
    return text.getvalue()


def _placed(folder: Path, name: str, suffix: str) -> Path:
    path = folder / f"{name.replace('?', '')}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _csv(folder: Path, grid: Grid) -> Path:
    path = _placed(folder, grid.name, ".csv")
    path.write_text(_text(grid, ","), encoding="utf-8")
    return path


def _tsv(folder: Path, grid: Grid) -> Path:
    path = _placed(folder, grid.name, ".tsv")
    path.write_text(_text(grid, "\t"), encoding="utf-8")
    return path


def _semicolons(folder: Path, grid: Grid) -> Path:
    path = _placed(folder, grid.name, ".csv")
    path.write_text(_text(grid, ";"), encoding="utf-8-sig")
    return path


def _zipped(folder: Path, grid: Grid) -> Path:
    path = _placed(folder, grid.name, ".csv.gz")
    path.write_bytes(gzip.compress(_text(grid, ",").encode()))
    return path


def _lines(folder: Path, grid: Grid) -> Path:
    """Objects, one a line; a nameless column has a name there."""
    path = _placed(folder, grid.name, ".jsonl")
    names = [name or f"Unnamed: {n}" for n, name in enumerate(grid.header)]
    records = [dict(zip(names, row, strict=True)) for row in grid.rows if any(row)]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _sheet(folder: Path, grid: Grid) -> Path:
    return _workbook(_placed(folder, grid.name, ".xlsx"), [grid], named=False)


def _workbook(path: Path, grids: list[Grid], *, named: bool = True) -> Path:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.remove(book.active)
    for grid in grids:
        title = "".join(c for c in grid.name if c not in r"[]:*?/\ "[:-1])[:31]
        sheet = book.create_sheet(title if named else "Sheet1")
        for row in _lined(grid):
            sheet.append([_cell(text) for text in row])
    book.save(path)
    return path


def _cell(text: str) -> Any:
    """As people type it: numbers are numbers."""
    return int(text) if text.isdecimal() and text == str(int(text)) else (text or None)


def _json(folder: Path, name: str, records: Any, rng: random.Random) -> Path:
    if isinstance(records, list) and rng.random() < 0.5:
        path = _placed(folder, name, ".jsonl")
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path
    path = _placed(folder, name, ".json")
    path.write_text(json.dumps(records, ensure_ascii=False, indent=rng.choice((None, 2))))
    return path
