"""Change the state of a run: pause, cancel, fail, resume, and end it when it is finished."""

from collections.abc import Iterable
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import Study, User, log_change
from jobs.models import JobState
from judges.definitions.versions import BadJudge, method_of
from judges.models import BatchJob, Call, Chunk, JudgeRun
from judges.runs.delivery.ask_queue import HOPELESS_ANSWERS, HOPELESS_CALLS
from judges.runs.delivery.queue import send_on_commit
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.caps import left_for
from judges.runs.plans.scope import RunRefused
from judges.runs.plans.standing_answers import answers_of, has_answer

# Failed calls that are planned again in one transaction.
BATCH = 200
State = JudgeRun.State


class NotPossible(ValueError):
    """The run's state does not allow the change."""


@transaction.atomic
def pause_run(*, run_id: int, reason: str = "", by: User | None = None) -> None:
    """Stop after the calls under way, until `resume_run`."""
    _change_state(run_id, [State.RUNNING], to=State.PAUSED, reason=reason)
    _log(run_id, "run.paused", by)


@transaction.atomic
def cancel_run(*, run_id: int, by: User | None = None) -> None:
    """Stop after the calls under way, for good. Answers stay."""
    _change_state(run_id, [State.RUNNING, State.PAUSED], to=State.CANCELLED, ended=True)
    _log(run_id, "run.cancelled", by)


def fail_run(*, run_id: int, reason: str) -> None:
    """End a run whose backend answers no call. Answers stay; a resumed run asks the rest again."""
    JudgeRun.objects.filter(pk=run_id, state=State.RUNNING).update(
        state=State.FAILED, reason=reason, ended_at=timezone.now()
    )


def pause_at_cap(*, run_id: int) -> None:
    """Pause a run that has reached its cap."""
    run = JudgeRun.objects.get(pk=run_id)
    if run.max_cost is not None and run.is_at_cap:
        reason = f"The cap of {in_usd(run.max_cost)} is reached."
        JudgeRun.objects.filter(pk=run_id, state=State.RUNNING).update(
            state=State.PAUSED, reason=reason
        )


def pause_if_all_fail(*, run_id: int) -> None:
    """Pause a run whose first calls have all failed, before it pays for the others.

    Only once: after it was resumed, somebody has seen the reason and wants it to go on.
    """
    watched = JudgeRun.objects.filter(pk=run_id, state=State.RUNNING, goes_on_unanswered=False)
    if not watched.exists():
        return
    failed = Call.objects.filter(run=run_id, status__in=Call.FAILED)
    if failed.order_by()[:HOPELESS_CALLS].count() < HOPELESS_CALLS:
        return
    if has_answer(run_id) or _n_answers(failed) < HOPELESS_ANSWERS:
        return
    failures = failures_in_words(calls_by_status(run_id=run_id))
    reason = f"No answer so far: {failures}. Check the reasons before you resume the run."
    watched.update(state=State.PAUSED, reason=reason)


def resume_run(*, run_id: int, max_cost: Decimal | None = None, by: User | None = None) -> None:
    """Let a run go on. Unless it was only paused, its failed calls are planned again.

    A failed call keeps its failure in `earlier`. max_cost: a new cap in USD; a run that has reached
    its cap needs a higher one.
    """
    while not _resume_in_steps(run_id, max_cost, by):
        pass
    _log(run_id, "run.resumed", by)


@transaction.atomic
def _resume_in_steps(run_id: int, max_cost: Decimal | None, by: User | None) -> bool:
    """Plan some failed calls again and return False; once none are left, start the run.

    In steps, because SQLite lets nobody else write during one. If it is interrupted, some calls are
    planned again, but the run has not started.
    """
    run = JudgeRun.objects.select_for_update().get(pk=run_id)
    if run.state in (State.PLANNING, State.RUNNING, State.COMPLETE):
        raise NotPossible(f"The run is {run.state}; there is nothing to resume.")
    if run.planning_at is not None:
        raise NotPossible("The run was not fully planned; start another one.")
    _check_endpoint(run, max_cost, by)
    if max_cost is not None:
        run.max_cost = max_cost
    _check_cap(run)
    if run.state != State.PAUSED and _reopen_failures(run):
        return False
    # A chunk with unfinished batches goes on waiting for them: they are paid for.
    idle = run.chunks.idle().filter(~has_unfinished_batches())
    idle.filter(_with_open_calls()).update(
        state=JobState.QUEUED, attempts=0, sent_at=None, error=""
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
            "it needs a higher cap to go on."
        )


def _check_endpoint(run: JudgeRun, max_cost: Decimal | None, by: User | None) -> None:
    """NotPossible where the endpoint's own cap is lower, where whoever resumes the run may not ask
    the endpoint, or where the run could spend more there than is left to its account."""
    try:
        method = method_of(run.judge)
        left_for(method, study=run.study, payer=by, but=run)
        left = left_for(method, study=run.study, payer=run.payer, but=run)
    except (BadJudge, RunRefused) as error:
        raise NotPossible(str(error)) from error
    most = method.cost_cap()
    if max_cost is not None and most is not None and max_cost > most:
        raise NotPossible(f"No run may spend more than {in_usd(most)} where this judge asks.")
    cap = run.max_cost if max_cost is None else max_cost
    if left is not None and (cap is None or cap - run.spent > left):
        highest = in_usd(run.spent + left)
        raise NotPossible(f"Enter a cap of at most {highest}: no more may be spent by its account.")


