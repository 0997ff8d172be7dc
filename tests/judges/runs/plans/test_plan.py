"""Planning: which questions a run asks, and when it refuses."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Annotation, Study, Subset, Unit
from judges.definitions.versions import judge_for
from judges.methods.asks import Ask, Cost
from judges.methods.lexical import Lexical
from judges.models import Call, Chunk, Judge, JudgeRun
from judges.runs.delivery.sweep import sweep_runs
from judges.runs.plans import plan as planning
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from judges.runs.records import calls
from judges.runs.states import NotPossible, resume_run
from tests.cast import make_study
from tests.judges.scripted_judges import scripted_judge, work_all

pytestmark = pytest.mark.django_db


def asked(run: JudgeRun) -> list[str]:
    return list(run.calls.order_by("pk").values_list("question__unit__key", flat=True))


def test_a_judge_is_asked_only_what_its_method_can_answer(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    assert set(run.calls.values_list("question__block__key", flat=True)) == {"citation_recovery"}
    assert (run.n_calls, len(asked(run))) == (3, 3)


def test_controls_are_asked_and_examples_are_not() -> None:
    study = make_study(positive=1, negative=1)
    Unit.objects.filter(key="claim-0/alder/1").update(role=Unit.Role.EXAMPLE)
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    assert len(asked(run)) == 4
    assert "claim-0/alder/1" not in asked(run)


def beside_a_control(study: Study) -> Unit:
    """A normal unit without a place, about the source of the study's control: as the opening of
    the round leaves it."""
    control = Unit.objects.get(study=study, role=Unit.Role.POSITIVE)
    unit = Unit.objects.get(study=study, key="claim-0/alder/1")
    Unit.objects.filter(pk=control.pk).update(source=unit.source)
    unit.places.all().delete()
    return unit


def test_the_source_of_a_control_is_asked_as_the_control_alone() -> None:
    study = make_study(positive=1)
    lexical = judge_for(study, "lexical")
    assert forecast_run(study=study, judge=lexical).beside_controls == 0
    unit = beside_a_control(study)
    forecast = forecast_run(study=study, judge=lexical)
    assert (forecast.answers, forecast.beside_controls) == (3, 1)
    run = plan_run(study=study, judge=lexical)
    assert unit.key not in asked(run)
    assert Unit.objects.get(role=Unit.Role.POSITIVE).key in asked(run)
    assert run.n_calls == forecast.calls == 3


def test_it_is_asked_where_people_were_asked_or_nobody_is_asked_at_all() -> None:
    study = make_study(positive=1)
    unit = beside_a_control(study)
    lexical = judge_for(study, "lexical")
    person = study.raters.create(kind="human", origin="imported", name="Ada")
    question = unit.questions.get(block__key="citation_recovery")
    answer = Annotation.objects.create(study=study, question=question, rater=person, answer={})
    assert unit.key in asked(plan_run(study=study, judge=lexical))
    answer.delete()
    assert unit.key not in asked(plan_run(study=study, judge=lexical))
    study.rounds.all().delete()
    assert unit.key in asked(plan_run(study=study, judge=lexical))


@pytest.mark.parametrize(("state", "n_asked"), [("validated", 4), ("proposed", 3)])
def test_a_generated_control_is_asked_once_it_is_validated(state: str, n_asked: int) -> None:
    study = make_study(positive=1)
    Unit.objects.filter(role=Unit.Role.POSITIVE).update(check_state=state)
    assert len(asked(plan_run(study=study, judge=judge_for(study, "lexical")))) == n_asked


def test_without_a_subset_the_studys_own_setting_is_asked(study: Study) -> None:
    Subset.objects.get(study=study, name="sample").units.remove(Unit.objects.latest("pk"))
    lexical = judge_for(study, "lexical")
    assert plan_run(study=study, judge=lexical).subset == "sample"
    assert plan_run(study=study, judge=lexical).n_calls == 2
    assert plan_run(study=study, judge=lexical, subset="full").n_calls == 3
    assert plan_run(study=study, judge=lexical, subset="").n_calls == 3


def test_a_run_that_is_repeated_asks_nothing_again(study: Study) -> None:
    lexical = judge_for(study, "lexical")
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
    lexical = judge_for(study, "lexical")
    work_all(plan_run(study=study, judge=lexical))
    run = work_all(plan_run(study=study, judge=lexical, replicates=3))
    assert run.n_calls == 6
    assert (
        sorted(Annotation.objects.values_list("replicate", flat=True))
        == [0] * 3 + [1] * 3 + [2] * 3
    )


def test_another_version_answers_anew(study: Study) -> None:
    work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    Judge.objects.create(name="lexical", version=2, method="lexical", fingerprint="f", family="x")
    assert plan_run(study=study, judge=judge_for(study, "lexical@2")).n_calls == 3


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
        plan_run(study=study, judge=judge_for(study, "lexical"), **scope)  # type: ignore[arg-type]
    assert JudgeRun.objects.count() == 0


def test_a_judge_that_can_answer_no_block_is_refused() -> None:
    study = make_study(blocks=(("slider", {}),))
    with pytest.raises(RunRefused, match="lexical answers Citation recovery; study small asks"):
        plan_run(study=study, judge=judge_for(study, "lexical"))


def test_an_empty_subset_is_refused_rather_than_complete(study: Study) -> None:
    Subset.objects.create(study=study, name="nobody")
    with pytest.raises(RunRefused, match="no question for the judge in subset nobody"):
        plan_run(study=study, judge=judge_for(study, "lexical"), subset="nobody")


def test_a_forecast_counts_what_the_run_would_take_and_plans_nothing(study: Study) -> None:
    forecast = forecast_run(study=study, judge=judge_for(study, "lexical"), replicates=2)
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


@pytest.mark.django_db(transaction=True)
def test_planning_holds_no_transaction_while_it_goes_through_the_questions(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, str, int]] = []
    plan = Lexical.plan

    def look(self: Lexical, ask: Ask) -> Cost:
        run = JudgeRun.objects.get()
        seen.append((connection.in_atomic_block, run.state, run.calls.count()))
        return plan(self, ask)

    monkeypatch.setattr(Lexical, "plan", look)
    for module in (planning, calls):
        monkeypatch.setattr(module, "BATCH", 1)
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    assert seen == [(False, "planning", n) for n in range(3)]
    assert (run.state, run.n_calls, run.chunks.count()) == ("running", 3, 1)
    run.refresh_from_db()
    assert (run.state, run.n_calls, run.planning_at) == ("running", 3, None)


def test_a_run_that_is_refused_leaves_nothing(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "BATCH", 1)
    asked_before = iter([Cost(), Cost()])

    def refuse(self: Lexical, ask: Ask) -> Cost:
        for cost in asked_before:
            return cost
        raise ValueError("too long")

    monkeypatch.setattr(Lexical, "plan", refuse)
    with pytest.raises(RunRefused, match="lexical cannot answer unit claim-2/alder/1: too long"):
        plan_run(study=study, judge=judge_for(study, "lexical"))
    assert [kind.objects.count() for kind in (JudgeRun, Chunk, Call)] == [0, 0, 0]


def dead_plan(study: Study) -> JudgeRun:
    """As a process leaves it that was killed while it planned."""
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    long_ago = timezone.now() - calls.DEAD_AFTER
    JudgeRun.objects.filter(pk=run.pk).update(state="planning", planning_at=long_ago)
    return run


def test_a_planning_that_died_ends_the_run_with_the_reason(study: Study) -> None:
    run = dead_plan(study)
    assert work_all(run).state == "planning"  # nobody works what is not planned
    sweep_runs()
    run.refresh_from_db()
    assert (run.state, run.calls.count(), run.chunks.count()) == ("failed", 0, 0)
    assert "planning of this run was interrupted" in run.reason
    with pytest.raises(NotPossible, match="not fully planned"):
        resume_run(run_id=run.pk)


def test_a_planning_that_goes_on_is_let_be(study: Study) -> None:
    run = dead_plan(study)
    JudgeRun.objects.update(planning_at=timezone.now())
    sweep_runs()
    run.refresh_from_db()
    assert (run.state, run.calls.count()) == ("planning", 3)


def test_a_planning_that_was_taken_for_dead_stops(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_long(self: Lexical, ask: Ask) -> Cost:
        JudgeRun.objects.update(planning_at=timezone.now() - calls.DEAD_AFTER)
        sweep_runs()
        return Cost()

    monkeypatch.setattr(Lexical, "plan", take_long)
    with pytest.raises(RunRefused, match="took too long"):
        plan_run(study=study, judge=judge_for(study, "lexical"))
    assert [kind.objects.count() for kind in (JudgeRun, Chunk, Call)] == [0, 0, 0]


def test_planning_reads_and_writes_in_few_queries(django_assert_max_num_queries: object) -> None:
    study = make_study(sources=60, blocks=(("citation_recovery", {}),))
    lexical = judge_for(study, "lexical")
    with django_assert_max_num_queries(22):  # type: ignore[operator]
        assert plan_run(study=study, judge=lexical).chunks.count() == 2
