"""Tables as people really send them: each a name, the bytes, and what becomes of it."""

import codecs
import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import openpyxl
import polars

HEAD = "document,summary\n"


@dataclass(frozen=True)
class Messy:
    """A file with what an import makes of it: (sources, items) and the rows it leaves out as it
    says so, or the sentence with which it refuses the whole."""

    title: str
    name: str
    raw: Callable[[], bytes]
    counts: tuple[int, int] = (0, 0)
    left_out: tuple[str, ...] = ()
    refused: str = ""
    texts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.title


def text(content: str, encoding: str = "utf-8", newline: str = "\n") -> Callable[[], bytes]:
    return lambda: content.replace("\n", newline).encode(encoding)


def joined(*parts: tuple[str, str]) -> Callable[[], bytes]:
    return lambda: b"".join(content.encode(encoding) for content, encoding in parts)


def workbook(fill: Callable[[Any, Any], object]) -> Callable[[], bytes]:
    def raw() -> bytes:
        book, out = openpyxl.Workbook(), io.BytesIO()
        fill(book, book.active)
        book.save(out)
        return out.getvalue()

    return raw


def rows(*lines: list[Any]) -> Callable[[Any, Any], None]:
    def fill(_book: Any, sheet: Any) -> None:
        for line in lines:
            sheet.append(line)

    return fill


def changed(raw: Callable[[], bytes], part: str, old: bytes, new: bytes) -> Callable[[], bytes]:
    """A workbook with other bytes in one of its parts."""

    def made() -> bytes:
        out = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(raw())) as book,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as other,
        ):
            for name in book.namelist():
                content = book.read(name)
                if name == part:
                    assert old in content
                    content = content.replace(old, new)
                other.writestr(name, content)
        return out.getvalue()

    return made


def zipped(name: str, content: bytes) -> Callable[[], bytes]:
    def made() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(name, content)
        return out.getvalue()

    return made


def parquet(**columns: list[Any]) -> Callable[[], bytes]:
    def made() -> bytes:
        out = io.BytesIO()
        polars.DataFrame(columns).write_parquet(out)
        return out.getvalue()

    return made


def _dates(_book: Any, sheet: Any) -> None:
    sheet.append(["document", "system", "summary"])
    sheet.append(["A.", date(2024, 3, 1), "One."])
    noon = datetime(2024, 3, 1, 12, 30)  # noqa: DTZ001 (a spreadsheet knows no zones)
    sheet.append(["B.", noon, "Two."])
    sheet.append(["C.", 3.0, "Three."])


def _merged(_book: Any, sheet: Any) -> None:
    for line in (["document", "summary"], ["A.", "One."], [None, "Two."], ["B.", "Three."]):
        sheet.append(line)
    sheet.append(["C.", "Four."])
    sheet.merge_cells("A2:A3")


def _sheets(book: Any, sheet: Any) -> None:
    sheet.append(["document", "summary"])
    sheet.append(["A.", "One."])
    other = book.create_sheet("More")
    other.append(["document", "text"])
    other.append(["B.", "Two."])


def _far_away(_book: Any, sheet: Any) -> None:
    sheet.append(["document", "summary"])
    sheet.append(["A.", "One."])
    sheet["XFD3"] = "far away"
    sheet["A9"], sheet["B9"] = "B.", "Two."


def _errors(_book: Any, sheet: Any) -> None:
    sheet.append(["document", "summary"])
    sheet.append(["A.", "One."])
    sheet.append(["B.", "=1+1"])
    sheet.append(["C.", "Three."])


_BILLION = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + b"".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'.encode() for n in range(9))
    + b"]>"
)
_EMPTY = "empty (write it in every row, also where cells are merged)"
_POINT = "'3,5' is not a number (write 3.5, with a point)"
_PLAIN = workbook(rows(["document", "summary"], ["A.", "One."]))
_SHEET = "xl/worksheets/sheet1.xml"
_LONG = "word " * (2 * 1024 * 1024)
_TOO_LONG = "word " * (4 * 1024 * 1024)

