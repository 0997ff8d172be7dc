"""Looks at the sealed half are counted, cost error, and show nothing but their figures."""

import json
from decimal import Decimal

import pytest

from agreement.sequences.spending import confidence_of_look
from annotation.models import Annotation, Change, Rater, Source, Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from exports.bundle import answer_lines, study_lines
from judges.definitions.raters import rater_of
from judges.definitions.versions import BadJudge
from judges.models import Judge, JudgeRun
from judges.runs.comparison import compare_runs
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from judges.runs.records.replay import replay_lines
from results.units.drilldown import Behind, units_behind
from tests.judges.endpoints import Opening
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour
from tests.workbench.rule import (
    GOOD,
    HALF,
    POOR,
    answer_all,
    by_the_rule,
    chat_judge,
    good_value,
    split_study,
)
from workbench.looks import (
    LookRefused,
    budget_of,
    finished,
    forecast_look,
    looks_of,
    take_look,
    version_named,
)
from workbench.models import Look
from workbench.splitting import split_sources

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    made = split_study()
    split_sources(study=made, seed=7, planned_looks=2)
    return made


def looked(study: Study, judge: Judge) -> Look:
    look = take_look(study=study, rater=rater_of(judge, study))
    if look.run is not None:
        work_all(look.run)
    return finished(Look.objects.get(pk=look.pk))


def imported(study: Study, name: str = "theirs") -> Rater:
    rater = Rater.objects.create(study=study, name=name, kind="judge", origin=Rater.Origin.IMPORTED)
    answer_all(study, rater, good_value)
    return rater


def test_a_run_asks_about_the_development_half_alone(study: Study, endpoint: Opening) -> None:
    server = endpoint(Behaviour(answer=by_the_rule))
    run = work_all(plan_run(study=study, judge=chat_judge(study, GOOD), subset=""))
    assert (run.n_calls, len(server.asked)) == (12, 12)
    asked = Annotation.objects.filter(rater=run.rater).values("question__unit__source")
    assert not Source.objects.filter(pk__in=asked, sealed=True).exists()


