"""Planning: which questions a run asks, and when it refuses."""

from decimal import Decimal
from pathlib import Path

import pytest

from annotation.models import Annotation, Study, Subset, Unit
from judges.defining import judge
from judges.models import Judge, JudgeRun
from judges.planning import RunRefused, forecast_run, plan_run
from tests.cast import make_study
from tests.judges.bench import scripted_judge, work_all

pytestmark = pytest.mark.django_db


def asked(run: JudgeRun) -> list[str]:
    return list(run.calls.order_by("pk").values_list("question__unit__key", flat=True))


def test_a_judge_is_asked_only_what_its_method_can_answer(study: Study) -> None:
    run = plan_run(study=study, judge=judge("lexical"))
    assert set(run.calls.values_list("question__block__key", flat=True)) == {"citation_recovery"}
    assert (run.n_calls, len(asked(run))) == (3, 3)


def test_controls_are_asked_and_examples_are_not() -> None:
    study = make_study(positive=1, negative=1)
    Unit.objects.filter(key="claim-0/alder/1").update(role=Unit.Role.EXAMPLE)
    run = plan_run(study=study, judge=judge("lexical"))
    assert len(asked(run)) == 4
    assert "claim-0/alder/1" not in asked(run)


@pytest.mark.parametrize(("state", "n_asked"), [("validated", 4), ("proposed", 3)])
def test_a_generated_control_is_asked_once_it_is_validated(state: str, n_asked: int) -> None:
    study = make_study(positive=1)
    Unit.objects.filter(role=Unit.Role.POSITIVE).update(check_state=state)
    assert len(asked(plan_run(study=study, judge=judge("lexical")))) == n_asked


def test_without_a_subset_the_studys_own_setting_is_asked(study: Study) -> None:
    Subset.objects.get(study=study, name="sample").units.remove(Unit.objects.latest("pk"))
    lexical = judge("lexical")
    assert plan_run(study=study, judge=lexical).subset == "sample"
    assert plan_run(study=study, judge=lexical).n_calls == 2
    assert plan_run(study=study, judge=lexical, subset="full").n_calls == 3
    assert plan_run(study=study, judge=lexical, subset="").n_calls == 3


def test_a_run_that_is_repeated_asks_nothing_again(study: Study) -> None:
    lexical = judge("lexical")
    work_all(plan_run(study=study, judge=lexical, limit=2))
    assert plan_run(study=study, judge=lexical, limit=2).state == "complete"
    rest = plan_run(study=study, judge=lexical)
    assert asked(rest) == ["claim-2/alder/1"]
    work_all(rest)
    again = plan_run(study=study, judge=lexical)
    assert (again.state, again.n_calls) == ("complete", 0)
    assert "Nothing to do" in again.reason
    assert again.ended_at is not None
    assert Annotation.objects.count() == 3


def test_replicates_are_answers_of_their_own(study: Study) -> None:
    lexical = judge("lexical")
    work_all(plan_run(study=study, judge=lexical))
    run = work_all(plan_run(study=study, judge=lexical, replicates=3))
    assert run.n_calls == 6
    assert (
        sorted(Annotation.objects.values_list("replicate", flat=True))
        == [0] * 3 + [1] * 3 + [2] * 3
    )


def test_another_version_answers_anew(study: Study) -> None:
    work_all(plan_run(study=study, judge=judge("lexical")))
    Judge.objects.create(name="lexical", version=2, method="lexical", fingerprint="f", family="x")
    assert plan_run(study=study, judge=judge("lexical@2")).n_calls == 3


@pytest.mark.parametrize(
    ("scope", "reason"),
    [
        ({"subset": "sampel"}, r"setting: .* no subset 'sampel' .known: full, sample"),
        ({"replicates": 0}, "replicates: must be at least 1"),
    ],
)
def test_a_scope_that_does_not_exist_is_refused(
    study: Study, scope: dict[str, object], reason: str
) -> None:
    with pytest.raises(RunRefused, match=reason):
        plan_run(study=study, judge=judge("lexical"), **scope)  # type: ignore[arg-type]
    assert JudgeRun.objects.count() == 0


def test_a_judge_that_can_answer_no_block_is_refused() -> None:
    study = make_study(blocks=(("slider", {}),))
    with pytest.raises(RunRefused, match="lexical answers Citation recovery; study small asks"):
        plan_run(study=study, judge=judge("lexical"))


def test_an_empty_subset_is_refused_rather_than_complete(study: Study) -> None:
    Subset.objects.create(study=study, name="nobody")
    with pytest.raises(RunRefused, match="no question for the judge in subset nobody"):
        plan_run(study=study, judge=judge("lexical"), subset="nobody")


def test_a_forecast_counts_what_the_run_would_take_and_plans_nothing(study: Study) -> None:
    forecast = forecast_run(study=study, judge=judge("lexical"), replicates=2)
    assert (forecast.calls, forecast.tokens_in, forecast.usd) == (6, 0, Decimal(0))
    assert JudgeRun.objects.count() == 0


def test_what_is_needed_to_repeat_a_run_is_stored_with_it(study: Study, tmp_path: Path) -> None:
    parrot = scripted_judge(study, tmp_path)
    run = plan_run(study=study, judge=parrot, seed=7)
    assert run.seed == 7
    assert run.code_version
    assert len(run.prompts["citation_recovery"]["hash"]) == 64
    assert "passage" in run.prompts["citation_recovery"]["text"]
    assert parrot.parameters["sha256"]


def test_planning_reads_and_writes_in_few_queries(django_assert_max_num_queries: object) -> None:
    study = make_study(sources=60, blocks=(("citation_recovery", {}),))
    lexical = judge("lexical")
    with django_assert_max_num_queries(22):  # type: ignore[operator]
        assert plan_run(study=study, judge=lexical).chunks.count() == 2
