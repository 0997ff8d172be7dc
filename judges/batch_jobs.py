"""Hand requests of a chunk over to a provider in one file, and keep the replies when it is back."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from judges.backends.contract import Failure, Reply, Unusable
from judges.caching import DatabaseCache
from judges.endpoints import BadEndpoint, endpoint
from judges.leasing import Lease
from judges.methods.contract import Later
from judges.models import BatchJob, Chunk, JudgeRun
from judges.running import fail_run
from judges.sending import send_due

# How often a provider is asked how far it is.
POLL = timedelta(seconds=getattr(settings, "JUDGE_BATCH_POLL_SECONDS", 60))

log = logging.getLogger(__name__)


def merged(several: Sequence[Later]) -> Later | None:
    """All of them as one; None where there is none."""
    requests = {key: request for one in several for key, request in one.requests.items()}
    return replace(several[0], requests=requests) if requests else None


def hand_over(lease: Lease, later: Later) -> None:
    """Send requests as a batch and lay the chunk aside until it is back.

    The row is there before the file is sent, and the batch bears its number: a worker that takes
    over from one that was killed in between finds the batch at the provider, and sends none twice.
    """
    from judges.backends.chat.batches import Provider, sha256_of

    sha256 = sha256_of(later.requests)
    provider = Provider(later.endpoint, endpoint(later.endpoint))
    unsure = BatchJob.objects.filter(chunk=lease.chunk_id, state=BatchJob.State.SENDING)
    job = unsure.filter(sent__sha256=sha256).first()
    found = provider.find(_tag(job)) if job is not None else ""
    if job is None:
        job = BatchJob.objects.create(
            chunk_id=lease.chunk_id,
            endpoint=later.endpoint,
            model=later.model,
            sent={
                "sha256": sha256,
                "keys": {key: request["for"] for key, request in sorted(later.requests.items())},
            },
        )
    job.provider_id = found or provider.send(later.requests, _tag(job))
    job.state, job.checked_at = BatchJob.State.SENT, timezone.now()
    job.save(update_fields=["provider_id", "state", "checked_at"])
    lease.held().update(state=Chunk.State.BATCHED, lease_token="", attempts=0)


def collect_batches() -> None:
    """Look after every batch that is due, and wake the chunks whose batch is back."""
    due = Q(checked_at=None) | Q(checked_at__lte=timezone.now() - POLL)
    jobs = BatchJob.objects.filter(due, state=BatchJob.State.SENT).select_related("chunk__run")
    for job in jobs.order_by("pk"):
        now = timezone.now()
        mine = BatchJob.objects.filter(pk=job.pk, checked_at=job.checked_at).update(checked_at=now)
        if mine:
            _look_after(job)


def _look_after(job: BatchJob) -> None:
    import openai

    from judges.backends.chat.batches import Provider

    run = job.chunk.run
    try:
        provider = Provider(job.endpoint, endpoint(job.endpoint))
        if run.state == JudgeRun.State.CANCELLED:
            provider.cancel(job.provider_id)
        look = provider.look(job.provider_id, job.model)
    except (openai.APIConnectionError, openai.InternalServerError, openai.RateLimitError) as error:
        log.warning("Batch %s cannot be looked after now: %s", job.provider_id, error)
        return
    except (BadEndpoint, Unusable, openai.APIError) as error:
        _end(job, BatchJob.State.FAILED, str(error))
        fail_run(run_id=run.pk, reason=f"Batch {job.provider_id}: {error}")
        return
    if look.has_ended:
        _keep(job, dict(look.replies or {}), look.error)


def _keep(job: BatchJob, came: dict[str, Reply], error: str) -> None:
    """Keep what came, and for what did not the reason. A key that we never sent is no reply."""
    replies = {}
    reason = error or "The batch came back without this call."
    for key, answer in job.sent["keys"].items():
        reply = came.get(key) or Reply().failed(Failure.ERROR, reason)
        detail = {**reply.detail, "cache_key": key, "for": answer, "batch": job.provider_id}
        replies[key] = replace(reply, detail=detail)
    DatabaseCache(job.chunk.run_id).keep(replies)
    job.counts = {
        "kept": sum(reply.failure is None for reply in replies.values()),
        "failed": sum(reply.failure is not None for reply in replies.values()),
        "unasked": len(came.keys() - replies.keys()),
    }
    job.save(update_fields=["counts"])
    _end(job, BatchJob.State.DONE, error)


def _end(job: BatchJob, state: BatchJob.State, error: str) -> None:
    job.state, job.error, job.ended_at = state, error, timezone.now()
    job.save(update_fields=["state", "error", "ended_at"])
    Chunk.objects.filter(pk=job.chunk_id, state=Chunk.State.BATCHED).update(
        state=Chunk.State.WAITING, sent_at=None
    )
    send_due(run_id=job.chunk.run_id)


def _tag(job: BatchJob) -> str:
    """The job's number; with when it was made, since another database counts from 1 as well."""
    return f"{job.pk}-{job.created_at:%Y%m%d%H%M%S%f}"
