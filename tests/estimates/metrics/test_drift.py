"""Drift in reports: rows of its own, and nothing else changes."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Member, Study, User
from estimates.data.rows import Row
from estimates.report.cache import report_of
from judges.probes.sets import ProbeChoice, begin_series
from judges.runs.plans.plan import plan_run
from tests.cast import join
from tests.judges.probing import asked_again, begun, keys_of, set_right_answers, study_of
from tests.judges.scripted_judges import scripted_judge, work_all
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


def reported(study: Study, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    call_command("report", study.slug, "--json")
    estimates: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["estimates"]
    return estimates


def drifting(study: Study) -> list[Row]:
    return [row for row in report_of(study).rows if row.metric.startswith("drift_")]


def test_a_report_is_the_same_with_probes_but_for_its_new_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_of(12)
    judge = scripted_judge(study, tmp_path)
    work_all(plan_run(study=study, judge=judge, subset="", replicates=2))
    before = reported(study, capsys)
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    assert reported(study, capsys) == before
    keys = keys_of(study)
    asked_again(study, judge, tmp_path, dict.fromkeys(keys, 20), but=keys[:1])
    after = reported(study, capsys)
    new = [row for row in after if row["metric"].startswith("drift_")]
    assert {row["metric"] for row in new} == {"drift_change", "drift_mean"}
    assert [row for row in after if row not in new] == before


def test_a_report_has_the_newest_asking_of_each_judge(tmp_path: Path) -> None:
    study = study_of(12)
    keys = keys_of(study)
    set_right_answers(study, dict.fromkeys(keys, 70.0))
    judge = begun(study, tmp_path)
    asked_again(study, judge, tmp_path)
    asked_again(study, judge, tmp_path, dict.fromkeys(keys[:6], 20))
    rows = {row.metric: row for row in drifting(study)}
    assert rows.keys() == {"drift_change", "drift_mean", "drift_accuracy", "drift_accuracy_p"}
    change = rows["drift_change"]
    assert (change.raters, change.facet, change.estimate.value) == ("parrot", "utility", 0.5)
    assert change.estimate.interval_method == "Newcombe, 12 clusters; look 2"
    assert rows["drift_mean"].estimate.value == -25
    assert rows["drift_accuracy"].estimate.value == -0.5
    assert rows["drift_accuracy_p"].estimate.value == 2 / 2**6
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    assert drifting(study) == []  # the series of these figures has ended


def test_the_results_page_shows_it_beside_the_judges_other_figures(
    owner: User, tmp_path: Path
) -> None:
    study = study_of(12)
    join(study, owner, Member.Role.OWNER)
    judge = scripted_judge(study, tmp_path)
    work_all(plan_run(study=study, judge=judge, subset=""))
    begun(study, tmp_path)
    asked_again(study, judge, tmp_path, dict.fromkeys(keys_of(study)[:6], 20))
    report_of(study)
    page = as_user(owner).get(reverse("results:judges", args=[study.slug])).content.decode()
    assert "Has a judge drifted since it was asked first?" in page
    assert "Answers changed, beyond those that differ at once" in page
    assert "0.50" in page
