"""What the pages and the documentation say of false alarms is what a simulation gives."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from desk.worker_records.signs import FALSE_ALARMS
from tests.desk.worker_records.robots import PACE, ROBOTS, shown

CROWDS = 100
PACES = (0.25, PACE, 0.6)
PAGE: Path = settings.BASE_DIR / "docs" / "review-and-pay.md"


def in_table(title: str) -> dict[str, list[str]]:
    """Sign -> the cells beside it, of the table with this first title."""
    text = PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(rf"^\| {title} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
    return {re.findall(r"`(\w+)`", first)[0]: rest for first, *rest in rows}


def test_the_documentation_has_every_rate_that_pages_show() -> None:
    table = in_table("of 100 careful people")
    assert {name: float(cells[PACES.index(PACE)]) for name, cells in table.items()} == {
        **FALSE_ALARMS,
        "any": pytest.approx(table["any"] and float(table["any"][1])),
    }


@pytest.mark.slow
def test_careful_people_show_signs_as_often_as_pages_say() -> None:
    measured = {pace: shown(CROWDS, pace) for pace in PACES}
    print(measured)
    for name, cells in in_table("of 100 careful people").items():
        assert [float(cell) for cell in cells] == pytest.approx(
            [measured[pace]["careful"][name] for pace in PACES], abs=0.051
        )
    for name, cells in in_table("of 100 robots").items():
        assert [float(cell) for cell in cells] == [
            round(measured[PACE][who][name]) for who in ROBOTS
        ]
