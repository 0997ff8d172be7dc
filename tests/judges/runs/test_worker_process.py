"""Real worker processes: killed in the middle, started late, with the broker away."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Annotation
from judges.models import Heartbeat, JudgeRun
from judges.workers.health import worker_alive
from tests.cast import make_study
from tests.judges.bench import replies_for, write_lines
from tests.services import redis as redis_service

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

SECONDS = 60
SOURCES = 100
QUESTIONS = 2 * SOURCES
DEFINE = """
import django; django.setup()
import sys
from judges.definitions.versions import define_judge
define_judge(name="slow", method="scripted", parameters={"file": sys.argv[1], "delay_ms": 15})
"""


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def database_url() -> str:
    """The test database's address, for other processes."""
    of = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    return f"postgres://{of['USER']}:{of['PASSWORD']}@{of['HOST']}:{of['PORT']}/{of['NAME']}"


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

    def stop(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.terminate()
                worker.wait(SECONDS)


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Callable[[str], Background]]:
    made: list[Background] = []

    def make(broker_url: str = "filesystem://") -> Background:
        made.append(Background(tmp_path, broker_url))
        return made[-1]

    yield make
    for background in made:
        background.stop()


def define_slow_judge(background: Background, folder: Path) -> None:
    study = make_study(sources=SOURCES)
    file = write_lines(folder / "replies.jsonl", replies_for(study))
    background.run("-c", DEFINE, str(file))


def ended() -> bool:
    return JudgeRun.objects.get().has_ended


def assert_every_question_was_answered_once() -> None:
    run = JudgeRun.objects.get()
    assert (run.state, run.reason) == ("complete", "")
    assert Annotation.objects.count() == QUESTIONS
    assert Annotation.objects.values("question").distinct().count() == QUESTIONS
    assert run.calls.filter(status="answered", annotation__isnull=False).count() == QUESTIONS


def a_killed_worker_costs_nothing(background: Background, folder: Path) -> None:
    define_slow_judge(background, folder)
    background.start_worker()
    background.run("manage.py", "judge", "small", "slow")
    wait_until(lambda: Annotation.objects.count() > QUESTIONS // 4)
    background.kill_worker()
    killed_at = Annotation.objects.count()
    assert killed_at < QUESTIONS
    assert JudgeRun.objects.get().state == "running"
    background.start_worker()
    wait_until(ended)
    assert_every_question_was_answered_once()


def test_in_the_embedded_setting_a_killed_worker_costs_nothing(
    installation: Callable[..., Background], tmp_path: Path
) -> None:
    background = installation()
    a_killed_worker_costs_nothing(background, tmp_path)
    assert Heartbeat.objects.count() == 2  # the killed one could not take its row along
    background.stop()
    assert Heartbeat.objects.count() == 1
    Heartbeat.objects.update(at=timezone.now() - timedelta(seconds=15))
    assert not worker_alive(timezone.now())


def test_with_redis_a_killed_worker_costs_nothing(
    installation: Callable[..., Background], tmp_path: Path, redis_url: str
) -> None:
    a_killed_worker_costs_nothing(installation(redis_url), tmp_path)


def test_a_run_planned_while_the_broker_is_down_goes_on_when_it_is_back(
    installation: Callable[..., Background], tmp_path: Path, redis_url: str
) -> None:
    with redis_service.redis_server() as url:
        gone = url
    away = installation(gone)
    define_slow_judge(away, tmp_path)
    away.run("manage.py", "judge", "small", "slow", "--setting", "sample")
    run = JudgeRun.objects.get()
    assert run.state == "running"
    assert set(run.chunks.values_list("sent_at", flat=True)) == {None}
    back = installation(redis_url)
    back.start_worker()
    wait_until(ended)
    assert_every_question_was_answered_once()
