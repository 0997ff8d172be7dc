"""Comparisons of two texts as rows: strengths beside shares of wins, and who met whom."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from agreement import bradley_terry
from annotation.models import Member, Study, User
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import join
from tests.results.estimates import estimate_study
from tests.results.preferences import compared, import_study
from tests.sessions import as_user

Rows = Mapping[tuple[str, str], Row]
# Comparisons per source, and how many of thirty the first wins.
UNEVEN = (
    ("Alpha", "Beta", 22),
    ("Champion", "Alpha", 27),
    ("Beta", "Weak", 27),
    ("Champion", "Weak", 29),
)
SOURCES = 30


def uneven(folder: Path) -> Study:
    """Alpha beats Beta, but otherwise meets Champion alone, and Beta otherwise Weak alone."""
    lines: list[dict[str, Any]] = [{"study": {"blocks": [{"task_type": "pairwise"}]}}]
    answers: list[dict[str, Any]] = []
    for at in range(SOURCES):
        source = {"key": f"s{at}", "claim": f"{at} ships were sold."}
        items = [
            {"key": f"s{at}/{name}", "system": name, "text": f"{name} on {at}."}
            for name in ("Alpha", "Beta", "Champion", "Weak")
        ]
        for first, second, wins in UNEVEN:
            shown = [item for item in items if item["system"] in (first, second)]
            unit = f"s{at}/{first}-{second}"
            lines.append(
                {
                    "source": source,
                    "items": shown,
                    "unit": {"key": unit, "focus": {"order": [0, 1]}},
                }
            )
            # Spread over the sources: every pair is won and lost all over.
            won = (at * 7 + len(answers)) % SOURCES < wins
            sides = [item["system"] for item in shown]
            to = ("first", "second")[sides.index(first if won else second)]
            answer = {"preferred": {"preference": to}}
            answers.append({"unit": unit, "rater": "ann", "kind": "human", "answer": answer})
    return import_study(folder, lines, answers)


def rows_of(study: Study, options: Options | None = None) -> Rows:
    rows = estimate_study(study, options or Options(resamples=100)).rows
    return {(row.metric, "~".join(row.group.values())): row for row in rows}


@pytest.fixture
def rows(db: None, tmp_path: Path) -> Rows:
    return rows_of(uneven(tmp_path))


def test_who_beats_the_other_is_the_stronger_though_its_share_of_wins_is_lower(rows: Rows) -> None:
    shares = {name: rows["win_share", name].estimate.value for name in ("Alpha", "Beta")}
    assert shares["Alpha"] < shares["Beta"]  # type: ignore[operator]

    alpha, beta = (rows["strength", name].estimate for name in ("Alpha", "Beta"))
    assert float(alpha) > float(beta)
    met = rows["head_to_head", "Alpha~Beta"].estimate
    assert float(met) > 0.5
    assert (met.n_units, met.n_ratings) == (SOURCES, SOURCES)
    assert (met.low or 0) > 0.5


def test_a_difference_counts_only_comparisons_of_the_two_with_each_other(rows: Rows) -> None:
    met = float(rows["head_to_head", "Alpha~Beta"].estimate)

    difference = rows["mean_difference", "Alpha~Beta"].estimate
    assert difference.value == pytest.approx(2 * met - 1)
    assert float(rows["wilcoxon_p", "Alpha~Beta"].estimate) < 0.05
    never = rows["head_to_head", "Alpha~Weak"].estimate
    assert never.undefined == "never compared with each other"
    assert rows["mean_difference", "Alpha~Weak"].estimate.value is None


def test_strengths_are_those_of_the_model(rows: Rows, tmp_path: Path) -> None:
    games = [
        (*pair[:2], float(outcome))
        for pair in UNEVEN
        for outcome in np.repeat(
            [1, 0],
            [
                round(SOURCES * _won(rows, pair[0], pair[1])),
                SOURCES - round(SOURCES * _won(rows, pair[0], pair[1])),
            ],
        )
    ]
    first, second, outcomes = zip(*games, strict=True)
    model = bradley_terry(first, second, outcomes).chance

    for name in ("Alpha", "Beta", "Champion", "Weak"):
        assert rows["strength", name].estimate.value == pytest.approx(float(model[name]))
        assert rows["strength", name].estimate.low is not None
        assert rows["strength", name].raters == "humans"


def _won(rows: Rows, one: str, other: str) -> float:
    key = ("head_to_head", f"{one}~{other}")
    if key in rows:
        return float(rows[key].estimate)
    return 1 - float(rows["head_to_head", f"{other}~{one}"].estimate)


def test_the_page_shows_strengths_first_and_then_who_beat_whom(
    db: None, tmp_path: Path, owner: User
) -> None:
    study = uneven(tmp_path)
    join(study, owner, Member.Role.OWNER)

    page = as_user(owner).get(reverse("results:dashboard", args=[study.slug])).content.decode()

    at = [
        page.index(words)
        for words in (
            "Strength (Bradley–Terry) by system",
            "Comparisons won by system",
            "Who won against whom",
        )
    ]
    assert at == sorted(at)
    first_screen = as_user(owner).get(reverse("results:summary", args=[study.slug]))
    assert "strength (Bradley–Terry)" in first_screen.content.decode()
    assert "a win over a strong one counts for more" in page


def test_groups_that_never_met_have_no_strength(db: None, tmp_path: Path) -> None:
    systems = {"u0": ("A", "B"), "u1": ("A", "B"), "u2": ("C", "D"), "u3": ("C", "D")}
    answers = {"ann": {"u0": "first", "u1": "second", "u2": "first", "u3": "second"}}
    found = rows_of(compared(tmp_path, answers, systems))

    for name in "ABCD":
        reason = found["strength", name].estimate.undefined
        assert reason == "the comparisons fall into groups of systems that never met"
