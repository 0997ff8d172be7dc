"""`python -m tests.agreement 1000 [systems] [--write]` prints lines of the table of
docs/statistics.md, over so many studies a cell and the designs whose names begin so, or writes them
there; lines of other designs stay."""

import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from tests.agreement.characteristics import Cell, Design, cells, lines, merged
from tests.agreement.raters.designs import DESIGNS as JUDGES
from tests.agreement.reliability.designs import DESIGNS as PEOPLE
from tests.agreement.scores.designs import DESIGNS as SCORES
from tests.agreement.sequences.designs import DESIGNS as LOOKED_AT
from tests.agreement.systems.correlations import DESIGNS as CORRELATIONS
from tests.agreement.systems.designs import DESIGNS as SYSTEMS

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
BEGIN, END = "<!-- by python -m tests.agreement -->\n\n", "\n\n<!-- end -->"


def counted(design: Design, studies: int) -> list[Cell]:
    """The cells of one design, told as they are found: there are minutes between them."""
    own = cells(design, studies)
    told = "; ".join(f"{of.sentence}, {of.kind} {of.rate:.1f} of {of.given:.0f}" for of in own)
    sys.stderr.write(f"{design.name}: {told}\n")
    return own


def write(counted: Mapping[tuple[str, str], str]) -> None:
    """Put the lines in the place of theirs on the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    written, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{merged(written, counted)}{END}{after}", encoding="utf-8")


def main(studies: int, prefix: str = "") -> None:
    """Count and tell."""
    designs = (*SYSTEMS, *SCORES, *PEOPLE, *JUDGES, *CORRELATIONS, *LOOKED_AT)
    chosen = [design for design in designs if design.name.startswith(prefix)]
    found = lines(chain.from_iterable(counted(design, studies) for design in chosen), studies)
    if "--write" in sys.argv:
        write(found)
    else:
        sys.stdout.write(merged("", found) + "\n")


arguments = [each for each in sys.argv[1:] if each != "--write"]
main(int(arguments[0]), *arguments[1:])
