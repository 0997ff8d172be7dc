"""A table of a page as a file: CSV with every digit, LaTeX as it is read."""

import csv
import io
import re
from collections.abc import Iterator

from agreement import Estimate
from results.tables.grids import Cell, Grid, Line
from results.tables.origin import Origin

# What a figure is given with in CSV, where some cell of its column has it.
PARTS = {
    "sd": "sd", "low": "lower bound", "high": "upper bound", "n_units": "n",
    "n_ratings": "ratings", "interval_method": "interval", "undefined": "why undefined",
}  # fmt: skip
WHOLE = ("n_units", "n_ratings")
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
    "±": r"$\pm$", "≥": r"$\geq$", "≤": r"$\leq$", "<": "$<$", ">": "$>$", "@": "@",
    **dict(zip(LETTERS, (rf"$\{name}$" for name in LETTER_NAMES.split()), strict=True)),
}  # fmt: skip


def as_csv(grid: Grid, origin: Origin) -> str:
    """One line per line of the table; a figure's bounds, counts and reasons beside it, and in the
    last columns where it comes from: a line before the head would be taken for the head. A text
    that a spreadsheet would take for a formula is preceded by an apostrophe."""
    columns = [[line.cells[at] for line in grid.lines] for at in range(len(grid.heads))]
    parts = [_parts_of(cells) for cells in columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [
        name
        for head, shown in zip(grid.heads, parts, strict=True)
        for name in (head, *(f"{head}: {PARTS[part]}" for part in shown))
    ]
    counts = [head.lower() for head in grid.counts]
    about = [_harmless(text) for text in origin.cells.values()]
    heads = [grid.corner, "note", *heads, *counts, *origin.cells]
    writer.writerow([_harmless(head) for head in heads])
    for line in grid.lines:
        writer.writerow([*_csv_line(grid, line, parts), *about])
    return out.getvalue()


def _parts_of(cells: list[Cell | None]) -> list[str]:
    estimates = [cell.exact for cell in cells if cell is not None and cell.exact is not None]
    return [
        name for name in PARTS if any(getattr(estimate, name) is not None for estimate in estimates)
    ]


def _csv_line(grid: Grid, line: Line, parts: list[list[str]]) -> list[object]:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    row: list[object] = [_harmless(line.title), _harmless(note)]
    for cell, shown in zip(line.cells, parts, strict=True):
        row += _csv_cell(cell, shown)
    if grid.counted:
        row += ["" if count is None else count for count in (line.units, line.ratings)]
    return row


def _csv_cell(cell: Cell | None, parts: list[str]) -> list[object]:
    if cell is None:
        return [""] * (1 + len(parts))
    if cell.exact is None:
        return [_harmless(cell.value or cell.undefined), *[""] * len(parts)]
    return [_digits(cell.exact, name) for name in ("value", *parts)]


def _digits(estimate: Estimate, part: str) -> str:
    value = getattr(estimate, part)
    if value is None:
        return ""
    if isinstance(value, str):
        return _harmless(value)
    return str(int(value)) if part in WHOLE else repr(float(value))


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def as_latex(grid: Grid, origin: Origin) -> str:
    """A table for the package booktabs, with the numbers as the page says them. Where it comes
    from is said in its caption, and again in a comment in case the caption is shortened."""
    heads = [grid.corner, *grid.heads, *grid.counts]
    width = len(heads)
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs}.",
            f"% {re.sub(UNPRINTED, ' ', origin.text)}",
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{escaped(f'{grid.title} ({origin.text})'.strip())}}}",
            f"\\begin{{tabular}}{{l{'r' * (width - 1)}}}",
            "\\toprule",
            f"{' & '.join(map(escaped, heads))} \\\\",
            "\\midrule",
            *(f"{' & '.join(_latex_line(grid, line))} \\\\" for line in grid.lines),
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
            "",
        ]
    )


def _latex_line(grid: Grid, line: Line) -> Iterator[str]:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    yield escaped(f"{line.title} ({note})" if note else line.title)
    if line.silence:
        yield f"\\multicolumn{{{len(grid.heads)}}}{{l}}{{\\emph{{{escaped(line.silence)}}}}}"
    else:
        yield from map(_latex_cell, line.cells)
    if grid.counted:
        yield from ("" if count is None else str(count) for count in (line.units, line.ratings))


def _latex_cell(cell: Cell | None) -> str:
    if cell is None:
        return "--"
    if cell.undefined:
        return f"\\emph{{{escaped(cell.undefined)}}}"
    sd = f" $\\pm$ {escaped(cell.sd)}" if cell.sd else ""
    interval = f" [{escaped(cell.interval)}]" if cell.interval else ""
    n = f" ({escaped(cell.n)})" if cell.n else ""
    return f"{escaped(cell.value)}{sd}{interval}{n}"


def escaped(text: str) -> str:
    """Plain text for LaTeX; nothing in it is a command, and what no font may have is dropped."""
    replaced = "".join(SPECIAL.get(letter, letter) for letter in text)
    return re.sub(UNPRINTED, " ", replaced)
