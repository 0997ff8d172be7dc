"""Heartbeats: a worker process updates its row every few seconds, and deletes it when it stops.
Beat updates its own as it looks for what is due."""

import ctypes
import logging
import multiprocessing
import os
import socket
import threading
from contextlib import suppress
from datetime import timedelta
from typing import Any

from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.models import BEAT, Heartbeat

SECONDS = 5.0
FORGOTTEN = timedelta(hours=1)

log = logging.getLogger(__name__)

_stopping = threading.Event()
# The same for the processes forked from this one, which do the work. Without a lock, because a
# process that is killed while it holds a lock would block all others.
_is_leaving = multiprocessing.RawValue(ctypes.c_bool, False)  # noqa: FBT003 (a C value)


def is_leaving() -> bool:
    """Whether this worker was asked to stop and should release its chunk soon."""
    return bool(_is_leaving.value)


def worker_name() -> str:
    """The name of this process, unique among all machines."""
    return f"{socket.gethostname()}:{os.getpid()}"


def beat() -> None:
    """Write one heartbeat."""
    _write(worker_name())


def write_of_beat() -> None:
    """Write one heartbeat of beat, which goes on where the database is away."""
    try:
        _write(BEAT)
    except DatabaseError as error:
        log.warning("The heartbeat was not written: %s", error)
    finally:
        connection.close()  # it may be broken


def _write(name: str) -> None:
    Heartbeat.objects.update_or_create(worker=name, defaults={"at": timezone.now()})


def forget() -> None:
    """Delete this worker's row, and those of workers that were killed long ago."""
    Heartbeat.objects.filter(worker=worker_name()).delete()
    Heartbeat.objects.filter(at__lt=timezone.now() - FORGOTTEN).delete()


def _beat_until_leaving() -> None:
    while True:
        try:
            beat()
        except DatabaseError as error:
            log.warning("The heartbeat was not written: %s", error)
        finally:
            connection.close()  # it may be broken
        if _stopping.wait(SECONDS):
            return


def start(**_: Any) -> None:
    """Write heartbeats from a thread, so that they go on during a long task in this process."""
    threading.Thread(target=_beat_until_leaving, name="heartbeat", daemon=True).start()


def leave(**_: Any) -> None:
    """The worker was asked to stop; it still finishes the tasks under way."""
    _is_leaving.value = True
    _stopping.set()


def stop(**_: Any) -> None:
    """The worker stops now."""
    leave()
    with suppress(DatabaseError):
        forget()


# Only worker processes send these signals.
worker_ready.connect(start)
worker_shutting_down.connect(leave)
worker_shutdown.connect(stop)
