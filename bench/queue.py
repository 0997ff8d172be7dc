"""The next batch at a thousand, a hundred thousand and a million units, on both databases.

One round, five answers wanted for every unit, a third of the units full already, eight controls of
each kind. Workers lease five batches each, of four normal units and two controls, as in the
published study; timed is `lease_batch` alone. Every size has a process and a database of its own.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import cycle, islice, product
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.measure import Row

if TYPE_CHECKING:
    from django.db.models import Model

SIZES = (1_000, 100_000, 1_000_000)
BAR = 1.5
WORKERS, BATCHES, WARM_UP = 80, 5, 40
# So many leases before it is the next size's turn.
TURN = 10
OVERLAP, CONTROLS = 5, 8

Database = Callable[[], AbstractContextManager[Mapping[str, str]]]


def run() -> Iterator[Row]:
    """p95 by size; the largest is held to the smallest."""
    yield from _on("SQLite", _sqlite)
    from tests.services.postgres import Unavailable

    try:
        yield from _on("PostgreSQL", _postgres)
    except Unavailable as reason:
        print(f"queue: PostgreSQL left out: {reason}", file=sys.stderr)


def _on(name: str, database: Database) -> Iterator[Row]:
    """All sizes take turns, so that what else the machine does is alike for all of them."""
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker(units, database)) for units in SIZES]
        times: list[list[float]] = [[] for _ in SIZES]
        for _, (of, worker) in product(range(BATCHES * WORKERS // TURN), enumerate(workers)):
            times[of] += _turn(worker)
    yield from _rows(name, [sorted(some[WARM_UP:]) for some in times])


def _rows(name: str, times: list[list[float]]) -> Iterator[Row]:
    smallest = _p95(times[0])
    for units, some in zip(SIZES, times, strict=True):
        p95, is_last = _p95(some), units == SIZES[-1]
        yield Row(
            what=f"{name}, {units:,} units, p95",
            ours=p95,
            unit="ms",
            peer=smallest if is_last else None,
            bar=f"<= {BAR} x the p95 at {SIZES[0]:,} units" if is_last else "",
            met=p95 <= BAR * smallest if is_last else None,
            note=f"{p95 / smallest:.2f} x that at {SIZES[0]:,} units; "
            f"median {1000 * median(some):.1f} ms of {len(some)} leases",
        )


def _p95(times: list[float]) -> float:
    """In milliseconds, of sorted seconds."""
    return 1000 * times[int(len(times) * 0.95)]


@contextmanager
def _worker(units: int, database: Database) -> Iterator["subprocess.Popen[str]"]:
    with database() as environment:
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.queue", str(units)],
            env={**kept, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield process
            finally:
                process.terminate()


def _turn(process: "subprocess.Popen[str]") -> list[float]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("lease\n")
    process.stdin.flush()
    times: list[float] = json.loads(process.stdout.readline())
    return times


@contextmanager
def _sqlite() -> Iterator[Mapping[str, str]]:
    with tempfile.TemporaryDirectory(prefix="jurybox-queue-") as folder:
        yield {"JURYBOX_DATA": folder}


@contextmanager
def _postgres() -> Iterator[Mapping[str, str]]:
    from tests.services.postgres import postgres_server

    with tempfile.TemporaryDirectory(prefix="jurybox-queue-") as folder, postgres_server() as url:
        yield {"DATABASE_URL": url, "JURYBOX_DATA": folder, "SECRET_KEY": "for this bench alone"}


# --- In the child -------------------------------------------------------------------------------


def main(units: int) -> None:
    """Fill a database, then lease a few batches for every line that comes in."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    _fill(units)
    # Everybody's first batch, then everybody's second, …
    people = cycle(_people())
    for _line in sys.stdin:
        print(json.dumps([_lease(person) for person in islice(people, TURN)]), flush=True)


def _lease(person: Any) -> float:
    """Seconds that the lease took. The batch is then marked as done, so that another can follow."""
    from django.utils import timezone

    from annotation.models import Assignment
    from annotation.work.assignment import lease_batch

    started = time.perf_counter()
    batch = lease_batch(participation=person, now=timezone.now())
    took = time.perf_counter() - started
    assert isinstance(batch, Assignment), batch
    assert batch.assignment_units.count() == 6
    rows = Assignment.objects.filter(pk=batch.pk)
    rows.update(state="submitted", submitted_at=timezone.now())
    return took


def _people() -> list[Any]:
    from annotation.entry.arrival import arrive
    from annotation.entry.invitations import invite
    from annotation.models import Study

    study = Study.objects.get()
    invitation = invite(study=study, created_by=None)
    return [arrive(study=study, invitation=invitation) for _ in range(WORKERS)]


def _fill(units: int) -> None:
    """A study of so many normal units, each row of a table a copy of one that the models made."""
    from django.db import connection

    from annotation.models import Place, Round, Source, Study, Unit

    study = Study.objects.create(slug="queue", title="Queue", state="open", overlap=OVERLAP)
    round_ = Round.objects.create(
        study=study,
        position=0,
        name="main",
        normal_per_batch=4,
        positive_per_batch=1,
        negative_per_batch=1,
        keep_accuracy=0.7,
    )
    for number, role in enumerate(["normal"] + ["positive", "negative"] * CONTROLS):
        key = f"{role}-{number}"
        source = Source.objects.create(study=study, key=key)
        unit = Unit.objects.create(study=study, source=source, key=key, role=role)
        Place.objects.create(
            round=round_,
            unit=unit,
            source=source,
            role=role,
            wanted=OVERLAP if role == "normal" else None,
            shuffle=number,
        )
    apart = 1_000
    copied = {"id": f"{apart} + n", "key": "'copy-' || n"}
    _copy(Source, units, copied)
    _copy(Unit, units, {**copied, "source_id": f"{apart} + n"})
    _copy(
        Place,
        units,
        {
            "id": f"{apart} + n",
            "unit_id": f"{apart} + n",
            "source_id": f"{apart} + n",
            "counted": f"CASE WHEN n % 3 = 0 THEN {OVERLAP} ELSE 0 END",
            "shuffle": "(n * 48271) % 2147483647",
        },
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _copy(model: "type[Model]", times: int, new: dict[str, str]) -> None:
    """Copy the first row of a table, with what differs given as SQL over the number `n`."""
    from django.db import connection
    from django.db.models import GeneratedField

    table = model._meta.db_table
    fields = [
        field for field in model._meta.concrete_fields if not isinstance(field, GeneratedField)
    ]
    columns = [field.column for field in fields if field.column]
    values = [new.get(column, f"t.{column}") for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    if connection.vendor == "postgresql":
        numbers = f"generate_series(1::bigint, {times}) AS s(n)"
    else:
        numbers = (
            f"(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {times}) "
            "SELECT n FROM s)"
        )
    copied = (
        f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} "
        f"FROM (SELECT * FROM {table} ORDER BY id LIMIT 1) AS t, {numbers}"
    )
    with connection.cursor() as cursor:
        cursor.execute(copied)


if __name__ == "__main__":
    main(int(sys.argv[1]))
