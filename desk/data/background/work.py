"""What a worker does: it takes a job, works out what is wanted, and ends the job with the outcome.

The state is a row; a message only names it. A worker reports every few seconds. One that does so
no more was killed: the sweep sends its job again, a few times.
"""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.access import Role, get_role
from annotation.models import Study
from desk.data.background.kinds import (
    Act,
    Computation,
    Kind,
    Outcome,
    Parameters,
    Refused,
    digest_of,
)
from desk.models import BackgroundJob
from jobs.messages import send_task
from results.report.cache import revision_of

TASK = "desk.tasks.work_out"
State = BackgroundJob.State
# The task's own limit.
LONGEST = timedelta(minutes=30)
REPORT_SECONDS = 5.0
# No report for so long: the worker was killed.
SILENCE = timedelta(seconds=30)
# A message expires a little after the sweep sends the next one.
RESEND, EXPIRES = timedelta(seconds=60), timedelta(seconds=90)
MOST_ATTEMPTS = 3
# How long outcomes are kept that are of an earlier revision, and jobs that changed something.
KEPT = timedelta(days=1)
STOPPED = "the worker was stopped; start it again"


class NoLongerWanted(Exception):
    """The job was cancelled, or another worker has taken it."""


def work(*, job_id: int, kinds: Mapping[str, Kind]) -> bool:
    """Carry out a job; False where it is no longer wanted or another worker has it."""
    job = _claim(job_id)
    if job is None:
        return False
    mine = BackgroundJob.objects.filter(pk=job.pk, attempt=job.attempt, state=State.RUNNING)
    reason, started = STOPPED, time.monotonic()
    try:
        kind = kinds[job.kind]
        with _reporting(mine):
            outcome, revision = _worked_out(job, kind)
        _end(job, kind, mine, outcome, revision=revision, seconds=time.monotonic() - started)
        reason = ""
    except SoftTimeLimitExceeded:
        reason = f"it took longer than {LONGEST.total_seconds() / 60:.0f} minutes"
    except OperationalError:
        # The database was locked for long, or went away: the task is tried again, a few times.
        if job.attempt < job.attempts_before + MOST_ATTEMPTS:
            mine.update(state=State.QUEUED, asked_at=timezone.now())
        raise
    except NoLongerWanted:
        return False
    finally:
        if reason:
            mine.update(state=State.FAILED, reason=reason, ended_at=timezone.now())
    return not reason


def _claim(job_id: int) -> BackgroundJob | None:
    now = timezone.now()
    free = BackgroundJob.objects.filter(Q(state=State.QUEUED) | _silent(now), pk=job_id)
    job = free.select_related("study", "asked_by").first()
    if job is None:
        return None
    claim = {"state": State.RUNNING, "alive_at": now, "attempt": F("attempt") + 1}
    if not free.filter(attempt=job.attempt).update(**claim):
        return None
    job.attempt += 1
    return job


