"""Send requests of a chunk to a provider in files, and keep the replies when a batch has ended."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from endpoints.capabilities import RequestForm
from endpoints.endpoint import BadEndpoint
from jobs.models import JobState
from judges.backends.chat.batches import (
    BatchProvider,
    BatchStatus,
    file_shares,
    in_form,
    sha256_of,
)
from judges.backends.contract import Failure, Reply, Unavailable, Unusable
from judges.backends.factory import open_batches
from judges.methods.asks import PostponedRequests
from judges.models import BatchJob, Chunk, JudgeRun
from judges.runs.batches.learned_forms import keys_to_ask_again, learned_form
from judges.runs.delivery.leases import Lease
from judges.runs.delivery.queue import send_due
from judges.runs.records.reply_cache import DatabaseCache
from judges.runs.states import fail_run, has_unfinished_batches

# How often the provider is asked how far a batch is.
POLL = timedelta(seconds=getattr(settings, "JUDGE_BATCH_POLL_SECONDS", 60))
# After so many failed tries to send a file, the run ends with the reason.
MOST_TRIES = 20
# Replies that are kept in one transaction.
AT_ONCE = 500

# By cache key, as in `PostponedRequests`.
Requests = Mapping[str, dict[str, Any]]

log = logging.getLogger(__name__)


def merged(several: Sequence[PostponedRequests]) -> PostponedRequests | None:
    """All of them as one; None where there are no requests."""
    requests = {
        key: request for postponed in several for key, request in postponed.requests.items()
    }
    return replace(several[0], requests=requests) if requests else None


def send_batches(lease: Lease, postponed: PostponedRequests) -> None:
    """Send requests in as many batches as needed, and set the chunk aside until all have ended.

    Requests that another batch of the chunk holds already are not sent again. Unavailable where the
    provider cannot take a batch now.
    """
    pending = pending_keys(lease.chunk_id)
    form = learned_form(postponed.endpoint, postponed.model)
    new = {key: request for key, request in postponed.requests.items() if key not in pending}
    provider = open_batches(postponed.endpoint) if new else None
    for share in file_shares(in_form(new, form)):
        assert provider is not None
        _send(lease, postponed, provider, share, form)
    lease.held().update(lease_until=None, lease_token="", attempts=0)


def pending_keys(chunk_id: int) -> set[str]:
    """The keys of the requests in the chunk's unfinished batches."""
    jobs = BatchJob.objects.filter(chunk=chunk_id, state=JobState.RUNNING)
    return {key for sent in jobs.values_list("sent", flat=True) for key in sent["keys"]}


def collect_batches() -> None:
    """Check every batch that is due, and release the chunks whose batches have all ended."""
    due = Q(checked_at=None) | Q(checked_at__lte=timezone.now() - POLL)
    jobs = BatchJob.objects.filter(due, state=JobState.RUNNING).select_related("chunk__run")
    for job in jobs.defer("sent").order_by("pk"):
        # Several processes sweep: the one whose UPDATE changes the row checks the batch.
        unchecked = BatchJob.objects.filter(pk=job.pk, checked_at=job.checked_at)
        if unchecked.update(checked_at=timezone.now()):
            _check(job)
    _release_chunks()


def _send(
    lease: Lease,
    postponed: PostponedRequests,
    provider: BatchProvider,
    share: Requests,
    form: RequestForm,
) -> None:
    """Send one file.

    The row is written before the file is sent, and the batch carries the row's tag. So when a
    worker is killed in between, the next one finds the batch at the provider and does not pay for
    it twice.
    """
    sha256 = sha256_of(share)
    interrupted = BatchJob.objects.filter(
        chunk=lease.chunk_id, state=JobState.QUEUED, sent__sha256=sha256
    ).first()
    job = interrupted or BatchJob.objects.create(
        chunk_id=lease.chunk_id,
        endpoint=postponed.endpoint,
        model=postponed.model,
        sent={
            "sha256": sha256,
            "keys": {key: request["for"] for key, request in sorted(share.items())},
            "form": form.as_json(),
            "names": sorted({name for request in share.values() for name in request["body"]}),
        },
    )
    try:
        sent_before = provider.find(_tag(job)) if interrupted else ""
        job.provider_id = sent_before or provider.send(share, _tag(job))
    except Unavailable as error:
        _count_try(job, str(error))
        raise
    job.state, job.checked_at, job.error = JobState.RUNNING, timezone.now(), ""
    job.save(update_fields=["provider_id", "state", "checked_at", "error"])


