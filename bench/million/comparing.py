"""The same operations on studies of three sizes, each on a PostgreSQL of its own.

MILLION_UNITS names other sizes than `1000,10000,1000000`, MILLION_PARTS what is done
(`PARTS` below).
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Row
from bench.million.measuring import Cost

SIZES = "1000,10000,1000000"
PARTS = (
    "answering,texts,estimates,distances,figures,looking,deciding,"
    "export-jsonl,export-csv,export-parquet,deleting"
)


def run() -> Iterator[Row]:
    """Every operation at the largest size, beside the smallest; and a table of all in the data
    folder, `million.md`."""
    from tests.services.postgres import Unavailable

    sizes = [int(size) for size in os.environ.get("MILLION_UNITS", SIZES).split(",")]
    try:
        by_size = {size: _costs(size) for size in sizes}
    except Unavailable as reason:
        print(f"million: left out: {reason}", file=sys.stderr)
        return
    _write(by_size)
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    for what, cost in last.items():
        yield _row(cost, first[what], sizes)


def _cpu(cost: Cost) -> float:
    """Milliseconds of the program and of the database."""
    return 1000 * (cost.program + cost.database)


def _row(cost: Cost, small: Cost, sizes: list[int]) -> Row:
    return Row(
        what=f"{sizes[-1]:,} units, {cost.what}",
        ours=_cpu(cost),
        unit="ms",
        peer=_cpu(small),
        ratio=_cpu(cost) / max(_cpu(small), 1e-3),
        note=f"{cost.seconds:.3f} s by the clock, {cost.queries:,.0f} queries"
        f" ({small.queries:,.0f} at {sizes[0]:,}), peak {cost.peak_mb:,.0f} MB"
        f" ({small.peak_mb:,.0f}) {cost.note}",
    )


def _costs(units: int) -> dict[str, Cost]:
    from tests.services.postgres import postgres_server

    costs: dict[str, Cost] = {}
    with TemporaryDirectory(prefix="jurybox-million-") as folder, postgres_server() as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "JURYBOX_DATA": folder,
            "BROKER_URL": "memory://",
            "SECRET_KEY": "for this bench alone",
            "LOG_LEVEL": "ERROR",
        }
        list(_child(environment, "build", str(units)))
        for part in os.environ.get("MILLION_PARTS", PARTS).split(","):
            for line in _child(environment, part):
                cost = Cost(**json.loads(line))
                costs[cost.what] = cost
                print(f"{units:,}: {cost}", file=sys.stderr, flush=True)
    return costs


def _child(environment: Mapping[str, str], *arguments: str) -> Iterator[str]:
    """What it prints, line by line. An error where it fails."""
    command = [sys.executable, "-m", "bench.million.child", *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        yield from child.stdout
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)


def _write(by_size: Mapping[int, Mapping[str, Cost]]) -> None:
    """As a table of Markdown, beside `bench.json`."""
    sizes = list(by_size)
    names = " | ".join(f"ms at {size:,}" for size in sizes)
    lines = [
        f"| operation | {names} | ratio | s by the clock | queries | peak MB |",
        f"|---|{'--:|' * (len(sizes) + 4)}",
    ]
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    for what, cost in last.items():
        cells = [f"{_cpu(by_size[size][what]):,.0f}" for size in sizes]
        ratio = _cpu(cost) / max(_cpu(first[what]), 1e-3)
        cells += [f"{ratio:,.1f}", f"{cost.seconds:,.2f}"]
        cells += [f"{cost.queries:,.0f}", f"{cost.peak_mb:,.0f}"]
        lines.append(f"| {what} {f'({cost.note}) ' if cost.note else ''}| {' | '.join(cells)} |")
    path = Path(os.environ.get("JURYBOX_DATA", "var")) / "million.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"the table of all sizes: {path}", file=sys.stderr)
