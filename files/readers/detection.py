"""The form of a table of items: its kind, and for text its encoding and its delimiter."""

import codecs
import io
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from files.errors import ImportFailure
from files.readers.json_tables import is_document
from files.readers.parquet import PARQUET
from files.readers.quotation import Records
from files.readers.streams import LONGEST_LINE, opened
from files.readers.workbooks import ZIPPED

Kind = Literal["text", "lines", "json", "workbook", "parquet"]
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# What spreadsheet programs write on Windows where they write no Unicode.
WINDOWS = "cp1252"
_SAMPLE = 256 * 1024
# What is read of a file where somebody looks at its first rows.
HEAD = 4 * 1024 * 1024
_SAMPLE_ROWS = 50


@dataclass(frozen=True)
class TableForm:
    """How a table is read. encoding and delimiter: of text alone."""

    kind: Kind
    encoding: str = "utf-8"
    delimiter: str = ","

    def __str__(self) -> str:
        if self.kind == "workbook":
            return "a spreadsheet"
        if self.kind == "parquet":
            return "Parquet"
        if self.kind == "json":
            return "JSON"
        if self.kind == "lines":
            return "a line of JSON per row"
        encoding = {"utf-8": "UTF-8", "utf-16": "UTF-16", WINDOWS: "Windows-1252"}
        separated = DELIMITERS.get(self.delimiter, repr(self.delimiter))
        name = encoding.get(self.encoding, self.encoding)
        return f"text separated by {separated}, in {name}"


def detected_form(
    path: Path, *, encoding: str = "", delimiter: str = "", head_alone: bool = False
) -> TableForm:
    """The form of the table in a file; encoding and delimiter, where they are stated, are taken
    as they are. head_alone: without reading the whole of a large file. ImportFailure where it
    cannot be a table."""
    with opened(path, utf16=True) as stream:
        assert isinstance(stream, io.BufferedReader)
        head = stream.peek(4)[:4]
        start = stream.peek(64).lstrip()[:1]
    if not head:
        raise ImportFailure(
            str(path), "columns", "the file is empty: export it again, or leave it out"
        )
    if head == ZIPPED:
        return TableForm("workbook")
    if head == PARQUET:
        return TableForm("parquet")
    if start == b"[":
        return TableForm("json")
    if start == b"{":
        return TableForm("json" if is_document(path) else "lines")
    most = HEAD if head_alone else None
    form = TableForm("text", encoding=_checked(path, encoding) or _encoding(path, head, most))
    return replace(form, delimiter=delimiter or _delimiter(path, form.encoding))


def _checked(path: Path, encoding: str) -> str:
    if not encoding:
        return ""
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        reason = f"no encoding is called {encoding!r}"
        raise ImportFailure(str(path), "columns.encoding", reason) from error


def _encoding(path: Path, head: bytes, most: int | None) -> str:
    """UTF-16 by its mark. UTF-8 where every line is that, or where some line that is not ASCII is:
    then the others cannot be read. Else what Windows writes. most: bytes that are read, about."""
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    other = False
    with opened(path) as stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            if most is not None and (most := most - len(line)) < 0:
                break
            if line.isascii():
                continue
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                other = True
            else:
                return "utf-8"
    return WINDOWS if other else "utf-8"


def _delimiter(path: Path, encoding: str) -> str:
    """The delimiter under which the first rows agree best on how many cells there are."""
    with opened(path, utf16=True) as stream:
        text = stream.read(_SAMPLE).decode(encoding, "replace")
    scores = {mark: _agreement(text, mark) for mark in DELIMITERS}
    best = max(scores, key=lambda mark: scores[mark])
    return best if scores[best] > (0.0, 0) else ","


def _agreement(text: str, delimiter: str) -> tuple[float, int]:
    """(share of rows with as many cells as the first, cells); (0, 0) for a single column."""
    records = Records(io.StringIO(text, newline=""), delimiter)
    rows = _complete(islice((cells for cells, _ in records if any(cells)), _SAMPLE_ROWS))
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, 0
    return sum(len(row) == width for row in rows) / len(rows), width


def _complete(rows: Iterable[list[str]]) -> list[list[str]]:
    """All rows of a sample but the last, which the end of the sample may have cut."""
    kept = list(rows)
    return kept[:-1] if len(kept) > 2 else kept
