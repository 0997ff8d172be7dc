"""`python -m bench [NAME...]`: run the benches, print a table, write `var/bench.json`."""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from bench import alpha, chat, desk, million, nli, queue, results, serve, studies
from bench.measure import Bench, Row
from bench.serve import thinking

BENCHES = (
    Bench("serve", "50 workers at once: fetch the next question, save an answer", serve.run),
    Bench("think", "People who think for 20 s: how many are served well", thinking.run),
    Bench("queue", "The next batch at a thousand, and at a million units", queue.run),
    Bench("results", "Results of a study with a million answers", results.run),
    Bench("chat", "2,000 questions to a chat endpoint that takes 250 ms for each", chat.run),
    Bench("nli", "Pairs of evidence and sentence through a base-size encoder", nli.run),
    Bench("studies", "Importing 240,000 ratings, reporting 500 answers", studies.run),
    Bench("desk", "The desk beside 50,000 units with five answers each", desk.run),
    Bench(
        "million",
        "What operations cost beside a million units and two million answers",
        million.run,
    ),
    Bench("alpha", "Krippendorff's alpha with an interval, a million ratings", alpha.run),
)
HEAD = ("bench", "what", "ours", "peer", "ratio", "bar", "met")


def main(argv: list[str]) -> int:
    """Exit status 0 where every bar is met, 1 where one is not."""
    names = [bench.name for bench in BENCHES]
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    wanted = parser.parse_args(argv).names or names
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"unknown bench {unknown[0]!r}: one of {', '.join(names)}")
    bench_rows: list[tuple[Bench, Row]] = []
    failed = []
    for bench in (bench for bench in BENCHES if bench.name in wanted):
        try:
            for row in _run(bench):
                bench_rows.append((bench, row))
                # At once: a bench that is interrupted loses nothing.
                print("  ".join(filter(None, _cells(bench, row))), file=sys.stderr, flush=True)
                path = _write(bench_rows)
        except subprocess.CalledProcessError as failure:
            failed.append(f"{bench.name} did not end: {failure}")
    print(_table(bench_rows))
    print(f"\nWritten to {path}" if bench_rows else "")
    print(*failed, sep="\n", file=sys.stderr)
    return 1 if failed or any(row.met is False for _, row in bench_rows) else 0


def _run(bench: Bench) -> Iterator[Row]:
    print(f"{bench.name}: {bench.about}", file=sys.stderr)
    return iter(bench.run())


def _table(bench_rows: list[tuple[Bench, Row]]) -> str:
    lines = [HEAD, *(_cells(bench, row) for bench, row in bench_rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
    printed = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in lines]
    notes = [f"{bench.name}, {row.what}: {row.note}" for bench, row in bench_rows if row.note]
    return "\n".join([*printed, "", *notes])


def _cells(bench: Bench, row: Row) -> tuple[str, ...]:
    return (
        bench.name,
        row.what,
        f"{row.ours:,.2f} {row.unit}",
        "" if row.peer is None else f"{row.peer:,.1f} {row.unit}",
        "" if row.ratio is None else f"{row.ratio:,.{0 if row.ratio >= 20 else 2}f} x",
        row.bar,
        {True: "yes", False: "NO", None: ""}[row.met],
    )


def _write(bench_rows: list[tuple[Bench, Row]]) -> Path:
    folder = Path(os.environ.get("JURYBOX_DATA", "var"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "bench.json"
    rows = [{"bench": bench.name, **asdict(row)} for bench, row in bench_rows]
    machine = {"cpus": os.cpu_count(), "system": platform.platform(), "python": sys.version}
    content = {"at": datetime.now(UTC).isoformat(), "machine": machine, "rows": rows}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
