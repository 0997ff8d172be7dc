"""`manage.py judge_runs`: what it lists, what it changes, and what it refuses."""

from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from judges.definitions.versions import judge_for
from judges.models import Call
from judges.runs.plans.plan import plan_run
from judges.runs.states import calls_in_words, failures_in_words
from tests.cast import make_study
from tests.judges.scripted_judges import ONE_BLOCK, scripted_judge, work_all

pytestmark = pytest.mark.django_db


def judge_runs(*arguments: object) -> str:
    out = StringIO()
    call_command("judge_runs", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_runs_of_a_study_are_listed_with_how_far_they_are(study: Study, tmp_path: Path) -> None:
    assert judge_runs("small") == ""
    changed: dict[str, dict[str, Any]] = {"claim-0/alder/1": {"reply": "?", "cost": "0.01"}}
    done = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path, changed)))
    new = plan_run(study=study, judge=judge_for(study, "lexical"), max_cost=Decimal(2))
    first, second = judge_runs("small").splitlines()
    assert first == (
        f"{done.pk}: parrot@1, partial, 4 of 6 calls answered, 2 parse failures, 0.0200 USD. "
        "2 of 6 calls failed: 2 parse failures. 2 of 6 answers are missing."
    )
    assert second == (
        f"{new.pk}: lexical@1, running, 0 of 3 calls answered, 0.00 USD of at most 2.00 USD."
    )
    assert judge_runs("small", "list", new.pk).startswith(f"{new.pk}: lexical@1")


def test_a_run_is_paused_resumed_and_cancelled(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    assert "paused" in judge_runs("small", "pause", run.pk)
    assert "complete, 3 of 3" in judge_runs("small", "resume", run.pk, "--wait")
    with pytest.raises(CommandError, match=f"run {run.pk}: The run is complete already"):
        judge_runs("small", "cancel", run.pk)
    assert "cancelled" in judge_runs(
        "small", "cancel", plan_run(study=study, judge=judge_for(study, "lexical"), replicates=2).pk
    )


def test_a_run_at_its_cap_is_resumed_under_a_higher_one(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=4)
    costly = {f"claim-{n}/alder/1": {"cost": "0.01"} for n in range(4)}
    parrot = scripted_judge(study, tmp_path, costly)
    run = work_all(plan_run(study=study, judge=parrot, max_cost=Decimal("0.02")))
    with pytest.raises(CommandError, match="needs a higher cap"):
        judge_runs("small", "resume", run.pk)
    said = judge_runs("small", "resume", run.pk, "--max-cost", "1", "--wait")
    assert "complete, 4 of 4 calls answered, 0.0400 USD of at most 1.00 USD." in said


def test_a_resumed_run_that_ends_without_all_answers_fails_the_command(
    study: Study, tmp_path: Path
) -> None:
    changed: dict[str, dict[str, Any]] = {"claim-0/alder/1": {"reply": "?"}}
    run = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path, changed)))
    with pytest.raises(CommandError, match=f"run {run.pk} is partial"):
        judge_runs("small", "resume", run.pk, "--wait")


def test_failures_and_calls_are_counted_in_words() -> None:
    status = Call.Status
    counts: dict[str, int] = {
        status.TRUNCATED: 3,
        status.REFUSAL: 1,
        status.ANSWERED: 35,
        status.SKIPPED: 17,
    }
    assert failures_in_words(counts) == "1 refusal, 3 truncated replies"
    assert calls_in_words(counts) == "35 of 56 calls answered, 17 not needed"


def test_two_runs_are_compared(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK)
    first = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path)))
    changed = {"claim-0/alder/1": {"reply": '{"sentences": []}'}}
    second_judge = scripted_judge(study, tmp_path, changed, name="other")
    second = work_all(plan_run(study=study, judge=second_judge, seed=4))
    said = judge_runs("small", "compare", first.pk, second.pk)
    assert "judge: parrot@1 → other@1" in said
    assert "seed: 0 → 4" in said
    assert "Answered by both: 3; the same: 2; different: 1; by only one: 0 / 0" in said
    assert "α of " in said
    assert 'claim-0/alder/1, citation_recovery: {"sentences": [0]} | {"sentences": []}' in said


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["none"], "no study 'none'"),
        (["small", "stop"], "invalid choice: 'stop'"),
        (["small", "pause"], "pause needs the number of a run"),
        (["small", "compare", "1"], "compare needs the numbers of two runs"),
        (["small", "pause", "4711"], "study small has no run 4711"),
        (["small", "pause", "one"], "invalid number value: 'one'"),
        (["small", "--max-cost", "1"], "--max-cost and --wait are options of resume"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(
    study: Study, arguments: list[str], reason: str
) -> None:
    with pytest.raises(CommandError) as error:
        judge_runs(*arguments)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_a_run_of_another_study_is_not_found(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    make_study("other")
    with pytest.raises(CommandError, match=f"study other has no run {run.pk}"):
        judge_runs("other", "cancel", run.pk)
