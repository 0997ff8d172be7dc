"""Work a chunk: have the judge's method answer its questions, and write the outcomes."""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from types import TracebackType
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError
from django.db.models import F, Subquery
from django.utils import timezone

from annotation.models import Question
from judges.backends.contract import Failure, Reply, Unavailable, Unusable
from judges.definitions.versions import BadJudge, method_of
from judges.methods.asks import Ask, AskOutcome, PostponedRequests, Tools
from judges.methods.contract import Method
from judges.models import Call, Chunk, JudgeRun
from judges.runs.batches.jobs import merged, send_batches
from judges.runs.delivery.ask_queue import NEAR, AskQueue, Budget
from judges.runs.delivery.leases import (
    Lease,
    LeaseLost,
    claim_chunk,
    extending,
    fail_chunk,
    finish_chunk,
    give_back,
)
from judges.runs.delivery.queue import send_due
from judges.runs.plans.asks import as_ask, seeds_of
from judges.runs.plans.standing_answers import has_answer, skip_answered
from judges.runs.records.outcomes import NOTHING, Calls, Writer
from judges.runs.records.page_archive import PageArchive, retriever
from judges.runs.records.reply_cache import DatabaseCache
from judges.runs.records.votes import with_votes
from judges.runs.states import fail_run, pause_at_cap
from telemetry.context import bound
from telemetry.logs import WORK
from telemetry.traces import span

# A chunk is released after so long, well within the time limit of a task.
BUDGET_SECONDS = 120.0
# A question over which a worker died this often is not asked again.
MOST_DEATHS = 2

log = logging.getLogger(WORK)


def never() -> bool:
    """The default of `leave`: the worker need not stop."""
    return False


def work(*, chunk_id: int, leave: Callable[[], bool] = never) -> bool:
    """Claim a chunk and work it; False where it could not be claimed.

    Stops after the calls under way when the run is paused or cancelled, when `leave` returns True,
    or when the time is up; the chunk is then waiting for the next worker.
    """
    lease = claim_chunk(chunk_id=chunk_id)
    if lease is None:
        return False
    ids = bound(run=lease.run_id, chunk=chunk_id)
    with ids, span("chunk"), _ReleasingOnError(lease), extending(lease):
        postponed = work_chunk(lease, leave=leave)
        pause_at_cap(run_id=lease.run_id)
        if postponed is None or not _is_running(lease.run_id):
            finish_chunk(lease)
        else:
            send_batches(lease, postponed)
        log.info("worked", extra={"fields": {"kind": "chunk"}})
    send_due(run_id=lease.run_id)
    return True


def work_chunk(lease: Lease, *, leave: Callable[[], bool] = never) -> PostponedRequests | None:
    """Have the judge answer a chunk's open questions, and write each outcome soon after it comes.

    Returns the requests to send by batch, for a judge with that route.
    """
    postponed: list[PostponedRequests] = []
    chunk = Chunk.objects.select_related("run__judge", "run__rater__study").get(pk=lease.chunk_id)
    method = method_of(chunk.run.judge)
    skip_answered(chunk)
    calls = _open_calls(chunk)
    questions = _questions(calls)
    seeds = seeds_of(chunk.run)
    asks = [
        as_ask(
            (question := questions[question_id]),
            replicate=replicate,
            seeds=seeds,
            instructions=chunk.run.instructions_for(question.block.key),
            alike=chunk.run.is_probe,
        )
        for question_id, replicate in calls
    ]
    asks = with_votes(chunk.run.study, asks, method.voters())
    ask_queue = _ask_queue(chunk, method, asks, calls, lease)
    if chunk.run.is_at_cap and not chunk.batch_jobs.exists():
        ask_queue.close()  # but not with batches: their replies are paid for and must be written
    method.tools = Tools(
        replies=DatabaseCache.of(chunk.run),
        pages=PageArchive(retriever()),
        may_begin=ask_queue.may_begin,
        on_outcome=ask_queue.note,
        postpone=postponed.append,
    )
    # A worker may have died over this chunk before.
    is_cautious = lease.attempt > 1
    writer = Writer(lease, chunk.run, method, questions, calls, at_once=is_cautious)
    deadline = time.monotonic() + BUDGET_SECONDS
    with closing(_outcomes(method, ask_queue, calls, is_cautious=is_cautious)) as outcomes:
        for outcome in outcomes:
            written = writer.add(outcome)
            ask_queue.budget.note_left(chunk.run.usd_left)
            if (
                leave()
                or time.monotonic() > deadline
                or (written and not _is_running(chunk.run_id))
                or (written and ask_queue.budget.is_near_end and _is_after_another(lease))
            ):
                ask_queue.close()
                if method.at_once == 1:
                    break
    writer.flush()
    return merged(postponed)


