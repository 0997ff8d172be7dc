"""A jury: one answer from those of others, with the votes counted and none invented."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation, Rater, Study
from judges.definitions.versions import BadJudge, define_judge, judge_for
from judges.models import Judge, JudgeRun
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from tests.cast import make_study
from tests.judges.scripted_judges import ONE_BLOCK, replies_for, work_all, write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(blocks=ONE_BLOCK)


def answered_by(study: Study, folder: Path, name: str, *chosen: int) -> JudgeRun:
    reply = {"reply": f'{{"sentences": {list(chosen)}}}'}
    file = write_lines(folder / f"{name}.jsonl", [{**line, **reply} for line in replies_for(study)])
    judge = define_judge(study=study, name=name, method="scripted", parameters={"file": str(file)})
    return work_all(plan_run(study=study, judge=judge))


def jury(study: Study, *names: str, **parameters: Any) -> Judge:
    return define_judge(
        study=study, name="jury", method="jury", parameters={"judges": list(names), **parameters}
    )


def verdicts(run: JudgeRun) -> list[list[int]]:
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    return [answer["sentences"] for answer in answers]


def test_a_jury_unites_what_its_judges_said(study: Study, tmp_path: Path) -> None:
    for name, chosen in (("one", [0]), ("two", [0, 2]), ("three", [0])):
        answered_by(study, tmp_path, name, *chosen)
    run = work_all(plan_run(study=study, judge=jury(study, "one", "two", "three")))
    assert (run.state, verdicts(run)) == ("complete", [[0, 2]] * 3)
    assert set(run.calls.values_list("reply", flat=True)) == {"3 of 3 voted"}


def test_a_jury_by_majority_leaves_out_what_one_alone_said(study: Study, tmp_path: Path) -> None:
    for name, chosen in (("one", [0]), ("two", [0, 2]), ("three", [0])):
        answered_by(study, tmp_path, name, *chosen)
    run = work_all(plan_run(study=study, judge=jury(study, "one", "two", "three", how="majority")))
    assert verdicts(run) == [[0]] * 3


def test_a_vote_that_is_missing_is_counted_and_not_invented(study: Study, tmp_path: Path) -> None:
    answered_by(study, tmp_path, "one", 1)
    silent = answered_by(study, tmp_path, "silent", 1)
    Annotation.objects.filter(rater=silent.rater, question__unit__key__startswith="claim-0").update(
        excluded_reason="a try"
    )
    everybody = work_all(plan_run(study=study, judge=jury(study, "one", "silent")))
    assert (everybody.state, verdicts(everybody)) == ("partial", [[1]] * 2)
    assert set(everybody.calls.exclude(error="").values_list("status", "error")) == {
        ("error", "1 of 2 voted; not silent@1")
    }
    enough = work_all(plan_run(study=study, judge=jury(study, "one", "silent", min_votes=1)))
    assert (enough.state, verdicts(enough)) == ("complete", [[1]] * 3)
    assert enough.calls.earliest("pk").detail == {
        "votes": {"one@1": {"sentences": [1]}},
        "missing": ["silent@1"],
    }


def test_in_later_replicates_a_judge_that_answered_once_votes_with_that_answer(
    study: Study, tmp_path: Path
) -> None:
    answered_by(study, tmp_path, "one", 0)
    answered_by(study, tmp_path, "two", 0, 1)
    run = work_all(plan_run(study=study, judge=jury(study, "one", "two"), replicates=2))
    answers = Annotation.objects.filter(rater=run.rater).values_list("replicate", "answer")
    assert sorted((replicate, answer["sentences"]) for replicate, answer in answers) == [
        *[(0, [0, 1])] * 3,
        *[(1, [0, 1])] * 3,
    ]


def test_a_jury_with_too_few_members_that_exist_is_refused(study: Study, tmp_path: Path) -> None:
    answered_by(study, tmp_path, "one", 1)
    with pytest.raises(RunRefused, match="members that do not exist: nobody"):
        plan_run(study=study, judge=jury(study, "one", "nobody"))
    run = work_all(plan_run(study=study, judge=jury(study, "one", "nobody", min_votes=1)))
    assert verdicts(run) == [[1]] * 3


def test_a_jury_sits_only_where_its_members_answer(tmp_path: Path) -> None:
    study = make_study()  # with a slider as well
    answered_by(study, tmp_path, "one", 1)
    with pytest.raises(RunRefused, match="2 of lexical@1, one@1 to answer the same block"):
        plan_run(study=study, judge=jury(study, "lexical", "one"))
    work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    run = work_all(plan_run(study=study, judge=jury(study, "lexical", "one")))
    assert (run.state, run.n_calls) == ("complete", 3)
    assert set(run.calls.values_list("question__block__key", flat=True)) == {"citation_recovery"}


def test_a_jury_is_planned_with_its_members_before_any_of_them_has_answered(
    tmp_path: Path,
) -> None:
    study = make_study()
    file = write_lines(tmp_path / "one.jsonl", replies_for(study))
    one = define_judge(study=study, name="one", method="scripted", parameters={"file": str(file)})
    define_judge(study=study, name="two", method="lexical")
    bench = jury(study, "one", "two")
    assert forecast_run(study=study, judge=bench).answers == 3
    plan_run(study=study, judge=one)
    plan_run(study=study, judge=judge_for(study, "two"))
    run = plan_run(study=study, judge=bench)
    assert set(run.calls.values_list("question__block__key", flat=True)) == {"citation_recovery"}


def test_an_excluded_answer_has_no_vote(study: Study, tmp_path: Path) -> None:
    run = answered_by(study, tmp_path, "one", 1)
    Annotation.objects.filter(rater=run.rater).update(excluded_reason="a try")
    assert verdicts(work_all(plan_run(study=study, judge=jury(study, "one")))) == []


def test_a_version_can_be_named(study: Study, tmp_path: Path) -> None:
    answered_by(study, tmp_path, "one", 1)
    (tmp_path / "one.jsonl").unlink()
    answered_by(study, tmp_path, "one", 2)
    assert verdicts(work_all(plan_run(study=study, judge=jury(study, "one@1")))) == [[1]] * 3
    assert verdicts(work_all(plan_run(study=study, judge=jury(study, "one")))) == [[2]] * 3


def test_the_next_version_of_a_judge_is_heard_by_the_next_version_of_the_jury(
    study: Study, tmp_path: Path
) -> None:
    study.judges = [{"name": "jury", "method": "jury", "parameters": {"judges": ["one"]}}]
    answered_by(study, tmp_path, "one", 1)
    before = work_all(plan_run(study=study, judge=judge_for(study, "jury")))
    (tmp_path / "one.jsonl").unlink()
    answered_by(study, tmp_path, "one", 2)
    after = work_all(plan_run(study=study, judge=judge_for(study, "jury")))
    assert [str(run.judge) for run in (before, after)] == ["jury@1", "jury@2"]
    assert [run.judge.parameters["judges"] for run in (before, after)] == [["one@1"], ["one@2"]]
    assert (verdicts(before), verdicts(after)) == ([[1]] * 3, [[2]] * 3)
    voted = [call.detail["votes"] for call in after.calls.all()]
    assert voted == [{"one@2": {"sentences": [2]}}] * 3


def test_an_imported_judge_is_heard_before_another_studys_of_its_name(
    study: Study, tmp_path: Path
) -> None:
    define_judge(study=study, name="one", method="lexical")
    rater = Rater.objects.create(
        study=study, name="one", kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED
    )
    answered_by(study, tmp_path, "two", 2)
    Annotation.objects.filter(study=study).update(rater=rater)
    study.judges = [{"name": "jury", "method": "jury", "parameters": {"judges": ["one"]}}]
    run = work_all(plan_run(study=study, judge=judge_for(study, "jury")))
    assert verdicts(run) == [[2]] * 3


@pytest.mark.parametrize("heard", [{"jury": ["jury"]}, {"jury": ["other"], "other": ["jury"]}])
def test_a_jury_cannot_hear_itself(study: Study, heard: dict[str, list[str]]) -> None:
    study.judges = [
        {"name": name, "method": "jury", "parameters": {"judges": judges}}
        for name, judges in heard.items()
    ]
    with pytest.raises(BadJudge, match=r"cannot be its own member \(jury → (other → )?jury\)"):
        judge_for(study, "jury")


def test_asking_a_bench_costs_the_same_few_queries_for_every_chunk(
    study: Study, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    answered_by(study, tmp_path, "one", 1)
    run = plan_run(study=study, judge=jury(study, "one"))
    with django_assert_max_num_queries(60):
        work_all(run)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"judges": []}, "judges"),
        ({"judges": ["one", "one"]}, "named twice"),
        ({"judges": ["one"], "min_votes": 2}, "more than there are"),
        ({"judges": ["one"], "how": "loudest"}, "how"),
    ],
)
def test_a_bench_that_cannot_sit_is_refused(
    study: Study, parameters: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadJudge, match=reason):
        define_judge(study=study, name="jury", method="jury", parameters=parameters)