FILES = (
    Messy("a byte order mark", "t.csv", text("﻿" + HEAD + "A.,One.\n"), (1, 1)),
    Messy("lines of Windows", "t.csv", text(HEAD + "A.,One.\nB.,Two.\n", newline="\r\n"), (2, 2)),
    Messy("lines of old Macs", "t.csv", text(HEAD + "A.,One.\nB.,Two.\n", newline="\r"), (2, 2)),
    Messy(
        "a mark, semicolons and Windows lines",
        "t.csv",
        text("document;summary\nÖl, teuer.;Ja.\n", "utf-8-sig", "\r\n"),
        (1, 1),
    ),
    Messy("tabs under the name csv", "t.csv", text("document\tsummary\nA, b.\tOne.\n"), (1, 1)),
    Messy("UTF-16 of Excel", "t.txt", text("document\tsummary\nÄ.\tÜ.\n", "utf-16"), (1, 1)),
    Messy(
        "Windows-1252",
        "t.csv",
        text(HEAD + "Café.,“Weg”.\n", "cp1252"),
        (1, 1),
        (),
        "",
        ("“Weg”.",),
    ),
    Messy(
        "three encodings",
        "t.csv",
        joined(
            (HEAD + "A café.,Good é.\nB.,Fine.\nC.,Fine, too.\n".replace("e, t", "e t"), "utf-8"),
            ("D.,Schlecht ü.\n", "cp1252"),
            ("E.,Š.\n", "iso8859-2"),
            ("F.,Last ß.\n", "utf-8"),
        ),
        (4, 4),
        ("t.csv:5: encoding: not UTF-8", "t.csv:6: encoding: not UTF-8"),
    ),
    Messy(
        "half a UTF-16 character",
        "t.csv",
        lambda: codecs.BOM_UTF16_LE + (HEAD + "A.,One.\n").encode("utf-16-le")[:-1],
        refused="t.csv:2: encoding: not UTF-16",
    ),
    Messy(
        "cells that begin like formulas",
        "t.csv",
        text(HEAD + '=1+1,-5 degrees\n+49 30,@home\n"=HYPERLINK(""http://x.test"")",Two.\n'),
        (3, 3),
        texts=("-5 degrees", "@home", "Two."),
    ),
    Messy(
        "a name of two columns",
        "t.csv",
        text("document,summary,document\nA.,One.,B.\n"),
        (1, 1),
    ),
    Messy(
        "a column without a name",
        "t.csv",
        text("document,,summary\nA.,x,One.\n"),
        (1, 1),
    ),
    Messy(
        "an id that comes twice with the same text",
        "t.csv",
        text("document,item,summary\nA.,1,One.\nA.,1,One.\nB.,2,Two.\n"),
        (2, 2),
    ),
    Messy(
        "an id that comes twice with the same text of another system",
        "t.csv",
        text("document,item,system,summary\nA.,1,x,One.\nA.,1,y,One.\nB.,2,x,Two.\n"),
        (2, 2),
        ("t.csv:3: item: duplicate: '1' stands at 2 already, with other columns",),
    ),
    Messy(
        "an id of two texts",
        "t.csv",
        text("document,item,summary\nA.,1,One.\nA.,1,Other.\n"),
        refused="t.csv:3: item: duplicate: '1' stands at 2 already, with another text",
    ),
    Messy(
        "dates and numbers of Excel",
        "t.xlsx",
        workbook(_dates),
        (3, 3),
    ),
    Messy(
        "merged cells",
        "t.xlsx",
        workbook(_merged),
        (3, 3),
        (f"t.xlsx (sheet Sheet, row 3): document: {_EMPTY}",),
    ),
    Messy(
        "sheets with other columns",
        "t.xlsx",
        workbook(_sheets),
        refused="t.xlsx (sheet More, row 1): columns: others than in the first sheet",
    ),
    Messy(
        "a cell far away from the table",
        "t.xlsx",
        workbook(_far_away),
        (2, 2),
        ("t.xlsx (sheet Sheet, row 3): columns: more than 2,000 cells under 2 names",),
    ),
    Messy(
        "a sheet that claims a million rows",
        "t.xlsx",
        changed(_PLAIN, _SHEET, b'ref="A1:B2"', b'ref="A1:XFD1048576"'),
        (1, 1),
    ),
    Messy(
        "a formula without a value",
        "t.xlsx",
        workbook(_errors),
        (2, 2),
        ("t.xlsx (sheet Sheet, row 3): summary: empty",),
    ),
    Messy(
        "a sheet that ends in the middle",
        "t.xlsx",
        changed(_PLAIN, _SHEET, b"</sheetData>", b""),
        refused="t.xlsx (sheet Sheet): file: a damaged spreadsheet",
    ),
    Messy(
        "a billion laughs",
        "t.xlsx",
        changed(
            changed(_PLAIN, _SHEET, b"<worksheet", _BILLION + b"<worksheet"),
            _SHEET,
            b"<sheetData>",
            b'<sheetData><row r="1"><c r="A1" t="str"><v>&j;</v></c></row>',
        ),
        refused="t.xlsx: file: ",
    ),
    Messy(
        "a spreadsheet that is a bomb",
        "t.xlsx",
        zipped(_SHEET, b"\0" * (32 * 1024 * 1024)),
        refused="t.xlsx: file: unpacks to 32 MiB: refused; save it as CSV",
    ),
    Messy(
        "an archive of tables",
        "t.zip",
        zipped("t.csv", b"document,summary\nA.,One.\n"),
        refused="t.csv:1: columns: no column seems to hold texts or answers",
    ),
    Messy(
        "a gzip bomb",
        "t.csv.gz",
        lambda: gzip.compress(HEAD.encode() + (b"a," + b"b" * 65_536 + b"\n") * 1500),
        refused="t.csv.gz: gzip: unpacks to more than 200 times its size: refused",
    ),
    Messy(
        "a gzip file that breaks off",
        "t.csv.gz",
        lambda: gzip.compress((HEAD + "A.,One.\n" * 9).encode())[:-8],
        refused="t.csv.gz: gzip: damaged",
    ),
    Messy("a cell of ten megabytes", "t.csv", text(f"{HEAD}{_LONG},Short.\nB.,Two.\n"), (2, 2)),
    Messy(
        "a cell of twenty megabytes",
        "t.csv",
        text(f"{HEAD}A.,One.\n{_TOO_LONG},Short.\n"),
        refused="t.csv:3: CSV: field larger than field limit",
    ),
    Messy(
        "a NUL byte",
        "t.csv",
        text(HEAD + "A.,One.\nB.,T\0wo.\nC.,Three.\n"),
        (2, 2),
        ("t.csv:3: text: holds a NUL character",),
    ),
    Messy(
        "ragged rows",
        "t.csv",
        text(HEAD + "A.,One.\nB.\nC.,Three.,more\nD.,Four.\nE.,Five.\n"),
        (3, 3),
        (
            "t.csv:3: columns: 1 cells under 2 names",
            "t.csv:4: columns: 3 cells under 2 names",
        ),
    ),
    Messy("nothing", "t.csv", lambda: b"", refused="t.csv: columns: the file is empty"),
    Messy(
        "blank lines alone", "t.csv", text("\n \n\n"), refused="t.csv: columns: the file is empty"
    ),
    Messy(
        "headers only",
        "t.csv",
        text(HEAD),
        refused="t.csv: rows: none below the names of the columns",
    ),
    Messy(
        "quoted lines, quotes and blank lines",
        "t.csv",
        text(HEAD + '"A mill\nburned.","It ""burned"",\nthey say."\n\n,\nB.,Two.\n'),
        (2, 2),
    ),
    Messy(
        "a quote that is never closed",
        "t.csv",
        text(HEAD + 'A.,One.\n"B.,Two.\nC.,Three.\n'),
        (3, 3),
        texts=("One.", "Two.", "Three."),
    ),
    Messy(
        "numbers with decimal commas",
        "t.csv",
        text("document;summary;reference\nA.;One.;4\nB.;Two.;3,5\nC.;Three.;2\n"),
        (2, 2),
        (f"t.csv:3: reference: '3,5' is no answer ({_POINT})",),
    ),
    Messy(
        "JSON lines that are not",
        "t.jsonl",
        text(
            '{"document": "A.", "text": "One."}\n{"document": "B.", "text": NaN\n{}\n'
            '{"document": "C.", "text": "Two.", "text": "Three."}\n'
            + '{"document": "D.", "text": "Four."}\n'
            * 3
        ),
        (2, 2),
        (
            "t.jsonl:2: JSON: Expecting ',' delimiter at column 31",
            f"t.jsonl:3: document: {_EMPTY}",
            "t.jsonl:4: JSON: 'text' is given twice",
        ),
    ),
    Messy(
        "one JSON array",
        "t.json",
        lambda: json.dumps([{"document": "A.", "summary": "One."}]).encode(),
        (1, 1),
    ),
    Messy(
        "Parquet with nulls, numbers and lists",
        "t.parquet",
        parquet(document=["A.", "B.", None], summary=["One.", None, "Three."], n=[1.0, 2.5, None]),
        (1, 1),
        refused="t.parquet (row 2): summary: empty (2 of 3 records cannot be used)",
    ),
    Messy(
        "a page of HTML",
        "t.csv",
        text("<html><body>Sign in</body></html>\n"),
        refused="t.csv:1: columns.text: no column is named that holds the outputs",
    ),
)
