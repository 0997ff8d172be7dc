"""A task sent by one process is done by a real worker in another, whatever the broker."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

SECONDS = 30
SEND = "import sys; from tests.config.echo import write; write.delay(*sys.argv[1:])"


def embedded(tmp_path: Path) -> dict[str, str]:
    names = ("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return {**kept, "JURYBOX_DATA": str(tmp_path / "data")}


@contextmanager
def worker(environment: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "celery", "-A", "tests.config.echo", "worker"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--concurrency=1", "--loglevel=INFO"],
            env=dict(environment),
            stdout=file,
            stderr=file,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(SECONDS)


def send_and_wait(
    environment: Mapping[str, str], path: Path, process: subprocess.Popen[bytes]
) -> str:
    subprocess.run([sys.executable, "-c", SEND, str(path), "done"], env=environment, check=True)
    deadline = time.monotonic() + SECONDS
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return path.read_text(encoding="utf-8")


def test_without_any_service_tasks_go_through_files_and_wait_there_for_a_worker(
    tmp_path: Path,
) -> None:
    environment = embedded(tmp_path)
    out = tmp_path / "out"
    subprocess.run([sys.executable, "-c", SEND, str(out), "late"], env=environment, check=True)
    with worker(environment, tmp_path / "worker.log") as process:
        assert send_and_wait(environment, tmp_path / "second", process) == "done"
    assert out.read_text(encoding="utf-8") == "late"
    assert list((tmp_path / "data" / "broker").iterdir()) == []


@pytest.mark.services
def test_with_a_redis_a_task_goes_through_it(tmp_path: Path, redis_url: str) -> None:
    environment = {**embedded(tmp_path), "BROKER_URL": redis_url}
    with worker(environment, tmp_path / "worker.log") as process:
        assert send_and_wait(environment, tmp_path / "out", process) == "done"
    assert not (tmp_path / "data" / "broker").exists()
