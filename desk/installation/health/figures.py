"""Figures about the installation from where the truth is: the database, the broker, the disk.

Each function asks as much for a large installation as for a small one.
"""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Lock

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from kombu.exceptions import OperationalError

from annotation.models import Change
from jobs.kinds import kinds
from jobs.models import Heartbeat, Job, JobState
from judges.models import Call, Chunk, JudgeRun

BACKED_UP = "installation.backed_up"
DAY = timedelta(days=1)
CHUNKS = "Questions to judges, in chunks"


@dataclass(frozen=True)
class Queue:
    """What waits and runs of one kind of work. oldest: since when the first waits; failed: within a
    day."""

    kind: str
    waiting: int = 0
    running: int = 0
    failed: int = 0
    oldest: datetime | None = None

    @property
    def title(self) -> str:
        """What the kind is called on pages."""
        known = kinds().get(self.kind)
        return CHUNKS if self.kind == "chunk" else known.title if known else self.kind


def job_counts() -> dict[tuple[str, str], int]:
    """(kind, state) -> how many jobs are kept."""
    rows = Job.objects.order_by().values_list("kind", "state").annotate(number=Count("pk"))
    return {(kind, state): number for kind, state, number in rows}


def queues(now: datetime) -> list[Queue]:
    """By kind of job, and the chunks of judges' runs: what waits, runs, and failed within a day."""
    waiting = Job.objects.filter(state=JobState.QUEUED).order_by()
    oldest = dict(waiting.values_list("kind").annotate(first=Min("asked_at")))
    ended = Job.objects.filter(state=JobState.FAILED, ended_at__gte=now - DAY).order_by()
    failed = dict(ended.values_list("kind").annotate(number=Count("pk")))
    counted = job_counts()
    found = sorted({kind for kind, _state in counted})
    of_jobs = (
        Queue(
            kind=kind,
            waiting=counted.get((kind, JobState.QUEUED), 0),
            running=counted.get((kind, JobState.RUNNING), 0),
            failed=failed.get(kind, 0),
            oldest=oldest.get(kind),
        )
        for kind in found
    )
    return [*of_jobs, chunk_queue()]


def chunk_queue() -> Queue:
    """The chunks of runs under way. A chunk waits since its run was asked for."""
    rows = Chunk.objects.unfinished().filter(run__state=JudgeRun.State.RUNNING).order_by()
    counted = {
        state: (number, first)
        for state, number, first in rows.values_list("state").annotate(
            number=Count("pk"), first=Min("run__created_at")
        )
    }
    waiting, oldest = counted.get(JobState.QUEUED, (0, None))
    return Queue("chunk", waiting, counted.get(JobState.RUNNING, (0, None))[0], 0, oldest)


def broker_messages() -> int | None:
    """How many messages wait for a worker; None where the broker does not answer."""
    try:
        with current_app.connection_for_read() as opened:
            opened.ensure_connection(max_retries=0, timeout=2)
            channel = opened.default_channel
            waiting = channel.queue_declare(current_app.conf.task_default_queue).message_count
            channel.close()
    except (OperationalError, OSError):
        return None
    return int(waiting)


class CallCounts:
    """Calls by status. Those of a run that has ended are counted once in a process: counting a
    million anew for each scrape would cost more than the scrape is worth."""

    def __init__(self) -> None:
        self._ended: dict[tuple[int, datetime], dict[str, int]] = {}
        self._lock = Lock()

    def by_status(self) -> dict[str, int]:
        """Of all runs that are stored."""
        with self._lock:
            return self._read()

    def _read(self) -> dict[str, int]:
        ended = dict(JudgeRun.objects.order_by().values_list("pk", "ended_at"))
        known = {pk for pk, at in self._ended if ended.get(pk) == at}
        # In two steps, so that the second reads the index of the runs that it names.
        unknown = [pk for pk in ended if pk not in known]
        counted: dict[int, dict[str, int]] = {pk: {} for pk in unknown}
        rows = Call.objects.filter(run__in=unknown).order_by()
        for run, status, number in rows.values_list("run", "status").annotate(number=Count("pk")):
            counted[run][status] = number
        kept = {key: calls for key, calls in self._ended.items() if key[0] in known}
        self._ended = kept | {
            (pk, at): calls for pk, calls in counted.items() if (at := ended[pk]) is not None
        }
        total = dict.fromkeys(Call.Status.values, 0)
        under_way = (calls for pk, calls in counted.items() if ended[pk] is None)
        for calls in (*self._ended.values(), *under_way):
            for status, number in calls.items():
                total[status] += number
        return total


call_counts = CallCounts()


def spent() -> Decimal:
    """USD that the runs that are stored have spent."""
    amounts = JudgeRun.objects.filter(spent__gt=0).order_by().values_list("spent", flat=True)
    return sum(amounts, Decimal(0))


def last_heartbeat() -> datetime | None:
    """When a background worker was last heard of."""
    rows = Heartbeat.objects.of_workers().order_by("-at")
    return rows.values_list("at", flat=True).first()


def last_backup() -> datetime | None:
    """When the last backup was complete."""
    rows = Change.objects.filter(study=None, action=BACKED_UP).order_by("-pk")
    return rows.values_list("at", flat=True).first()


def free_space() -> dict[str, tuple[Path, int, int]]:
    """data, uploads, exports -> folder, free bytes, all bytes of its disk."""
    folders = {"data": settings.DATA_DIR, "uploads": settings.MEDIA_ROOT}
    folders["exports"] = settings.EXPORTS_ROOT
    found = {}
    for name, folder in folders.items():
        # It may not have been made yet.
        there = next(part for part in (Path(folder), *Path(folder).parents) if part.exists())
        usage = shutil.disk_usage(there)
        found[name] = (Path(folder), usage.free, usage.total)
    return found


def database_bytes() -> int:
    """The size of the database."""
    question = (
        "SELECT pg_database_size(current_database())"
        if connection.vendor == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    )
    with connection.cursor() as cursor:
        cursor.execute(question)
        row = cursor.fetchone()
    return int(row[0]) if row else 0
