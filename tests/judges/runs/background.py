"""Worker processes beside a test, on the test's own database: started, killed, asked to go."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from judges.models import JudgeRun
from tests.services.suite_database import database_url

# How long a process may take for what is waited for: a loaded machine fails no test.
SECONDS = 180


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


class Background:
    """The processes of one installation, on the test's own database."""

    def __init__(self, folder: Path, broker_url: str) -> None:
        self.log = folder / "worker.log"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.judges.hasty_settings",
            "JURYBOX_DATA": str(folder / "data"),
            "DATABASE_URL": database_url(),
            "SECRET_KEY": "a key for tests alone",
            "BROKER_URL": broker_url,
        }
        self.workers: list[subprocess.Popen[bytes]] = []

    def run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], env=self.environment, check=True)

    def start_worker(self) -> None:
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--beat"]
        schedule = self.log.with_name(f"schedule-{len(self.workers)}")
        with self.log.open("ab") as file:
            self.workers.append(
                subprocess.Popen(
                    [*command, "--concurrency=1", "--loglevel=INFO", f"--schedule={schedule}"],
                    env=self.environment,
                    stdout=file,
                    stderr=file,
                    start_new_session=True,
                )
            )

    def kill_worker(self) -> None:
        """kill -9 to the worker and its children, without a chance to say goodbye."""
        os.killpg(self.workers[-1].pid, signal.SIGKILL)
        self.workers[-1].wait(SECONDS)

    def ask_worker_to_go(self) -> int:
        """SIGTERM, as a container's end or a restart sends; gives the exit status."""
        self.workers[-1].terminate()
        return self.workers[-1].wait(SECONDS)

    def kill_all(self) -> None:
        """No test looks at what is left: nobody waits for workers to say goodbye."""
        for worker in self.workers:
            if worker.poll() is None:
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait(SECONDS)

    def stop(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.terminate()
                worker.wait(SECONDS)


def ended() -> bool:
    return JudgeRun.objects.get().has_ended
