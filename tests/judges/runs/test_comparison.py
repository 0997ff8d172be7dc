"""Two runs of judges side by side."""

import json
from pathlib import Path

import pytest

from annotation.models import Study
from judges.definitions.versions import define_judge
from judges.models import JudgeRun
from judges.runs.comparison import compare_runs
from judges.runs.plans.plan import plan_run
from tests.judges.scripted_judges import work_all, write_lines
from tests.results.preferences import HALF, compared

LETTERS = {"first": "A", "second": "B"}


def run_of(study: Study, folder: Path, name: str) -> JudgeRun:
    """A judge that prefers what that person prefers."""
    replies = [
        {"unit": unit, "reply": json.dumps({"preferred": {"preference": LETTERS[preferred]}})}
        for unit, preferred in HALF[name].items()
    ]
    file = write_lines(folder / f"like-{name}.jsonl", replies)
    judge = define_judge(
        study=study, name=f"like-{name}", method="scripted", parameters={"file": str(file)}
    )
    return work_all(plan_run(study=study, judge=judge, subset=""))


def test_preferences_are_compared_by_side_where_no_two_units_show_the_same_texts(
    db: None, tmp_path: Path
) -> None:
    study = compared(tmp_path, HALF, {})
    runs = [run_of(study, tmp_path, name) for name in ("ada", "bob")]
    (found,) = compare_runs(*runs).agreement
    # Two of four pairs differ; 4 of 8 values are the first text: 1 - (1/2) / (2 * 4 * 4 / (8 * 7)).
    assert found.alpha.value == pytest.approx(1 / 8)
