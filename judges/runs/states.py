"""What can be done to a run as a whole: pause, cancel, resume, and find that it has ended."""

from collections.abc import Iterable
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import Annotation
from judges.definitions.versions import BadJudge, method_of
from judges.models import BatchJob, Call, Chunk, JudgeRun
from judges.runs.amounts import in_usd
from judges.runs.queue import send_on_commit

# Failed calls that are planned again in one transaction.
BATCH = 200
# A run is paused where so many calls, for so many answers, have all failed.
HOPELESS_CALLS, HOPELESS_ANSWERS = 50, 10
State = JudgeRun.State


class NotPossible(ValueError):
    """The run is in a state in which this cannot be done."""


def pause_run(*, run_id: int, reason: str = "") -> None:
    """Stop after the calls that are under way; `resume_run` goes on."""
    _leave(run_id, [State.RUNNING], to=State.PAUSED, reason=reason)


def cancel_run(*, run_id: int) -> None:
    """Stop for good, after the calls that are under way. What was answered stays."""
    _leave(run_id, [State.RUNNING, State.PAUSED], to=State.CANCELLED, ended=True)


def fail_run(*, run_id: int, reason: str) -> None:
    """End a run whose backend answers nobody. What was answered stays; resuming asks again."""
    JudgeRun.objects.filter(pk=run_id, state=State.RUNNING).update(
        state=State.FAILED, reason=reason, ended_at=timezone.now()
    )


def heed_cap(*, run_id: int) -> None:
    """Pause a run that has spent what it may."""
    run = JudgeRun.objects.get(pk=run_id)
    if run.max_cost is not None and run.is_at_cap:
        reason = f"The cap of {in_usd(run.max_cost)} is reached."
        JudgeRun.objects.filter(pk=run_id, state=State.RUNNING).update(
            state=State.PAUSED, reason=reason
        )


def heed_failures(*, run_id: int) -> None:
    """Pause a run whose first calls brought no answer at all, before it pays for all the others.

    Once: whoever has resumed it has seen why.
    """
    watched = JudgeRun.objects.filter(pk=run_id, state=State.RUNNING, goes_on_unanswered=False)
    if not watched.exists():
        return
    failed = Call.objects.filter(run=run_id, status__in=Call.FAILED)
    if failed.order_by()[:HOPELESS_CALLS].count() < HOPELESS_CALLS:
        return
    answered = Call.objects.filter(run=run_id, status=Call.Status.ANSWERED)
    if answered.exclude(annotation=None).exists() or _answers(failed) < HOPELESS_ANSWERS:
        return
    said = failures_in_words(calls_by_status(run_id=run_id))
    reason = f"Nothing was answered so far: {said}. See why; going on asks all the others, too."
    watched.update(state=State.PAUSED, reason=reason)


def resume_run(*, run_id: int, max_cost: Decimal | None = None) -> None:
    """Go on with a run. Unless it was only paused, failed calls are asked once more.

    What a failed call had brought is kept in its `earlier`. max_cost: USD, another cap than
    before; a run that has spent its cap goes on under a higher one alone.
    """
    while not _go_on(run_id, max_cost):
        pass


@transaction.atomic
def _go_on(run_id: int, max_cost: Decimal | None) -> bool:
    """Plan some of what has failed again; where none of it is left, let the run go on.

    Step by step, since nobody else can write meanwhile on SQLite; who breaks off has only planned.
    """
    run = JudgeRun.objects.select_for_update().get(pk=run_id)
    if run.state in (State.PLANNING, State.RUNNING, State.COMPLETE):
        raise NotPossible(f"The run is {run.state}; there is nothing to resume.")
    if run.planning_at is not None:
        raise NotPossible("The run was never planned to the end; start another one.")
    if max_cost is not None:
        _check_most(run, max_cost)
        run.max_cost = max_cost
    _check_cap(run)
    if run.state != State.PAUSED and _reopen_failures(run):
        return False
    # A chunk that waits for its batches goes on waiting: they have been paid for.
    idle = run.chunks.exclude(state=Chunk.State.LEASED).filter(~with_batches_out())
    idle.filter(_with_open_calls()).update(
        state=Chunk.State.WAITING, attempts=0, sent_at=None, error=""
    )
    run.state, run.reason, run.ended_at = State.RUNNING, "", None
    run.goes_on_unanswered = True
    run.save(update_fields=["state", "reason", "ended_at", "max_cost", "goes_on_unanswered"])
    send_on_commit(run_id=run.pk)
    return True


def _check_cap(run: JudgeRun) -> None:
    if run.max_cost is not None and run.is_at_cap:
        raise NotPossible(
            f"The run has spent {in_usd(run.spent)} of at most {in_usd(run.max_cost)}; "
            "it goes on under a higher cap alone."
        )