def _ask_queue(
    chunk: Chunk, method: Method[Any], asks: Sequence[Ask], calls: Calls, lease: Lease
) -> AskQueue:
    """The asks of a chunk, held back where little money is left or nothing has been answered.

    Unavailable where another worker spends the last of the run's money already. Batches are paid
    as a whole: what is asked by batch is not held back.
    """
    run = chunk.run
    if method.asks_by_batch:
        return AskQueue(asks, Budget(None))
    budget = Budget(run.usd_left, _dearest(method, asks) if run.usd_left is not None else NOTHING)
    if budget.is_near_end and _is_after_another(lease):
        raise Unavailable(f"Run {run.pk} has little left to spend; another worker goes on with it.")
    watched = not run.goes_on_unanswered and not has_answer(run.pk)
    planned = sum(map(len, calls.values())) / max(1, len(calls))
    return AskQueue(asks, budget, calls_each=planned if watched else None)


def _dearest(method: Method[Any], asks: Sequence[Ask]) -> Decimal:
    """What an answer can cost, by the first few."""
    return max((method.dearest(ask) for ask in asks[:NEAR]), default=NOTHING)


def _is_after_another(lease: Lease) -> bool:
    """Whether an earlier chunk of the run is being worked."""
    mine = Chunk.objects.filter(pk=lease.chunk_id).values("position")
    leased = Chunk.objects.leased().filter(run=lease.run_id)
    return leased.filter(position__lt=Subquery(mine), lease_until__gt=timezone.now()).exists()


def _is_running(run_id: int) -> bool:
    return JudgeRun.objects.filter(pk=run_id, state=JudgeRun.State.RUNNING).exists()


def _open_calls(chunk: Chunk) -> Calls:
    calls: Calls = defaultdict(list)
    for call in chunk.calls.filter(status=Call.Status.PLANNED).order_by("pk"):
        calls[call.question_id, call.replicate].append(call)
    return calls


def _questions(calls: Calls) -> dict[int, Question]:
    ids = {question_id for question_id, _ in calls}
    return Question.objects.as_asked().in_bulk(ids)


def _outcomes(
    method: Method[Any], asks: AskQueue, calls: Calls, *, is_cautious: bool
) -> Generator[AskOutcome]:
    """The method's outcomes.

    is_cautious: find the question that kills workers. Every attempt is counted before it is made,
    so that it is known after a death which asks were under way. Those are then asked one at a time,
    and not again after `MOST_DEATHS`.
    """
    if not is_cautious:
        yield from method.answers(asks)
        return
    for group in _small_groups(asks, calls, method.at_once):
        group_calls = [call for ask in group for call in calls[ask.key]]
        deaths = _deaths(group_calls[0])
        if deaths >= MOST_DEATHS:
            reason = f"The worker died {deaths} times over this question."
            yield AskOutcome(group[0], (Reply().failed(Failure.ERROR, reason),))
            continue
        counted = Call.objects.filter(pk__in=[call.pk for call in group_calls])
        counted.update(attempts=F("attempts") + 1)
        yield from method.answers(group)


def _small_groups(asks: AskQueue, calls: Calls, most: int) -> Iterator[list[Ask]]:
    """Asks that were never under way at a death in groups of at most so many, others alone."""
    group: list[Ask] = []
    for ask in asks:
        if _deaths(calls[ask.key][0]):
            yield [ask]
            continue
        group.append(ask)
        if len(group) >= most:
            yield group
            group = []
    if group:
        yield group


def _deaths(call: Call) -> int:
    """How often a worker began the call and died: attempts that ended are in `earlier`."""
    return call.attempts - len(call.earlier)


class _ReleasingOnError:
    """Sets the state of the chunk, or of its run, when the work ends with an error.

    - The lease is lost: nothing, the chunk belongs to another worker.
    - The backend is unavailable for now: the chunk waits.
    - The backend answers no call at all: the whole run fails.
    - The database fails, or the task runs out of time: the chunk stays leased. When the lease has
      expired it is tried again, and the attempts are counted.
    - The judge cannot be used: the chunk fails.
    - Any other error: the chunk fails, and the error is raised again.
    - The worker is told to stop (not an `Exception`): the chunk waits.
    """

    def __init__(self, lease: Lease) -> None:
        self.lease = lease

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if isinstance(error, LeaseLost):
            return True
        if isinstance(error, Unavailable):
            give_back(self.lease, for_later=True)
            return True
        if isinstance(error, Unusable):
            give_back(self.lease)
            fail_run(run_id=self.lease.run_id, reason=str(error))
            return True
        if isinstance(error, OperationalError | InterfaceError | SoftTimeLimitExceeded):
            return False
        if isinstance(error, Exception):
            fail_chunk(self.lease, f"{type(error).__name__}: {error}")
        elif error is not None:
            give_back(self.lease)
        return isinstance(error, BadJudge)
