"""The Batch API: one file, half the price, whatever is restarted in between."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from judges import batch_jobs
from judges.defining import define_judge
from judges.heartbeat import beat
from judges.models import BatchJob, Chunk, JudgeRun
from judges.planning import forecast_run, plan_run
from judges.progress import waiting_for
from judges.running import cancel_run, resume_run
from judges.sweeping import sweep_runs
from tests.cast import make_study
from tests.judges.asking import MODEL, Opening, asking_judge
from tests.judges.bench import ONE_BLOCK, let_lease_run_out, work_all
from tests.services.endpoint import Behaviour, Server

pytestmark = pytest.mark.django_db
QUESTIONS = 12


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_jobs, "POLL", timedelta(0))


def batched_run() -> JudgeRun:
    study = make_study(blocks=ONE_BLOCK, sources=QUESTIONS)
    return plan_run(study=study, judge=asking_judge(route="batch"), subset="")


def looked_after(run: JudgeRun, times: int = 3) -> JudgeRun:
    """Sweep and work in turn, as the background does."""
    for _ in range(times):
        work_all(run)
        sweep_runs()
    return work_all(run)


def spent_there(server: Server) -> Decimal:
    return Decimal(server.charged["micro"]) / 1_000_000


def test_a_run_by_batch_is_answered_in_one_file_at_half_the_price(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    run = work_all(batched_run())
    chunk, job = Chunk.objects.get(), BatchJob.objects.get()
    assert (run.state, chunk.state, job.state) == ("running", "batched", "sent")
    assert server.asked == []
    beat()
    assert "batches are back within a day" in waiting_for(run)
    run = looked_after(run)
    job.refresh_from_db()
    assert (run.state, job.state) == ("complete", "done")
    assert job.counts == {"kept": QUESTIONS, "failed": 0, "unasked": 0}
    assert len(server.asked) == QUESTIONS
    assert len(server.batches.made) == 1
    assert run.spent == spent_there(server) / 2
    call = run.calls.first()
    assert call is not None
    assert call.detail["batch"] == "batch_1"
    assert call.request["messages"]


def test_the_plan_of_a_batch_is_half_that_of_live_calls(endpoint: Opening) -> None:
    endpoint(batch=True)
    study = make_study(blocks=ONE_BLOCK)
    live, batch = (
        forecast_run(study=study, judge=asking_judge(route=route), subset="").usd
        for route in ("live", "batch")
    )
    assert live is not None
    assert batch == live / 2


def test_faults_of_lines_are_failures_of_calls_and_are_asked_again_when_resumed(
    endpoint: Opening,
) -> None:
    server = endpoint(batch=True)
    server.script.extend(["", "prose", "truncated", "500", "wrong_sample", "malformed"])
    run = looked_after(batched_run())
    assert run.state == "partial"
    counts = {
        s: run.calls.filter(status=s).count() for s in ("parse_failure", "truncated", "error")
    }
    assert counts == {"parse_failure": 1, "truncated": 1, "error": 2}
    assert run.calls.get(error__contains="HTTP 500").reply
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"
    assert len(server.batches.made) == 2
    assert len(server.asked) == QUESTIONS + 4


def test_lines_that_never_come_back_have_failed_with_the_reason(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    run = work_all(batched_run())
    keys = sorted(BatchJob.objects.get().sent["keys"])
    server.batches.lose = {keys[0]}
    server.batches.rename = {keys[1]: "somebody-else"}
    run = looked_after(run)
    assert run.state == "partial"
    failed = run.calls.filter(status="error", error="The batch came back without this call.")
    assert failed.count() == 2
    assert BatchJob.objects.get().counts["unasked"] == 1


@pytest.mark.parametrize(
    ("fate", "answered"), [("expired", QUESTIONS // 2), ("failed", 0), ("cancelled", 0)]
)
def test_a_batch_that_does_not_end_well_fails_its_open_calls(
    endpoint: Opening, fate: str, answered: int
) -> None:
    server = endpoint(batch=True)
    server.batches.fate = fate
    if fate == "cancelled":
        server.batches.looks = 100
    run = work_all(batched_run())
    if fate == "cancelled":
        server.batches.made["batch_1"]["status"] = "cancelled"
    run = looked_after(run)
    assert run.calls.filter(status="answered").count() == answered
    errors = set(run.calls.filter(status="error").values_list("error", flat=True))
    assert len(errors) == 1
    assert errors.pop().startswith(f"The batch is {fate}.")


def test_a_worker_killed_while_it_handed_over_sends_nothing_twice(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = endpoint(batch=True)
    run = batched_run()

    def die(*_: object, **__: object) -> None:
        raise SystemExit("killed")

    with monkeypatch.context() as patch:
        patch.setattr(BatchJob, "save", die)  # right after the provider has taken the file
        patch.setattr(BatchJob.objects, "create", _created)
        with pytest.raises(SystemExit):
            work_all(run)
    assert BatchJob.objects.get().state == "sending"
    let_lease_run_out(Chunk.objects.get())
    assert looked_after(run).state == "complete"
    assert len(server.batches.made) == 1
    assert BatchJob.objects.get().state == "done"


def _created(**fields: object) -> BatchJob:
    return BatchJob.objects.bulk_create([BatchJob(created_at=timezone.now(), **fields)])[0]


def test_a_cancelled_run_has_its_batch_cancelled(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.batches.looks = 100
    run = work_all(batched_run())
    cancel_run(run_id=run.pk)
    sweep_runs()
    assert server.batches.made["batch_1"]["status"] == "cancelled"
    assert BatchJob.objects.get().state == "done"


def test_an_endpoint_without_batches_says_so_before_a_run(endpoint: Opening) -> None:
    endpoint()
    with pytest.raises(ValueError, match="configured without batches"):
        batched_run()


def test_a_method_of_several_steps_goes_round_by_round(endpoint: Opening) -> None:
    server = endpoint(
        Behaviour(answer=lambda asked: "1. Read.\n2. Rate." if len(server.asked) < 2 else "70"),
        batch=True,
    )
    study = make_study(blocks=(("slider", {}),), sources=3)
    judge = define_judge(
        name="steps",
        method="geval",
        backend="chat",
        model=MODEL,
        parameters={"route": "batch", "samples": 2},
    )
    run = looked_after(plan_run(study=study, judge=judge, subset=""), times=4)
    assert len(server.batches.made) == 2
    assert run.state in ("complete", "partial")
    assert run.spent == spent_there(server) / 2
