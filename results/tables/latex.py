"""A table, or a text, for LaTeX."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from results.tables.grids import Cell, Grid, GridLine
from results.tables.origin import Origin

UNPRINTED = r"[\x00-\x1f\x7f]"
LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
LETTER_NAMES = """
alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau
upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
"""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$",
    "–": "--", "…": r"\ldots{}", "“": "``", "”": "''", "’": "'", "²": r"\textsuperscript{2}",
    "±": r"$\pm$", "≥": r"$\geq$", "≤": r"$\leq$", "<": "$<$", ">": "$>$",
    "′": "$'$", "→": r"$\to$", "≈": r"$\approx$", "\u2068": "", "\u2069": "",
    **dict(zip(LETTERS, (rf"$\{name}$" for name in LETTER_NAMES.split()), strict=True)),
}  # fmt: skip
# Letters in a line of a column's head, and of a reason in the place of a number.
HEAD, REASON = 14, 30
# Letters that fit across one column and across both of a page of two columns: 219 and 455 pt wide
# (ACL's style), where a digit of a table's type takes 5.
ONE_COLUMN, TWO_COLUMNS = 43, 91


def as_latex(grid: Grid, origin: Origin) -> str:
    """A table for the package booktabs, with the numbers as the page says them, as wide as one or
    two columns of a page and no wider. Comments say where it comes from."""
    heads = [grid.corner, *grid.heads, *grid.counts]
    lines = [list(_latex_line(grid, line)) for line in grid.lines]
    width = _width(grid, heads)
    table = "table" if width <= ONE_COLUMN else "table*"
    shrinks = width > TWO_COLUMNS
    return "\n".join(
        [
            f"% Needs \\usepackage{{booktabs}}{' and {graphicx}' if shrinks else ''}.",
            *(f"% {re.sub(UNPRINTED, ' ', line)}" for line in origin.lines),
            f"\\begin{{{table}}}",
            "\\centering\\small\\setlength{\\tabcolsep}{4pt}",
            f"\\caption{{{escaped(grid.title)}}}",
            f"\\label{{tab:{origin.label}}}",
            *(["\\resizebox{\\textwidth}{!}{%"] if shrinks else []),
            f"\\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
            "\\toprule",
            f"{' & '.join([escaped(heads[0]), *map(_head, heads[1:])])} \\\\",
            "\\midrule",
            *(f"{' & '.join(line)} \\\\" for line in lines),
            "\\bottomrule",
            f"\\end{{tabular}}{'}' if shrinks else ''}",
            f"\\end{{{table}}}",
            "",
        ]
    )


def _head(text: str) -> str:
    """On several lines where it is long: a column is as wide as its numbers."""
    return _stacked([escaped(line) for line in wrap(text, HEAD)])


def _stacked(lines: Sequence[str]) -> str:
    return "".join(lines) if len(lines) < 2 else "\\shortstack[r]{" + r"\\".join(lines) + "}"


def _width(grid: Grid, heads: Sequence[str]) -> int:
    """The letters of the widest line, with two between columns."""
    widths = [max(map(len, wrap(head, HEAD)), default=0) for head in heads]
    for line in grid.lines:
        widths[0] = max(widths[0], len(_title(line)))
        for at, cell in enumerate(line.cells, start=1):
            widths[at] = max(widths[at], _letters(cell))
    return sum(widths) + 2 * len(widths)


def _letters(cell: Cell | None) -> int:
    if cell is None:
        return 1
    parts = [cell.undefined[:REASON]] if cell.undefined else [cell.value, cell.interval, cell.n]
    return sum(len(part) + 3 for part in parts if part) - 1


def _title(line: GridLine) -> str:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    return f"{line.title} ({note})" if note else line.title


def _latex_line(grid: Grid, line: GridLine) -> Iterator[str]:
    yield escaped(_title(line))
    if line.missing_reason:
        yield f"\\multicolumn{{{len(grid.heads)}}}{{l}}{{\\emph{{{escaped(line.missing_reason)}}}}}"
    else:
        yield from map(_latex_cell, line.cells)
    if grid.counted:
        yield from ("" if count is None else str(count) for count in (line.units, line.ratings))


def _latex_cell(cell: Cell | None) -> str:
    if cell is None:
        return "--"
    if cell.undefined:
        return _stacked([f"\\emph{{{escaped(line)}}}" for line in wrap(cell.undefined, REASON)])
    sd = f" $\\pm$ {escaped(cell.sd)}" if cell.sd else ""
    interval = f" [{escaped(cell.interval)}]" if cell.interval else ""
    n = f" ({escaped(cell.n)})" if cell.n else ""
    return f"{escaped(cell.value)}{sd}{interval}{n}"


def escaped(text: str) -> str:
    """Plain text for LaTeX; nothing in it is a command, and what no font may have is dropped."""
    replaced = "".join(SPECIAL.get(letter, letter) for letter in text)
    return re.sub(UNPRINTED, " ", replaced)