def _count_try(job: BatchJob, reason: str) -> None:
    """Count a failed try to send a batch; Unusable where it was the last."""
    job.tries, job.error = job.tries + 1, reason
    job.save(update_fields=["tries", "error"])
    if job.tries >= MOST_TRIES:
        raise Unusable(f"The endpoint could not take a batch in {job.tries} tries: {reason}")


def _check(job: BatchJob) -> None:
    """Ask the provider how far a batch is, and keep its replies once it has ended.

    A batch that cannot be checked is checked again later, never given up: it is paid for.
    """
    run = job.chunk.run
    try:
        provider = open_batches(job.endpoint)
        status = provider.status(job.provider_id, job.model)
        is_cancelled = run.state == JudgeRun.State.CANCELLED
        if status.can_be_stopped and is_cancelled and not job.cancelled_at:
            _stop(job, provider)
    except Unavailable as error:
        log.warning("Batch %s cannot be checked now: %s", job.provider_id, error)
    except (BadEndpoint, Unusable) as error:
        fail_run(run_id=run.pk, reason=f"Batch {job.provider_id}: {error}")
    else:
        if status.has_ended:
            _keep(job, status)


def _stop(job: BatchJob, provider: BatchProvider) -> None:
    """Try once to stop a batch. If the provider refuses, it runs on and its replies are kept."""
    try:
        provider.cancel(job.provider_id)
    except Unusable as error:
        log.warning("Batch %s is not stopped: %s", job.provider_id, error)
    job.cancelled_at = timezone.now()
    job.save(update_fields=["cancelled_at"])


def _keep(job: BatchJob, status: BatchStatus) -> None:
    """Keep the replies of a batch, and add their cost to the run.

    Replies may be kept twice without harm, but their cost must be added once. So this is done last,
    in the transaction that ends the job.
    """
    replies = _replies(job, status)
    cache, keys = DatabaseCache.of(job.chunk.run), list(replies)
    for start in range(0, len(keys), AT_ONCE):
        share = {key: replies[key] for key in keys[start : start + AT_ONCE]}
        with transaction.atomic():
            cache.forget_failures(share)
            cache.keep(share)
    cost = sum((reply.cost or Decimal(0) for reply in replies.values()), Decimal(0))
    with transaction.atomic():
        if _end(job, replies, status):
            JudgeRun.objects.filter(pk=job.chunk.run_id).update(spent=F("spent") + cost)


def _replies(job: BatchJob, status: BatchStatus) -> dict[str, Reply]:
    """The reply to every request that was sent; a failure where none came.

    No failure is made for requests that are asked again: those of a batch that we stopped, if the
    run is resumed, and those that were rejected in this form.
    """
    returned = status.replies or {}
    to_ask_again = keys_to_ask_again(job, returned)
    reason = status.error or "The batch ended without a reply to this call."
    replies = {}
    for key, answer in job.sent["keys"].items():
        reply = returned.get(key)
        if key in to_ask_again or (reply is None and job.cancelled_at):
            continue
        reply = reply or Reply().failed(Failure.ERROR, reason)
        origin = {"cache_key": key, "for": answer, "batch": job.provider_id}
        replies[key] = replace(reply, detail={**reply.detail, **origin, "form": job.sent["form"]})
    return replies


def _end(job: BatchJob, replies: Mapping[str, Reply], status: BatchStatus) -> bool:
    """End the job; False where another process has ended it before."""
    counts = job.counts | {
        "kept": sum(reply.failure is None for reply in replies.values()),
        "failed": sum(reply.failure is not None for reply in replies.values()),
        "unasked": len((status.replies or {}).keys() - job.sent["keys"].keys()),
    }
    return bool(
        BatchJob.objects.filter(pk=job.pk, state=JobState.RUNNING).update(
            state=JobState.DONE, error=status.error, counts=counts, ended_at=timezone.now()
        )
    )


def _release_chunks() -> None:
    """Have the chunks whose batches have all ended worked again."""
    ready = Chunk.objects.at_provider().filter(~has_unfinished_batches())
    runs = set(ready.order_by().values_list("run", flat=True))
    ready.update(state=JobState.QUEUED, sent_at=None)
    for run_id in sorted(runs):
        send_due(run_id=run_id)


def _tag(job: BatchJob) -> str:
    """A tag for the batch: the job's id, and its time because other databases count from 1, too."""
    return f"{job.pk}-{job.created_at:%Y%m%d%H%M%S%f}"
