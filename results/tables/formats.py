"""The formats of files that a table is written in."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from results.tables.files import as_csv
from results.tables.grids import Grid
from results.tables.latex import as_latex
from results.tables.markdown import as_markdown
from results.tables.origin import Origin


class TableFormat(NamedTuple):
    """kind: the content type. option: of the command that prints tables so; empty where it prints
    no table of a page."""

    kind: str
    write: Callable[[Grid, Origin], str]
    option: str = ""


# By the ending of a file's name.
TABLES: Mapping[str, TableFormat] = {
    "csv": TableFormat("text/csv; charset=utf-8", as_csv),
    "tex": TableFormat("text/x-tex; charset=utf-8", as_latex, "--latex"),
    "md": TableFormat("text/markdown; charset=utf-8", as_markdown, "--markdown"),
}
