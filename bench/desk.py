"""The pages of the data manager of a study of 50,000 units with five answers each, on both
databases: the first page, deep ones, each filter, searching, each order, one unit, and an action on
all units.

Server time is that of whole requests in this process, without the network.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from statistics import median
from typing import Any

from bench.measure import Row

UNITS, OVERLAP, PER_SOURCE, WORKERS = 50_000, 5, 4, 250
MOST = 300.0  # milliseconds
TIMES = 5
BATCH = 5_000
WORDS = ("river", "bridge", "claim", "evidence", "passage", "market", "minister", "water", "energy")
# What of the address, by what is measured.
PAGES = {
    "first page": "",
    "last page": "end=1",
    "state open": "state=open",
    "state complete": "state=complete",
    "retired": "state=retired",
    "in adjudication": "state=adjudication",
    "gold": "state=gold",
    "in no round": "state=nowhere",
    "role": "role=positive",
    "subset": "subset=sample",
    "round": "round={round}",
    "system": "system=system-2",
    "source": "source=source-77",
    "answers at most": "most=3",
    "answers at least": "least=5",
    "problem reported": "problem=yes",
    "no problem": "problem=no",
    "priority": "priority=0",
    "people apart": "apart=0.3",
    "any judge differs": "judge=any&differs=0.5",
    "a judge differs": "judge={judge}&differs=0.5",
    "search a word": "q=bridge",
    "search a rare word": "q=needle",
    "search two words": "q=minister+%22water+energy%22",
    "search nothing": "q=nowhere+to+be+found",
    "by key": "sort=key",
    "by answers": "sort=-answers",
    "by answers, last": "sort=-answers&end=1",
    "by distance": "sort=-apart",
    "by priority": "sort=-priority",
    "filters and order": "state=open&apart=0.1&judge=any&differs=0.2&q=river&sort=-apart",
}


def run() -> Iterator[Row]:
    """The slowest page of each database is held to the bar."""
    yield from _on("SQLite", _sqlite)
    from tests.services.postgres import Unavailable

    try:
        yield from _on("PostgreSQL", _postgres)
    except Unavailable as reason:
        print(f"desk: PostgreSQL left out: {reason}", file=sys.stderr)


def _on(name: str, database: Any) -> Iterator[Row]:
    with database() as environment:
        kept = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
        done = subprocess.run(
            [sys.executable, "-m", "bench.desk"],
            env={**kept, **environment},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    for what, ms in json.loads(done.stdout.splitlines()[-1]).items():
        is_page = not what.startswith("act:")
        yield Row(
            what=f"{name}, {what.removeprefix('act:')}",
            ours=ms,
            unit="ms",
            bar=f"< {MOST:.0f} ms" if is_page else "",
            met=ms < MOST if is_page else None,
        )


@contextmanager
def _sqlite() -> Iterator[Mapping[str, str]]:
    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder:
        yield {"JURYBOX_DATA": folder, "BROKER_URL": "memory://"}


@contextmanager
def _postgres() -> Iterator[Mapping[str, str]]:
    from tests.services.postgres import postgres_server

    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder, postgres_server() as url:
        yield {
            "DATABASE_URL": url,
            "JURYBOX_DATA": folder,
            "SECRET_KEY": "for this bench alone",
            "BROKER_URL": "memory://",
        }


# --- In the child -------------------------------------------------------------------------------


def _child() -> dict[str, float]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    call_command("migrate", verbosity=0)
    study, user = _build()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client()
    client.force_login(user)
    times = _pages(client, study)
    times |= _act(client, study)
    return times


def _build() -> tuple[Any, Any]:
    from annotation.models import Rater, Study, User
    from desk.units.search import keep_texts
    from results.data.database import from_database
    from results.data.kept.columns import keep_columns
    from results.units.distances import keep_distances

    user = User.objects.create_user("bench")
    study = _study(user)
    units = _material(study)
    _people(study, units)
    study.raters.create(name="judge", kind=Rater.Kind.JUDGE)
    _answers(study, units)
    study = Study.objects.get(pk=study.pk)
    started = time.monotonic()
    keep_texts(study=study)
    print(f"texts kept in {time.monotonic() - started:.1f} s", file=sys.stderr)
    keep_columns(study, study.revision, from_database(study))
    started = time.monotonic()
    keep_distances(study=study)
    print(f"distances kept in {time.monotonic() - started:.1f} s", file=sys.stderr)
    return study, user


def _study(user: Any) -> Any:
    from annotation.models import Block, Member, Round, Study

    study = Study.objects.create(slug="large", title="Large", state="open", overlap=OVERLAP)
    Member.objects.create(study=study, user=user, role=Member.Role.OWNER)
    Block.objects.create(study=study, position=0, key="slider", task_type_slug="slider")
    Round.objects.create(study=study, position=0, name="main", normal_per_batch=4)
    return study


def _material(study: Any) -> list[int]:
    from annotation.models import Item, Place, Question, Source, Subset, Unit, UnitItem

    rng = random.Random(5)
    block = study.blocks.get()
    kind = block.task_type
    of = kind.example
    example = kind.payload(of.source, of.items, of.focus, kind.Options(**of.options))
    round_ = study.rounds.get()
    subset = Subset.objects.create(study=study, name="sample")

    def words(n: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(n))

    sources = _stored(
        Source,
        (
            Source(
                study=study,
                key=f"source-{n}",
                claim=words(12) + (" needle" if n == UNITS // PER_SOURCE - 50 else ""),
                document=words(150),
            )
            for n in range(UNITS // PER_SOURCE)
        ),
    )
    items = _stored(
        Item,
        (
            Item(
                study=study,
                source_id=sources[n // PER_SOURCE],
                key=f"item-{n}",
                system=f"system-{n % PER_SOURCE}",
                sentences=[{"text": words(20)} for _ in range(3)],
            )
            for n in range(UNITS)
        ),
    )
    units = _stored(
        Unit,
        (
            Unit(
                study=study,
                source_id=sources[n // PER_SOURCE],
                key=f"unit-{n:06d}",
                role="positive" if n % 997 == 0 else "normal",
            )
            for n in range(UNITS)
        ),
    )
    _stored(
        UnitItem,
        (UnitItem(unit_id=u, item_id=i, position=0) for u, i in zip(units, items, strict=True)),
    )
    _stored(
        Unit.subsets.through,
        (Unit.subsets.through(unit_id=unit, subset_id=subset.pk) for unit in units[::2]),
    )
    _stored(
        Question,
        (
            Question(
                study=study, unit_id=unit, block=block, payload=example.model_dump(mode="json")
            )
            for unit in units
        ),
    )
    _stored(
        Place,
        (
            Place(
                round=round_,
                unit_id=unit,
                source_id=sources[n // PER_SOURCE],
                role="positive" if n % 997 == 0 else "normal",
                wanted=None if n % 997 == 0 else OVERLAP + (n % 3 == 0),
                counted=OVERLAP,
                shuffle=rng.randrange(1 << 31),
            )
            for n, unit in enumerate(units)
        ),
    )
    return units


def _people(study: Any, units: list[int]) -> None:
    from django.utils import timezone

    from annotation.models import (
        Assignment,
        AssignmentUnit,
        Participation,
        Place,
        Rater,
        Unit,
        Worker,
    )

    round_ = study.rounds.get()
    for number in range(1, WORKERS + 1):
        worker = Worker.objects.create(panel="bench", external_id=str(number))
        part = Participation.objects.create(study=study, worker=worker, number=number)
        Rater.objects.create(
            study=study, name=f"worker-{number}", kind=Rater.Kind.HUMAN, participation=part
        )
        batch = Assignment.objects.create(
            round=round_, participation=part, seed=0, lease_until=timezone.now()
        )
        some = Unit.objects.filter(pk__in=units[number * 40 : number * 40 + 40 : PER_SOURCE])
        places = dict(Place.objects.filter(unit__in=some).values_list("unit", "pk"))
        AssignmentUnit.objects.bulk_create(
            AssignmentUnit(
                assignment=batch,
                place_id=places[unit.pk],
                unit=unit,
                source_id=unit.source_id,
                worker=worker,
                position=position,
                problem="It says nothing." if position % 3 == 0 else "",
            )
            for position, unit in enumerate(some)
        )


def _answers(study: Any, units: list[int]) -> None:
    from annotation.models import Annotation, Question, Rater, Rating

    rng = random.Random(6)
    facet = study.blocks.get().facets[0].name
    people = list(study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True))
    judge = study.raters.get(kind=Rater.Kind.JUDGE).pk
    questions = dict(Question.objects.filter(study=study).values_list("unit", "pk"))
    round_ = study.rounds.get()

    def answers() -> Iterator[Any]:
        for unit in units:
            start = rng.randrange(len(people))
            several = [people[(start + at) % len(people)] for at in range(OVERLAP)]
            for rater in (*several, judge):
                yield Annotation(
                    study=study,
                    question_id=questions[unit],
                    rater_id=rater,
                    answer={"value": 50},
                    round=None if rater == judge else round_,
                )

    ids = _stored(Annotation, answers())
    _stored(
        Rating,
        (
            Rating(annotation_id=pk, study=study, facet=facet, number=float(rng.randrange(101)))
            for pk in ids
        ),
    )


def _stored(model: Any, rows: Iterator[Any]) -> list[int]:
    ids: list[int] = []
    while batch := list(islice(rows, BATCH)):
        ids += [row.pk for row in model.objects.bulk_create(batch)]
    return ids


def _pages(client: Any, study: Any) -> dict[str, float]:
    from annotation.models import Rater

    names = {
        "round": study.rounds.get().pk,
        "judge": study.raters.get(kind=Rater.Kind.JUDGE).pk,
    }
    pages = {
        what: f"/studies/large/units/?{query.format(**names)}" for what, query in PAGES.items()
    }
    unit = study.units.order_by("pk")[UNITS // 2].pk
    pages["deep page"] = f"/studies/large/units/?after={unit}~&at={UNITS // 2}"
    pages["one unit"] = f"/studies/large/units/{unit}/record/"
    pages["one unit of a list"] = f"/studies/large/units/{unit}/record/?state=open&sort=-apart"
    return {what: _timed(client, address) for what, address in pages.items()}


def _timed(client: Any, address: str) -> float:
    times = []
    for _ in range(TIMES):
        started = time.perf_counter()
        answered = client.get(address)
        times.append(time.perf_counter() - started)
        assert answered.status_code == 200, (address, answered.status_code)
    return 1000 * median(times)


def _act(client: Any, study: Any) -> dict[str, float]:
    """All normal units are retired: proposing, reading what follows, and doing it."""
    took = {}
    for kind in ("retire", "reinstate"):
        started = time.perf_counter()
        sent = client.post("/studies/large/units/actions/", {"kind": kind, "of": "all"})
        took[f"act:{kind} all, proposed"] = 1000 * (time.perf_counter() - started)
        started = time.perf_counter()
        client.get(sent.url)
        took[f"act:{kind} all, its page"] = 1000 * (time.perf_counter() - started)
        started, requests = time.perf_counter(), 0
        while study.unit_actions.latest("pk").state != "done":
            client.post(f"{sent.url}confirm/")
            requests += 1
        took[f"act:{kind} all, done in {requests} requests"] = 1000 * (
            time.perf_counter() - started
        )
    return took


if __name__ == "__main__":
    print(json.dumps(_child()))
