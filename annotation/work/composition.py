"""Composing a batch of control units and of normal units, whose room is held from then on."""

from collections.abc import Collection
from enum import StrEnum
from random import Random

from django.db import transaction

from annotation.models import (
    Assignment,
    AssignmentUnit,
    Participation,
    Place,
    Round,
    Study,
    Unit,
)
from annotation.models.places import ORDER, PlaceQuerySet
from annotation.work.choice import ChosenPlace, share_of_order
from annotation.work.fixed_batches import take_fixed
from annotation.work.partners import bring_together
from annotation.work.team.allotted import take_allotted


class Reason(StrEnum):
    """Why there is no batch."""

    NOT_OPEN = "not_open"
    PAUSED = "paused"
    ENDED = "ended"
    LIMIT = "limit"
    ALL_ANSWERED = "all_answered"
    HELD_BY_OTHERS = "held_by_others"
    ALL_MET = "all_met"
    TABLE_DONE = "table_done"
    AWAITS_INVITATION = "awaits_invitation"


class _Short(Exception):
    """Others have locked open places. Ends the savepoint, which releases the places held."""


def compose(participation: Participation, round_: Round, seed: int) -> list[ChosenPlace] | Reason:
    """The places of the worker's next batch in order, or the reason why there is none.

    Never a source that the worker has met, but for members of a team, who have a table. The last
    batch may have fewer normal units, never fewer controls. The cost does not grow with the number
    of units.
    """
    met_before = AssignmentUnit.objects.filter(worker=participation.worker_id)
    met = set(met_before.values_list("source", flat=True))
    rng = Random(seed)  # noqa: S311 (an order, not a secret)
    reason = _why_next_round_is_empty(round_)
    if reason is not None:
        return reason
    if participation.study.batches == Study.Batches.FIXED and not round_.shows_answers:
        return take_fixed(round_, met, rng) or _why_no_places(round_, met)
    controls = _take_controls(round_, met, rng)
    if participation.study.has_team and not round_.shows_answers:
        return _from_table(participation, round_, controls or [], rng)
    if controls is None:
        return Reason.ALL_MET
    met.update(control.source for control in controls)
    normal = _take_normal(participation.worker_id, round_, met, rng, seed)
    if not normal and round_.normal_per_batch:
        return _why_no_places(round_, met)
    batch = controls + normal
    rng.shuffle(batch)
    return batch


def _from_table(
    participation: Participation, round_: Round, controls: list[ChosenPlace], rng: Random
) -> list[ChosenPlace] | Reason:
    """Controls, while there are new ones, among the next units of a member in their order."""
    batch = take_allotted(participation, round_)
    if not batch:
        return Reason.TABLE_DONE
    for control in controls:
        batch.insert(rng.randint(0, len(batch)), control)
    return batch


# --- Places without a limit on answers ----------------------------------------------------------


def _take_controls(round_: Round, met: set[int], rng: Random) -> list[ChosenPlace] | None:
    """The round's controls for one batch; None where the worker has met too many."""
    controls: list[ChosenPlace] = []
    met = set(met)
    for role, n in (
        (Unit.Role.POSITIVE, round_.positive_per_batch),
        (Unit.Role.NEGATIVE, round_.negative_per_batch),
    ):
        if not n:
            continue
        chosen = _from_random_point(Place.objects.controls_in(round_, role, without=met), n, rng)
        if len(chosen) < n:
            return None
        met.update(place.source for place in chosen)
        controls += chosen
    return controls


def _from_random_point(pool: PlaceQuerySet, n: int, rng: Random) -> list[ChosenPlace]:
    """Places with different sources, in shuffled order, from a seeded point and around."""
    if n <= 0:
        return []
    last = pool.reverse().values_list("shuffle", flat=True).first()
    start = rng.randint(0, last or 0)
    met: set[int] = set()
    chosen = _different(pool.filter(shuffle__gte=start), n, met)
    return chosen + _different(pool.filter(shuffle__lt=start), n - len(chosen), met)


def _different(pool: PlaceQuerySet, n: int, met: set[int]) -> list[ChosenPlace]:
    chosen: list[ChosenPlace] = []
    while len(chosen) < n:
        more = _distinct(pool.exclude(source__in=met)[: n - len(chosen)], met, holds=False)
        if not more:
            break
        chosen += more
    return chosen


def _distinct(pool: PlaceQuerySet, met: set[int], *, holds: bool) -> list[ChosenPlace]:
    """The places of the pool whose source is not in `met`; adds their sources to `met`."""
    chosen = []
    for place, unit, source, turn in pool.values_list("pk", "unit", "source", "turn"):
        if source not in met:
            met.add(source)
            inclusion = share_of_order(turn) if holds else None
            chosen.append(ChosenPlace(place, unit, source, holds, inclusion))
    return chosen


# --- Places with room for a number of answers ---------------------------------------------------


