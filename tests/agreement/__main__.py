"""`python -m tests.agreement 1000 [systems] [--write]` prints lines of the table of
docs/statistics.md, over so many studies a cell and the designs whose names begin so, or writes them
there; lines of other designs stay."""

import sys
from itertools import chain

from tests.agreement.characteristics import Cell, Design, cells
from tests.agreement.designs import DESIGNS
from tests.agreement.page import lines, merged, write


def counted(design: Design, studies: int) -> list[Cell]:
    """The cells of one design, told as they are found: there are minutes between them."""
    own = cells(design, studies)
    told = "; ".join(f"{of.sentence}, {of.kind} {of.rate:.1f} of {of.given:.0f}" for of in own)
    sys.stderr.write(f"{design.name}: {told}\n")
    return own


def main(studies: int, prefix: str = "") -> None:
    """Count and tell."""
    chosen = [design for design in DESIGNS if design.name.startswith(prefix)]
    found = lines(chain.from_iterable(counted(design, studies) for design in chosen), studies)
    if "--write" in sys.argv:
        write(found)
    else:
        sys.stdout.write(merged("", found) + "\n")


arguments = [each for each in sys.argv[1:] if each != "--write"]
main(int(arguments[0]), *arguments[1:])
