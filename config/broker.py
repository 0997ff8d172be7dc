"""A Celery transport for one machine without services: messages are files in one folder.

Kombu has one of its own (``kombu.transport.filesystem``), but it creates a message file first and
writes it afterwards. A worker that polls in between reads an empty file and dies of it; with a
periodic task every few seconds that happens within the day. Here a message appears whole.
"""

import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

# Celery's worker looks between two waits, of two seconds each, whether it has been told to stop.
LONGEST_WAIT = 0.25


class Channel(virtual.Channel):
    """Messages are files named ``<time>_<uuid>.<queue>.msg``.

    Celery addresses a queue by its name, so bindings of exchanges live in each process alone.
    """

    @property
    def folder(self) -> Path:
        """Where the messages of all queues are."""
        return Path(self.connection.client.transport_options["folder"])

    def _waiting(self, queue: str) -> list[Path]:
        """The queue's messages, oldest first: names begin with the time."""
        ending = f"{queue}.msg"
        return sorted(
            path for path in self.folder.iterdir() if path.name.partition(".")[2] == ending
        )

    def _put(self, queue: str, message: Any, **_: Any) -> None:
        name = f"{time.time_ns()}_{uuid.uuid4().hex}"
        unseen = self.folder / f"{name}.part"
        unseen.write_text(dumps(message), encoding="utf-8")
        unseen.rename(self.folder / f"{name}.{queue}.msg")

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in self._waiting(queue):
            taken = path.with_suffix(".taken")
            try:
                path.rename(taken)  # of several workers exactly one succeeds
            except FileNotFoundError:
                continue
            payload = loads(taken.read_text(encoding="utf-8"))
            taken.unlink()
            return payload
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        waiting = self._waiting(queue)
        for path in waiting:
            path.unlink(missing_ok=True)
        return len(waiting)


class Transport(virtual.Transport):
    """Named in the settings: ``config.broker:Transport``."""

    Channel = Channel
    # One state for all connections of a process, as every virtual transport of kombu has it.
    global_state = virtual.BrokerState()
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset({"direct"})
    )
    default_connection_params: dict[str, Any] = {}  # there is no host to name
    driver_type = driver_name = "files"

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self.global_state

    def drain_events(self, connection: Any, timeout: float | None = None) -> Any:
        """Wait for a message, but give a worker the chance to notice that it shall stop."""
        if timeout is not None:
            timeout = min(timeout, LONGEST_WAIT)
        return super().drain_events(connection, timeout=timeout)
