"""Write a run's chunks and calls in batches, what came of them, and remove those of a planning that
died.

Many calls take many seconds to write, and SQLite has one writer. So every batch is a transaction of
its own, and an answer that a worker saves meanwhile waits for one batch at most.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import islice
from typing import TypeVar

from django.utils import timezone

from judges.backends.contract import Reply
from judges.methods.asks import Ask
from judges.models import Call, Chunk, JudgeRun

# Rows in a batch: neither memory nor the waiting time of others grows with the study.
BATCH = 1000
# A planning without progress for so long has died with its process.
DEAD_AFTER = timedelta(minutes=2)
# What an outcome changes in the row of its call.
UPDATED_FIELDS = (
    "status", "attempts", "prompt_hash", "step", "request", "reply", "error", "tokens_in",
    "tokens_out", "cost", "latency_ms", "detail", "finished_at", "annotation",
)  # fmt: skip
N = TypeVar("N", int, Decimal)
DIED = "The planning of this run was interrupted. Nothing was asked; start another run."


class PlanningGivenUp(Exception):
    """The planning was taken for dead, and the run has been ended."""


def write_calls(run: JudgeRun, asks: Iterable[tuple[Ask, int]], *, per_chunk: int) -> None:
    """Write a chunk for every `per_chunk` asks, and for each ask its number of calls."""
    rows = _rows(run, asks, per_chunk)
    while calls := list(islice(rows, BATCH)):
        _record_progress(run)
        Call.objects.bulk_create(calls)


def save_calls(calls: Sequence[Call]) -> None:
    """Update existing rows in one statement, as an upsert on the primary key.

    bulk_update, with a CASE of all rows for each field, takes several times as long.
    """
    Call.objects.bulk_create(
        calls, update_conflicts=True, unique_fields=["pk"], update_fields=UPDATED_FIELDS
    )


def fill_call(call: Call, reply: Reply | None) -> None:
    """Copy a reply into its call's row. None: the answer did not need this call.

    Tokens and cost are added to those of earlier attempts.
    """
    call.finished_at = timezone.now()
    if reply is None:
        call.status, call.error = Call.Status.SKIPPED, "Not needed."
        return
    call.attempts += 1
    call.status = Call.Status(reply.failure.value) if reply.failure else Call.Status.ANSWERED
    call.request, call.reply, call.error = dict(reply.request), reply.text, reply.error
    call.tokens_in = _plus(call.tokens_in, reply.tokens_in)
    call.tokens_out = _plus(call.tokens_out, reply.tokens_out)
    call.cost, call.latency_ms = _plus(call.cost, reply.cost), reply.latency_ms
    call.step, call.detail = reply.step, dict(reply.detail)


def finish_planning(run: JudgeRun) -> None:
    """Save the run as fully planned, with its state and number of calls."""
    run.planning_at = None
    fields = ("state", "reason", "n_calls", "left_out", "ended_at", "planning_at")
    changes = {name: getattr(run, name) for name in fields}
    if not JudgeRun.objects.filter(pk=run.pk, state=JudgeRun.State.PLANNING).update(**changes):
        raise PlanningGivenUp


def discard_run(*, run_id: int) -> None:
    """Remove a run that was not fully planned."""
    _clear(run_id)
    JudgeRun.objects.filter(pk=run_id).delete()


def end_dead_plans() -> None:
    """End the runs whose planning has died."""
    dead = JudgeRun.objects.filter(
        state=JudgeRun.State.PLANNING, planning_at__lte=timezone.now() - DEAD_AFTER
    )
    for run_id in list(dead.values_list("pk", flat=True)):
        # Conditional: the planning may have made progress since the SELECT.
        if dead.filter(pk=run_id).update(
            state=JudgeRun.State.FAILED, reason=DIED, ended_at=timezone.now()
        ):
            _clear(run_id)


def _rows(run: JudgeRun, asks: Iterable[tuple[Ask, int]], per_chunk: int) -> Iterator[Call]:
    for number, (ask, n_calls) in enumerate(asks):
        if number % per_chunk == 0:
            chunk = Chunk.objects.create(run=run, position=number // per_chunk)
        for sample in range(n_calls):
            yield Call(
                run=run,
                chunk=chunk,
                question_id=ask.question_id,
                replicate=ask.replicate,
                sample=sample,
            )


def _record_progress(run: JudgeRun) -> None:
    """Show that the planning is alive; PlanningGivenUp where it was taken for dead."""
    planning = JudgeRun.objects.filter(pk=run.pk, state=JudgeRun.State.PLANNING)
    if not planning.update(planning_at=timezone.now()):
        raise PlanningGivenUp


def _clear(run_id: int) -> None:
    calls = Call.objects.filter(run=run_id).order_by()
    while ids := list(calls.values_list("pk", flat=True)[:BATCH]):
        Call.objects.filter(pk__in=ids).delete()
    Chunk.objects.filter(run=run_id).delete()


def _plus(before: N | None, now: N | None) -> N | None:
    return now if before is None else before if now is None else before + now
