"""A study of any size, loaded by COPY: of every unit one or two people answered, and of every other
one a judge, so that there are twice as many answers as units.

Its people worked in batches of ten over thirty days; a fifth of them have one more at hand.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bench.desk.study import (
    DAYS,
    PER_BATCH,
    PER_SOURCE,
    RESEARCHER,
    SECONDS,
    WORDS,
    answer_of,
    open_study,
    payload_of,
)
from bench.million.copying import as_json, copy

OVERLAP, AT_WORK = 2, 5
FEWEST_WORKERS, UNITS_PER_WORKER = 60, 500
TEXTS = 997  # different texts, which take turns
JUDGE = 1 << 20  # a number that no worker has
LABELS = ("supported", "refuted")


class Batch(NamedTuple):
    """One worker's; its number is that of its row. units: by number."""

    number: int
    worker: int
    units: list[int]
    at: datetime
    is_open: bool


def build(units: int) -> None:
    """Fill an empty PostgreSQL of one's own: nothing is checked while rows arrive."""
    from django.core.management.color import no_style
    from django.db import connection

    from annotation import models

    _execute("SET session_replication_role = replica")
    study = open_study(models.User.objects.create_user(RESEARCHER, is_superuser=True))
    models.Study.objects.filter(pk=study.pk).update(overlap=OVERLAP)
    study.refresh_from_db()
    _material(models, study, units)
    people = _people(models, study, units)
    batches = list(_batches(units, len(people)))
    _work(models, study, people, batches)
    _answers(models, study, people, batches, units)
    _places(models, study, batches, units)
    _execute("SET session_replication_role = origin")
    every: list[Any] = [
        models.Source,
        models.Item,
        models.Unit,
        models.UnitItem,
        models.Unit.subsets.through,
    ]
    every += [models.Question, models.Place, models.Assignment, models.AssignmentUnit]
    every += [models.LedgerRow, models.Annotation, models.Rating]
    for statement in connection.ops.sequence_reset_sql(no_style(), every):
        _execute(statement)
    _execute("VACUUM ANALYZE")  # as a server does by itself


