"""A study of 50,000 units of 12,500 sources, with five answers of people and one of a judge each.

An answer is a label and a number. 250 people gave theirs in batches of ten over thirty days; fifty
of them have one more batch at hand. There are controls, problems, payments and 199 small studies.
"""

import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

SLUG, RESEARCHER = "large", "bench"
UNITS, OVERLAP, PER_SOURCE, WORKERS, PER_BATCH, STUDIES = 50_000, 5, 4, 250, 10, 200
SOURCES = UNITS // PER_SOURCE
BATCH, DAYS, SECONDS = 5_000, 30, 20.0
# One in so many units is a control; one in so many workers has a batch at hand; one in so many
# units of a batch has a problem.
CONTROLS, AT_WORK, PROBLEMS = 997, 5, 40
WORDS = ("river", "bridge", "claim", "evidence", "passage", "market", "minister", "water", "energy")


def build(*, units: int = UNITS, studies: int = STUDIES) -> Any:
    """Fill an empty database; the researcher who owns all studies in it."""
    from django.db import connection, transaction

    from annotation.models import Member, Rater, User

    user = User.objects.create_user(RESEARCHER)
    with transaction.atomic():
        _small_studies(user, studies - 1)
        study = open_study(user)
        keys = _material(study, units // PER_SOURCE)
        _people(study)
        study.raters.create(name="judge", kind=Rater.Kind.JUDGE)
        _answers(study, keys, _batches(study, keys))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert Member.objects.filter(user=user).count() == studies
    return user


def _small_studies(user: Any, studies: int) -> None:
    from annotation.models import Member
    from tests.cast import make_study

    for at in range(studies):
        made = make_study(f"small-{at}", sources=20, overlap=3)
        made.title = f"A small study, number {at}"
        made.save()
        Member.objects.create(study=made, user=user, role=Member.Role.OWNER)


def open_study(user: Any) -> Any:
    """The study without material: one block, one round."""
    from annotation.models import Block, Member, Round, Study
    from tasktypes.likert import LIKERT

    study = Study.objects.create(slug=SLUG, title="Large", state="open", overlap=OVERLAP)
    Member.objects.create(study=study, user=user, role=Member.Role.OWNER)
    options = LIKERT.Options(**LIKERT.example.options).model_dump(mode="json")
    Block.objects.create(
        study=study, position=0, key="text", task_type_slug=LIKERT.slug, options=options
    )
    Round.objects.create(study=study, position=0, name="main", normal_per_batch=PER_BATCH)
    return study


def _material(study: Any, n_sources: int) -> list[tuple[int, int]]:
    """The keys of all units and of their sources."""
    from annotation.models import Item, Place, Question, Source, Subset, Unit, UnitItem

    rng = random.Random(5)
    block, round_ = study.blocks.get(), study.rounds.get()
    payload = payload_of(block)
    subset = Subset.objects.create(study=study, name="sample")

    def words(n: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(n))

    sources = _stored(
        Source(
            study=study,
            key=f"source-{n}",
            claim=words(12) + (" needle" if n == n_sources - 50 else ""),
            verdict=("supported", "refuted")[n % 2],
            document=words(150),
        )
        for n in range(n_sources)
    )
    owners = [source for source in sources for _ in range(PER_SOURCE)]
    items = _stored(
        Item(
            study=study,
            source_id=source,
            key=f"item-{n}",
            system=f"system-{n % PER_SOURCE}",
            sentences=[{"text": words(20)} for _ in range(3)],
        )
        for n, source in enumerate(owners)
    )
    units = _stored(
        Unit(study=study, source_id=source, key=f"unit-{n:06d}", role=_role(n))
        for n, source in enumerate(owners)
    )
    _stored(UnitItem(unit_id=u, item_id=i, position=0) for u, i in zip(units, items, strict=True))
    through = Unit.subsets.through
    _stored(through(unit_id=unit, subset_id=subset.pk) for unit in units[::2])
    _stored(
        Question(
            study=study,
            unit_id=unit,
            block=block,
            payload=payload,
            reference=answer_of(true_of(n)) if _is_control(n) else None,
        )
        for n, unit in enumerate(units)
    )
    _stored(
        Place(
            round=round_,
            unit_id=unit,
            source_id=owners[n],
            role=_role(n),
            wanted=None if _is_control(n) else OVERLAP + (n % 3 == 0),
            shuffle=rng.randrange(1 << 31),
        )
        for n, unit in enumerate(units)
    )
    return list(zip(units, owners, strict=True))


def payload_of(block: Any) -> Any:
    """What every question of the block shows."""
    kind = block.task_type
    example, options = kind.example, kind.Options(**block.options)
    made = kind.payload(example.source, example.items, example.focus, options)
    return made.model_dump(mode="json")


def _is_control(n: int) -> bool:
    return n % CONTROLS == 0


def _role(n: int) -> str:
    return "positive" if _is_control(n) else "normal"


def true_of(n: int) -> tuple[str, float]:
    """What is right of a unit."""
    return ("supported", "refuted")[n % 2], float(1 + n * 7 % 4)


def answer_of(value: tuple[str, float]) -> dict[str, Any]:
    """As an annotation holds it."""
    return {"scores": {"label_from_text": value[0], "clarity": value[1]}}


def _people(study: Any) -> None:
    from annotation.models import Participation, Rater, Worker

    round_ = study.rounds.get()
    workers = Worker.objects.bulk_create(
        Worker(panel="bench", external_id=str(n)) for n in range(WORKERS)
    )
    people = Participation.objects.bulk_create(
        Participation(study=study, worker=worker, number=n + 1, round=round_)
        for n, worker in enumerate(workers)
    )
    Rater.objects.bulk_create(
        Rater(study=study, name=f"worker-{n + 1}", kind="human", participation=person)
        for n, person in enumerate(people)
    )


def _who(source: int, unit: int, turn: int) -> int:
    """Which worker gives an answer: all answers to the units of a source are of different ones."""
    return (source * 7 + unit * OVERLAP + turn) % WORKERS


def _batches(study: Any, keys: list[tuple[int, int]]) -> list[tuple[Any, list[int]]]:
    """(batch, numbers of its units) of everybody, with what belongs to a batch."""
    from django.utils import timezone

    from annotation.models import Assignment, LedgerRow

    of_worker: list[list[int]] = [[] for _ in range(WORKERS)]
    for n in range(len(keys)):
        for turn in range(OVERLAP):
            of_worker[_who(n // PER_SOURCE, n % PER_SOURCE, turn)].append(n)
    people = list(study.participations.order_by("number"))
    now, planned = timezone.now(), []
    for who, units in enumerate(of_worker):
        chunks = [units[at : at + PER_BATCH] for at in range(0, len(units), PER_BATCH)]
        for at, chunk in enumerate(chunks):
            last = at == len(chunks) - 1 and who % AT_WORK == 0
            when = now - timedelta(days=DAYS * (1 - (at + 1) / len(chunks)), minutes=who)
            row = _batch(people[who], now if last else when, last=last)
            planned.append((row, chunk))
    Assignment.objects.bulk_create((row for row, _ in planned), batch_size=BATCH)
    _stored(
        LedgerRow(
            participation=row.participation,
            assignment=row,
            kind="base",
            amount="1.00",
            currency="USD",
        )
        for row, _ in planned
        if row.submitted_at
    )
    _batch_units(planned, keys)
    return planned


def _batch(person: Any, when: datetime, *, last: bool) -> Any:
    from annotation.models import Assignment

    return Assignment(
        round_id=person.round_id,
        participation=person,
        seed=0,
        base_pay="1.00",
        expected_minutes=7,
        state="active" if last else "submitted",
        leased_at=when - timedelta(minutes=3),
        submitted_at=None if last else when,
        lease_until=when + timedelta(minutes=30),
    )


def _batch_units(planned: Iterable[tuple[Any, list[int]]], keys: list[tuple[int, int]]) -> None:
    from annotation.models import AssignmentUnit, Place

    places = dict(
        Place.objects.filter(round__study__slug=SLUG).values_list("unit", "pk").iterator()
    )
    _stored(
        AssignmentUnit(
            assignment=row,
            place_id=places[keys[n][0]],
            unit_id=keys[n][0],
            source_id=keys[n][1],
            worker_id=row.participation.worker_id,
            position=position,
            holds=row.submitted_at is None and not _is_control(n),
            outcome="open" if row.submitted_at is None else "counted",
            problem="It says nothing." if (n + position) % PROBLEMS == 0 else "",
        )
        for row, chunk in planned
        for position, n in enumerate(chunk, start=1)
    )


def _answers(study: Any, keys: list[tuple[int, int]], batches: list[tuple[Any, list[int]]]) -> None:
    """Answers, their ratings, and how many of its answers each place has and awaits."""
    from annotation.models import Annotation, Place, Question, Rater, Rating

    rng = random.Random(6)
    raters = dict(study.raters.filter(kind="human").values_list("participation", "pk"))
    judge = study.raters.get(kind=Rater.Kind.JUDGE).pk
    questions = dict(Question.objects.filter(study=study).values_list("unit", "pk"))
    round_ = study.rounds.get()
    values: list[tuple[str, float]] = []
    counted, held = [0] * len(keys), [0] * len(keys)
    rushed = rng.sample(sorted(raters.values()), 10)

    def drawn(n: int, careless: float) -> tuple[str, float]:
        if rng.random() > careless:
            return true_of(n)
        return rng.choice(("supported", "refuted")), float(rng.randrange(1, 5))

    def given() -> Iterator[Any]:
        for row, chunk in batches:
            rater = raters[row.participation_id]
            for n in chunk:
                if row.submitted_at is None:
                    held[n] += not _is_control(n)
                    continue
                counted[n] += 1
                values.append(drawn(n, 0.9 if rater in rushed else 0.3))
                seconds = SECONDS * rng.uniform(0.5, 2) / (8 if rater in rushed else 1)
                yield Annotation(
                    study=study,
                    question_id=questions[keys[n][0]],
                    rater_id=rater,
                    answer=answer_of(values[-1]),
                    round=round_,
                    assignment=row,
                    active_seconds=round(seconds, 1),
                )
        for n, (unit, _) in enumerate(keys):
            values.append(drawn(n, 0.2))
            yield Annotation(
                study=study,
                question_id=questions[unit],
                rater_id=judge,
                answer=answer_of(values[-1]),
            )

    ids = _stored(given())
    _stored(
        rating
        for pk, (label, number) in zip(ids, values, strict=True)
        for rating in (
            Rating(annotation_id=pk, study=study, facet="label_from_text", label=label),
            Rating(annotation_id=pk, study=study, facet="clarity", number=number),
        )
    )
    places = list(Place.objects.filter(round=round_).order_by("unit"))
    for n, place in enumerate(places):
        place.counted, place.held = counted[n], held[n]
    Place.objects.bulk_update(places, ["counted", "held"], batch_size=500)


def _stored(rows: Iterator[Any]) -> list[int]:
    ids: list[int] = []
    while batch := list(islice(rows, BATCH)):
        ids += [row.pk for row in type(batch[0]).objects.bulk_create(batch)]
    return ids
