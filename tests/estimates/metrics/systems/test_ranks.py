"""Best-worst scores of ranked systems, as rows of a report."""

from pathlib import Path
from typing import Any

import pytest

from agreement import best_worst
from annotation.models import Study
from estimates.data.options import Options
from tests.results.estimates import estimate_study
from tests.results.preferences import import_study

SYSTEMS = ("Alder", "Birch", "Cedar")
# By unit the ranks of the three systems: ada's, bob's.
RANKS = [((1, 2, 3), (1, 2, 3)), ((1, 3, 2), (2, 1, 3)), ((1, 1, 3), (1, 2, 3))] * 4


def ranked(folder: Path) -> Study:
    lines: list[dict[str, Any]] = [{"study": {"blocks": [{"task_type": "ranking"}]}}]
    answers: list[dict[str, Any]] = []
    for at, given in enumerate(RANKS):
        items = [{"key": f"u{at}/{s}", "system": s, "text": f"{s} {at}."} for s in SYSTEMS]
        unit = {"key": f"u{at}", "focus": {"order": [0, 1, 2]}}
        source = {"key": f"u{at}", "claim": f"u{at} was sold."}
        lines.append({"source": source, "items": items, "unit": unit})
        for rater, ranks in zip(("ada", "bob"), given, strict=True):
            answer = {"ranks": {"overall": list(ranks)}}
            answers.append({"unit": f"u{at}", "rater": rater, "kind": "human", "answer": answer})
    return import_study(folder, lines, answers)


def test_ranked_systems_have_best_worst_scores_with_intervals(db: None, tmp_path: Path) -> None:
    """Of 24 rankings Alder is first in 16 and shares that place in 4, last in none."""
    rows = {
        (row.metric, row.group.get("system", "")): row.estimate
        for row in estimate_study(ranked(tmp_path), Options()).rows
        if row.raters == "humans"
    }
    alder = rows["best_worst", "Alder"]
    assert alder.value == pytest.approx((16 + 4 / 2) / 24)
    assert alder.low is not None
    assert alder.low < (alder.value or 0) < (alder.high or 0) <= 1
    expected = best_worst(
        [at for at in range(12) for _ in range(6)],
        [rater for _ in range(12) for rater in (0, 0, 0, 1, 1, 1)],
        [*SYSTEMS, *SYSTEMS] * 12,
        [rank for given in RANKS for ranks in given for rank in ranks],
    )
    assert rows["best_worst", "Cedar"].value == pytest.approx(expected.score["Cedar"].value)
    reliability = rows["best_worst_reliability", ""].value
    assert reliability == pytest.approx(expected.reliability.value, abs=0.05)
