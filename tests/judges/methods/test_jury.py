"""A jury: one answer from those of others, with the votes counted and none invented."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation, Study
from judges.defining import BadJudge, define_judge
from judges.models import Judge, JudgeRun
from judges.planning import plan_run
from tests.cast import make_study
from tests.judges.bench import ONE_BLOCK, replies_for, work_all, write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(blocks=ONE_BLOCK)


def answered_by(study: Study, folder: Path, name: str, *chosen: int) -> JudgeRun:
    reply = {"reply": f'{{"sentences": {list(chosen)}}}'}
    file = write_lines(folder / f"{name}.jsonl", [{**line, **reply} for line in replies_for(study)])
    judge = define_judge(name=name, method="scripted", parameters={"file": str(file)})
    return work_all(plan_run(study=study, judge=judge))


def jury(*names: str, **parameters: Any) -> Judge:
    return define_judge(
        name="jury", method="jury", parameters={"judges": list(names), **parameters}
    )


def verdicts(run: JudgeRun) -> list[list[int]]:
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    return [answer["sentences"] for answer in answers]


def test_a_jury_unites_what_its_judges_said(study: Study, tmp_path: Path) -> None:
    for name, chosen in (("one", [0]), ("two", [0, 2]), ("three", [0])):
        answered_by(study, tmp_path, name, *chosen)
    run = work_all(plan_run(study=study, judge=jury("one", "two", "three")))
    assert (run.state, verdicts(run)) == ("complete", [[0, 2]] * 3)
    assert set(run.calls.values_list("reply", flat=True)) == {"3 of 3 voted"}


def test_a_jury_by_majority_leaves_out_what_one_alone_said(study: Study, tmp_path: Path) -> None:
    for name, chosen in (("one", [0]), ("two", [0, 2]), ("three", [0])):
        answered_by(study, tmp_path, name, *chosen)
    run = work_all(plan_run(study=study, judge=jury("one", "two", "three", how="majority")))
    assert verdicts(run) == [[0]] * 3


def test_a_vote_that_is_missing_is_counted_and_not_invented(study: Study, tmp_path: Path) -> None:
    answered_by(study, tmp_path, "one", 1)
    everybody = work_all(plan_run(study=study, judge=jury("one", "nobody")))
    assert (everybody.state, verdicts(everybody)) == ("failed", [])
    assert set(everybody.calls.values_list("status", "error")) == {
        ("error", "1 of 2 voted; not nobody")
    }
    enough = work_all(plan_run(study=study, judge=jury("one", "nobody", min_votes=1)))
    assert (enough.state, verdicts(enough)) == ("complete", [[1]] * 3)
    assert enough.calls.earliest("pk").detail == {"votes": 1, "missing": ["nobody"]}


def test_an_excluded_answer_has_no_vote(study: Study, tmp_path: Path) -> None:
    run = answered_by(study, tmp_path, "one", 1)
    Annotation.objects.filter(rater=run.rater).update(excluded_reason="a try")
    assert verdicts(work_all(plan_run(study=study, judge=jury("one")))) == []


def test_a_version_can_be_named(study: Study, tmp_path: Path) -> None:
    answered_by(study, tmp_path, "one", 1)
    (tmp_path / "one.jsonl").unlink()
    answered_by(study, tmp_path, "one", 2)
    assert verdicts(work_all(plan_run(study=study, judge=jury("one@1")))) == [[1]] * 3
    assert verdicts(work_all(plan_run(study=study, judge=jury("one")))) == [[2]] * 3


def test_asking_a_bench_costs_the_same_few_queries_for_every_chunk(
    study: Study, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    answered_by(study, tmp_path, "one", 1)
    run = plan_run(study=study, judge=jury("one"))
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
def test_a_bench_that_cannot_sit_is_refused(parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadJudge, match=reason):
        define_judge(name="jury", method="jury", parameters=parameters)
