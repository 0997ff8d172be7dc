"""Send chunks to the background workers. A message only holds the chunk's id.

Only a few messages of each run are in the queue at a time, so that a short run does not wait
behind a long one, and a paused run leaves few messages behind. A lost message costs a few seconds.
"""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from jobs.messages import send_task
from judges.models import Chunk

# How long a lease lasts when its worker does not extend it.
LEASE = timedelta(seconds=getattr(settings, "JUDGE_LEASE_SECONDS", 30))
# When a chunk that was sent but not claimed is sent again. The message expires a little later, so
# that there is always one message for the chunk and rarely two.
RESEND = LEASE
EXPIRES = 1.5 * RESEND
WINDOW = 32
WORK = "judges.tasks.work"


def send_on_commit(*, run_id: int) -> None:
    """Send the chunks of a run that are due, once the current transaction commits."""
    transaction.on_commit(partial(send_due, run_id=run_id))


def send_due(*, run_id: int) -> int:
    """Send the next chunks of a run; how many were sent.

    With the broker down it is none, without an error: the sweep sends them later.
    """
    now = timezone.now()
    # Sent in the future: by a clock that was wrong.
    is_due = Q(sent_at=None) | Q(sent_at__lte=now - RESEND) | Q(sent_at__gt=now + RESEND)
    chunks = Chunk.objects.filter(run=run_id)
    waiting = chunks.claimable()
    here = chunks.unfinished().count() - chunks.at_provider().count()
    under_way = here - waiting.filter(is_due).count()
    due = waiting.filter(is_due).order_by("position")[: max(0, WINDOW - under_way)]
    sent = 0
    for chunk in due:
        if not _mark(chunk, now):
            continue
        if not send_task(WORK, chunk.pk, expires=EXPIRES):
            Chunk.objects.filter(pk=chunk.pk, sent_at=now).update(sent_at=None)
            break
        sent += 1
    return sent


def _mark(chunk: Chunk, now: datetime) -> bool:
    """Whether this process sends the chunk: several may try, and the UPDATE lets one of them."""
    return bool(Chunk.objects.filter(pk=chunk.pk, sent_at=chunk.sent_at).update(sent_at=now))