def _check_most(run: JudgeRun, max_cost: Decimal) -> None:
    try:
        most = method_of(run.judge).most_usd()
    except BadJudge as error:
        raise NotPossible(str(error)) from error
    if most is not None and max_cost > most:
        raise NotPossible(f"No run may spend more than {in_usd(most)} where this judge asks.")


def end_if_finished(*, run_id: int) -> bool:
    """End the run where no chunk is left to work: complete, partial, or failed; a paused one too.

    Called after a chunk's own transaction, so that of two workers that finish at the same time
    at least the later one sees both chunks done.
    """
    chunks = Chunk.objects.filter(run=run_id)
    if chunks.unfinished().exists():
        return False
    # Calls planned again by `resume_run` in the very moment in which their chunk was finished.
    if chunks.filter(_with_open_calls()).update(state=Chunk.State.WAITING, sent_at=None):
        send_on_commit(run_id=run_id)
        return False
    state, reason = _verdict(run_id)
    ending = JudgeRun.objects.filter(pk=run_id, state__in=[State.RUNNING, State.PAUSED])
    return bool(ending.update(state=state, reason=reason, ended_at=timezone.now()))


def calls_by_status(*, run_id: int) -> dict[str, int]:
    """How many calls of a run are in which status; absent: none."""
    rows = Call.objects.filter(run=run_id).order_by().values_list("status")
    return dict(rows.annotate(n=Count("pk")))


def failures_in_words(counts: dict[str, int]) -> str:
    """`12 parse failures, 1 refusal`; empty where no call has failed."""
    names = {Call.Status.ERROR: "error", Call.Status.TIMEOUT: "time-out"}
    parts = []
    for status in Call.FAILED:
        if n := counts.get(status, 0):
            name = names.get(status, status.replace("_", " "))
            parts.append(f"{n} {name}{'s' if n > 1 else ''}")
    return ", ".join(parts)


def with_batches_out() -> Exists:
    """Of chunks: that a batch of theirs is not back yet."""
    return Exists(BatchJob.objects.filter(chunk=OuterRef("pk"), state=BatchJob.State.SENT))


def _with_open_calls() -> Exists:
    return Exists(Call.objects.filter(chunk=OuterRef("pk"), status=Call.Status.PLANNED))


def _leave(
    run_id: int, states: Iterable[State], *, to: State, reason: str = "", ended: bool = False
) -> None:
    changed = JudgeRun.objects.filter(pk=run_id, state__in=list(states)).update(
        state=to, reason=reason, ended_at=timezone.now() if ended else None
    )
    if not changed:
        state = JudgeRun.objects.values_list("state", flat=True).get(pk=run_id)
        raise NotPossible(f"The run is {state} already.")


def _unanswered(run_id: int) -> QuerySet[Call]:
    """The failed calls of questions that have no answer. One that failed beside others which were
    enough for an answer, or before the model was asked once more, is not among them."""
    standing = Annotation.objects.filter(
        rater=OuterRef("run__rater"),
        question=OuterRef("question"),
        replicate=OuterRef("replicate"),
        superseded_at=None,
    )
    return Call.objects.filter(~Exists(standing), run=run_id, status__in=Call.FAILED)


def _answers(calls: QuerySet[Call]) -> int:
    """How many answers the calls are for."""
    return calls.order_by().values("question", "replicate").distinct().count()


def _verdict(run_id: int) -> tuple[State, str]:
    """By the questions that have no answer; with the failed calls, whatever came of them."""
    counts = calls_by_status(run_id=run_id)
    failed = sum(counts.get(status, 0) for status in Call.FAILED)
    if not failed:
        return State.COMPLETE, ""
    said = f"{failed} of {sum(counts.values())} calls failed: {failures_in_words(counts)}."
    missing = _answers(_unanswered(run_id))
    if not missing:
        return State.COMPLETE, f"{said} Every question is answered all the same."
    wanted = _answers(Call.objects.filter(run=run_id))
    state = State.PARTIAL if missing < wanted else State.FAILED
    return state, f"{said} {missing} of {wanted} answers are missing."


def _reopen_failures(run: JudgeRun) -> bool:
    """Plan all calls of some answers that have failed again; False where there is none left."""
    some = _unanswered(run.pk).order_by("pk").values_list("question", "replicate")[:BATCH]
    places = set(some)
    calls = run.calls.filter(question__in={question for question, _ in places})
    calls = calls.exclude(status=Call.Status.PLANNED)
    again = [call for call in calls if (call.question_id, call.replicate) in places]
    for call in again:
        call.reopen()
    Call.objects.bulk_update(again, Call.REOPENED, batch_size=BATCH)
    return bool(again)
