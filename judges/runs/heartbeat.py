"""A worker process says every few seconds that it lives, and takes its row along when it goes."""

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

from judges.models import Heartbeat

SECONDS = 5.0
FORGOTTEN = timedelta(hours=1)

log = logging.getLogger(__name__)

_going = threading.Event()
# The same for the processes forked from this one, which do the work. Without a lock: one of them
# that is killed can hold none.
_told = multiprocessing.RawValue(ctypes.c_bool, False)  # noqa: FBT003 (a C value)


def is_leaving() -> bool:
    """Whether this worker is told to go: whoever works a chunk gives it back soon."""
    return bool(_told.value)


def worker_name() -> str:
    """This process, told apart from every other on every machine."""
    return f"{socket.gethostname()}:{os.getpid()}"


def beat() -> None:
    """Say once that this worker lives."""
    Heartbeat.objects.update_or_create(worker=worker_name(), defaults={"at": timezone.now()})


def forget() -> None:
    """Take this worker's row away, and those of workers that were killed long ago."""
    Heartbeat.objects.filter(worker=worker_name()).delete()
    Heartbeat.objects.filter(at__lt=timezone.now() - FORGOTTEN).delete()


def _beat_until_leaving() -> None:
    while True:
        try:
            beat()
        except DatabaseError:
            log.warning("The heartbeat was not written.", exc_info=True)
        finally:
            connection.close()  # a connection that broke is not used again
        if _going.wait(SECONDS):
            return


def start(**_: Any) -> None:
    """Beat from a thread, so that a long task in this process does not look like death."""
    threading.Thread(target=_beat_until_leaving, name="heartbeat", daemon=True).start()


def leave(**_: Any) -> None:
    """The worker was asked to go; it still finishes what it has begun."""
    _told.value = True
    _going.set()


def stop(**_: Any) -> None:
    """The last thing that a worker does."""
    leave()
    with suppress(DatabaseError):
        forget()


# Only a worker process ever sends these.
worker_ready.connect(start)
worker_shutting_down.connect(leave)
worker_shutdown.connect(stop)