def _take_normal(
    worker: int, round_: Round, met: set[int], rng: Random, seed: int
) -> list[ChosenPlace]:
    """Up to a batch of normal units with room, which is held.

    Training rounds take training units, where there are any. In a round that must be passed, units
    without room complete the batch: their answers are surplus, but nobody is kept from qualifying.
    """
    n = round_.normal_per_batch
    if round_.shows_answers:
        training = Place.objects.controls_in(round_, Unit.Role.TRAINING, without=met)
        training_places = _from_random_point(training, n, rng)
        if training_places:
            return training_places
    chosen = _take_room(worker, round_, met, seed)
    if len(chosen) < n and round_.gates:
        without = met.union(place.source for place in chosen)
        full = Place.objects.any_in(round_, without=without)
        chosen += _from_random_point(full, n - len(chosen), rng)
    return chosen


def _take_room(worker: int, round_: Round, met: set[int], seed: int) -> list[ChosenPlace]:
    """Hold room for up to a batch of normal units: first such as bring people together.

    Workers who come at the same moment must not queue for the same first places, so each skips
    places that somebody else has locked (SKIP LOCKED). Only if that leaves the batch short, the
    places held are released and the next try waits for locks: nobody is told that nothing is left
    while room remains. Workers wait at different points first, or many who start at once would be
    served one after the other.
    """
    for waits in (False, True):
        waiting_from = _waiting_point(round_, met, seed) if waits else None
        # Whoever waits takes what there is.
        first = [] if waits else bring_together(worker, round_, met)
        try:
            with transaction.atomic():
                return _hold_whole_batch(round_, met, waiting_from, first)
        except _Short:
            continue
    return _hold(round_, set(met), 0)


def _waiting_point(round_: Round, met: set[int], seed: int) -> int:
    """The point in the order of places at which a batch of that seed waits for locked ones: among
    those of the lowest priority, of which there are most."""
    places = Place.objects.open_in(round_, without=met)
    last = places.reverse().values_list("turn", flat=True).first() or 0
    # A generator of its own: the order of the batch must depend on its seed alone.
    rng = Random(f"waits/{seed}")  # noqa: S311 (an order, not a secret)
    return rng.randint(last - last % ORDER, last)


def _hold_whole_batch(
    round_: Round, met: set[int], waiting_from: int | None, first: Collection[int]
) -> list[ChosenPlace]:
    held = _hold(round_, set(met), waiting_from, first)
    if len(held) < round_.normal_per_batch and _room_elsewhere(round_, met, held):
        raise _Short
    return held


def _hold(
    round_: Round, met: set[int], waiting_from: int | None, first: Collection[int] = ()
) -> list[ChosenPlace]:
    """Hold open places in their order, those in `first` before all others. The first query waits
    for locks from `waiting_from` on."""
    held = _hold_unlocked(Place.objects.open_in(round_, without=met).filter(pk__in=first), met)
    while len(held) < round_.normal_per_batch:
        n = round_.normal_per_batch - len(held)
        pool = Place.objects.open_in(round_, without=met)
        # Only the first, ordered lock may wait: waiting while holding others could deadlock.
        if waiting_from is not None and not held:
            keys = _wait_for(pool, n, waiting_from)
            pool = Place.objects.filter(pk__in=keys, room__gt=0).order_by("turn")
            if keys and not pool.exists():  # others have filled them meanwhile
                continue
            places = _hold_locked(pool, met)
        else:
            places = _hold_unlocked(pool[:n], met)
        if not places:
            break
        held += places
    return held


def _hold_unlocked(pool: PlaceQuerySet, met: set[int]) -> list[ChosenPlace]:
    """Hold those that nobody else has locked, and lock them."""
    return _hold_locked(pool.select_for_update(no_key=True, skip_locked=True), met)


def _hold_locked(pool: PlaceQuerySet, met: set[int]) -> list[ChosenPlace]:
    # The rows are locked (on SQLite, the whole database), so each still has its room.
    places = _distinct(pool, met, holds=True)
    if Place.objects.filter(pk__in=[place.place for place in places]).hold() < len(places):
        raise RuntimeError("A place that is locked has lost its room.")
    return places


def _wait_for(pool: PlaceQuerySet, n: int, point: int | None) -> list[int]:
    """The first n places from that point on, locked in the order in which everybody locks."""
    if point:
        pool = pool.filter(turn__gte=point)
    keys = list(pool.values_list("pk", flat=True)[:n])
    Place.objects.filter(pk__in=keys).lock()
    return keys


def _room_elsewhere(round_: Round, met: set[int], held: list[ChosenPlace]) -> bool:
    without = met.union(place.source for place in held)
    return Place.objects.open_in(round_, without=without).exists()


def _why_next_round_is_empty(round_: Round) -> Reason | None:
    """Why nobody should qualify for the next round, if nothing is left to do there."""
    later = round_.following
    if later is None or round_.counts or Place.objects.open_in(later, without=()).exists():
        return None
    normal = Place.objects.filter(round=later, role=Unit.Role.NORMAL)
    if later.shows_answers or not later.counts or not normal.exists():
        return None
    return _held_or_answered(later)


def _why_no_places(round_: Round, met: set[int]) -> Reason:
    # Room that was given back since the search is for the next try.
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
