"""Write down a run's chunks and calls bit by bit, and clear away what a planning that died left.

Many calls take many seconds to write down, and SQLite has one writer. So every bit is a transaction
of its own: whoever saves an answer meanwhile waits for one bit at most.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

from django.utils import timezone

from judges.methods.contract import Ask
from judges.models import Call, Chunk, JudgeRun

# Rows written at a time: neither memory nor the time that others wait grows with the study.
BATCH = 1000
# A planning that got no further for so long has died with its process.
DEAD_AFTER = timedelta(minutes=2)
DIED = "Its planning was broken off. Nothing was asked; start another run."

State = JudgeRun.State


class GivenUp(Exception):
    """The planning was taken for dead: the run has been ended."""


def write_calls(run: JudgeRun, asks: Iterable[tuple[Ask, int]], *, per_chunk: int) -> None:
    """Write a chunk for every so many asks, and for each ask as many calls as it comes with."""
    rows = _rows(run, asks, per_chunk)
    while calls := list(islice(rows, BATCH)):
        _get_further(run)
        Call.objects.bulk_create(calls)


def set_off(run: JudgeRun) -> None:
    """Save the run as one that is planned to the end, with its state and number of calls."""
    run.planning_at = None
    fields = ("state", "reason", "n_calls", "ended_at", "planning_at")
    changes = {name: getattr(run, name) for name in fields}
    if not JudgeRun.objects.filter(pk=run.pk, state=State.PLANNING).update(**changes):
        raise GivenUp


def discard(*, run_id: int) -> None:
    """Remove a run that was never set off."""
    _clear(run_id)
    JudgeRun.objects.filter(pk=run_id).delete()


def end_dead_plans() -> None:
    """End the runs whose planning has died, with the reason."""
    dead = JudgeRun.objects.filter(
        state=State.PLANNING, planning_at__lte=timezone.now() - DEAD_AFTER
    )
    for run_id in list(dead.values_list("pk", flat=True)):
        ended = {"state": State.FAILED, "reason": DIED, "ended_at": timezone.now()}
        if dead.filter(pk=run_id).update(**ended):
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


def _get_further(run: JudgeRun) -> None:
    """Say that the planning lives."""
    planning = JudgeRun.objects.filter(pk=run.pk, state=State.PLANNING)
    if not planning.update(planning_at=timezone.now()):
        raise GivenUp


def _clear(run_id: int) -> None:
    calls = Call.objects.filter(run=run_id).order_by()
    while some := list(calls.values_list("pk", flat=True)[:BATCH]):
        Call.objects.filter(pk__in=some).delete()
    Chunk.objects.filter(run=run_id).delete()
