"""Measure ours and the others one after another, and put them side by side."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bench.measure import Row
from bench.serve import bulk
from bench.serve.bare_target import Bare
from bench.serve.crowd import Load, Tally, Timed, drive, percentile
from bench.serve.databases import DATABASES, POSTGRES, SQLITE, Database
from bench.serve.doccano import Doccano
from bench.serve.jurybox import Jurybox
from bench.serve.potato import Potato
from bench.serve.servers import NotToBeHad
from bench.serve.target import UNITS, Stored, Target

BATCH = 20
RACE_UNITS, RACE_BATCH = 40, 4
RACE_S = 60.0  # it ends when nothing is left
TIMES_POTATO, TIMES_DOCCANO, OF_POTATO_P95 = 3.0, 2.0, 0.5
# Of a bare view on the same database; an aim, which is told and fails nothing.
OF_BARE = {SQLITE.name: 0.4, POSTGRES.name: 0.6}


@dataclass(frozen=True)
class Found:
    """One server under the load. `timed` is empty where it could not be had, and `why` says so."""

    name: str
    timed: Timed
    tally: Tally
    stored: Stored
    why: str = ""

    @property
    def rate(self) -> float | None:
        return self.timed.per_second if self.timed.saves else None

    def milliseconds(self, share: float) -> float | None:
        return percentile(self.timed.saves, share) * 1_000 if self.timed.saves else None

    @property
    def n_errors(self) -> int:
        return sum(self.tally.errors.values())

    def in_words(self) -> str:
        if not self.timed.saves:
            why = self.why or f"no save in the time that counts, {len(self.tally.saves)} beside it"
            return f"{self.name}: not measured ({why}{self._errors()}{self._ran_out()})"
        middle, high = self.milliseconds(0.5), self.milliseconds(0.95)
        fetch = percentile(self.timed.fetches, 0.5) * 1_000
        return (
            f"{self.name}: {self.rate:.1f} saves/s, p50 {middle:.0f} ms, p95 {high:.0f} ms, "
            f"next question p50 {fetch:.0f} ms, {self.stored.saved:,} answers, "
            f"{self.stored.lost} lost, {self.n_errors} errors{self._errors()}, "
            f"client {self.tally.client_cpu:.2f} of a core"
            f"{self._ran_out()}"
        )

    def _ran_out(self) -> str:
        return f", {self.tally.ran_out} ran out of questions" if self.tally.ran_out else ""

    def _errors(self) -> str:
        most = self.tally.errors.most_common(2)
        return f" ({'; '.join(f'{n} x {what}' for what, n in most)})" if most else ""


def run() -> Iterator[Row]:
    """The parts that `SERVE_PARTS` names; all of them without it."""
    wanted = os.environ.get("SERVE_PARTS", ",".join(PARTS)).split(",")
    for name in wanted:
        yield from PARTS[name]()


def _crowd() -> Iterator[Row]:
    """On SQLite and on PostgreSQL: beside Potato, doccano and a bare view, and what was kept."""
    load = Load.from_environment()
    kept = Path(os.environ.get("JURYBOX_DATA", "var")).absolute() / "bench"
    kept.mkdir(parents=True, exist_ok=True)
    potato, doccano = measured(Potato(kept), load), measured(Doccano(kept, load.users), load)
    for database in DATABASES:
        bare = measured(Bare(database), load)
        ours = measured(Jurybox(database, "serve", UNITS, BATCH), load)
        yield from _rates(database, ours, {"potato": potato, "doccano": doccano, "bare": bare})
        yield _latency(database, ours, potato)
        yield _kept(database, ours)
        yield _overlap(database, _raced(database, load))


def measured(target: Target, load: Load) -> Found:
    """One target under the load; its figures are printed as soon as they are there."""
    figures = _measured(target, load)
    print(f"  {figures.in_words()}", file=sys.stderr)
    return figures


def _measured(target: Target, load: Load) -> Found:
    nothing = Found(target.name, Timed(load.seconds, [], []), Tally(), Stored(saved=0, lost=0))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="jurybox-bench-") as folder,
            target.serve(Path(folder)),
        ):
            workers = list(target.workers(load.users))
            tally, timed = asyncio.run(drive(workers, load))
            return replace(nothing, timed=timed, tally=tally, stored=target.stored(workers))
    except NotToBeHad as reason:
        return replace(nothing, why=str(reason))


def _raced(database: Database, load: Load) -> Found:
    """All workers at once for fewer answers than they would like to give, until none is left."""
    target = Jurybox(database, "race", RACE_UNITS, RACE_BATCH)
    return measured(target, replace(load, warm_up=0.0, seconds=RACE_S))


def _rates(database: Database, ours: Found, others: dict[str, Found]) -> Iterator[Row]:
    bars = {"potato": (TIMES_POTATO, "bar"), "doccano": (TIMES_DOCCANO, "bar")}
    for key, other in others.items():
        times, kind = bars.get(key, (OF_BARE[database.name], "aim"))
        ratio = ours.rate / other.rate if ours.rate and other.rate else None
        yield Row(
            what=f"{database.name}: beside {other.name if other.rate else f'{key}, not to be had'}",
            ours=ours.rate or 0.0,
            unit="saves/s",
            peer=other.rate,
            ratio=ratio,
            bar=f">= {times:g} x" if kind == "bar" else f"(aim >= {times:g} x)",
            met=None if ratio is None or kind == "aim" else ratio >= times,
            note=other.in_words(),
        )


def _latency(database: Database, ours: Found, potato: Found) -> Row:
    high, theirs = ours.milliseconds(0.95), potato.milliseconds(0.95)
    ratio = high / theirs if high and theirs else None
    return Row(
        what=f"{database.name}: p95 of a save, beside Potato",
        ours=high or 0.0,
        unit="ms",
        peer=theirs,
        ratio=ratio,
        bar=f"<= {OF_POTATO_P95:g} x",
        met=None if ratio is None else ratio <= OF_POTATO_P95,
        note=ours.in_words(),
    )


def _kept(database: Database, ours: Found) -> Row:
    wrong = ours.stored.lost + ours.n_errors
    return Row(
        what=f"{database.name}: answers lost, and errors",
        ours=wrong,
        unit="",
        bar="none",
        met=wrong == 0 and ours.stored.saved > 0,
        note="each saved answer is compared with its draft and, once submitted, with its answer",
    )


def _overlap(database: Database, race: Found) -> Row:
    wrong = (race.stored.over or 0) + race.stored.lost + race.n_errors
    return Row(
        what=f"{database.name}: answers over the overlap, in a race for {RACE_UNITS} units",
        ours=wrong,
        unit="",
        bar="none",
        met=wrong == 0 and race.stored.saved > 0,
        note=race.in_words(),
    )


PARTS: dict[str, Callable[[], Iterator[Row]]] = {"crowd": _crowd, "bulk": bulk.run}
