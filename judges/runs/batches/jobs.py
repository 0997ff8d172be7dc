"""Hand requests of a chunk over to a provider in files, and keep the replies when they are back."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from judges.backends.chat.batch_files import Look, in_form, sha256_of, shares
from judges.backends.chat.habits import Form
from judges.backends.contract import Away, Failure, Reply, Unusable
from judges.backends.endpoints import BadEndpoint
from judges.backends.opening import open_batches
from judges.methods.contract import Later
from judges.models import BatchJob, Chunk, JudgeRun
from judges.runs.batches.request_forms import known_form, not_taken
from judges.runs.leases import Lease
from judges.runs.queue import send_due
from judges.runs.reply_cache import DatabaseCache, forget_failures
from judges.runs.states import fail_run, with_batches_out

if TYPE_CHECKING:
    from judges.backends.chat.batches import Provider

# How often a provider is asked how far it is.
POLL = timedelta(seconds=getattr(settings, "JUDGE_BATCH_POLL_SECONDS", 60))
# A file that a provider could not take so often is not sent again: the run ends with the reason.
MOST_TRIES = 20
# Replies that are kept in one transaction.
AT_ONCE = 500

# By the keys of replies, as `Later` holds them.
Requests = Mapping[str, dict[str, Any]]

log = logging.getLogger(__name__)


def merged(several: Sequence[Later]) -> Later | None:
    """All of them as one; None where there is none."""
    requests = {key: request for one in several for key, request in one.requests.items()}
    return replace(several[0], requests=requests) if requests else None


def hand_over(lease: Lease, later: Later) -> None:
    """Send requests in as many batches as it takes, and lay the chunk aside until all are back.

    What a batch of the chunk is out for already is not sent again. Away where the provider cannot
    take it now.
    """
    out = keys_out(lease.chunk_id)
    form = known_form(later.endpoint, later.model)
    wanted = {key: request for key, request in later.requests.items() if key not in out}
    provider = open_batches(later.endpoint) if wanted else None
    for share in shares(in_form(wanted, form)):
        assert provider is not None
        _send(lease, later, provider, share, form)
    lease.held().update(state=Chunk.State.BATCHED, lease_token="", attempts=0)


def keys_out(chunk_id: int) -> set[str]:
    """The keys of the replies that the chunk's batches are out for."""
    out = BatchJob.objects.filter(chunk=chunk_id, state=BatchJob.State.SENT)
    return {key for sent in out.values_list("sent", flat=True) for key in sent["keys"]}


def collect_batches() -> None:
    """Look after every batch that is due, and wake the chunks whose batches are back."""
    due = Q(checked_at=None) | Q(checked_at__lte=timezone.now() - POLL)
    jobs = BatchJob.objects.filter(due, state=BatchJob.State.SENT).select_related("chunk__run")
    for job in jobs.defer("sent").order_by("pk"):
        now = timezone.now()
        mine = BatchJob.objects.filter(pk=job.pk, checked_at=job.checked_at).update(checked_at=now)
        if mine:
            _look_after(job)
    _wake()


def _send(lease: Lease, later: Later, provider: "Provider", share: Requests, form: Form) -> None:
    """Send one file.

    The row is there before the file is sent, and the batch bears its number: a worker that takes
    over from one that was killed in between finds the batch at the provider, and sends none twice.
    """
    sha256 = sha256_of(share)
    unsure = BatchJob.objects.filter(chunk=lease.chunk_id, state=BatchJob.State.SENDING)
    known = unsure.filter(sent__sha256=sha256).first()
    job = known or BatchJob.objects.create(
        chunk_id=lease.chunk_id,
        endpoint=later.endpoint,
        model=later.model,
        sent={
            "sha256": sha256,
            "keys": {key: request["for"] for key, request in sorted(share.items())},
            "form": form.as_json(),
            "names": sorted({name for request in share.values() for name in request["body"]}),
        },
    )
    try:
        found = provider.find(_tag(job)) if known else ""
        job.provider_id = found or provider.send(share, _tag(job))
    except Away as fault:
        _count_try(job, str(fault))
        raise
    job.state, job.checked_at, job.error = BatchJob.State.SENT, timezone.now(), ""
    job.save(update_fields=["provider_id", "state", "checked_at", "error"])


