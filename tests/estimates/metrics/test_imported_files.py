"""Figures of imported files, by hand: what the importers group and which scale they choose."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.results.estimates import estimate_study


def rows_of(kind: str, file: Path, **options: Any) -> tuple[Row, ...]:
    call_command("import_study", kind, str(file), slug="imported", verbosity=0, **options)
    return estimate_study(Study.objects.get(slug="imported"), Options(resamples=0)).rows


def value(rows: tuple[Row, ...], metric: str, raters: str, aggregation: str, facet: str) -> Any:
    (row,) = [
        row
        for row in rows
        if (row.metric, row.raters, row.aggregation) == (metric, raters, aggregation)
        and (row.facet, row.group) == (facet, {})
    ]
    return row.estimate.value


def test_outputs_for_one_context_have_a_correlation_at_summary_level(
    db: None, tmp_path: Path
) -> None:
    """Without ids: people's 1, 2, 3 beside the machine's .1, .2, .3 (r = 1) for one context and
    .1, .3, .2 (r = 1/2) for the other."""
    predicted = {"tram": (0.1, 0.2, 0.3), "ferry": (0.1, 0.3, 0.2)}
    records = [
        {
            "source": source,
            "system_output": f"{source} {score}",
            "scores": {"coherence": score},
            "predict_scores": {"coherence": machine},
        }
        for source, scores in predicted.items()
        for score, machine in zip((1, 2, 3), scores, strict=True)
    ]
    file = tmp_path / "result.json"
    file.write_text(json.dumps(records))

    rows = rows_of("unieval", file)

    summary = value(rows, "pearson", "humans~unieval", "summary", "coherence")
    assert summary == pytest.approx((1 + 1 / 2) / 2)


def test_a_judges_decimals_agree_with_people_on_their_own_scale(db: None, tmp_path: Path) -> None:
    """(4, 3.5), (2, 2.5) and (3, 3): observed disagreement 1/6; numbers sum to 18 and squares to
    113/2, so 2 (6 113/2 - 18^2) / 30 = 1 is expected, and interval α 5/6. The judge's mean is 3."""
    columns = tmp_path / "map.yaml"
    columns.write_text("scales: {clarity: {low: 1, high: 5, level: interval}}")
    table = tmp_path / "ratings.csv"
    lines = ["rater,kind,item,criterion,rating"]
    lines += ["ann,human,i,clarity,4", "ann,human,j,clarity,2", "ann,human,k,clarity,3"]
    lines += ["gpt,judge,i,clarity,3.5", "gpt,judge,j,clarity,2.5", "gpt,judge,k,clarity,3"]
    table.write_text("\n".join(lines))

    rows = rows_of("ratings", table, columns=columns)

    assert {row.facet for row in rows} == {"clarity"}
    assert value(rows, "mean", "gpt", "per_item", "clarity") == 3
    alpha = value(rows, "krippendorff_alpha_interval", "humans~gpt", "pooled", "clarity")
    assert alpha == pytest.approx(5 / 6)


def test_answers_in_decimals_are_never_the_same_as_points(db: None, tmp_path: Path) -> None:
    columns = tmp_path / "map.yaml"
    columns.write_text("scales: {clarity: {low: 1, high: 5, level: ordinal}}")
    table = tmp_path / "ratings.csv"
    lines = ["rater,kind,item,criterion,rating"]
    for at, name in enumerate("ijklmn"):
        point = 1 + at % 4
        lines += [f"ann,human,{name},clarity,{point}", f"bob,human,{name},clarity,{point}"]
        lines += [f"gpt,judge,{name},clarity,{point + 0.3}"]
    table.write_text("\n".join(lines))

    estimates = {
        (row.metric, row.raters): row.estimate
        for row in rows_of("ratings", table, columns=columns)
        if not row.group
    }

    for metric in ("krippendorff_alpha_nominal", "raw_agreement"):
        assert estimates[metric, "ann~bob"].value == 1
        assert "answers in decimals" in str(estimates[metric, "ann~gpt"].undefined)
