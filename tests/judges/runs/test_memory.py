"""What a long run holds in memory does not grow with it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# In a process and on a database of its own. A child makes the study: its memory does not count.
WORK = """
import json, os, sys
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
child = os.fork()
if not child:
    from bench.serve.study import set_up
    set_up("long", int(sys.argv[1]), 20)
    os._exit(0)
os.waitpid(child, 0)
from annotation.models import Study
from judges.definitions.versions import judge_for
from judges.models import Chunk, JudgeRun
from judges.runs.plans.plan import plan_run
from judges.runs.delivery.work import work
from tests.services.memory import peak_mib
study = Study.objects.get()
run = plan_run(study=study, judge=judge_for(study, "lexical"), subset="")
while (chunk := Chunk.objects.claimable().filter(run=run).first()):
    work(chunk_id=chunk.pk)
print(json.dumps({
    "peak_mib": peak_mib(),
    "state": JudgeRun.objects.get().state,
}))
"""


def peak_mb(folder: Path, questions: int) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "JURYBOX_DATA": str(folder),
        "BROKER_URL": "memory://",
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-c", WORK, str(questions)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["state"] == "complete"
    return float(found["peak_mib"])


@pytest.mark.slow
def test_a_run_ten_times_as_long_takes_no_more_memory(tmp_path: Path) -> None:
    short = peak_mb(tmp_path / "short", 2_000)
    long = peak_mb(tmp_path / "long", 20_000)
    assert long < short + 30
    assert long < 600
