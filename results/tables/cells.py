"""Cells and columns of tables as plain text and as Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agreement import Estimate

# Letters that are marks, those that are so only at a word's edge or before certain others, and
# those that are so only where a line begins.
SPECIAL = re.compile(
    r"[\\`*|^~$]|(?<!\w)_|_(?!\w)|(?<!\w)@(?=\w)|<(?=[\w/!?])|\[(?=[\^@])|\](?=[(\[:])|^[#>]"
)
UNPRINTED = re.compile(r"[\x00-\x1f\x7f]")


def value_text(estimate: Estimate) -> str:
    """The value, or why there is none."""
    return f"{estimate.value:.4f}" if estimate.value is not None else f"– {estimate.undefined}"


def interval_text(estimate: Estimate) -> str:
    """The interval, empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low:.4f} … {estimate.high:.4f}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines in which columns stand below each other."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def markdown_row(cells: Iterable[str]) -> str:
    """Cells as a row of a pipe table."""
    return f"| {' | '.join(cells)} |"


def marked(text: str) -> str:
    """Plain text for Markdown; nothing in it is a mark."""
    return SPECIAL.sub(lambda mark: f"\\{mark.group()}", UNPRINTED.sub(" ", text))
