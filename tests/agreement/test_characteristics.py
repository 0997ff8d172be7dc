"""Size, coverage and power of what the first screen says: the bars, and how they are counted."""

from dataclasses import replace

import numpy as np
import pytest

from tests.agreement.characteristics import (
    HABIT,
    Cell,
    Design,
    Findings,
    Kind,
    cells,
)
from tests.agreement.designs import DESIGNS
from tests.agreement.page import is_named, lines, merged
from tests.agreement.sequences.designs import DESIGNS as LOOKED_AT
from tests.agreement.systems.designs import OTHERS, THESE, Systems

STUDIES = 1000


# Those that are looked at again and again have no named exception: sequences/test_coverage.py.
LOOKED_AT_ONCE = [design for design in DESIGNS if design not in LOOKED_AT]


@pytest.mark.slow
@pytest.mark.parametrize("design", LOOKED_AT_ONCE, ids=lambda design: design.name)
def test_no_cell_is_beyond_the_bar_that_the_page_does_not_name(design: Design) -> None:
    beyond = [cell for cell in cells(design, STUDIES) if not cell.is_within]
    assert [cell for cell in beyond if not is_named(cell)] == []


def coin(kind: Kind, share: float, name: str = "a sentence") -> Cell:
    """What is counted of 400 studies that find something so often."""

    def study(rng: np.random.Generator) -> Findings:
        return {(name, kind): bool(rng.random() < share), ("never said", kind): None}

    found, never = cells(Design("a coin", study), 400)
    assert (found.given, never.given) == (100, 0)
    assert never.is_within
    return found


@pytest.mark.parametrize(
    ("kind", "share", "within"),
    [
        (Kind.SIZE, 0.05, True),
        (Kind.SIZE, 0.12, False),
        (Kind.COVERAGE, 0.95, True),
        (Kind.COVERAGE, 0.85, False),
        (Kind.POWER, 0.01, True),
    ],
)
def test_a_cell_is_beyond_the_bar_where_chance_does_not_explain_it(
    kind: Kind, share: float, within: bool
) -> None:
    cell = coin(kind, share)
    assert cell.low < 100 * share < cell.high
    assert cell.is_within is within
    (line,) = lines([cell], 400).values()
    assert ("a coin" in line) is not within


def test_lines_of_what_was_not_counted_again_stay_in_the_table() -> None:
    def counted(rate: float, studies: int, *names: str) -> dict[tuple[str, str], str]:
        return lines([replace(coin(Kind.SIZE, 0.05, name), rate=rate) for name in names], studies)

    before = merged("", counted(5.0, 1000, "one", "other"))
    after = merged(before, counted(4.0, 200, "other", "third"))
    assert [line.split(" | ")[0] for line in after.splitlines()[2:]] == [
        "| one",
        "| other",
        "| third",
    ]
    assert [line.split(" | ")[3] for line in after.splitlines()[2:]] == ["1,000", "200", "200"]


def test_a_habit_is_shown_and_not_judged() -> None:
    assert coin(Kind.SIZE, 0.5, f"{HABIT}take raters as they are").is_within


def test_few_studies_show_what_intercepts_alone_do_not() -> None:
    """Three raters with tastes and 100 sources: both readings hold what they say, the habit of
    mixed models without slopes finds a difference in most studies of equal systems."""
    found = {(cell.sentence, cell.kind): cell for cell in cells(Systems(5, 3, 100, 0.3).design, 40)}
    assert found[OTHERS, Kind.SIZE].is_within
    assert found[THESE, Kind.COVERAGE].is_within
    (habit,) = (cell for (name, _), cell in found.items() if name.startswith(HABIT))
    assert habit.low > 30


def test_power_is_that_of_the_pooled_mixed_model() -> None:
    """60 % of studies find a true difference at a taste of .15; a hundred of them here."""
    design = Systems(5, 3, 100, 0.15, truths=(0.0, 0.0, 0.0, 0.3, 0.5)).design
    (power,) = (c for c in cells(design, 100) if (c.sentence, c.kind) == (OTHERS, Kind.POWER))
    assert power.low < 60 < power.high
