"""A crowd works while everything around it fails, one thing after another: nothing is lost.

`make test-faults` runs it; `FAULTS=1000 make test-faults` for as many faults, `FAULTS_SEED=2` draws
others.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench.serve.databases import ROOT
from tests.faults.drive import drive
from tests.faults.faults import EMBEDDED, SERVED, Fault
from tests.faults.installation import embedded, served, why_not_served

# Not in the folder of the tests' own data, which goes with them.
KEPT = ROOT / "var" / "faults"


@contextmanager
def logs_kept(folder: Path) -> Iterator[None]:
    """What the processes have said is looked at where something is wrong."""
    try:
        yield
    except BaseException:
        KEPT.mkdir(parents=True, exist_ok=True)
        for log in folder.glob("*.log"):
            shutil.copy(log, KEPT)
        raise


pytestmark = pytest.mark.faults


@pytest.mark.parametrize(("setting", "kinds"), [(served, SERVED), (embedded, EMBEDDED)])
def test_nothing_is_lost_doubled_or_left_undone(
    setting: Callable[[], AbstractContextManager[Any]],
    kinds: tuple[Fault, ...],
) -> None:
    if setting is served and (reason := why_not_served()):
        pytest.skip(reason)
    count, seed = int(os.environ.get("FAULTS", "0")), int(os.environ.get("FAULTS_SEED", "1"))
    with setting() as there, logs_kept(there.folder):
        report = asyncio.run(drive(there, kinds, count=count, seed=seed))
        print(report)
        assert report.acknowledged > 0
        assert report.wrong() == {}
