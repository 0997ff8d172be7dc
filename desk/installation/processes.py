"""The web server and the background worker as child processes, stopped at the end."""

import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from urllib.request import urlopen

from django.conf import settings

STOP_WITHIN_S = 10.0
# Pages come before what goes on in the background, which yields the processor to them.
WORKER_NICENESS = 10
RESTART_PAUSE_S = 1.0
# On the loopback interface nobody stands between.
_OWN = ssl._create_unverified_context()  # noqa: S323


def _manage() -> str:
    """Which knows where the packages of the program are, in whatever folder it was started."""
    return str(settings.BASE_DIR / "manage.py")


@dataclass
class Child:
    """A process that is restarted when it ends, and how often it was started."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0

    def start(self) -> None:
        # A group of its own, so that the child's own children are stopped with it.
        self.process = subprocess.Popen(list(self.command), start_new_session=True)
        self.starts += 1

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def ask_to_end(self) -> None:
        """Terminate the leader alone: it stops its own children in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def kill_what_is_left(self) -> None:
        """Kill what is left of the whole process group."""
        if self.process is not None:
            with suppress(ProcessLookupError):  # all have gone already
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@dataclass
class Processes:
    """Child processes that are restarted when they end, until this process is stopped. The first of
    them is waited for: the others, whose start takes the processor, come after it is up."""

    children: Sequence[Child]
    say: Callable[[str], None]
    stopping: bool = field(default=False)

    def run(
        self,
        *,
        is_up: Callable[[], bool],
        announce: Callable[[], None],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Start the first, the others once `is_up`, then `announce`; keep all up until a signal,
        then stop all. meanwhile: what this process does between two looks at them."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            first, *others = self.children
            first.start()
            announced = False
            while not self.stopping:
                self._keep_up()
                if not announced and is_up():
                    for child in others:
                        child.start()
                    announce()
                    announced = True
                if announced:
                    meanwhile()
                time.sleep(0.2)
        finally:
            self._end_all()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def _keep_up(self) -> None:
        for child in self.children:
            if child.starts and child.has_ended() and not self.stopping:
                self.say(f"The {child.name} process ended; starting it again.")
                child.kill_what_is_left()
                time.sleep(RESTART_PAUSE_S)
                child.start()

    def _end_all(self) -> None:
        for child in self.children:
            child.ask_to_end()
        give_up_at = time.monotonic() + STOP_WITHIN_S
        while time.monotonic() < give_up_at and not all(c.has_ended() for c in self.children):
            time.sleep(0.05)
        for child in self.children:
            child.kill_what_is_left()


def web(*, port: int, host: str = "127.0.0.1", certificate: Sequence[str] = ()) -> Child:
    """gunicorn, on the loopback interface unless another one is said. certificate: the files of a
    certificate and of its key, for https."""
    command = ["gunicorn", "config.wsgi", "--bind", f"{host}:{port}", "--workers", "2"]
    for option, file in zip(("--certfile", "--keyfile"), certificate, strict=False):
        command += [option, file]
    command += ["--config", "python:config.web_server", "--log-level", "warning"]
    return Child("web", [sys.executable, _manage(), *command])


def worker() -> Child:
    """Celery with its own beat: one process beside the web server needs no more."""
    # In a container everything runs as root; Celery's warning about it would hide our own output.
    python = ["nice", "-n", str(WORKER_NICENESS), sys.executable]
    python += ["-W", "ignore:You're running the worker with superuser", _manage()]
    command = ["celery", "--quiet", "-A", "config", "worker", "--beat", "--concurrency", "1"]
    return Child("worker", [*python, *command, "--loglevel", "WARNING"])


def answers(url: str) -> bool:
    """Whether the web server answers there with 200; its own certificate is for other names."""
    try:
        with urlopen(url, timeout=2, context=_OWN) as reply:  # noqa: S310 (our loopback address)
            return bool(reply.status == 200)
    except OSError:
        return False
