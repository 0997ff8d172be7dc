"""A published study as a researcher works with it: importing a large one, reporting a small one.

Import: a table of ratings becomes a study. The peer reads the same file with pandas and writes it
to a table of SQLite as it is, without material, checks, indexes or rules.
Report: every estimate of 500 answers, each with an interval of 1,000 resamples. The peer computes
one alpha of that size with its interval, by a loop over krippendorff.alpha. Seconds are of
processor time.
"""

import csv
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from bench.measure import Measured, Row, in_child, report

SYSTEMS, PEOPLE, PER_UNIT = 5, 60, 5
CRITERIA = ("clarity", "fluency", "relevance", "truth")
LARGE, SMALL = 10_000, 18  # units
RESAMPLES = 1_000
MOST_TIMES_IMPORT, LEAST_TIMES_REPORT = 60, 20


def run() -> Iterator[Row]:
    """Both beside their peers, in processes of their own."""
    ours, peer = (in_child("bench.studies", what, units=LARGE) for what in ("load", "copy"))
    ratio = ours.result["cpu"] / peer.result["cpu"]
    yield Row(
        what=f"importing {_ratings(LARGE):,} ratings",
        ours=ours.result["cpu"],
        unit="s",
        peer=peer.result["cpu"],
        ratio=ratio,
        bar=f"<= {MOST_TIMES_IMPORT} x",
        met=ratio <= MOST_TIMES_IMPORT,
        note=f"{ours.seconds:.1f} s by the clock, peak {ours.peak_mb:,.0f} MB",
    )
    ours, peer = (in_child("bench.studies", what, units=SMALL) for what in ("estimate", "alpha"))
    yield _reporting(ours, peer)


def _reporting(ours: Measured, peer: Measured) -> Row:
    rows = ours.result["rows"]
    each = ours.result["cpu"] / rows
    ratio = peer.result["cpu"] / each
    return Row(
        what=f"report of {_ratings(SMALL):,} answers, an estimate",
        ours=1000 * each,
        unit="ms",
        peer=1000 * peer.result["cpu"],
        ratio=ratio,
        bar=f">= {LEAST_TIMES_REPORT} x as fast",
        met=ratio >= LEAST_TIMES_REPORT,
        note=f"{rows:,} estimates in {ours.result['cpu']:.1f} s",
    )


def _ratings(units: int) -> int:
    return units * len(CRITERIA) * (PER_UNIT + 1)


def write_table(path: Path, units: int) -> None:
    """Five people's points from 1 to 5 and a judge's, by criterion, of every unit."""
    rng, head = random.Random(0), ("item", "system", "criterion", "rater", "kind", "rating")
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(head)
        for unit in range(units):
            about = (f"document {unit // SYSTEMS}", f"System {unit % SYSTEMS}")
            people = [f"person {(unit + 7 * n) % PEOPLE}" for n in range(PER_UNIT)]
            if units < PEOPLE:
                people = [f"person {n}" for n in range(PER_UNIT)]
            for criterion in CRITERIA:
                quality = rng.gauss(3, 1)
                for name in (*people, "judge"):
                    kind = "judge" if name == "judge" else "human"
                    points = min(5, max(1, round(quality + rng.gauss(0, 0.7))))
                    table.writerow([*about, criterion, name, kind, points])


def _file(units: int) -> Path:
    path = Path(tempfile.mkdtemp(prefix="jurybox-studies-")) / "ratings.csv"
    write_table(path, units)
    return path


def _database(folder: Path) -> None:
    """The program on an empty SQLite database."""
    os.environ |= {"JURYBOX_DATA": str(folder), "DATABASE_URL": "", "LOG_LEVEL": "ERROR"}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _load(units: int) -> Callable[[], dict[str, Any]]:
    path = _file(units)
    _database(path.parent)

    def work() -> dict[str, Any]:
        from django.core.management import call_command

        call_command("import_study", "ratings", str(path), slug="rated", stdout=StringIO())
        return {}

    return work


def _copy(units: int) -> Callable[[], dict[str, Any]]:
    import sqlite3

    import pandas  # type: ignore[import-untyped]

    path = _file(units)

    def work() -> dict[str, Any]:
        with sqlite3.connect(path.with_suffix(".sqlite3")) as database:
            pandas.read_csv(path).to_sql("ratings", database)
        return {}

    return work


def _estimate(units: int) -> Callable[[], dict[str, Any]]:
    _load(units)()
    from annotation.models import Study
    from estimates.data.database import from_database
    from estimates.data.options import Options
    from estimates.engine.estimation import estimate

    def work() -> dict[str, Any]:
        data = from_database(Study.objects.get())
        return {"rows": len(estimate(data, Options(resamples=RESAMPLES)).rows)}

    return work


def _alpha(units: int) -> Callable[[], dict[str, Any]]:
    import krippendorff
    import numpy as np

    rng = np.random.default_rng(0)
    points = rng.integers(1, 6, (units, PER_UNIT))
    counts = np.array([np.bincount(row, minlength=6)[1:] for row in points])

    def work() -> dict[str, Any]:
        for _ in range(RESAMPLES):
            drawn = counts[rng.integers(0, units, units)]
            krippendorff.alpha(value_counts=drawn, level_of_measurement="ordinal")
        return {}

    return work


WORK = {"load": _load, "copy": _copy, "estimate": _estimate, "alpha": _alpha}


def _timed(make: Callable[[int], Callable[[], dict[str, Any]]]) -> Any:
    """The same with the processor time of the work among its results."""

    def prepare(units: int) -> Callable[[], dict[str, Any]]:
        work = make(units)

        def timed() -> dict[str, Any]:
            started = time.process_time()
            return {**work(), "cpu": time.process_time() - started}

        return timed

    return prepare


if __name__ == "__main__":
    report(_timed(WORK[sys.argv[1]]), sys.argv[2:])
