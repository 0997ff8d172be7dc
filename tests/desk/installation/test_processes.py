"""Children are kept up, and none outlives its parent."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest
from django.conf import settings

from desk.installation.processes import WORKER_NICENESS, web, worker

PARENT = """
import sys
from desk.installation.processes import Child, Processes
nap = "import time; time.sleep(600)"
sleeper = [sys.executable, "-c",
           f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {nap!r}]); {nap}"]
Processes([Child("one", sleeper), Child("two", sleeper)], say=print).run(
    is_up=lambda: True, announce=lambda: None)
"""


@pytest.fixture
def parent() -> Iterator[psutil.Popen]:
    command = [sys.executable, "-c", PARENT]
    with psutil.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL) as process:
        yield process
        for one in [process, *process.children(recursive=True)] if process.is_running() else []:
            one.kill()


def _family(parent: psutil.Popen, size: int) -> list[psutil.Process]:
    give_up_at = time.monotonic() + 20
    while time.monotonic() < give_up_at:
        family = parent.children(recursive=True)
        if len(family) >= size:
            return family
        time.sleep(0.05)
    raise AssertionError(f"only {parent.children(recursive=True)} after 20 s")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_takes_children_and_grandchildren_along(
    parent: psutil.Popen, number: signal.Signals
) -> None:
    family = _family(parent, 4)
    parent.send_signal(number)
    _gone, alive = psutil.wait_procs([parent, *family], timeout=15)
    assert alive == []


def test_a_child_that_dies_is_started_again(parent: psutil.Popen) -> None:
    _family(parent, 4)
    before = {child.pid for child in parent.children()}
    parent.children()[0].kill()
    give_up_at = time.monotonic() + 20
    while time.monotonic() < give_up_at:
        now = {child.pid for child in parent.children()}
        if len(now) == len(before) and now != before:
            break
        time.sleep(0.1)
    assert len(now - before) == 1


def test_the_worker_yields_the_processor_to_pages() -> None:
    assert worker().command[:3] == ["nice", "-n", str(WORKER_NICENESS)]
    assert "nice" not in web(port=1).command
