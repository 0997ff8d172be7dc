"""The table that the bench of studies imports."""

import csv
from pathlib import Path

from bench.studies import CRITERIA, PER_UNIT, write_table


def test_every_unit_is_rated_by_several_people_and_the_judge_once_each(tmp_path: Path) -> None:
    for units in (20, 100):
        path = tmp_path / "ratings.csv"
        write_table(path, units)
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        given = {(row["item"], row["system"], row["criterion"], row["rater"]) for row in rows}
        assert len(given) == len(rows) == units * len(CRITERIA) * (PER_UNIT + 1)
        assert {row["kind"] for row in rows if row["rater"] == "judge"} == {"judge"}
