"""`python -m tests.agreement 300 systems` prints the table of docs/statistics.md, over so many
studies a cell and the designs whose names begin so."""

import sys
from itertools import chain

from tests.agreement.characteristics import Cell, Design, cells, table
from tests.agreement.systems.designs import DESIGNS


def counted(design: Design, studies: int) -> list[Cell]:
    """The cells of one design, told as they are found: there are minutes between them."""
    own = cells(design, studies)
    told = "; ".join(f"{of.sentence}, {of.kind} {of.rate:.1f} of {of.given:.0f}" for of in own)
    sys.stderr.write(f"{design.name}: {told}\n")
    return own


studies, prefix = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
chosen = [design for design in DESIGNS if design.name.startswith(prefix)]
found = chain.from_iterable(counted(design, studies) for design in chosen)
sys.stdout.write(table(found) + "\n")