def _material(models: Any, study: Any, units: int) -> None:
    rng = random.Random(5)

    def words(n: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(n))

    claims = [(words(12), words(150)) for _ in range(TEXTS)]
    outputs = [as_json([{"text": words(20)} for _ in range(3)]) for _ in range(TEXTS)]
    block, of_study, n_sources = study.blocks.get(), {"study": study}, units // PER_SOURCE
    sources = (
        (n + 1, f"source-{n}", claims[n % TEXTS][0], LABELS[n % 2], claims[n % TEXTS][1])
        for n in range(n_sources)
    )
    copy(models.Source, of_study, ("id", "key", "claim", "verdict", "document"), sources)
    items = (
        (n + 1, n // PER_SOURCE + 1, f"item-{n}", f"system-{n % PER_SOURCE}", outputs[n % TEXTS])
        for n in range(units)
    )
    copy(models.Item, of_study, ("id", "source_id", "key", "system", "sentences"), items)
    rows = ((n + 1, n // PER_SOURCE + 1, f"unit-{n:07d}") for n in range(units))
    copy(models.Unit, of_study, ("id", "source_id", "key"), rows)
    same = ((n, n, n) for n in range(1, units + 1))
    copy(models.UnitItem, {"position": 0}, ("id", "unit_id", "item_id"), same)
    subset = models.Subset.objects.create(study=study, name="sample")
    half = ((n // 2 + 1, n + 1) for n in range(0, units, 2))
    copy(models.Unit.subsets.through, {"subset": subset}, ("id", "unit_id"), half)
    shown = {**of_study, "block": block, "payload": payload_of(block)}
    copy(models.Question, shown, ("id", "unit_id"), ((n, n) for n in range(1, units + 1)))


def _people(models: Any, study: Any, units: int) -> list[Any]:
    """Those who take part, by number from 0."""
    round_, rater = study.rounds.get(), models.Rater
    n = max(FEWEST_WORKERS, units // UNITS_PER_WORKER)
    workers = models.Worker.objects.bulk_create(
        models.Worker(panel="bench", external_id=str(number)) for number in range(n)
    )
    people: list[Any] = models.Participation.objects.bulk_create(
        models.Participation(study=study, worker=worker, number=number, round=round_)
        for number, worker in enumerate(workers, 1)
    )
    rater.objects.bulk_create(
        rater(study=study, name=f"worker-{one.number}", kind="human", participation=one)
        for one in people
    )
    study.raters.create(name="judge", kind=rater.Kind.JUDGE)
    return people


def _batches(units: int, n_workers: int) -> Iterator[Batch]:
    from django.utils import timezone

    of_worker: list[list[int]] = [[] for _ in range(n_workers)]
    for n in range(units):
        for turn in range(1 + n % 2):
            # All answers to the units of a source are of different workers.
            first = n // PER_SOURCE * 7 + n % PER_SOURCE * OVERLAP
            of_worker[(first + turn) % n_workers].append(n)
    number, now = 0, timezone.now()
    for who, own in enumerate(of_worker):
        starts = range(0, len(own), PER_BATCH)
        for start in starts:
            number += 1
            is_open = start == starts[-1] and who % AT_WORK == 0
            at = now - timedelta(days=DAYS * (1 - (start + PER_BATCH) / (len(own) + PER_BATCH)))
            yield Batch(number, who, own[start : start + PER_BATCH], at, is_open)


def _work(models: Any, study: Any, people: list[Any], batches: list[Batch]) -> None:
    round_ = study.rounds.get()
    shared = {"round": round_, "seed": 0, "base_pay": "1.00", "expected_minutes": 7}
    names = ("id", "public_id", "participation_id", "state", "leased_at", "lease_until")
    rows = (
        (
            batch.number,
            f"batch-{batch.number}",
            people[batch.worker].pk,
            "active" if batch.is_open else "submitted",
            batch.at.isoformat(),
            (batch.at + timedelta(days=DAYS)).isoformat(),
            "\\N" if batch.is_open else batch.at.isoformat(),
        )
        for batch in batches
    )
    copy(models.Assignment, shared, (*names, "submitted_at"), rows)
    pay = {"kind": "base", "amount": "1.00", "currency": "USD"}
    done = [batch for batch in batches if not batch.is_open]
    owed = ((b.number, people[b.worker].pk, b.number) for b in done)
    copy(models.LedgerRow, pay, ("id", "participation_id", "assignment_id"), owed)
    of_unit = ("id", "assignment_id", "place_id", "unit_id", "source_id", "worker_id", "position")
    units = (
        (
            PER_BATCH * batch.number + at,
            batch.number,
            n + 1,
            n + 1,
            n // PER_SOURCE + 1,
            people[batch.worker].worker_id,
            at + 1,
            "tf"[not batch.is_open],
            "open" if batch.is_open else "counted",
        )
        for batch in batches
        for at, n in enumerate(batch.units)
    )
    copy(models.AssignmentUnit, {}, (*of_unit, "holds", "outcome"), units)


def _answers(models: Any, study: Any, people: list[Any], batches: list[Batch], units: int) -> None:
    raters = dict(study.raters.filter(kind="human").values_list("participation", "pk"))
    judge, round_ = study.raters.get(kind="judge").pk, study.rounds.get()
    texts = {
        (label, number): as_json(answer_of((label, number)))
        for label in LABELS
        for number in map(float, range(1, 5))
    }
    done = [batch for batch in batches if not batch.is_open]
    all_given = ((b, n) for b in done for n in b.units)
    given = [(b, pk, n) for pk, (b, n) in enumerate(all_given, 1)]
    # Keys that no answer has, and that are younger than any transaction, would be waited for.
    judged = [(pk, n) for pk, n in enumerate(range(0, units, 2), len(given) + 1)]
    begin = batches[0].at.isoformat()
    names = ("id", "question_id", "rater_id", "answer")
    rows = (
        (
            pk,
            n + 1,
            raters[people[b.worker].pk],
            texts[_drawn(n, b.worker)],
            b.number,
            round(SECONDS * (0.5 + n % 30 / 20), 1),
            b.at.isoformat(),
        )
        for b, pk, n in given
    )
    shared = {"study": study, "round": round_}
    copy(models.Annotation, shared, (*names, "assignment_id", "active_seconds", "created_at"), rows)
    rows_of_judge = ((pk, n + 1, texts[_drawn(n, JUDGE)], begin) for pk, n in judged)
    of_judge = {"study": study, "rater_id": judge}
    names = ("id", "question_id", "answer", "created_at")
    copy(models.Annotation, of_judge, names, rows_of_judge)
    drawn = [(pk, _drawn(n, b.worker)) for b, pk, n in given]
    drawn += [(pk, _drawn(n, JUDGE)) for pk, n in judged]
    label = {"study": study, "facet": "label_from_text"}
    labels = ((2 * pk, pk, value[0]) for pk, value in drawn)
    copy(models.Rating, label, ("id", "annotation_id", "label"), labels)
    number = {"study": study, "facet": "clarity"}
    numbers = ((2 * pk + 1, pk, value[1]) for pk, value in drawn)
    copy(models.Rating, number, ("id", "annotation_id", "number"), numbers)


def _drawn(unit: int, rater: int) -> tuple[str, float]:
    """Seven in ten give the right answer, the others any."""
    chance = (unit * 48_271 + rater * 16_807 + 7) % 2_147_483_647 % 9_973
    if chance % 10 < 7:
        return LABELS[unit % 2], float(1 + unit * 7 % 4)
    return LABELS[chance // 10 % 2], float(1 + chance // 20 % 4)


def _places(models: Any, study: Any, batches: list[Batch], units: int) -> None:
    """How many of its answers each place has, and how many are on their way."""
    rng, counted, held = random.Random(6), bytearray(units), bytearray(units)
    for batch in batches:
        for n in batch.units:
            (held if batch.is_open else counted)[n] += 1
    shared = {"round": study.rounds.get(), "role": "normal", "wanted": OVERLAP}
    rows = (
        (n + 1, n + 1, n // PER_SOURCE + 1, held[n], counted[n], rng.randrange(1 << 31))
        for n in range(units)
    )
    copy(models.Place, shared, ("id", "unit_id", "source_id", "held", "counted", "shuffle"), rows)


def _execute(statement: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
