"""Size, coverage and power of what the first screen says, counted over simulated studies."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from zlib import crc32

import numpy as np


class Kind(StrEnum):
    """Of studies without a difference those that find one; of intervals those that hold the truth;
    of studies with a difference those that find one."""

    SIZE = "size"
    COVERAGE = "coverage"
    POWER = "power"


# No cell may have a 99 % interval that lies beyond these, in percent.
MOST_SIZE, LEAST_COVERAGE = 6.0, 93.0
# What begins the name of a habit that stands in the table to be compared with.
HABIT = "habit: "
# What one study says of a sentence: yes, no, or None where it says nothing.
Findings = Mapping[tuple[str, Kind], bool | None]


def holds(low: float | None, truth: float, high: float | None) -> bool | None:
    """Whether an interval does; None without one."""
    return None if low is None or high is None else low <= truth <= high


@dataclass(frozen=True)
class Design:
    """A kind of study. study: draws one and gives its findings."""

    name: str
    study: Callable[[np.random.Generator], Findings]


@dataclass(frozen=True)
class Cell:
    """How often a sentence was right or wrong in one design, in percent. given: of all studies
    those that say anything."""

    sentence: str
    kind: Kind
    design: str
    rate: float
    low: float
    high: float
    given: float

    @property
    def is_within(self) -> bool:
        """Whether the bars allow it."""
        if isnan(self.rate) or self.sentence.startswith(HABIT):
            return True
        if self.kind is Kind.SIZE:
            return self.low <= MOST_SIZE
        return self.kind is Kind.POWER or self.high >= LEAST_COVERAGE


def cells(design: Design, studies: int, seed: int = 1) -> list[Cell]:
    """The cells of one design, with 99 % intervals after Wilson."""
    rng = np.random.default_rng([seed, crc32(design.name.encode())])
    found: dict[tuple[str, Kind], list[bool | None]] = defaultdict(list)
    for _ in range(studies):
        for name, finding in design.study(rng).items():
            found[name].append(finding)
    return [
        Cell(sentence, kind, design.name, *_percent(told))
        for (sentence, kind), told in found.items()
    ]


def _percent(told: Sequence[bool | None]) -> tuple[float, float, float, float]:
    given = [each for each in told if each is not None]
    n, z = len(given), 2.5758
    share = sum(given) / n if n else float("nan")
    if not n:
        return share, share, share, 0.0
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)))
    return 100 * share, 100 * (middle - half), 100 * (middle + half), 100 * n / len(told)
