"""The Batch API: one file, half the price, whatever is restarted in between."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from endpoints import capabilities
from jobs.models import JobState
from jobs.workers.heartbeat import beat
from judges.backends.chat import batches
from judges.definitions.versions import define_judge
from judges.models import BatchJob, Chunk, JudgeRun, ProbeAnswer
from judges.probes.sets import ProbeChoice, begin_series
from judges.runs.batches import jobs
from judges.runs.delivery.sweep import sweep_runs
from judges.runs.delivery.work import work
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.progress import waiting_for
from judges.runs.states import cancel_run, pause_run, resume_run
from tests.cast import make_study
from tests.judges.endpoints import MODEL, Opening, asking_judge
from tests.judges.scripted_judges import ONE_BLOCK, let_lease_run_out, work_all
from tests.services.endpoint import KEY, Behaviour, Server

pytestmark = pytest.mark.django_db
QUESTIONS = 12


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "POLL", timedelta(0))


def batched_run() -> JudgeRun:
    study = make_study(blocks=ONE_BLOCK, sources=QUESTIONS)
    return plan_run(study=study, judge=asking_judge(study, route="batch"), subset="")


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
    assert (run.state, chunk.lease_until, job.state) == ("running", None, "running")
    assert run.chunks.at_provider().get() == chunk
    assert server.asked == []
    beat()
    assert "returns batches within a day" in waiting_for(run)
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


def test_a_probe_by_batch_takes_no_reply_of_another_run(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    run = looked_after(batched_run())
    probe = begin_series(study=run.study, judge=run.judge, choice=ProbeChoice())
    assert looked_after(probe).state == "complete"
    assert len(server.asked) == 3 * QUESTIONS
    assert ProbeAnswer.objects.filter(run=probe).count() == 2 * QUESTIONS
    assert probe.calls.exclude(detail__batch="batch_2").count() == 0


def test_the_plan_of_a_batch_is_half_that_of_live_calls(endpoint: Opening) -> None:
    endpoint(batch=True)
    study = make_study(blocks=ONE_BLOCK)
    live, batch = (
        forecast_run(study=study, judge=asking_judge(study, route=route), subset="").usd
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
    before = run.spent
    assert sum(call.cost or 0 for call in run.calls.all()) == before
    resume_run(run_id=run.pk)
    run = looked_after(run)
    assert run.state == "complete"
    assert len(server.batches.made) == 2
    assert len(server.asked) == QUESTIONS + 4
    assert run.spent > before
    assert sum(call.cost or 0 for call in run.calls.all()) == run.spent


def test_a_batch_that_the_provider_does_not_know_any_more_fails_its_calls(
    endpoint: Opening,
) -> None:
    server = endpoint(batch=True)
    run = work_all(batched_run())
    server.batches.made.clear()
    run = looked_after(run)
    assert run.state == "failed"
    errors = set(run.calls.values_list("error", flat=True))
    assert len(errors) == 1
    assert errors.pop().startswith(
        "The provider does not find the batch. Endpoint default: HTTP 404"
    )
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"


@pytest.mark.parametrize(
    ("behaviour", "batches"),
    [
        (Behaviour(limit_name="max_completion_tokens"), 2),
        (Behaviour(schemas=("json_object",)), 2),
        (Behaviour(schemas=(), saying=""), 3),
        (Behaviour(unknown=("seed",), saying="loc", limit_name="max_completion_tokens"), 3),
    ],
    ids=["limit", "schema", "without a word", "two things"],
)
def test_what_a_batch_shows_is_heeded_by_whoever_sends_the_next(
    endpoint: Opening, behaviour: Behaviour, batches: int
) -> None:
    server = endpoint(behaviour, batch=True)
    run = batched_run()
    for _ in range(5):
        run = work_all(run)
        sweep_runs()
        capabilities._capabilities.clear()  # another process goes on
    assert (run.state, len(server.batches.made)) == ("complete", batches)
    assert run.spent == spent_there(server) / 2
    call = run.calls.first()
    assert call is not None
    shown = {n: v for n, v in call.request.items() if n not in ("endpoint", "base_url", "sample")}
    assert shown in server.asked
    assert call.detail.get("left_out", []) == list(behaviour.unknown)
    other = plan_run(
        study=run.study, judge=asking_judge(run.study, "other", route="batch"), subset=""
    )
    assert looked_after(other).state == "complete"
    assert len(server.batches.made) == batches + 1


def test_a_line_that_a_filter_stopped_is_a_refusal(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.script.extend(["filter-400"])
    run = looked_after(batched_run())
    assert run.calls.filter(status="refusal", error__contains="content_filter").count() == 1
    assert run.calls.filter(status="answered").count() == QUESTIONS - 1
    assert len(server.batches.made) == 1


def test_lines_that_never_come_back_have_failed_with_the_reason(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    run = work_all(batched_run())
    keys = sorted(BatchJob.objects.get().sent["keys"])
    server.batches.lose = {keys[0]}
    server.batches.rename = {keys[1]: "somebody-else"}
    run = looked_after(run)
    assert run.state == "partial"
    failed = run.calls.filter(status="error", error="The batch ended without a reply to this call.")
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
    assert BatchJob.objects.get().state == "queued"
    let_lease_run_out(Chunk.objects.get())
    assert looked_after(run).state == "complete"
    assert len(server.batches.made) == 1
    assert BatchJob.objects.get().state == "done"


def _created(**fields: object) -> BatchJob:
    return BatchJob.objects.bulk_create([BatchJob(created_at=timezone.now(), **fields)])[0]


@pytest.mark.parametrize("stop", [pause_run, cancel_run])
def test_a_run_that_is_resumed_waits_for_the_batch_that_is_out(
    endpoint: Opening, stop: Callable[..., None]
) -> None:
    server = endpoint(batch=True)
    server.batches.looks = 2
    run = work_all(batched_run())
    stop(run_id=run.pk)
    resume_run(run_id=run.pk)
    assert looked_after(run, times=4).state == "complete"
    assert len(server.batches.made) == 1
    assert server.charged["calls"] == QUESTIONS


def test_of_several_batches_none_is_sent_again_while_it_is_out(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    run = work_all(batched_run())
    chunk = Chunk.objects.get()
    Chunk.objects.update(state=JobState.QUEUED)  # as if it had been woken for nothing
    work_all(run)
    chunk.refresh_from_db()
    assert Chunk.objects.at_provider().get() == chunk
    assert len(server.batches.made) == 1


def test_a_cancelled_run_has_its_batch_cancelled(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.batches.looks = 100
    run = work_all(batched_run())
    cancel_run(run_id=run.pk)
    sweep_runs()
    assert server.batches.made["batch_1"]["status"] == "cancelled"
    sweep_runs()
    assert BatchJob.objects.get().state == "done"
    server.batches.looks = 1
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"
    assert server.charged["calls"] == QUESTIONS


@pytest.mark.parametrize(("looks", "stopping"), [(1, "cancelled"), (3, "refused")])
def test_a_batch_that_cannot_be_stopped_any_more_is_kept_and_counted(
    endpoint: Opening, looks: int, stopping: str
) -> None:
    server = endpoint(batch=True)
    server.batches.looks, server.batches.stopping = looks, stopping
    run = work_all(batched_run())
    cancel_run(run_id=run.pk)
    for _ in range(3):
        sweep_runs()
    job = BatchJob.objects.get()
    assert (job.state, job.counts["kept"]) == ("done", QUESTIONS)
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert run.spent == spent_there(server) / 2 > 0
    resume_run(run_id=run.pk)
    run = work_all(run)
    assert (run.state, run.spent) == ("complete", spent_there(server) / 2)
    assert server.charged["calls"] == QUESTIONS
    assert sum(call.cost or 0 for call in run.calls.all()) == run.spent


def test_what_came_of_a_batch_before_it_was_stopped_is_not_asked_again(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.batches.looks, server.batches.stopping = 100, "halfway"
    run = work_all(batched_run())
    cancel_run(run_id=run.pk)
    for _ in range(2):
        sweep_runs()
    run.refresh_from_db()
    assert server.charged["calls"] == QUESTIONS // 2
    assert run.spent == spent_there(server) / 2
    server.batches.looks = 1
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"
    assert server.charged["calls"] == QUESTIONS


def test_what_a_batch_of_another_run_failed_at_does_not_stand_in_the_way(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.batches.lose = {"nobody"}
    first = work_all(batched_run())
    server.batches.lose = set(BatchJob.objects.get().sent["keys"])
    cancel_run(run_id=first.pk)
    for _ in range(2):
        sweep_runs()
    server.batches.lose = set()
    second = plan_run(study=first.study, judge=first.judge, subset="")
    assert looked_after(second).state == "complete"
    assert len(server.batches.made) == 2


def test_a_run_at_its_cap_writes_down_what_was_paid_for(endpoint: Opening) -> None:
    endpoint(batch=True)
    run = work_all(batched_run())
    JudgeRun.objects.filter(pk=run.pk).update(max_cost=Decimal("0.000001"))
    run = looked_after(run)
    assert run.calls.filter(status="answered").count() == QUESTIONS


def test_a_chunk_goes_out_in_as_many_files_as_the_provider_takes(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = endpoint(batch=True)
    monkeypatch.setattr(batches, "MOST_LINES", 5)
    run = work_all(batched_run())
    assert sorted(len(job.sent["keys"]) for job in BatchJob.objects.all()) == [2, 5, 5]
    BatchJob.objects.filter(pk=BatchJob.objects.latest("pk").pk).update(checked_at=in_a_while())
    sweep_runs()
    assert Chunk.objects.at_provider().exists()  # one of the three is still out
    BatchJob.objects.update(checked_at=None)
    run = looked_after(run)
    assert run.state == "complete"
    assert len(server.batches.made) == 3
    assert run.spent == spent_there(server) / 2


def test_a_file_is_no_longer_than_the_provider_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = {f"key-{n}": {"for": "", "body": {"text": "é" * 100}} for n in range(9)}
    line = len(batches.batch_file({"key-0": requests["key-0"]}))
    monkeypatch.setattr(batches, "MOST_BYTES", 4 * line)
    shares = list(batches.file_shares(requests))
    assert [len(share) for share in shares] == [4, 4, 1]
    assert all(len(batches.batch_file(share)) <= 4 * line for share in shares)
    assert {key for share in shares for key in share} == set(requests)


def test_a_provider_that_is_away_is_asked_again_later(endpoint: Opening) -> None:
    server = endpoint(batch=True)
    server.batches.faults.extend(["503", "429"])
    run = batched_run()
    for tries in (1, 2):
        assert work(chunk_id=run.chunks.get().pk)
        chunk, job = Chunk.objects.get(), BatchJob.objects.get()
        assert (chunk.state, chunk.attempts, job.state) == ("queued", 0, "queued")
        assert chunk.sent_at is not None  # nobody is sent at once
        assert job.tries == tries
    assert "HTTP 429" in job.error
    beat()
    run.refresh_from_db()
    assert "cannot take a batch now; it is sent again later: Endpoint default: HTTP" in waiting_for(
        run
    )
    assert looked_after(run).state == "complete"
    assert len(server.batches.made) == 1
    assert BatchJob.objects.get().error == ""


def test_a_provider_that_stays_away_ends_the_run_with_the_reason(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_TRIES", 3)
    server = endpoint(batch=True)
    server.batches.faults.extend(["503"] * 3)
    run = work_all(batched_run())
    assert run.state == "failed"
    assert "could not take a batch in 3 tries: Endpoint default: HTTP 503" in run.reason
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"


def test_a_key_that_a_provider_repeats_reaches_no_row(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_THE_TESTS", KEY)
    server = endpoint(batch=True, key_env="KEY_OF_THE_TESTS")
    server.batches.faults.append("echo")
    run = work_all(batched_run())
    assert run.state == "failed"
    assert "HTTP 400" in run.reason
    server.batches.errors = f"No quota for {KEY}"
    server.batches.fate = "failed"
    resume_run(run_id=run.pk)
    run = looked_after(run)
    said = [run.reason, BatchJob.objects.get().error, *run.calls.values_list("error", flat=True)]
    assert "No quota for …" in said[-1]
    assert KEY not in "".join(said)


def test_a_key_that_is_gone_leaves_the_batch_that_was_paid_for(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_THE_TESTS", KEY)
    server = endpoint(batch=True, key_env="KEY_OF_THE_TESTS")
    run = work_all(batched_run())
    monkeypatch.delenv("KEY_OF_THE_TESTS")
    sweep_runs()
    run.refresh_from_db()
    assert (run.state, BatchJob.objects.get().state) == ("failed", "running")
    monkeypatch.setenv("KEY_OF_THE_TESTS", KEY)
    resume_run(run_id=run.pk)
    assert looked_after(run).state == "complete"
    assert len(server.batches.made) == 1


def in_a_while() -> datetime:
    return timezone.now() + timedelta(days=1)


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
        study=study,
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
