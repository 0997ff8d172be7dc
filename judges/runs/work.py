"""Work a chunk: put its questions to the judge's method and write down what comes of them."""

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from decimal import Decimal
from types import TracebackType
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError
from django.db.models import F

from annotation.models import Question
from judges.backends.contract import Away, Failure, Reply, Unusable
from judges.definitions.versions import BadJudge, method_of
from judges.methods.contract import Ask, Later, Method, Outcome, Tools
from judges.models import Call, Chunk, JudgeRun
from judges.runs.batches.jobs import hand_over, merged
from judges.runs.kept_pages import KeptPages, retriever
from judges.runs.leases import (
    Lease,
    LeaseLost,
    claim_chunk,
    extending,
    fail_chunk,
    finish_chunk,
    give_back,
)
from judges.runs.outcomes import Calls, Writer, skip_answered
from judges.runs.plan import as_ask
from judges.runs.queue import send_due
from judges.runs.reply_cache import DatabaseCache
from judges.runs.states import fail_run, heed_cap
from judges.runs.votes import with_votes

# A chunk is given back after this long, well within the time limit of a task.
BUDGET_SECONDS = 120.0
# A question over which workers died this often is not asked again.
DEADLY = 2


def never() -> bool:
    """Nobody wants the worker to leave."""
    return False


def work(*, chunk_id: int, leave: Callable[[], bool] = never) -> bool:
    """Claim a chunk and work it; False where there was nothing to claim.

    Stops after the calls under way when its run is paused or cancelled, when `leave` says so,
    or when its time is up; the chunk then waits for whoever comes next.
    """
    lease = claim_chunk(chunk_id=chunk_id)
    if lease is None:
        return False
    with _Accountable(lease), extending(lease):
        later = work_chunk(lease, leave=leave)
        heed_cap(run_id=lease.run_id)
        if later is None or not _is_running(lease.run_id):
            finish_chunk(lease)
        else:
            hand_over(lease, later)
    send_due(run_id=lease.run_id)
    return True


def work_chunk(lease: Lease, *, leave: Callable[[], bool] = never) -> Later | None:
    """Put a chunk's open questions to its judge, and record each outcome soon after it came.

    What has to be asked by a batch first, where the judge goes that way.
    """
    postponed: list[Later] = []
    chunk = Chunk.objects.select_related("run__judge", "run__rater__study").get(pk=lease.chunk_id)
    method = method_of(chunk.run.judge)
    skip_answered(chunk)
    calls = _open_calls(chunk)
    questions = _questions(calls)
    given = [_ask(chunk.run, questions[question_id], replicate) for question_id, replicate in calls]
    asks = Line(with_votes(chunk.run.study, given, method.heard()), left=chunk.run.left)
    if chunk.run.is_at_cap and not chunk.batch_jobs.exists():
        asks.close()  # replies that came by batch are paid for: those are written down
    method.tools = Tools(
        replies=DatabaseCache(chunk.run_id),
        pages=KeptPages(retriever()),
        told=asks.pay,
        later=postponed.append,
    )
    wary = lease.attempt > 1
    writer = Writer(lease, chunk.run, method, questions, calls, at_once=wary)
    deadline = time.monotonic() + BUDGET_SECONDS
    with closing(_outcomes(method, asks, calls, wary=wary)) as outcomes:
        for outcome in outcomes:
            written = writer.add(outcome)
            if (
                leave()
                or time.monotonic() > deadline
                or (written and not _is_running(chunk.run_id))
            ):
                asks.close()
                if method.at_once == 1:
                    break
    writer.flush()
    return merged(postponed)


class Line(Iterator[Ask]):
    """The asks that wait for their turn. Once it is closed nobody's turn comes any more: what is
    under way then has been paid for, and is waited for. It closes when nothing is left to spend.

    left: USD; None for as much as it takes.
    """

    def __init__(self, asks: Iterable[Ask], left: Decimal | None = None) -> None:
        self.asks, self.left, self.is_closed = iter(asks), left, False

    def __next__(self) -> Ask:
        if self.is_closed:
            raise StopIteration
        return next(self.asks)

    def pay(self, outcome: Outcome) -> None:
        """Take what an outcome has cost from what is left."""
        cost = sum((reply.cost or Decimal(0) for reply in outcome.replies), Decimal(0))
        if self.left is not None and cost:
            self.left -= cost
            self.is_closed = self.is_closed or self.left <= 0

    def close(self) -> None:
        self.is_closed = True


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


def _ask(run: JudgeRun, question: Question, replicate: int) -> Ask:
    told = run.told_in(question.block.key)
    name = run.judge.name
    return as_ask(question, replicate=replicate, seed=run.seed, judge=name, told=told)


def _outcomes(method: Method[Any], asks: Line, calls: Calls, *, wary: bool) -> Generator[Outcome]:
    """The method's outcomes. Wary, after a worker died over the chunk: a few asks at a time,
    counted before they are made; those that were there at a death one at a time, and one that
    was there too often not again."""
    if not wary:
        yield from method.answers(asks)
        return
    for few in _few_at_a_time(asks, calls, method.at_once):
        own = [call for ask in few for call in calls[ask.question_id, ask.replicate]]
        if _deaths(own[0]) >= DEADLY:
            reason = f"The worker died {_deaths(own[0])} times over this question."
            yield Outcome(few[0], (Reply().failed(Failure.ERROR, reason),))
            continue
        counted = Call.objects.filter(pk__in=[call.pk for call in own])
        counted.update(attempts=F("attempts") + 1)
        yield from method.answers(few)


def _few_at_a_time(asks: Line, calls: Calls, most: int) -> Iterator[list[Ask]]:
    """Asks that nothing is known against in groups of so many, others alone."""
    group: list[Ask] = []
    for ask in asks:
        if _deaths(calls[ask.question_id, ask.replicate][0]):
            yield [ask]
            continue
        group.append(ask)
        if len(group) >= most:
            yield group
            group = []
    if group:
        yield group


def _deaths(call: Call) -> int:
    """How often a worker asked and never came back: each time that it did is in `earlier`."""
    return call.attempts - len(call.earlier)


class _Accountable:
    """However the work ends, the chunk's row says so.

    A judge that cannot be used fails the chunk, a backend that answers nobody the whole run; one
    that is away for a while has the chunk wait. An unforeseen error fails the chunk too, and is
    raised on. A database that is away, or a task out of time, leaves it leased: the lease runs out,
    the chunk is tried again, and its attempts are counted. Whoever is told to stop gives it back.
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
        if isinstance(error, Away):
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
