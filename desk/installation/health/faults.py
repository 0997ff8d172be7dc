"""Count errors that nobody expected, in requests and in tasks, for the page *Health*."""

import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery.signals import task_failure
from django.core.signals import got_request_exception
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from annotation.queries.outages import is_outage
from desk.models import Fault
from telemetry.context import current
from telemetry.logs import type_name
from telemetry.routes import route_of

KEPT = timedelta(days=30)
MOST_ROWS = 2000


def note_fault(place: str, error: BaseException) -> None:
    """Count an error; not one of the database, which could not take the row."""
    if is_outage(error):
        return
    ids, now = current(), timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0)
    row = {"hour": hour, "place": place[:150], "error": type_name(error)[:150]}
    last = {"last_at": now, "request": ids.get("request", ids.get("task", ""))}
    with suppress(DatabaseError):
        if _again(row, last):
            return
        try:
            with transaction.atomic():
                Fault.objects.create(**row, **last)
        except IntegrityError:  # another process was quicker
            _again(row, last)


def _again(row: dict[str, Any], last: dict[str, Any]) -> int:
    return Fault.objects.filter(**row).update(times=F("times") + 1, **last)


@dataclass
class Met:
    """An error of one type at one place. request: the id under which the log has the last one."""

    place: str
    error: str
    times: int
    last_at: datetime
    request: str


def faults_since(start: datetime) -> list[Met]:
    """What was met since then, the newest first."""
    met: dict[tuple[str, str], Met] = {}
    for row in Fault.objects.filter(last_at__gte=start).order_by("-last_at")[:MOST_ROWS]:
        first = Met(row.place, row.error, 0, row.last_at, row.request)
        met.setdefault((row.place, row.error), first).times += row.times
    return list(met.values())


def forget_old_faults(*, now: datetime) -> None:
    """Remove those of more than a month ago."""
    Fault.objects.filter(hour__lt=now - KEPT).delete()


def _in_request(request: HttpRequest | None = None, **_more: Any) -> None:
    error = sys.exc_info()[1]
    if error is not None:
        note_fault("none" if request is None else route_of(request), error)


def _in_task(sender: Any = None, exception: BaseException | None = None, **_more: Any) -> None:
    if exception is not None:
        note_fault(getattr(sender, "name", "task"), exception)


def connect() -> None:
    """Count in this process."""
    got_request_exception.connect(_in_request)
    task_failure.connect(_in_task)
