"""The process that reads strangers' files: it may be killed, and is the first to be where the
machine runs out of memory.

Each request names a function and its arguments. What the function sends goes back in messages of
many values; the last message says how it ended. The process ends with its caller.
"""

import io
import os
import pickle
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from files.errors import ImportFailure
from imports.sandbox.limits import LARGEST_MESSAGE, MIB, Limits

# What a message is: values, or the end of a request.
VALUES, END = b"v", b"e"
_FULL, _LATE = 2**20, 0.5
# A process that has grown so much is not used again: memory that Python keeps would be missing.
_GROWN = 128 * 2**20


class Send(Protocol):
    """Takes a value for the caller."""

    def __call__(self, value: Any, /) -> None: ...


class _Messages:
    """Collects values into messages: one is sent when it is large, or half a second old."""

    def __init__(self, connection: Connection, where: str) -> None:
        self._connection, self._where = connection, where
        self._begin()

    def _begin(self) -> None:
        self._packed = io.BytesIO()
        self._packed.write(VALUES)
        # One for all values of a message: what they share is packed once.
        self._pickler = pickle.Pickler(self._packed, pickle.HIGHEST_PROTOCOL)
        self._since = time.monotonic()

    def add(self, value: Any) -> None:
        self._pickler.dump(value)
        if self._packed.tell() > _FULL or time.monotonic() - self._since > _LATE:
            self.flush()

    def flush(self) -> None:
        if (size := self._packed.tell()) > LARGEST_MESSAGE:
            reason = f"a record of more than {LARGEST_MESSAGE // MIB} MiB: refused"
            raise ImportFailure(self._where, "record", reason)
        if size > len(VALUES):
            self._connection.send_bytes(self._packed.getbuffer())
        self._begin()


@dataclass(frozen=True)
class Ended:
    """How a request ended. failure: why it has failed, or None. details: for the log, where nobody
    foresaw it. is_reusable: whether the process takes another request."""

    failure: ImportFailure | None = None
    details: str = ""
    is_reusable: bool = True


def serve(connection: Connection) -> None:
    """Answer requests until there are no more, or the process is not to be used again."""
    idle, is_reusable = _resident(), True
    while is_reusable:
        try:
            request = connection.recv_bytes()
        except EOFError:
            return
        function, file, arguments, limits = pickle.loads(request)  # noqa: S301 (of our caller)
        messages = _Messages(connection, str(file))
        ended = _answer(messages, function, file, arguments, limits)
        is_reusable = ended.is_reusable and _resident() < idle + _GROWN
        connection.send_bytes(END + pickle.dumps(replace(ended, is_reusable=is_reusable)))


def _answer(
    messages: _Messages,
    function: Callable[..., None],
    file: Path,
    arguments: tuple[Any, ...],
    limits: Limits,
) -> Ended:
    """Run a request within its limits."""
    where, details = str(file), ""
    try:
        _limit(limits.memory, limits.cpu)
        function(messages.add, file, *arguments)
        messages.flush()
        return Ended()
    except ImportFailure as failure:
        return Ended(failure)
    except MemoryError:
        reason = limits.too_much_memory
    except RecursionError:
        return Ended(ImportFailure(where, "file", "its parts are nested too deeply"))
    except BaseException as error:  # noqa: BLE001 (a panic of polars is no Exception)
        reason, details = f"cannot be read ({type(error).__name__})", traceback.format_exc()
    finally:
        _limit(None, None)
    return Ended(ImportFailure(where, "file", reason), details, is_reusable=False)


def _limit(memory: int | None, cpu: int | None) -> None:
    """Limit what this process may take from now on, on systems that can; None: no longer."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        for kind, more, used in (
            (resource.RLIMIT_AS, memory, _addressed()),
            (resource.RLIMIT_CPU, cpu, int(time.process_time()) + 1),
        ):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (hard if more is None else used + more, hard))


def _resident() -> int:
    return _pages(1)


def _addressed() -> int:
    return _pages(0)


def _pages(column: int) -> int:
    """Bytes of memory from what Linux tells of this process; elsewhere 0."""
    try:
        numbers = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(numbers[column]) * os.sysconf("SC_PAGE_SIZE")


def _go_first() -> None:
    """Let the system kill this process before any other where memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(*, is_loaded: bool = True) -> None:
    """Serve the connection whose number is the only argument. is_loaded: whether what reads files
    is loaded before the first request, whose time is limited."""
    _go_first()
    connection = Connection(int(sys.argv[1]))
    if is_loaded:
        _load()
    connection.send_bytes(END)
    with suppress(BrokenPipeError):  # the caller has gone
        serve(connection)


def _load() -> None:
    import django

    django.setup()
    import openpyxl  # noqa: F401
    import polars  # noqa: F401

    import imports.studies.importing  # noqa: F401
