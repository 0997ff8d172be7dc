"""`manage.py judge`: what it prints, and when it fails."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Study
from jobs.workers.heartbeat import beat
from judges.models import JudgeRun
from judges.runs.delivery.wait import wait_for
from tests.judges.scripted_judges import scripted_judge

pytestmark = pytest.mark.django_db


def judge(*arguments: str) -> str:
    out = StringIO()
    call_command("judge", *arguments, stdout=out)
    return out.getvalue()


def test_without_a_worker_waiting_means_working_here(study: Study) -> None:
    said = judge("small", "lexical", "--wait", "--block", "citation_recovery")
    assert said == "lexical@1: complete, 3 of 3 calls answered.\n"
    assert Annotation.objects.count() == 3
    assert "Nothing to do" in judge("small", "lexical", "--wait")


def test_a_worker_that_takes_nothing_is_not_waited_for(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.runs.delivery.wait.PATIENCE_SECONDS", 0.5)
    beat()
    assert "complete" in judge("small", "lexical", "--wait")


def test_without_waiting_the_run_is_left_to_the_background(study: Study) -> None:
    assert "lexical@1: 3 calls planned as run" in judge("small", "lexical")
    assert JudgeRun.objects.get().state == "running"


def test_a_dry_run_prints_calls_tokens_and_cost_and_writes_no_run(study: Study) -> None:
    said = judge("small", "lexical", "--replicates", "2", "--dry-run")
    assert said == (
        "lexical@1: 6 calls, tokens 0 in, 0 out, cost 0.00 USD. "
        "Block slider is not answered: lexical does not answer Rating on a scale.\n"
    )
    assert not JudgeRun.objects.exists()


def test_several_judges_run_at_once_and_the_limit_holds_for_each(
    study: Study, tmp_path: Path
) -> None:
    scripted_judge(study, tmp_path)
    judge("small", "lexical", "parrot", "--limit", "2", "--wait")
    assert sorted(run.n_calls for run in JudgeRun.objects.all()) == [2, 2]


def test_a_run_asks_the_blocks_that_are_named(study: Study, tmp_path: Path) -> None:
    scripted_judge(study, tmp_path)
    judge("small", "parrot", "--block", "slider")
    run = JudgeRun.objects.get()
    assert run.blocks == list(run.prompts) == ["slider"]
    assert set(run.calls.values_list("question__block__key", flat=True)) == {"slider"}
    assert "parrot@1: 3 calls, " in judge("small", "parrot", "--block", "slider", "--dry-run")
    judge("small", "parrot", "--block", "slider", "--block", "citation_recovery")
    assert set(JudgeRun.objects.latest("pk").prompts) == {"slider", "citation_recovery"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["small", "lexical", "--block", "slider"], "block: the judge does not answer 'slider'"),
        (["none", "lexical"], "no study 'none'"),
        (["small", "nobody"], "no judge 'nobody' (known: embedding, lexical)"),
        (["small", "lexical", "--setting", "x"], "no subset 'x' (known: full, sample)"),
        (["small", "lexical", "--replicates", "0"], "argument --replicates: invalid number"),
        (["small", "lexical", "--max-cost", "much"], "argument --max-cost: invalid USD"),
    ],
)
def test_what_does_not_exist_is_named_in_one_line(
    study: Study, arguments: list[str], reason: str
) -> None:
    with pytest.raises(CommandError) as error:
        judge(*arguments)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_a_run_that_ends_without_all_answers_is_an_error_with_counts(
    study: Study, tmp_path: Path
) -> None:
    changed: dict[str, dict[str, Any]] = {"claim-0/alder/1": {"reply": "?"}}
    scripted_judge(study, tmp_path, changed)
    said = r"partial, 4 of 6 .* 2 of 6 .*: 2 parse failures\. 2 of 6 answers are missing\.$"
    with pytest.raises(CommandError, match=said):
        judge("small", "parrot", "--wait")


def test_waiting_tells_how_many_calls_are_done(study: Study) -> None:
    judge("small", "lexical")
    counts: list[int] = []
    wait_for(run_id=JudgeRun.objects.get().pk, on_progress=counts.append)
    assert counts == [0, 3]
