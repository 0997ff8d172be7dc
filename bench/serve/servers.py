"""Servers under test: started as their makers start them, waited for, and stopped with all their
processes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

UP_WITHIN_S = 90.0
END_WITHIN_S = 10.0
INSTALLED_WITHIN_S = 240


class NotToBeHad(Exception):
    """Why a peer could not be measured here."""


@dataclass(frozen=True)
class Server:
    """How to start a server, and an address that it answers once it is up."""

    command: Sequence[str]
    port: int
    environment: Mapping[str, str]
    folder: Path
    probe: str = "/"


@dataclass
class Running:
    """A program in a process group of its own, which can be ended as one and started again. log:
    what it prints; it is appended to."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                list(self.command),
                cwd=self.folder,
                env=dict(self.environment),
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def end(self, *, within: float = END_WITHIN_S) -> None:
        """Ask it to end, and kill what is left of its group after that time."""
        if self.process is None:
            return
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(within)
        self.kill()

    def kill(self) -> None:
        """kill -9 to the whole group."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):  # all have gone already
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def wait_for(self, url: str) -> None:
        """Until it answers there; RuntimeError with the end of its log where it does not."""
        give_up_at = time.monotonic() + UP_WITHIN_S
        while time.monotonic() < give_up_at and not self.has_ended():
            if is_up(url):
                return
            time.sleep(0.1)
        tail = self.log.read_text(encoding="utf-8", errors="replace")[-2_000:]
        raise RuntimeError(f"the server did not come up: {' '.join(self.command)}\n{tail}")


def is_up(url: str) -> bool:
    """Whether a server answers there, with whatever status."""
    try:
        with urlopen(url, timeout=5):
            return True
    except HTTPError:
        return True
    except OSError:
        return False


@contextmanager
def serving(server: Server) -> Iterator[None]:
    """Run it; RuntimeError with the end of its log where it does not come up."""
    log = server.folder / "server.log"
    log.unlink(missing_ok=True)
    running = Running(server.command, server.environment, server.folder, log)
    running.start()
    try:
        running.wait_for(f"http://127.0.0.1:{server.port}{server.probe}")
        yield
    finally:
        running.end()


def foreign() -> dict[str, str]:
    """Our environment without what leads Python or Django to our own modules."""
    ours = ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in ours}


def installed(name: str, requirements: Sequence[str], folder: Path) -> Path:
    """The Python of an environment with these packages, made on first use and kept.

    NotToBeHad where they cannot be installed.
    """
    home = folder / name
    python, stamp = home / "bin" / "python", home / "requirements.txt"
    wanted = "\n".join(requirements)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    print(f"Installing {requirements[0]} into {home}", file=sys.stderr)
    shutil.rmtree(home, ignore_errors=True)
    try:
        for command in _commands(home, python, requirements):
            subprocess.run(
                command, check=True, timeout=INSTALLED_WITHIN_S, capture_output=True, text=True
            )
    except subprocess.TimeoutExpired:
        reason = f"{requirements[0]}: not installed within {INSTALLED_WITHIN_S} s"
        raise NotToBeHad(reason) from None
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotToBeHad(f"{requirements[0]}: not installed: {last}") from None
    stamp.write_text(wanted, encoding="utf-8")
    return python


def _commands(home: Path, python: Path, requirements: Sequence[str]) -> list[list[str]]:
    """uv where there is one: it takes seconds."""
    beside_ours = Path(sys.executable).with_name("uv")
    uv = str(beside_ours) if beside_ours.exists() else shutil.which("uv")
    if uv:
        return [
            [uv, "venv", "--python", sys.executable, str(home)],
            [uv, "pip", "install", "--python", str(python), *requirements],
        ]
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--prefer-binary"]
    return [[sys.executable, "-m", "venv", str(home)], [*pip, *requirements]]
