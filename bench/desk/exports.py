"""Exports as a worker writes them, in a process of its own, and pages meanwhile."""

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from desk.installation.processes import WORKER_NICENESS

FORMATS = ("jsonl", "parquet", "dataset", "huggingface", "csv", "bundle")
MOST_SECONDS, MOST_MB = 60.0, 400.0
BARRED = ("jsonl", "parquet")
PAGE = "/studies/large/units/"
MEANWHILE = ("", "?state=open&sort=-apart", "?q=minister+%22water+energy%22")


def time_exports(client: Any, study: Any, user: Any) -> Iterator[dict[str, Any]]:
    """Seconds and peak memory of each format, the slowest page meanwhile, and whether the files are
    read as they were meant."""
    for name in os.environ.get("DESK_FORMATS", ",".join(FORMATS)).split(","):
        yield from _time_one(client, study, user, name)


def _time_one(client: Any, study: Any, user: Any, name: str) -> Iterator[dict[str, Any]]:
    from exports.choice import WHOLE
    from exports.jobs import EXPORT, path_of
    from jobs.models import Job

    parameters = {"format_name": name, "choice": vars(WHOLE)}
    job = Job.objects.create(
        kind=EXPORT.name, study=study, parameters=parameters, owner=user, asked_at=_now()
    )
    slowest = queued = 0.0
    slowest_query = ""
    for query in MEANWHILE:  # what is read once per process is no part of a page
        client.get(f"{PAGE}{query}")
    at_its_priority = ["nice", "-n", str(WORKER_NICENESS), sys.executable]
    worker = subprocess.Popen(
        [*at_its_priority, "-m", "bench.desk.exports", str(job.pk)],
        stdout=subprocess.PIPE,
        text=True,
    )
    while worker.poll() is None:
        for query in MEANWHILE:
            started, before = time.perf_counter(), _seconds_queued()
            assert client.get(f"{PAGE}{query}").status_code == 200
            took = time.perf_counter() - started
            if took > slowest:
                slowest, queued, slowest_query = took, _seconds_queued() - before, query
        time.sleep(0.2)
    assert worker.stdout is not None
    measured = json.loads(worker.stdout.read())
    job.refresh_from_db()
    assert job.state == "done", job.reason
    barred = name in BARRED
    size = path_of(job).stat().st_size / 1e6
    yield from (
        {
            "what": f"export as {name}",
            "ours": measured["seconds"],
            "unit": "s",
            "most": MOST_SECONDS if barred else None,
            "note": f"{size:.1f} MB",
        },
        {
            "what": f"export as {name}, peak memory",
            "ours": measured["peak_mb"],
            "unit": "MB",
            "most": MOST_MB if barred else None,
            "note": f"{measured['before_mb']:.0f} MB before it began",
        },
        {
            "what": f"export as {name}, the slowest page meanwhile",
            "ours": 1000 * slowest,
            "unit": "ms",
            "most": 300.0 if barred else None,
            "note": f"units/{slowest_query}; {1000 * queued:.0f} ms of it in wait of a processor",
        },
    )
    with TemporaryDirectory(prefix="jurybox-desk-") as folder:
        with zipfile.ZipFile(path_of(job)) as archive:
            archive.extractall(folder)
        started = time.perf_counter()
        note = _check(study, name, Path(folder), path_of(job))
    took = time.perf_counter() - started
    yield {"what": f"export as {name}, read", "ours": took, "unit": "s", "note": note}


def _check(study: Any, name: str, folder: Path, archive: Path) -> str:
    """What other programs read of the files; an AssertionError where that is not what is stored."""
    import polars as pl

    from annotation.models import Annotation, Rating

    [inside] = folder.iterdir()
    read = []
    for path in sorted(inside.rglob("*")):
        if path.suffix == ".parquet":
            table = pl.read_parquet(path)
        elif path.suffix == ".csv":
            table = pl.read_csv(path, infer_schema_length=None)
        elif path.suffix == ".jsonl" and name != "bundle":
            table = pl.read_ndjson(path, infer_schema_length=None)
        else:
            continue
        read.append(f"{path.relative_to(inside)} {table.height:,} x {table.width}")
        if path.stem == "ratings":
            assert table.height == Rating.objects.filter(study=study).count(), path
        if path.name == "answers.jsonl":
            assert table.height == Annotation.objects.filter(study=study).count(), path
    if name == "bundle":
        read.append(_compare_bundle(study, archive))
    return "polars: " + "; ".join(read) + _by_datasets(inside, name)


def _compare_bundle(study: Any, archive: Path) -> str:
    """The estimates of the page and those that the bundle's files give."""
    from estimates.data.options import Options
    from estimates.report.cache import kept_report, report_of_bundle

    page = kept_report(study)
    assert page is not None
    assert not page.outdated
    started = time.perf_counter()
    recomputed = report_of_bundle(archive, Options())
    took = time.perf_counter() - started
    theirs = {row.key: row.as_json() for row in recomputed.rows}
    ours = {row.key: row.as_json() for row in page.rows}
    differing = [key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)]
    assert not differing, (
        len(differing),
        differing[:3],
        [(ours.get(k), theirs.get(k)) for k in differing[:2]],
    )
    return f"{len(ours):,} estimates recomputed in {took:.0f} s are those of the page"


def _by_datasets(folder: Path, name: str) -> str:
    """What Hugging Face's library reads, where it is installed."""
    try:
        from datasets import load_dataset
    except ImportError:
        return ""
    if name == "huggingface":
        loaded = load_dataset(str(folder))
        return "; datasets: " + ", ".join(f"{k} {v.num_rows:,}" for k, v in loaded.items())
    kinds = {".jsonl": "json", ".parquet": "parquet"}
    read = [
        f"{path.name} {load_dataset(kinds[path.suffix], data_files=str(path))['train'].num_rows:,}"
        for path in sorted(folder.rglob("*"))
        if path.suffix in kinds and path.name != "items.jsonl"
    ]
    return "; datasets: " + ", ".join(read)


def _now() -> Any:
    from django.utils import timezone

    return timezone.now()


def _seconds_queued() -> float:
    """For how long this thread was ready to run and had no processor, where the system tells (0
    elsewhere): with as many processors as processes a page waits for none."""
    schedule = Path("/proc/thread-self/schedstat")
    return int(schedule.read_text().split()[1]) / 1e9 if schedule.exists() else 0.0


def write(job_id: int) -> None:
    """In the worker's process: write the file of a job, and print what it took."""
    import django

    django.setup()
    from jobs.runner import work
    from tests.services.memory import peak_mib

    before, started = peak_mib(), time.perf_counter()
    work(job_id=job_id)
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mib(), "before_mb": before}))


if __name__ == "__main__":
    write(int(sys.argv[1]))
