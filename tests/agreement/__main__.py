"""`python -m tests.agreement 1000 [systems] [--write]` prints the table of docs/statistics.md, over
so many studies a cell and the designs whose names begin so, or writes it there."""

import sys
from itertools import chain
from pathlib import Path

from tests.agreement.characteristics import Cell, Design, cells, table
from tests.agreement.raters.designs import DESIGNS as JUDGES
from tests.agreement.sequences.designs import DESIGNS as LOOKED_AT
from tests.agreement.systems.designs import DESIGNS as SYSTEMS

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
BEGIN, END = "<!-- by python -m tests.agreement -->\n", "\n<!-- end -->"


def counted(design: Design, studies: int) -> list[Cell]:
    """The cells of one design, told as they are found: there are minutes between them."""
    own = cells(design, studies)
    told = "; ".join(f"{of.sentence}, {of.kind} {of.rate:.1f} of {of.given:.0f}" for of in own)
    sys.stderr.write(f"{design.name}: {told}\n")
    return own


def write(text: str) -> None:
    """Put the table in the place of the one on the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}", encoding="utf-8")


def main(studies: int, prefix: str = "") -> None:
    """Count and tell."""
    designs = (*SYSTEMS, *LOOKED_AT, *JUDGES)
    chosen = [design for design in designs if design.name.startswith(prefix)]
    found = chain.from_iterable(counted(design, studies) for design in chosen)
    text = f"{studies:,} studies a cell.\n\n{table(found)}\n"
    if "--write" in sys.argv:
        write(text)
    else:
        sys.stdout.write(text)


arguments = [each for each in sys.argv[1:] if each != "--write"]
main(int(arguments[0]), *arguments[1:])
