"""Compose a batch: control units, and normal units with room, which are held from then on."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from random import Random
from typing import NamedTuple

from django.db import transaction

from annotation.models import (
    Assignment,
    AssignmentUnit,
    FixedBatch,
    FixedBatchPlace,
    Participation,
    Place,
    Round,
    Study,
    Unit,
)
from annotation.models.work import PlaceQuerySet

# Fixed batches are looked at in groups of so many.
LOOKED_AT = 8


class Reason(StrEnum):
    """Why there is no batch."""

    NOT_OPEN = "not_open"
    ENDED = "ended"
    LIMIT = "limit"
    ALL_ANSWERED = "all_answered"
    HELD_BY_OTHERS = "held_by_others"
    ALL_MET = "all_met"
    AWAITS_INVITATION = "awaits_invitation"


class Taken(NamedTuple):
    """A place in a batch to be, and whether room in it is held."""

    place: int
    unit: int
    source: int
    holds: bool


class _Short(Exception):
    """Some open places were locked by others; ends the savepoint and so frees our own."""


def compose(participation: Participation, round_: Round, seed: int) -> list[Taken] | Reason:
    """The units of the worker's next batch in order; why there are none, otherwise.

    Never a source that the worker has met, in any batch. The last batch may be short of
    normal units, never of controls. The cost does not grow with the number of units.
    """
    met_before = AssignmentUnit.objects.filter(worker=participation.worker_id)
    met = set(met_before.values_list("source", flat=True))
    rng = Random(seed)  # noqa: S311 (an order, not a secret)
    leads_nowhere = _leads_nowhere(round_)
    if leads_nowhere is not None:
        return leads_nowhere
    if participation.study.batches == Study.Batches.FIXED and not round_.shows_answers:
        return _take_fixed(round_, met, rng) or _why_nothing(round_, met)
    controls = _take_controls(round_, met, rng)
    if controls is None:
        return Reason.ALL_MET
    met.update(control.source for control in controls)
    normal = _take_normal(round_, met, rng, seed)
    if not normal and round_.normal_per_batch:
        return _why_nothing(round_, met)
    batch = controls + normal
    rng.shuffle(batch)
    return batch


# --- Units that anybody may answer --------------------------------------------------------------


def _take_controls(round_: Round, met: set[int], rng: Random) -> list[Taken] | None:
    """The round's controls for one batch; None where the worker has met too many."""
    controls: list[Taken] = []
    met = set(met)
    for role, n in (
        (Unit.Role.POSITIVE, round_.positive_per_batch),
        (Unit.Role.NEGATIVE, round_.negative_per_batch),
    ):
        found = _from_a_random_point(Place.objects.controls_in(round_, role, without=met), n, rng)
        if len(found) < n:
            return None
        met.update(one.source for one in found)
        controls += found
    return controls


def _from_a_random_point(pool: PlaceQuerySet, n: int, rng: Random) -> list[Taken]:
    """Places with different sources, from a seeded point of the shuffle on, then from its start."""
    if n <= 0:
        return []
    last = pool.reverse().values_list("shuffle", flat=True).first()
    start = rng.randint(0, last or 0)
    met: set[int] = set()
    found = _different(pool.filter(shuffle__gte=start), n, met)
    return found + _different(pool.filter(shuffle__lt=start), n - len(found), met)


def _different(pool: PlaceQuerySet, n: int, met: set[int]) -> list[Taken]:
    taken: list[Taken] = []
    while len(taken) < n:
        found = _distinct(pool.exclude(source__in=met)[: n - len(taken)], met, holds=False)
        if not found:
            break
        taken += found
    return taken


def _distinct(pool: PlaceQuerySet, met: set[int], *, holds: bool) -> list[Taken]:
    """The places of the pool with a source not met yet; each source is met from then on."""
    taken = []
    for place, unit, source in pool.values_list("pk", "unit", "source"):
        if source not in met:
            met.add(source)
            taken.append(Taken(place, unit, source, holds))
    return taken


# --- Units that want so many answers and no more ------------------------------------------------


def _take_normal(round_: Round, met: set[int], rng: Random, seed: int) -> list[Taken]:
    """Up to a batch of normal units: with room, which is held.

    In a training round, training units where there are any. In a round that must be passed,
    units without room fill the batch up: their answers are surplus, but nobody waits in vain
    to qualify.
    """
    n = round_.normal_per_batch
    if round_.shows_answers:
        training = Place.objects.controls_in(round_, Unit.Role.TRAINING, without=met)
        shown = _from_a_random_point(training, n, rng)
        if shown:
            return shown
    taken = _take_room(round_, met, seed)
    if len(taken) < n and round_.gates:
        without = met.union(one.source for one in taken)
        full = Place.objects.any_in(round_, without=without)
        taken += _from_a_random_point(full, n - len(taken), rng)
    return taken


def _take_room(round_: Round, met: set[int], seed: int) -> list[Taken]:
    """Room for up to a batch of normal units, held.

    Workers who come at the same moment must not queue for the same head of the shuffle, so
    each passes over places that somebody else has locked. Only where that leaves the batch
    short, what we locked is freed and the others are waited for: nobody is told that nothing
    is left while room remains. Each waits at a point of their own first: where all waited for
    the head, fifty who start at once would go one after the other.
    """
    for waiting_from in (None, _point_of_ones_own(round_, met, seed)):
        try:
            with transaction.atomic():
                return _hold_whole_batch(round_, met, waiting_from)
        except _Short:
            continue
    return _hold(round_, set(met), 0)


