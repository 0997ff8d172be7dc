"""Files that are marked in tests: a table with a judge's verdict on each text."""

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random

from annotation.models import Study
from files.reading.proposals import Stated
from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput
from marking.plans import Plan
from marking.studies import Chosen, make_study

WORDS = ("river", "stone", "cloud", "lamp", "door", "apple", "paper", "train")


def write_table(path: Path, verdicts: Sequence[str], column: str = "verdict") -> Path:
    """A row for each verdict, with a question and an answer that say nothing of it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "input", "output", column, "reason"])
        for number, verdict in enumerate(verdicts):
            word = WORDS[number % len(WORDS)]
            text = f"It is number {number} of the {word}. Nobody said more."
            rows.writerow(
                [
                    f"t{number}",
                    f"What is the {word} of {number}?",
                    text,
                    verdict,
                    "the secret grounds",
                ]
            )
    return path


def some_verdicts(n: int, share: float = 0.7, seed: int = 1) -> list[str]:
    rng = Random(seed)
    return ["pass" if rng.random() < share else "fail" for _ in range(n)]


def table_input(path: Path, judge: str = "verdict") -> FormatInput:
    skipped = SkippedRecords(strict=False, folders=False)
    return FormatInput([path], stated=Stated(judges=(judge,)), skipped=skipped)


def marked_study(
    path: Path, plan: Plan, judge: str = "verdict", threshold: float | None = None
) -> Study:
    """The study that `mark` makes of a table."""
    study, _lines = make_study(
        format_name="table",
        format_input=table_input(path, judge),
        plan=plan,
        chosen=Chosen(threshold=threshold),
    )
    return study
