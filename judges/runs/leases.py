"""Hold a chunk: exactly one worker at a time, and for as long as that worker lives."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from annotation.models.people import new_token
from judges.models import Call, Chunk, ChunkQuerySet
from judges.runs.queue import LEASE
from judges.runs.states import end_if_finished

# A chunk that ends its worker this often without one answer is not tried again.
MAX_ATTEMPTS = 5


class LeaseLost(Exception):
    """Another worker holds the chunk now: nothing may be written about it any more."""


@dataclass(frozen=True)
class Lease:
    """A claim on a chunk. `attempt` counts claims since the chunk last got anywhere."""

    chunk_id: int
    run_id: int
    token: str
    attempt: int

    def held(self) -> ChunkQuerySet:
        """The chunk's row, as long as this lease is the one that holds it."""
        return Chunk.objects.filter(
            pk=self.chunk_id, lease_token=self.token, state=Chunk.State.LEASED
        )


def claim_chunk(*, chunk_id: int) -> Lease | None:
    """Take a chunk, or None where another has it, it is done, or its run is not running.

    A chunk that has had all its attempts fails here, visibly.
    """
    token = new_token()
    claimable = Chunk.objects.claimable().filter(pk=chunk_id)
    taken = claimable.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=Chunk.State.LEASED,
        lease_until=timezone.now() + LEASE,
        lease_token=token,
        attempts=F("attempts") + 1,
    )
    if taken:
        chunk = Chunk.objects.get(pk=chunk_id)
        return Lease(chunk_id, chunk.run_id, token, chunk.attempts)
    if _fail_exhausted(chunk_id):
        end_if_finished(run_id=Chunk.objects.values_list("run", flat=True).get(pk=chunk_id))
    return None


def extend(lease: Lease, *, progressed: bool = False) -> bool:
    """Hold the chunk for another while; False where it is no longer ours.

    In a transaction, the row stays locked to its end: nobody claims it in between.
    """
    changes = {"lease_until": timezone.now() + LEASE}
    if progressed:
        return bool(lease.held().update(attempts=0, **changes))
    return bool(lease.held().update(**changes))


@contextmanager
def extending(lease: Lease) -> Iterator[None]:
    """Extend the lease from a thread while the body runs, however long one call takes."""
    done = threading.Event()
    thread = threading.Thread(target=_extend_until, args=(lease, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def give_back(lease: Lease, *, for_later: bool = False) -> None:
    """Let go of a chunk that is not done, without blaming it.

    for_later: it is not sent again at once, but as if a message about it were under way.
    """
    sent_at = timezone.now() if for_later else None
    lease.held().update(state=Chunk.State.WAITING, lease_token="", attempts=0, sent_at=sent_at)


def finish_chunk(lease: Lease) -> None:
    """Let go of a chunk; done, unless a call was planned again meanwhile. May end the run."""
    if Call.objects.filter(chunk=lease.chunk_id, status=Call.Status.PLANNED).exists():
        give_back(lease)
        return
    lease.held().update(state=Chunk.State.DONE, lease_token="", error="")
    end_if_finished(run_id=lease.run_id)


def fail_chunk(lease: Lease, reason: str) -> None:
    """Give a chunk up: its open calls end as errors with the reason."""
    with transaction.atomic():
        _close(lease.held(), lease.chunk_id, reason)
    end_if_finished(run_id=lease.run_id)


def _extend_until(lease: Lease, done: threading.Event) -> None:
    try:
        while not done.wait(LEASE.total_seconds() / 3):
            # A database that is busy or away for a moment: the next round may still be in time.
            with suppress(OperationalError):
                if not extend(lease):
                    return
    finally:
        connection.close()


@transaction.atomic
def _fail_exhausted(chunk_id: int) -> bool:
    exhausted = Chunk.objects.claimable().filter(pk=chunk_id, attempts__gte=MAX_ATTEMPTS)
    reason = f"The worker died {MAX_ATTEMPTS} times over this chunk without one answer."
    return _close(exhausted, chunk_id, reason)


def _close(chunks: ChunkQuerySet, chunk_id: int, reason: str) -> bool:
    if not chunks.update(state=Chunk.State.FAILED, lease_token="", error=reason):
        return False
    Call.objects.filter(chunk=chunk_id, status=Call.Status.PLANNED).update(
        status=Call.Status.ERROR, error=reason, finished_at=timezone.now()
    )
    return True