def _point_of_ones_own(round_: Round, met: set[int], seed: int) -> int:
    """Where in the shuffle a batch of that seed waits for places that others have locked."""
    places = Place.objects.open_in(round_, without=met)
    last = places.reverse().values_list("shuffle", flat=True).first()
    # Not the generator of the batch's order, which is to depend on the seed alone.
    return Random(f"waits/{seed}").randint(0, last or 0)  # noqa: S311 (an order, not a secret)


def _hold_whole_batch(round_: Round, met: set[int], waiting_from: int | None) -> list[Taken]:
    taken = _hold(round_, set(met), waiting_from)
    if len(taken) < round_.normal_per_batch and _room_elsewhere(round_, met, taken):
        raise _Short
    return taken


def _hold(round_: Round, met: set[int], waiting_from: int | None) -> list[Taken]:
    """Hold what is open in the order of the shuffle; from that point on, where it waits."""
    taken: list[Taken] = []
    while len(taken) < round_.normal_per_batch:
        pool = Place.objects.open_in(round_, without=met)
        # Only the first, ordered lock may wait: who waits while holding could wait in a circle.
        waits = waiting_from is not None and not taken
        if waits and waiting_from:
            pool = pool.filter(shuffle__gte=waiting_from)
        pool = pool[: round_.normal_per_batch - len(taken)]
        found = _distinct(
            pool.select_for_update(no_key=True, skip_locked=not waits), met, holds=True
        )
        if not found:
            break
        # The rows are ours alone, on SQLite the whole database is: each still has its room.
        if Place.objects.filter(pk__in=[one.place for one in found]).hold() < len(found):
            raise RuntimeError("A place that is locked has lost its room.")
        taken += found
    return taken


def _room_elsewhere(round_: Round, met: set[int], taken: list[Taken]) -> bool:
    without = met.union(one.source for one in taken)
    return Place.objects.open_in(round_, without=without).exists()


def _leads_nowhere(round_: Round) -> Reason | None:
    """Nobody is asked to qualify for a round in which nothing is left to do."""
    later = round_.following
    if later is None or round_.counts or Place.objects.open_in(later, without=()).exists():
        return None
    normal = Place.objects.filter(round=later, role=Unit.Role.NORMAL)
    if later.shows_answers or not later.counts or not normal.exists():
        return None
    return _held_or_answered(later)


def _why_nothing(round_: Round, met: set[int]) -> Reason:
    # Room that was given back since we looked is for the next try.
    if Place.objects.open_in(round_, without=met).exists():
        fixed = round_.study.batches == Study.Batches.FIXED
        return Reason.ALL_MET if fixed else Reason.HELD_BY_OTHERS
    if Place.objects.open_in(round_, without=()).exists() or round_.shows_answers or round_.gates:
        return Reason.ALL_MET
    return _held_or_answered(round_)


def _held_or_answered(round_: Round) -> Reason:
    if Assignment.objects.filter(round=round_, state=Assignment.State.ACTIVE).exists():
        return Reason.HELD_BY_OTHERS
    return Reason.ALL_ANSWERED


# --- Fixed batches ------------------------------------------------------------------------------


def _take_fixed(round_: Round, met: set[int], rng: Random) -> list[Taken]:
    """The first fixed batch with room of which the worker has met nothing, held whole."""
    passed_over: set[int] = set()
    while True:
        open_places = Place.objects.open_in(round_, without=met).exclude(pk__in=passed_over)
        heads = list(open_places.values_list("pk", flat=True)[:LOOKED_AT])
        if not heads:
            break
        passed_over.update(heads)
        for batch in _batches_of(heads):
            units = _fixed_units(batch)
            passed_over.update(one.place for one in units)
            if not any(one.source in met for one in units) and _hold_whole(units):
                return units
    return _take_any_fixed(round_, met, rng) if round_.gates else []


def _batches_of(keys: Sequence[int]) -> list[FixedBatch]:
    """The batches of these places, in the order of the places."""
    found = FixedBatchPlace.objects.filter(place__in=keys).select_related("batch")
    by_place = {one.place_id: one.batch for one in found}
    return list(dict.fromkeys(by_place[key] for key in keys if key in by_place))


def _hold_whole(units: Iterable[Taken]) -> bool:
    """Hold room in every normal place of a batch, or in none."""
    try:
        with transaction.atomic():
            _hold_all([one.place for one in units if one.holds])
    except _Short:
        return False
    return True


def _hold_all(wanted: list[int]) -> None:
    places = Place.objects.filter(pk__in=wanted)
    places.lock()
    if places.hold() < len(wanted):
        raise _Short


def _fixed_units(batch: FixedBatch) -> list[Taken]:
    places = batch.batch_places.order_by("position").values_list(
        "place", "place__unit", "place__source", "place__role"
    )
    return [
        Taken(place, unit, source, role == Unit.Role.NORMAL) for place, unit, source, role in places
    ]


def _take_any_fixed(round_: Round, met: set[int], rng: Random) -> list[Taken]:
    """A whole batch without room, for a round that must be passed: its answers are surplus."""
    batches = list(round_.batches.order_by("number"))
    rng.shuffle(batches)
    for batch in batches:
        units = _fixed_units(batch)
        if not any(one.source in met for one in units):
            return [one._replace(holds=False) for one in units]
    return []
