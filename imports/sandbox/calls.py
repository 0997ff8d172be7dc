"""Functions that read a file, called in a process of its own.

The process is started when it is needed first and kept for the next file, since it takes a second
or two to start. One that was killed, or grew, is not used again.
"""

import atexit
import io
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from django.db.models.base import model_unpickle

from files.errors import ImportFailure
from imports.sandbox.limits import AT_ONCE, START_SECONDS, Limits
from imports.sandbox.process import END, VALUES, Ended, Send
from jurybox.packages import PACKAGES

T = TypeVar("T")

log = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[2]
# Threads of a library take memory each, and the process does one thing at a time.
_THREADS = {"MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "2"}
_TICK = 1.0
# Packages whose classes may come back.
_TRUSTED = {*PACKAGES, "builtins", "collections", "datetime", "decimal", "pathlib"}
# Here Django's function makes an instance of a model, and does nothing else.
_MODELS = model_unpickle.__module__


class Sandbox:
    """Processes of one kind, started when they are needed; one is kept for the next call.

    serve: the Python that they run. It imports the module that serves: run as the main module, its
    classes would be others than here. environment: all that they are given of it. at_once: how
    many calls run at a time; each may take the whole memory.
    """

    def __init__(
        self, serve: str, environment: Callable[[], Mapping[str, str]], *, at_once: int
    ) -> None:
        self.serve, self.environment = serve, environment
        self.free, self.idle = threading.BoundedSemaphore(at_once), list[_Process]()
        atexit.register(self.close)

    def call(
        self,
        function: Callable[..., T],
        file: Path,
        *args: Any,
        limits: Limits | None = None,
        tick: Callable[[], object] = lambda: None,
        **kwargs: Any,
    ) -> T:
        """What `function(file, …)` returns, called in a process of its own. The function is one of
        a module, and everything that it takes and returns can be pickled. limits: by default those
        of a file that somebody waits for. tick: called every second meanwhile.

        ImportFailure where the function raises it, where it fails in any other way, and where it
        takes more memory or time than it may.
        """
        (value,) = self.stream(_call, file, function, args, kwargs, limits=limits, tick=tick)
        return value  # type: ignore[no-any-return]

    def stream(
        self,
        function: Callable[..., None],
        file: Path,
        *args: Any,
        limits: Limits | None = None,
        tick: Callable[[], object] = lambda: None,
    ) -> Generator[Any, None, None]:
        """The values that `function(send, file, …)` sends; else as `call`."""
        limits = limits or Limits.waited_for()
        if not self.free.acquire(timeout=limits.silence):
            reason = "other files are being read just now; try again in a minute"
            raise ImportFailure(str(file), "file", reason)
        try:
            process = self._idle_process() or _Process(self.serve, self.environment())
            try:
                ended = yield from process.values((function, file, args, limits), tick)
            except BaseException:
                process.close()
                raise
            self.idle.append(process) if ended.is_reusable and not self.idle else process.close()
        finally:
            self.free.release()
        if ended.details:
            # Both may quote what is in the file.
            log.error("Reading a file failed unexpectedly", extra={"traceback": ended.details})
        if ended.failure is not None:
            raise ended.failure

    def _idle_process(self) -> "_Process | None":
        with suppress(IndexError):
            while (process := self.idle.pop()) is not None:
                if process.is_mine:
                    return process
                process.close()
        return None

    def close(self) -> None:
        """End the process that is kept, if there is one."""
        if (process := self._idle_process()) is not None:
            process.close()


def _call(
    send: Send,
    file: Path,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    send(function(file, *args, **kwargs))


class _Process:
    """A process that reads, for one caller at a time."""

    def __init__(self, serve: str, environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-c", serve, str(theirs.fileno())),
                cwd=_ROOT,
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self._owner, self._connection = os.getpid(), Connection(ours.detach())
        if not self._connection.poll(START_SECONDS):
            self.close()
            raise OSError("the process that reads files did not start")
        with suppress(EOFError, ConnectionError):  # told by the first request
            self._connection.recv_bytes()

    @property
    def is_mine(self) -> bool:
        """Whether this process has started it, and it is there still."""
        return self._owner == os.getpid() and self._process.poll() is None

    def values(
        self,
        request: tuple[Callable[..., None], Path, tuple[Any, ...], Limits],
        tick: Callable[[], object],
    ) -> Generator[Any, None, Ended]:
        """The values that a request makes; how it ended."""
        _, file, _, limits = request
        try:
            self._connection.send_bytes(pickle.dumps(request))
            while True:
                self._await(limits, tick)
                message = self._connection.recv_bytes()
                if message.startswith(VALUES):
                    yield from _unpacked(message)
                else:
                    ended: Ended = _Unpickler(io.BytesIO(message[len(END) :])).load()
                    return ended
        except (EOFError, ConnectionError) as error:
            reason = self._reason_of_death(limits)
            log.warning("Reading %s ended its process: %s", file, reason)
            raise ImportFailure(str(file), "file", reason) from error
        except pickle.UnpicklingError as error:
            log.exception("Reading %s: its process answered with no value", file)
            raise ImportFailure(str(file), "file", "could not be read") from error

    def _await(self, limits: Limits, tick: Callable[[], object]) -> None:
        """Wait for the next message, and kill a process that has hung."""
        since = time.monotonic()
        while not self._connection.poll(min(_TICK, limits.silence)):
            if time.monotonic() - since > limits.silence:
                self._process.send_signal(_TOO_LONG)
            tick()

    def _reason_of_death(self, limits: Limits) -> str:
        status = self._process.wait()
        return limits.too_long if status == -_TOO_LONG else limits.too_much_memory

    def close(self) -> None:
        """End the process."""
        if self._owner == os.getpid():
            self._connection.close()
            self._process.kill()
            self._process.wait()


# What the system sends where its own limit of time is reached, too.
_TOO_LONG = signal.SIGXCPU


class _Unpickler(pickle.Unpickler):
    """Makes instances of our classes and of plain ones, and calls no other function: a file may
    have taken the process over, and must not get any further."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name; UnpicklingError where there is none to be trusted."""
        if module == _MODELS or module.partition(".")[0] in _TRUSTED:
            found = super().find_class(module, name)
            if isinstance(found, type) or found is model_unpickle:
                return found
        raise pickle.UnpicklingError(f"{module}.{name}, which is no value")


def _unpacked(message: bytes) -> Iterator[Any]:
    packed = io.BytesIO(message)
    packed.seek(len(VALUES))
    unpickler = _Unpickler(packed)
    while packed.tell() < len(message):
        yield unpickler.load()


# For the files that researchers import.
FILES = Sandbox(
    "from imports.sandbox.process import main; main()",
    lambda: {**os.environ, **_THREADS},
    at_once=AT_ONCE,
)
call_apart, stream_apart = FILES.call, FILES.stream
