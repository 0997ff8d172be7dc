"""Ours, the bare SDK and inspect_ai against the same server, one after another."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import yaml

from bench.chat.material import BYTES
from bench.measure import Row
from bench.serve.servers import NotToBeHad, foreign, installed
from tests.services.endpoint import endpoint_process

QUESTIONS, IN_FLIGHT, DELAY_MS = 2_000, 64, 250
# Celery's default: a worker process for each processor. What is in flight is theirs together.
WORKERS = os.cpu_count() or 1
IDEAL_S = QUESTIONS * DELAY_MS / 1_000 / IN_FLIGHT
OF_IDEAL, TIMES_INSPECT, CPU_MS = 1.25, 3.0, 5.0
INSPECT = ("inspect-ai==0.3.285", "openai==3.54.0")


@dataclass(frozen=True)
class Ran:
    """What a process reported of its own run."""

    seconds: float
    cpu: float
    answered: int

    @property
    def of_ideal(self) -> float:
        return self.seconds / IDEAL_S

    @property
    def cpu_ms(self) -> float:
        return 1_000 * self.cpu / QUESTIONS

    def in_words(self, name: str) -> str:
        return (
            f"{name}: {self.seconds:.1f} s, {self.of_ideal:.2f} x the ideal, "
            f"{self.cpu_ms:.2f} ms of processor time a call, {self.answered:,} answered"
        )


def run() -> Iterator[Row]:
    """2,000 questions, each reply after 250 ms, 64 at once: the ideal is 7.8 s."""
    ours = _measured(f"ours, by {WORKERS} worker processes", partial(_ours, workers=WORKERS))
    alone = _measured("ours, by one", partial(_ours, workers=1))
    bare = _measured("the SDK alone", _bare)
    yield Row(
        what=f"{QUESTIONS:,} questions, {IN_FLIGHT} in flight: beside the ideal",
        ours=ours.seconds,
        unit="s",
        peer=IDEAL_S,
        ratio=ours.of_ideal,
        bar=f"<= {OF_IDEAL:g} x, all answered",
        met=ours.of_ideal <= OF_IDEAL and ours.answered == QUESTIONS,
        note=ours.in_words(
            f"ours, planned, asked and every call written down by {WORKERS} worker processes with "
            f"{IN_FLIGHT // WORKERS} in flight each"
        ),
    )
    yield Row(
        what=f"… by one worker process with all {IN_FLIGHT} in flight",
        ours=alone.seconds,
        unit="s",
        peer=IDEAL_S,
        ratio=alone.of_ideal,
        note=alone.in_words("ours"),
    )
    yield Row(
        what="beside the SDK alone, which keeps nothing",
        ours=ours.seconds,
        unit="s",
        peer=bare.seconds,
        ratio=ours.seconds / bare.seconds,
        bar="(aim 1 x)",
        note=bare.in_words("the SDK alone"),
    )
    yield Row(
        what="processor time a call, every row included",
        ours=ours.cpu_ms,
        unit="ms",
        peer=bare.cpu_ms,
        bar=f"<= {CPU_MS:g} ms",
        met=ours.cpu_ms <= CPU_MS,
        note="the SDK's own share is the peer's figure",
    )
    yield _beside_inspect(ours)


def _beside_inspect(ours: Ran) -> Row:
    try:
        theirs, why = _measured("inspect_ai", _inspect), ""
    except NotToBeHad as reason:
        theirs, why = None, str(reason)
    times = theirs.seconds / ours.seconds if theirs else None
    return Row(
        what="beside inspect_ai" if theirs else "beside inspect_ai, not to be had",
        ours=ours.seconds,
        unit="s",
        peer=theirs.seconds if theirs else None,
        ratio=times,
        bar=f">= {TIMES_INSPECT:g} x as fast",
        met=None if times is None else times >= TIMES_INSPECT,
        note=theirs.in_words(INSPECT[0]) if theirs else why,
    )


def _measured(name: str, target: Callable[[str, Path], Ran]) -> Ran:
    with (
        tempfile.TemporaryDirectory(prefix="jurybox-bench-") as folder,
        endpoint_process(delay_ms=DELAY_MS) as url,
    ):
        ran = target(url, Path(folder))
    print(f"  {ran.in_words(name)}", file=sys.stderr)
    return ran


def _ours(url: str, folder: Path, *, workers: int) -> Ran:
    price = {"input": 1, "output": 1}
    entry = {"base_url": url, "in_flight": IN_FLIGHT // workers, "prices": {"*": price}}
    file = folder / "endpoints.yaml"
    file.write_text(yaml.safe_dump({"default": entry}), encoding="utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        "JURYBOX_DATA": str(folder),
        "JUDGE_ENDPOINTS": str(file),
        "BROKER_URL": "memory://",
        "LOG_LEVEL": "ERROR",
    }
    return _said(
        [sys.executable, "-m", "bench.chat.ours", str(QUESTIONS), str(workers)], environment
    )


def _bare(url: str, folder: Path) -> Ran:
    command = [sys.executable, "-m", "bench.chat.bare", url, str(QUESTIONS), str(IN_FLIGHT)]
    return _said(command, os.environ)


def _inspect(url: str, folder: Path) -> Ran:
    kept = Path(os.environ.get("JURYBOX_DATA", "var")).absolute() / "bench"
    python = installed("inspect", INSPECT, kept)
    script = Path(__file__).with_name("inspect_eval.py")
    numbers = [str(QUESTIONS), str(IN_FLIGHT), str(folder), str(BYTES)]
    return _said([str(python), str(script), url, *numbers], foreign(), cwd=folder)


def _said(command: Sequence[str], environment: Mapping[str, str], cwd: Path | None = None) -> Ran:
    done = subprocess.run(
        list(command), env=environment, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True
    )
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    return Ran(figures["seconds"], figures["cpu"], figures["answered"])
