"""What is planned beforehand: fixed batches, composed once, by seed, each leased whole to several
workers, and the table of a team."""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random

from django.db import transaction

from annotation.models import FixedBatch, FixedBatchPlace, Place, Round, Study, Unit
from annotation.rounds.team.allotments import allot

# (place, source)
Slot = tuple[int, int]

AT_ONCE = 1000


@transaction.atomic
def fix_batches(*, study: Study, anew: bool = False) -> int:
    """Put every normal place that is in no batch yet into one, and return how many were made.

    Nothing happens in studies whose batches are composed for each worker. Existing batches stay as
    they are. The same study with the same seed gets the same batches. In a study with a team its
    table is completed (anew: written again, but for what members have begun); returned is the
    number of its rows.
    """
    if study.has_team:
        return allot(study, anew=anew)
    if study.batches != Study.Batches.FIXED:
        return 0
    rounds = study.rounds.filter(shows_answers=False).select_related("study")
    return sum(_fix(round_) for round_ in rounds)


def _fix(round_: Round) -> int:
    n_before = round_.batches.count()
    controls = _ControlDealer(round_, after=n_before)
    batches = (
        [*normal, *controls.next()] for normal in divide(_unfixed(round_), round_.normal_per_batch)
    )
    number = n_before
    while chunk := list(islice(batches, AT_ONCE)):
        _write(round_, number, chunk)
        number += len(chunk)
    return number - n_before


def _unfixed(round_: Round) -> Iterator[Slot]:
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, batch_places=None)
    yield from places.order_by("shuffle", "pk").values_list("pk", "source")


def divide(slots: Iterator[Slot], size: int) -> Iterator[list[Slot]]:
    """Lists of `size` slots, each without a source twice; the last ones may be shorter."""
    filling: deque[tuple[list[Slot], set[int]]] = deque()
    for slot in slots if size else ():
        fitting = next((batch for batch in filling if slot[1] not in batch[1]), None)
        if fitting is None:
            fitting = ([], set())
            filling.append(fitting)
        fitting[0].append(slot)
        fitting[1].add(slot[1])
        if len(fitting[0]) == size:
            filling.remove(fitting)
            yield fitting[0]
    yield from (slots for slots, _ in filling)


class _ControlDealer:
    """Deals the round's controls out in a circle, so that batches share them evenly."""

    def __init__(self, round_: Round, *, after: int) -> None:
        self.hands = [
            (count, self._circle(round_, role, skip=after * count))
            for role, count in (
                (Unit.Role.POSITIVE, round_.positive_per_batch),
                (Unit.Role.NEGATIVE, round_.negative_per_batch),
            )
            if count
        ]

    @staticmethod
    def _circle(round_: Round, role: str, *, skip: int) -> Iterator[Slot]:
        places = Place.objects.controls_in(round_, role, without=())
        # One of each source: nobody meets a source twice.
        by_source = {source: (pk, source) for pk, source in places.values_list("pk", "source")}
        pool = list(by_source.values())
        return islice(cycle(pool), skip % max(len(pool), 1), None)

    def next(self) -> list[Slot]:
        return [slot for count, circle in self.hands for slot in islice(circle, count)]


def _write(round_: Round, first: int, batches: Sequence[list[Slot]]) -> None:
    rows = FixedBatch.objects.bulk_create(
        FixedBatch(round=round_, number=number) for number, _ in enumerate(batches, start=first)
    )
    FixedBatchPlace.objects.bulk_create(
        FixedBatchPlace(batch=batch, place_id=place, position=position)
        for batch, slots in zip(rows, batches, strict=True)
        for position, (place, _) in enumerate(_shuffled(slots, batch), start=1)
    )


def _shuffled(slots: list[Slot], batch: FixedBatch) -> list[Slot]:
    round_ = batch.round
    rng = Random(f"{round_.study.seed}/{round_.name}/{batch.number}")  # noqa: S311 (an order)
    return rng.sample(slots, len(slots))
