"""Counters in files that the processes of a web server share."""

import os
import subprocess
import sys
from pathlib import Path

COUNT = """
import sys
from telemetry.counters import count_request, count_save
for _ in range(int(sys.argv[1])):
    count_save("draft")
count_request(route="annotation:draft", method="POST", status=200, seconds=0.03)
print("counted", flush=True)
sys.stdin.readline()
"""
READ = """
from prometheus_client import generate_latest
from telemetry.counters import all_processes
print(generate_latest(all_processes()).decode())
"""


def counting(folder: Path, times: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", COUNT, str(times)],
        env=os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "counted\n"
    return process


def read(folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", READ],
        env=os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (line.rpartition(" ") for line in done.stdout.splitlines() if line[:1].isalpha())
    return {name: float(number) for name, _, number in lines}


def test_processes_are_added_up_and_one_in_the_place_of_a_killed_one_counts_on(
    tmp_path: Path,
) -> None:
    first, second = counting(tmp_path, 2), counting(tmp_path, 3)
    second.kill()
    second.wait()
    third = counting(tmp_path, 5)
    figures = read(tmp_path)
    assert figures['jurybox_saves_total{what="draft"}'] == 10.0
    requests = 'jurybox_requests_total{method="POST",route="annotation:draft",status="200"}'
    assert figures[requests] == 3.0
    # However many processes come and go, there are no more files than processes at a time.
    assert len(list(tmp_path.glob("counter_*.db"))) == 2
    for process in (first, third):
        process.kill()
        process.wait()
    for process in (first, second, third):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()
