"""One trial: a design of a seed, written in a shape, read, and compared."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from files.errors import ImportFailure
from files.readers.raw_tables import raw_tables
from tests.files.reading.designs.design import drawn
from tests.files.reading.designs.files import write
from tests.files.reading.designs.grids import Written
from tests.files.reading.designs.law import REFUSED, Outcome, outcome
from tests.files.reading.designs.shapes import OF_PAIRS, SHAPES

_MOST_DRAWS = 200


@dataclass(frozen=True)
class Trial:
    """What is tried. odd: names and scales as few write them. dirty: with what tools and authors
    add to tables."""

    seed: int
    shape: str
    odd: bool = False
    dirty: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether the design alone is in its files, under customary names."""
        return not (self.odd or self.dirty)

    def __str__(self) -> str:
        words = [*(["odd"] if self.odd else []), *(["dirty"] if self.dirty else [])]
        return f"{self.shape}, seed {self.seed}{''.join(f', {word}' for word in words)}"


def trials(seeds: Sequence[int]) -> list[Trial]:
    """One of each seed, of all shapes in turn: half of them clean with customary names."""
    names = [*SHAPES]
    kinds = ((False, False), (False, True), (False, False), (True, False), (True, True))
    found = []
    for seed in seeds:
        odd, dirty = kinds[(seed // len(names)) % len(kinds)]
        found.append(Trial(seed, names[seed % len(names)], odd, dirty))
    return found


def files_of(trial: Trial, folder: Path) -> tuple[list[Path], Written]:
    """The files of a trial. Where its design has no such shape, another one is drawn."""
    for again in range(_MOST_DRAWS):
        seed = trial.seed + again * 1_000_003
        design = drawn(seed, odd=trial.odd, pairs=trial.shape in OF_PAIRS)
        written = SHAPES[trial.shape](design)
        if written is not None and written.answers:
            written.scale = design.scale.values
            files = write(folder, written, random.Random(seed), dirty=trial.dirty)
            return ([folder] if any(path.parent != folder for path in files) else files), written
    raise AssertionError(f"no design for {trial}")


def tried(trial: Trial, folder: Path) -> Outcome:
    """What comes of it."""
    files, written = files_of(trial, folder)
    try:
        tables = raw_tables(files)
    except ImportFailure as failure:
        return Outcome(REFUSED, f"as tables: {failure}")
    return outcome(tables, written)
