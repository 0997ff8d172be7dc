"""Leases of chunks: at most one worker holds a chunk, for as long as the worker lives."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models.links import new_token
from jobs.models import JobState
from jobs.reports import repeating
from judges.models import Call, Chunk, ChunkQuerySet
from judges.runs.delivery.queue import LEASE
from judges.runs.states import end_if_finished

# A chunk over which its worker died this often without an answer in between fails.
MAX_ATTEMPTS = 5


class LeaseLost(Exception):
    """Another worker may hold the chunk now: this one must not write to it any more."""


@dataclass(frozen=True)
class Lease:
    """A claim on a chunk. attempt: the number of claims since the last written answer."""

    chunk_id: int
    run_id: int
    token: str
    attempt: int

    def held(self) -> ChunkQuerySet:
        """The chunk's row, as long as this lease holds it; else no row."""
        return Chunk.objects.leased().filter(pk=self.chunk_id, lease_token=self.token)


def claim_chunk(*, chunk_id: int) -> Lease | None:
    """Lease a chunk; None where another worker holds it, it is done, or its run is not running.

    A chunk that is out of attempts fails here.
    """
    token = new_token()
    claimable = Chunk.objects.claimable().filter(pk=chunk_id)
    # One conditional UPDATE: of two workers that try at once, only one changes the row.
    claimed = claimable.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=JobState.RUNNING,
        lease_until=timezone.now() + LEASE,
        lease_token=token,
        attempts=F("attempts") + 1,
    )
    if claimed:
        chunk = Chunk.objects.get(pk=chunk_id)
        return Lease(chunk_id, chunk.run_id, token, chunk.attempts)
    if _fail_exhausted(chunk_id):
        end_if_finished(run_id=Chunk.objects.values_list("run", flat=True).get(pk=chunk_id))
    return None


def extend(lease: Lease, *, progressed: bool = False) -> bool:
    """Extend the lease; False where another worker may hold the chunk by now.

    In a transaction the UPDATE locks the row until the end, so that no other worker can claim the
    chunk before the transaction's writes are committed. progressed: an answer is being written,
    which resets the count of attempts.
    """
    changes = {"lease_until": timezone.now() + LEASE}
    if progressed:
        return bool(lease.held().update(attempts=0, **changes))
    return bool(lease.held().update(**changes))


def extending(lease: Lease) -> AbstractContextManager[None]:
    """Extend the lease while the body runs: one call may take longer than a lease."""
    return repeating(lambda: extend(lease), LEASE.total_seconds() / 3)


def give_back(lease: Lease, *, for_later: bool = False) -> None:
    """Release a chunk that is not done, without counting an attempt.

    for_later: wait before it is sent again, as if a message for it were under way.
    """
    sent_at = timezone.now() if for_later else None
    lease.held().update(state=JobState.QUEUED, lease_token="", attempts=0, sent_at=sent_at)


def finish_chunk(lease: Lease) -> None:
    """Release a chunk as done; as queued, where `resume_run` has planned calls again meanwhile.

    Ends the run where this was its last chunk.
    """
    if Call.objects.filter(chunk=lease.chunk_id, status=Call.Status.PLANNED).exists():
        give_back(lease)
        return
    lease.held().update(state=JobState.DONE, lease_token="", error="")
    end_if_finished(run_id=lease.run_id)


def fail_chunk(lease: Lease, reason: str) -> None:
    """Fail a chunk; its open calls become errors with the reason."""
    with transaction.atomic():
        _fail(lease.held(), lease.chunk_id, reason)
    end_if_finished(run_id=lease.run_id)


@transaction.atomic
def _fail_exhausted(chunk_id: int) -> bool:
    exhausted = Chunk.objects.claimable().filter(pk=chunk_id, attempts__gte=MAX_ATTEMPTS)
    reason = f"The worker died {MAX_ATTEMPTS} times over this chunk without one answer."
    return _fail(exhausted, chunk_id, reason)


def _fail(chunks: ChunkQuerySet, chunk_id: int, reason: str) -> bool:
    if not chunks.update(state=JobState.FAILED, lease_token="", error=reason):
        return False
    Call.objects.filter(chunk=chunk_id, status=Call.Status.PLANNED).update(
        status=Call.Status.ERROR, error=reason, finished_at=timezone.now()
    )
    return True
