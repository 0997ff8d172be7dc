"""Requests know how long they waited for a thread."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

from django.conf import settings

from tests.services.ports import free_port

BUSY_S = 0.6
APPLICATION = f"""
import time
from telemetry.waiting import waited

def application(environ, start_response):
    told = waited.get()
    time.sleep({BUSY_S})
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(told).encode()]
"""


def test_a_request_is_told_how_long_it_waited_for_a_thread(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "busy.py").write_text(APPLICATION, encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", "busy:application", "--pythonpath", str(tmp_path)]
    command += ["--worker-class", "config.threads.WaitingThreads", "--threads", "1"]
    command += ["--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stderr=subprocess.DEVNULL) as server:
        try:
            _asked(port, until=time.monotonic() + 30)
            with ThreadPoolExecutor(3) as askers:
                told = sorted(askers.map(lambda _: _asked(port), range(3)))
        finally:
            server.terminate()
    assert told[0] < BUSY_S
    assert told[2] >= BUSY_S  # it stood behind two others, of which one had begun


def _asked(port: int, *, until: float = 0.0) -> float:
    """What the application said, once it is there."""
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/", timeout=30) as reply:
                return float(reply.read())
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
