"""Judges on the units that all of them answered, and the units that they left unanswered."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Item, Study
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.data.rows import COMMON, Row
from estimates.kept.columns import from_kept_columns, keep_columns
from estimates.report.cache import report_of, report_of_bundle
from judges.runs.plans.plan import plan_run
from results.dashboard import page_of, sections_of
from results.tables.choice import PageFilter
from tests.cast import make_study
from tests.judges.scripted_judges import scripted_judge, work_all
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.dashboard.pages import panel_of
from tests.results.estimates import estimate_study

QUICK = Options(resamples=0)
COMMON_KEYS = dict(COMMON)


def sliders(**scores: list[float | None]) -> Study:
    """People's and judges' numbers for each unit; None: not answered."""
    study = make_study(sources=len(scores["ada"]), blocks=[("slider", {})])
    for name, values in scores.items():
        rater = make_rater(study, name, "human" if name == "ada" else "judge")
        for question, value in zip(questions(study), values, strict=True):
            if value is not None:
                rate(rater, question, value)
    return study


def common(study: Study) -> dict[tuple[str, str, str], Row]:
    """By metric, raters and aggregation."""
    rows = estimate_study(study, QUICK).rows
    return {
        (row.metric, row.raters, row.aggregation): row for row in rows if row.group == COMMON_KEYS
    }


def test_judges_stand_side_by_side_on_the_units_that_all_answered(db: None) -> None:
    """elm answered the first four of five, oak the last four: three are left."""
    study = sliders(ada=[10, 20, 40, 30, 90], elm=[10, 30, 20, 25, None], oak=[None, 50, 60, 55, 0])
    rows = common(study)
    pearson = {raters: row for (name, raters, level), row in rows.items()
               if (name, level) == ("pearson", "pooled")}  # fmt: skip
    assert pearson.keys() == {"humans~elm", "humans~oak"}
    assert pearson["humans~elm"].estimate.value == pytest.approx(-1)
    assert pearson["humans~oak"].estimate.value == pytest.approx(1)
    means = {r: row.estimate for (m, r, _), row in rows.items() if m == "mean"}
    assert {name: (e.value, e.n_units) for name, e in means.items()} == {
        "humans": (30, 3), "elm": (25, 3), "oak": (55, 3),
    }  # fmt: skip
    alpha = rows["krippendorff_alpha_interval", "humans~elm", "pooled"].estimate
    assert (alpha.n_units, alpha.n_ratings) == (3, 6)
    assert ("ego_centric_share", "humans~oak", "pooled") in rows


@pytest.mark.parametrize(
    "scores",
    [
        {"ada": [10, 20, 40], "elm": [10, None, 20]},
        {"ada": [10, None, 40], "elm": [10, 30, 20], "oak": [5, 50, 60]},
        {"ada": [10, None, 40], "elm": [10, 30, None], "oak": [5, 50, None]},
    ],
    ids=["one judge", "all answered", "the same are missing"],
)
def test_there_are_no_such_rows_where_they_would_say_nothing_else(
    db: None, scores: dict[str, list[float | None]]
) -> None:
    assert common(sliders(**scores)) == {}


def test_older_versions_of_a_judge_narrow_nothing(db: None) -> None:
    study = sliders(ada=[10, 20, 40], elm=[10, 30, 20], oak=[5, 50, 60])
    older = make_rater(study, "ash", "judge")
    newer = make_rater(study, "ash", "judge", version=2)
    rate(older, questions(study)[0], 10)
    for question in questions(study):
        rate(newer, question, 10)
    assert common(study) == {}


def test_scores_against_references_are_compared_likewise(db: None) -> None:
    study = make_study(sources=3, blocks=[("citation_recovery", {})])
    for name, answered in (("elm", 3), ("oak", 2)):
        judge = make_rater(study, name, "judge")
        for at, question in enumerate(questions(study)[:answered]):
            choose(judge, question, 0, *range(1, 1 + at))
    rows = estimate_study(study, QUICK).rows
    f1 = {(r.raters, bool(r.group)): r.estimate for r in rows
          if r.metric == "f1" and r.group in ({}, COMMON_KEYS)}  # fmt: skip
    assert f1["elm", False].n_units == 3
    assert f1["elm", True].n_units == f1["oak", True].n_units == 2
    assert f1["elm", True].value == f1["oak", True].value == f1["oak", False].value


# --- Units without an answer ----------------------------------------------------------------------


def unanswered(study: Study, **changes: Any) -> dict[str, tuple[float | None, int | None]]:
    rows = estimate_study(study, QUICK).rows
    return {
        " ".join(row.group.values()): (row.estimate.value, row.estimate.n_units)
        for row in rows
        if row.metric == "no_answer_share"
    }


def test_failures_are_told_by_group(db: None, tmp_path: Path) -> None:
    study = make_study(sources=4, blocks=[("citation_recovery", {})])
    for at, item in enumerate(Item.objects.filter(study=study).order_by("pk")):
        Item.objects.filter(pk=item.pk).update(system="Alder" if at < 2 else "Birch")
    keys = [question.unit.key for question in questions(study)]
    judge = scripted_judge(study, tmp_path, {keys[1]: {"reply": "I cannot say."}})
    before = Study.objects.get(pk=study.pk).revision
    run = work_all(plan_run(study=study, judge=judge))
    assert run.state == "partial"
    # One more than the answers made: the report changes when a run ends with questions left.
    assert Study.objects.get(pk=study.pk).revision > before
    found = unanswered(study)
    assert found[""] == (1 / 4, 4)
    assert (found["Alder"], found["Birch"]) == ((1 / 2, 2), (0, 2))


def test_what_a_judge_was_never_asked_is_no_failure(db: None, tmp_path: Path) -> None:
    study = make_study(sources=4, blocks=[("citation_recovery", {})])
    judge = scripted_judge(study, tmp_path)
    work_all(plan_run(study=study, judge=judge, limit=2))
    assert unanswered(study) == {}


def test_failures_are_in_bundles_and_in_kept_columns(db: None, tmp_path: Path) -> None:
    study = make_study(sources=3, blocks=[("citation_recovery", {})])
    keys = [question.unit.key for question in questions(study)]
    judge = scripted_judge(study, tmp_path, {keys[2]: {"reply": "I cannot say."}})
    work_all(plan_run(study=study, judge=judge))
    study.refresh_from_db()
    data = from_database(study)
    assert list(data.unanswered.values()) == [(2,)]

    keep_columns(study, study.revision, data)
    kept = from_kept_columns(study, study.revision)
    assert kept is not None
    assert kept.unanswered == data.unanswered

    call_command("export", study.slug, "--format", "bundle", "--out", str(tmp_path))
    (bundle,) = tmp_path.glob("*.zip")
    rows = report_of_bundle(bundle, QUICK).rows
    assert {row.key for row in rows} == {row.key for row in estimate_study(study, QUICK).rows}
    assert next(r.estimate.value for r in rows if r.metric == "no_answer_share") == 1 / 3


# --- On the page ----------------------------------------------------------------------------------


def test_the_page_shows_both(db: None, tmp_path: Path) -> None:
    study = make_study(sources=4, blocks=[("citation_recovery", {})])
    ada, elm = make_rater(study, "ada"), make_rater(study, "elm", "judge")
    for question in questions(study):
        choose(ada, question, 0)
        choose(elm, question, 1)
    keys = [question.unit.key for question in questions(study)]
    judge = scripted_judge(study, tmp_path, {keys[1]: {"reply": "I cannot say."}})
    work_all(plan_run(study=study, judge=judge))
    blocks = list(study.blocks.all())
    sections = sections_of(page_of(study, blocks, report_of(study), PageFilter()))
    between = panel_of(sections, "common-between-recovery").grid
    assert between.title == "Agreement with people on the units that all judges answered"
    assert [line.units for line in between.lines] == [3, 3]
    assert [line.units for line in panel_of(sections, "common-scores-recovery").grid.lines]
    (line,) = panel_of(sections, "unanswered-recovery").grid.lines
    assert (line.title, line.units) == ("parrot", 4)