def test_a_look_tells_how_near_the_version_is_on_the_sealed_half_and_what_that_costs(
    study: Study, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    judge = chat_judge(study, HALF)
    forecast = forecast_look(study=study, rater=rater_of(judge, study))
    assert forecast is not None
    assert forecast.calls == 12
    assert not Look.objects.exists()
    look = looked(study, judge)
    (figure,) = look.figures
    # Right (closeness 1) where the number is 0 or 1 modulo 4, else 30 of 100 away (0.7).
    numbers = [int(s.key.partition("-")[2]) for s in study.sources.filter(sealed=True)]
    expected = sum(1.0 if n % 4 < 2 else 0.7 for n in numbers) / len(numbers)
    assert figure["value"] == pytest.approx(expected)
    assert figure["n_units"] == 12
    assert figure["confidence"] == pytest.approx(confidence_of_look(1, 2, 0.05))
    assert figure["low"] < figure["value"] < figure["high"]
    budget = budget_of(study)
    assert budget is not None
    assert (budget.taken, budget.left) == (1, 1)
    assert budget.spent == pytest.approx(0.05 * 0.6201145, abs=1e-8)
    change = Change.objects.get(action="study.looked")
    assert (change.subject, change.detail["number"]) == ("marker@1", 1)


def test_nothing_of_what_was_answered_about_the_sealed_half_is_shown(
    study: Study, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    judge = chat_judge(study, HALF)
    development = work_all(plan_run(study=study, judge=judge, subset=""))
    look = looked(study, judge)
    assert look.run is not None
    assert Annotation.objects.filter(rater=look.rater).count() == 24
    sealed = set(study.units.filter(source__sealed=True).values_list("pk", flat=True))
    keys = set(study.units.filter(pk__in=sealed).values_list("key", flat=True))
    rows = [row.as_json() for row in report_of(study).rows if row.raters == "humans~marker"]
    pooled = [row for row in rows if row["aggregation"] == "pooled" and not row["group"]]
    assert {row["n_units"] for row in pooled if row["metric"] == "pearson"} == {12}
    found = units_behind(study, Behind("utility", "humans~marker"), Options())
    assert found is not None
    assert len(found.lines) == 12
    assert not {line.unit_id for line in found.lines} & sealed
    assert compare_runs(look.run, development).n_both == 0
    assert compare_runs(look.run, look.run).n_both == 0
    assert list(replay_lines(look.run)) == []
    exported = [json.loads(line) for line in answer_lines(study)]
    assert not keys & {line["unit"] for line in exported if line["rater"] == "marker"}
    assert keys & {line["unit"] for line in exported}  # people's are there
    bundled = json.loads("".join(study_lines(study)))["looks"]
    assert [(each["judge"], each["look"], each["planned_looks"]) for each in bundled] == [
        ("marker@1", 1, 2)
    ]


def test_a_look_is_spent_once_for_a_version_and_refused_when_all_are_taken(
    study: Study, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    first, second, third = (chat_judge(study, text) for text in (POOR, HALF, GOOD))
    before = looked(study, first).figures
    assert looked(study, first).figures == before
    looked(study, second)
    with pytest.raises(LookRefused, match="All 2 looks are taken"):
        looked(study, third)
    assert [look.number for look in looks_of(study)] == [1, 2]
    assert looked(study, first).figures == before
    assert not JudgeRun.objects.filter(judge=third).exists()


def test_the_figures_of_a_look_do_not_change_with_later_answers(
    study: Study, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    before = looked(study, chat_judge(study, GOOD)).figures
    answer_all(study, Rater.objects.create(study=study, name="cy", kind="human"), lambda _n: 0.0)
    assert looks_of(study)[0].figures == before


def test_a_look_whose_run_cannot_be_planned_is_not_spent(study: Study, endpoint: Opening) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    rater = rater_of(chat_judge(study, GOOD), study)
    with pytest.raises(RunRefused, match="max cost"):
        take_look(study=study, rater=rater, max_cost=Decimal("0.0000001"))
    assert not Look.objects.exists()


def test_a_look_whose_run_has_no_answer_has_no_figures_yet(study: Study, endpoint: Opening) -> None:
    endpoint(Behaviour(reply="I cannot."))
    look = looked(study, chat_judge(study, GOOD))
    assert look.figures == []
    assert Look.objects.count() == 1


def test_a_sealed_unit_is_no_example(study: Study, endpoint: Opening) -> None:
    endpoint()
    key = study.units.filter(source__sealed=True).order_by("pk")[0].key
    with pytest.raises(BadJudge, match=f"unit {key} is of the sealed half"):
        chat_judge(study, GOOD, examples=[{"unit": key}])
    open_key = study.units.filter(source__sealed=False).order_by("pk")[0].key
    assert chat_judge(study, GOOD, examples=[{"unit": open_key}]).version == 1


def test_a_version_that_was_shown_a_unit_before_it_was_sealed_is_not_tested(
    endpoint: Opening,
) -> None:
    endpoint()
    made = split_study()
    judges = [chat_judge(made, GOOD, examples=[{"unit": u.key}]) for u in made.units.all()]
    split_sources(study=made, seed=7)
    met = [judge for judge in judges if is_refused(made, judge)]
    assert len(met) == 12
    shown = {judge.parameters["examples"][0]["unit"] for judge in met}
    assert shown == set(made.units.filter(source__sealed=True).values_list("key", flat=True))


def is_refused(study: Study, judge: Judge) -> bool:
    try:
        forecast_look(study=study, rater=rater_of(judge, study))
    except LookRefused as error:
        return "as an example" in str(error)
    return False


def test_an_imported_judge_is_tested_on_what_its_file_says(study: Study) -> None:
    rater = imported(study)
    assert version_named(study, "theirs") == rater
    assert forecast_look(study=study, rater=rater) is None
    look = take_look(study=study, rater=rater)
    assert look.figures[0]["value"] == 1.0
    assert look.figures[0]["n_units"] == 12


def test_a_study_that_is_not_split_has_no_looks() -> None:
    made = split_study()
    rater = imported(made)
    assert budget_of(made) is None
    with pytest.raises(LookRefused, match="split its sources first"):
        take_look(study=made, rater=rater)