@contextmanager
def _reporting(mine: QuerySet[BackgroundJob]) -> Iterator[None]:
    """Report from a thread while the body runs, which reads and computes without a pause."""
    done = threading.Event()
    thread = threading.Thread(target=_report_until, args=(mine, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _report_until(mine: QuerySet[BackgroundJob], done: threading.Event) -> None:
    try:
        while not done.wait(REPORT_SECONDS):
            # The database may be busy for a moment: the next report is still in time.
            with suppress(OperationalError):
                if not mine.update(alive_at=timezone.now()):
                    return
    finally:
        connection.close()


def _worked_out(job: BackgroundJob, kind: Kind) -> tuple[Outcome, int]:
    """The outcome of a computation, or of the one that an act rests on, and its revision."""
    if isinstance(kind, Computation):
        return _compute(job.study, kind, job.parameters)
    if kind.basis is None:
        return {}, revision_of(job.study)
    parameters = kind.basis_of(job.parameters)
    # Read before the answers are: what comes in meanwhile makes the outcome outdated at once.
    kept = outcome_at(job.study, kind.basis, parameters, revision_of(job.study))
    if kept is not None and kept.outcome is not None and kept.revision is not None:
        return kept.outcome, kept.revision
    return _kept(job, kind.basis, parameters)


def _compute(study: Study, kind: Computation, parameters: Parameters) -> tuple[Outcome, int]:
    revision = revision_of(study)
    return kind.compute(study, parameters), revision


def _kept(job: BackgroundJob, kind: Computation, parameters: Parameters) -> tuple[Outcome, int]:
    """Work out what an act rests on, and keep it as if somebody had asked for it."""
    started, now = time.monotonic(), timezone.now()
    outcome, revision = _compute(job.study, kind, parameters)
    with transaction.atomic():
        BackgroundJob.objects.create(
            study=job.study,
            kind=kind.name,
            parameters=dict(parameters),
            digest=digest_of(kind, parameters),
            asked_by=job.asked_by,
            state=State.DONE,
            revision=revision,
            outcome=outcome,
            seconds=time.monotonic() - started,
            asked_at=now,
            ended_at=timezone.now(),
        )
        kind.keep(job.study, parameters, outcome, revision)
    return outcome, revision


def outcome_at(
    study: Study, kind: Computation, parameters: Parameters, revision: int | None = None
) -> BackgroundJob | None:
    """The job with the outcome as of that revision, or with the newest one; None where there is
    none."""
    done = BackgroundJob.objects.filter(
        study=study, digest=digest_of(kind, parameters), state=State.DONE, outcome__isnull=False
    )
    if revision is not None:
        done = done.filter(revision=revision)
    return done.order_by("-revision", "-pk").first()


def _end(
    job: BackgroundJob,
    kind: Kind,
    mine: QuerySet[BackgroundJob],
    outcome: Outcome,
    *,
    revision: int,
    seconds: float,
) -> None:
    """Store the outcome. What an act does is committed with the end of its job, or not at all."""
    now = timezone.now()
    ended = {"state": State.DONE, "revision": revision, "seconds": seconds, "ended_at": now}
    try:
        with transaction.atomic():
            if not mine.update(**ended):
                raise NoLongerWanted
            stored = _stored(job, kind, outcome, revision)
            BackgroundJob.objects.filter(pk=job.pk).update(outcome=stored)
    except Refused as refused:
        mine.update(**ended, outcome={"refused": str(refused)})


def _stored(job: BackgroundJob, kind: Kind, outcome: Outcome, revision: int) -> Outcome:
    if isinstance(kind, Act):
        _check_role(job)
        return {"done": kind.do(job, outcome)}
    kind.keep(job.study, job.parameters, outcome, revision)
    older = BackgroundJob.objects.filter(study=job.study, digest=job.digest, state=State.DONE)
    older.filter(revision__lt=revision).update(outcome=None)  # nobody reads these any more
    return outcome


def _check_role(job: BackgroundJob) -> None:
    """Refused for somebody who was removed while the job waited."""
    role = None if job.asked_by is None else get_role(job.asked_by, job.study)
    if role is None or not role.may(Role.REVIEWER):
        raise Refused("Whoever asked for this may no longer do it: nothing was changed.")


def sweep_jobs(*, now: datetime) -> int:
    """Send jobs again whose message was lost or whose worker was killed, and fail those that were
    taken too often; how many were sent."""
    lost = _silent(now)
    failed = {"state": State.FAILED, "reason": STOPPED, "ended_at": now}
    too_often = Q(attempt__gte=F("attempts_before") + MOST_ATTEMPTS)
    BackgroundJob.objects.filter(lost & too_often).update(**failed)
    waiting = Q(state=State.QUEUED, asked_at__lt=now - RESEND)
    due = list(BackgroundJob.objects.filter(waiting | lost).values_list("pk", flat=True))
    return sum(send_task(TASK, pk, expires=EXPIRES) for pk in due)


def forget_old_jobs(*, now: datetime) -> int:
    """Remove jobs that ended some time ago, but for outcomes as of the present revision; how
    many."""
    ended = BackgroundJob.objects.filter(ended_at__lt=now - KEPT)
    current = Q(state=State.DONE, revision=F("study__revision"), outcome__isnull=False)
    gone, _ = ended.exclude(current).delete()
    return gone


def drop_outcomes(study: Study, **_signal: object) -> None:
    """Keep nothing that was worked out of answers that are erased now.

    Jobs under way are left alone until they are erased: a job that ends holds its own row before it
    locks batches, which are locked here.
    """
    BackgroundJob.objects.filter(study=study, outcome__isnull=False).update(outcome=None)
    transaction.on_commit(partial(_begin_anew, study.pk), robust=True)


def _begin_anew(study_id: int) -> None:
    """Let jobs work again that may have read the answers before, and drop what they came to."""
    of_study = BackgroundJob.objects.filter(study=study_id)
    fresh = {"state": State.QUEUED, "asked_at": timezone.now()}
    of_study.filter(state=State.RUNNING).update(**fresh)
    of_study.filter(outcome__isnull=False).update(outcome=None)


def _silent(now: datetime) -> Q:
    return Q(state=State.RUNNING, alive_at__lt=now - SILENCE)