def end_if_finished(*, run_id: int) -> bool:
    """End a running or paused run without unfinished chunks: as complete, partial or failed.

    It must be called after the transaction that finishes a chunk. Then, of two workers that finish
    at the same time, at least the later one sees both chunks as done.
    """
    chunks = Chunk.objects.filter(run=run_id)
    if chunks.unfinished().exists():
        return False
    # `resume_run` may have planned calls again at the moment their chunk was finished.
    if chunks.filter(_with_open_calls()).update(state=JobState.QUEUED, sent_at=None):
        send_on_commit(run_id=run_id)
        return False
    state, reason = _final_state(run_id)
    ending = JudgeRun.objects.filter(pk=run_id, state__in=[State.RUNNING, State.PAUSED])
    ended = bool(ending.update(state=state, reason=reason, ended_at=timezone.now()))
    if ended and state != State.COMPLETE:
        # Reports tell what has no answer; probes are no part of them.
        Study.objects.filter(judge_runs=run_id, judge_runs__probe_set=None).touch()
    return ended


def calls_by_status(*, run_id: int) -> dict[str, int]:
    """The number of a run's calls in each status; statuses without calls are absent."""
    rows = Call.objects.filter(run=run_id).order_by().values_list("status")
    return dict(rows.annotate(n=Count("pk")))


_FAILURES = {
    Call.Status.PARSE_FAILURE: ("parse failure", "parse failures"),
    Call.Status.REFUSAL: ("refusal", "refusals"),
    Call.Status.TRUNCATED: ("truncated reply", "truncated replies"),
    Call.Status.TIMEOUT: ("time-out", "time-outs"),
    Call.Status.ERROR: ("error", "errors"),
}


def failures_in_words(counts: dict[str, int]) -> str:
    """`12 parse failures, 1 refusal`; empty where no call has failed."""
    parts = []
    for status in Call.FAILED:
        if n := counts.get(status, 0):
            name, plural = _FAILURES[status]
            parts.append(f"{n} {name if n == 1 else plural}")
    return ", ".join(parts)


def calls_in_words(counts: dict[str, int]) -> str:
    """`35 of 52 calls answered, 17 not needed`; without the last where every call was needed."""
    answered, skipped = (counts.get(s, 0) for s in (Call.Status.ANSWERED, Call.Status.SKIPPED))
    needless = f", {skipped} not needed" if skipped else ""
    return f"{answered} of {sum(counts.values())} calls answered{needless}"


def has_unfinished_batches() -> Exists:
    """A condition on chunks: a batch of theirs has not ended."""
    return Exists(BatchJob.objects.filter(chunk=OuterRef("pk"), state=JobState.RUNNING))


def _with_open_calls() -> Exists:
    return Exists(Call.objects.filter(chunk=OuterRef("pk"), status=Call.Status.PLANNED))


def _log(run_id: int, action: str, by: User | None) -> None:
    run = JudgeRun.objects.select_related("study", "judge").get(pk=run_id)
    detail = {"judge": str(run.judge)}
    log_change(study=run.study, by=by, action=action, subject=str(run_id), detail=detail)


def _change_state(
    run_id: int, states: Iterable[State], *, to: State, reason: str = "", ended: bool = False
) -> None:
    changed = JudgeRun.objects.filter(pk=run_id, state__in=list(states)).update(
        state=to, reason=reason, ended_at=timezone.now() if ended else None
    )
    if not changed:
        state = JudgeRun.objects.values_list("state", flat=True).get(pk=run_id)
        raise NotPossible(f"The run is {state} already.")


def _unanswered(run_id: int) -> QuerySet[Call]:
    """The failed calls of questions without an answer.

    Not those that failed beside others that were enough for an answer, or before a retry.
    """
    run = JudgeRun.objects.get(pk=run_id)
    answers = answers_of(run).filter(question=OuterRef("question"), replicate=OuterRef("replicate"))
    return Call.objects.filter(~Exists(answers), run=run_id, status__in=Call.FAILED)


def _n_answers(calls: QuerySet[Call]) -> int:
    """How many answers the calls are for."""
    return calls.order_by().values("question", "replicate").distinct().count()


def _final_state(run_id: int) -> tuple[State, str]:
    """The state by the number of missing answers, with the failed calls as the reason."""
    counts = calls_by_status(run_id=run_id)
    failed = sum(counts.get(status, 0) for status in Call.FAILED)
    if not failed:
        return State.COMPLETE, ""
    summary = f"{failed} of {sum(counts.values())} calls failed: {failures_in_words(counts)}."
    missing = _n_answers(_unanswered(run_id))
    if not missing:
        return State.COMPLETE, f"{summary} Every question has an answer nevertheless."
    wanted = _n_answers(Call.objects.filter(run=run_id))
    state = State.PARTIAL if missing < wanted else State.FAILED
    return state, f"{summary} {missing} of {wanted} answers are missing."


def _reopen_failures(run: JudgeRun) -> bool:
    """Plan all calls of some answers that have failed again; False where none are left."""
    failed = _unanswered(run.pk).order_by("pk").values_list("question", "replicate")[:BATCH]
    keys = set(failed)
    calls = run.calls.filter(question__in={question for question, _ in keys})
    calls = calls.exclude(status=Call.Status.PLANNED)
    reopened = [call for call in calls if (call.question_id, call.replicate) in keys]
    for call in reopened:
        call.reopen()
    Call.objects.bulk_update(reopened, Call.REOPENED, batch_size=BATCH)
    return bool(reopened)
