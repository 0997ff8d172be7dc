"""A table, or a text, for LaTeX."""

import re
from collections.abc import Iterator

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
    "±": r"$\pm$", "≥": r"$\geq$", "≤": r"$\leq$", "<": "$<$", ">": "$>$", "@": "@",
    **dict(zip(LETTERS, (rf"$\{name}$" for name in LETTER_NAMES.split()), strict=True)),
}  # fmt: skip


def as_latex(grid: Grid, origin: Origin) -> str:
    """A table for the package booktabs, with the numbers as the page says them. Comments say where
    it comes from."""
    heads = [grid.corner, *grid.heads, *grid.counts]
    width = len(heads)
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs}.",
            *(f"% {re.sub(UNPRINTED, ' ', line)}" for line in origin.lines),
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{escaped(grid.title)}}}",
            f"\\label{{tab:{origin.label}}}",
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


def _latex_line(grid: Grid, line: GridLine) -> Iterator[str]:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    yield escaped(f"{line.title} ({note})" if note else line.title)
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
        return f"\\emph{{{escaped(cell.undefined)}}}"
    sd = f" $\\pm$ {escaped(cell.sd)}" if cell.sd else ""
    interval = f" [{escaped(cell.interval)}]" if cell.interval else ""
    n = f" ({escaped(cell.n)})" if cell.n else ""
    return f"{escaped(cell.value)}{sd}{interval}{n}"


def escaped(text: str) -> str:
    """Plain text for LaTeX; nothing in it is a command, and what no font may have is dropped."""
    replaced = "".join(SPECIAL.get(letter, letter) for letter in text)
    return re.sub(UNPRINTED, " ", replaced)