def _count_try(job: BatchJob, why: str) -> None:
    """Note that the provider could not take it; Unusable where that was once too often."""
    job.tries, job.error = job.tries + 1, why
    job.save(update_fields=["tries", "error"])
    if job.tries >= MOST_TRIES:
        raise Unusable(f"The endpoint could not take a batch in {job.tries} tries: {why}")


def _look_after(job: BatchJob) -> None:
    """See how far a batch is. Whatever keeps us from seeing it, it stays out: it is paid for."""
    run = job.chunk.run
    try:
        provider = open_batches(job.endpoint)
        look = provider.look(job.provider_id, job.model)
        if look.can_be_stopped and run.state == JudgeRun.State.CANCELLED and not job.cancelled_at:
            _stop(job, provider)
    except Away as fault:
        log.warning("Batch %s cannot be looked after now: %s", job.provider_id, fault)
    except (BadEndpoint, Unusable) as reason:
        fail_run(run_id=run.pk, reason=f"Batch {job.provider_id}: {reason}")
    else:
        if look.has_ended:
            _keep(job, look)


def _stop(job: BatchJob, provider: "Provider") -> None:
    """Have a batch stopped, once. A provider that will not is let be: its replies are kept."""
    try:
        provider.cancel(job.provider_id)
    except Unusable as refusal:
        log.warning("Batch %s is not stopped: %s", job.provider_id, refusal)
    job.cancelled_at = timezone.now()
    job.save(update_fields=["cancelled_at"])


def _keep(job: BatchJob, look: Look) -> None:
    """Keep what a batch brought, and count what it cost.

    Keeping it twice does no harm, counting it would: that is the last step, and taken once.
    """
    replies = _replies(job, look)
    cache, keys = DatabaseCache(job.chunk.run_id), list(replies)
    for at in range(0, len(keys), AT_ONCE):
        some = {key: replies[key] for key in keys[at : at + AT_ONCE]}
        with transaction.atomic():
            forget_failures(some)
            cache.keep(some)
    cost = sum((reply.cost or Decimal(0) for reply in replies.values()), Decimal(0))
    with transaction.atomic():
        if _end(job, replies, look):
            JudgeRun.objects.filter(pk=job.chunk.run_id).update(spent=F("spent") + cost)


def _replies(job: BatchJob, look: Look) -> dict[str, Reply]:
    """What came, and for what did not come the reason. A key that we never sent is no reply.

    What did not come of a batch that we stopped ourselves is asked again should the run be
    resumed; what was not taken in this form, in another.
    """
    came = look.replies or {}
    again = not_taken(job, came)
    reason = look.error or "The batch came back without this call."
    replies = {}
    for key, answer in job.sent["keys"].items():
        reply = came.get(key)
        if key in again or (reply is None and job.cancelled_at):
            continue
        reply = reply or Reply().failed(Failure.ERROR, reason)
        told = {"cache_key": key, "for": answer, "batch": job.provider_id}
        detail = {**reply.detail, **told, "form": job.sent["form"]}
        replies[key] = replace(reply, detail=detail)
    return replies


def _end(job: BatchJob, replies: Mapping[str, Reply], look: Look) -> bool:
    counts = job.counts | {
        "kept": sum(reply.failure is None for reply in replies.values()),
        "failed": sum(reply.failure is not None for reply in replies.values()),
        "unasked": len((look.replies or {}).keys() - job.sent["keys"].keys()),
    }
    return bool(
        BatchJob.objects.filter(pk=job.pk, state=BatchJob.State.SENT).update(
            state=BatchJob.State.DONE, error=look.error, counts=counts, ended_at=timezone.now()
        )
    )


def _wake() -> None:
    """Have every chunk worked again none of whose batches is out any more."""
    back = Chunk.objects.filter(~with_batches_out(), state=Chunk.State.BATCHED)
    runs = set(back.order_by().values_list("run", flat=True))
    back.update(state=Chunk.State.WAITING, sent_at=None)
    for run_id in sorted(runs):
        send_due(run_id=run_id)


def _tag(job: BatchJob) -> str:
    """The job's number; with when it was made, since another database counts from 1 as well."""
    return f"{job.pk}-{job.created_at:%Y%m%d%H%M%S%f}"
