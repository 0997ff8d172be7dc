"""Small tables of labels as files, and what a check says of them."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from estimates.data.options import Options
from files.errors import ImportFailure
from files.reading.proposals import Stated
from label_table.check import Check, check_files
from label_table.columns import held_by
from label_table.files import read_files

QUICK = Options(resamples=0)


def write_table(folder: Path, head: str, *lines: str, name: str = "labels.csv") -> Path:
    """A CSV file of these lines, cells apart by blanks; `.` is an empty cell."""
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head.split())
        for line in lines:
            writer.writerow("" if cell == "." else cell for cell in line.split())
    return path


def wide(folder: Path, **raters: str) -> Path:
    """`human_1="yyn"` labels three units y, y and n; `.` is a gap."""
    rows = zip(*raters.values(), strict=True)
    lines = [f"u{at} {' '.join(row)}" for at, row in enumerate(rows)]
    return write_table(folder, f"id {' '.join(raters)}", *lines)


def checks(*paths: Path, options: Options = QUICK, **stated: Any) -> Sequence[Check]:
    """Of each criterion. stated: what the options of the command state."""
    level, criterion = stated.pop("level", None), stated.pop("criterion", "")
    repeated = stated.pop("repeated", "")
    people = {kind: stated.pop(kind, ()) for kind in ("humans", "judges")}
    people |= {"decided": stated.pop("decided", {}), "groups": stated.pop("groups", ())}
    read = read_files(
        paths, Stated(columns=held_by(stated), **people), level=level, repeated=repeated
    )
    return check_files(read, criterion=criterion, options=options)


def checked(path: Path, **stated: Any) -> Check:
    """Of the only criterion."""
    (check,) = checks(path, **stated)
    return check


def refused(path: Path, **stated: Any) -> str:
    """The one line with which the file is refused, without its folder."""
    with pytest.raises(ImportFailure) as caught:
        checked(path, **stated)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{path.parent}/", "")


def value(check: Check, raters: str, metric: str, **group: str) -> float | None:
    """The value of the one row."""
    rows = [
        row
        for row in check.rows
        if (row.raters, row.metric, dict(row.group)) == (raters, metric, group)
        and row.facet == check.facet.name
    ]
    (row,) = rows
    return row.estimate.value


def findings(check: Check) -> Sequence[str]:
    return [finding.text for finding in check.findings]


def lacking(check: Check) -> Sequence[str]:
    return [finding.text for finding in check.findings if finding.lacks]


def kinds(check: Check) -> Mapping[str, str]:
    return check.table.raters
