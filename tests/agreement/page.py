"""The table of docs/statistics.md: a line of each sentence and kind, over all of its designs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path

import numpy as np

from tests.agreement.characteristics import Cell

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
BEGIN, END = "<!-- by python -m tests.agreement -->\n\n", "\n\n<!-- end -->"
HEAD = (
    "| sentence | | designs | studies | said in % | lowest, median, highest % | beyond the bar |",
    "| --- | --- | --- | --- | --- | --- | --- |",
)


def lines(counted: Iterable[Cell], studies: int) -> dict[tuple[str, str], str]:
    """Of each sentence and kind one line: its designs, the studies of each, the least share of them
    in which it says anything, the lowest, the median and the highest percentage, and which cells
    are beyond the bar."""
    groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in counted:
        groups[cell.sentence, cell.kind].append(cell)
    return {about: _line(*about, own, studies) for about, own in groups.items()}


def _line(sentence: str, kind: str, own: Sequence[Cell], studies: int) -> str:
    rates = [cell.rate for cell in own if not isnan(cell.rate)]
    range_ = f"{min(rates):.1f}, {np.median(rates):.1f}, {max(rates):.1f}" if rates else ""
    beyond = "; ".join(f"{cell.design} {cell.rate:.1f}" for cell in own if not cell.is_within)
    said = f"{min(cell.given for cell in own):.0f}"
    columns = (sentence, kind, f"{len(own)}", f"{studies:,}", said, range_, beyond)
    return f"| {' | '.join(columns)} |"


def merged(written: str, counted: Mapping[tuple[str, str], str]) -> str:
    """The table that stands on the page with the lines that were counted in place of theirs."""
    rows: dict[tuple[str, str], str] = {}
    for line in written.splitlines():
        columns = [column.strip() for column in line.split("|")]
        if len(columns) == len(HEAD[0].split("|")) and line not in HEAD:
            rows[columns[1], columns[2]] = line
    return "\n".join([*HEAD, *(rows | dict(counted)).values()])


def written() -> str:
    """The table as it stands on the page."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def write(counted: Mapping[tuple[str, str], str]) -> None:
    """Put the lines in the place of theirs on the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}{merged(written(), counted)}{END}{after}", encoding="utf-8")


def is_named(cell: Cell) -> bool:
    """Whether the page says that the cell is beyond the bar."""
    begin = f"| {cell.sentence} | {cell.kind} |"
    lines_ = [line for line in written().splitlines() if line.startswith(begin)]
    return any(cell.design in line for line in lines_)
