"""Many workers at once: every unit ends with exactly the answers that it wants."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from tests.annotation import crowd
from tests.services.suite_database import database_url

OVERLAP = 5


def check(outcome: dict[str, Any], *, units: int) -> None:
    assert outcome["wanted"] == [OVERLAP]
    assert outcome["counted per place"] == [OVERLAP]
    assert outcome["counted per question"] == [OVERLAP]
    assert outcome["questions with answers"] == 2 * units
    assert outcome["still held"] == 0
    assert outcome["answered twice by one worker"] == 0
    assert outcome["lost"] == 0
    assert outcome["not paid once"] == 0
    assert outcome["paid"] == 2 * outcome["submitted"]
    # What makes it hard did happen.
    assert outcome["late"] > 0
    assert outcome["expired"] > 0
    assert outcome["removed"] > 0


class Crowd:
    """Processes of their own, on one PostgreSQL."""

    def __init__(self, url: str, folder: Path) -> None:
        self.environment = {
            **os.environ,
            "DATABASE_URL": url,
            "JURYBOX_DATA": str(folder),
            "SECRET_KEY": "a key for tests alone",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "tests.annotation.crowd", *map(str, arguments)],
            env=self.environment,
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process: "subprocess.Popen[str]") -> str:
        # Eight at once on a busy machine have taken more than ten minutes.
        out, err = process.communicate(timeout=3600)
        assert process.returncode == 0, err
        return out

    def work(self, *, processes: int, workers: int) -> None:
        """So many processes at once, each with so many workers one after the other."""
        started = [self.start("work", workers, seed) for seed in range(processes)]
        for process in started:
            self.finish(process)


@pytest.mark.django_db(transaction=True)
def test_sixty_workers_in_four_processes_keep_the_overlap_on_postgresql(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("on this database one writer at a time has all of it")
    crowd.set_up(units=20, overlap=OVERLAP)
    Crowd(database_url(), tmp_path).work(processes=4, workers=15)
    check(crowd.look(), units=20)


@pytest.mark.slow
def test_eight_processes_of_two_hundred_workers_keep_the_overlap_on_postgresql(
    postgres_url: str, tmp_path: Path
) -> None:
    people = Crowd(postgres_url, tmp_path)
    people.finish(people.start("set-up", 480, OVERLAP))
    people.work(processes=8, workers=200)
    check(json.loads(people.finish(people.start("look"))), units=480)


@pytest.mark.django_db(transaction=True)
def test_workers_in_threads_keep_the_overlap() -> None:
    if connection.vendor == "postgresql":
        pytest.skip("on this database four processes show the same")
    crowd.set_up(units=24, overlap=OVERLAP)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            crowd.work(workers=10, seed=seed)
        except BaseException as failure:  # noqa: BLE001 (reported below)
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[seed]) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    check(crowd.look(), units=24)
