"""Giving out batches that were made once for all: each as a whole."""

from collections.abc import Iterable, Sequence
from random import Random

from django.db import transaction

from annotation.models import FixedBatch, FixedBatchPlace, Place, Round, Unit
from annotation.work.choice import ChosenPlace, share_of_order

# How many places of fixed batches are looked at with one query.
FIXED_AT_ONCE = 8


class _Full(Exception):
    """A place has no room any more. Ends the savepoint, which releases the places held."""


def take_fixed(round_: Round, met: set[int], rng: Random) -> list[ChosenPlace]:
    """The first fixed batch with room and without a source that the worker has met, held whole."""
    passed_over: set[int] = set()
    while True:
        open_places = Place.objects.open_in(round_, without=met).exclude(pk__in=passed_over)
        heads = list(open_places.values_list("pk", flat=True)[:FIXED_AT_ONCE])
        if not heads:
            break
        passed_over.update(heads)
        for batch in _batches_of(heads):
            units = _fixed_units(batch)
            passed_over.update(place.place for place in units)
            if not any(place.source in met for place in units) and _hold_whole(units):
                return units
    return _take_any_fixed(round_, met, rng) if round_.gates else []


def _batches_of(keys: Sequence[int]) -> list[FixedBatch]:
    """The batches of these places, in the order of the places."""
    batch_places = FixedBatchPlace.objects.filter(place__in=keys).select_related("batch")
    by_place = {batch_place.place_id: batch_place.batch for batch_place in batch_places}
    return list(dict.fromkeys(by_place[key] for key in keys if key in by_place))


def _hold_whole(units: Iterable[ChosenPlace]) -> bool:
    """Hold room in every normal place of a batch, or in none."""
    try:
        with transaction.atomic():
            _hold_all([place.place for place in units if place.holds])
    except _Full:
        return False
    return True


def _hold_all(keys: list[int]) -> None:
    places = Place.objects.filter(pk__in=keys)
    places.lock()
    if places.hold() < len(keys):
        raise _Full


def _fixed_units(batch: FixedBatch) -> list[ChosenPlace]:
    """Its units in order. It is given out as a whole when its first normal place is reached."""
    columns = ("place", "place__unit", "place__source", "place__role", "place__turn")
    wanted = batch.batch_places.filter(place__retired=False)
    places = list(wanted.order_by("position").values_list(*columns))
    numbers = [turn for *_, role, turn in places if role == Unit.Role.NORMAL]
    reached = share_of_order(min(numbers)) if numbers else None
    units = []
    for place, unit, source, role, _turn in places:
        holds = role == Unit.Role.NORMAL
        units.append(ChosenPlace(place, unit, source, holds, reached if holds else None))
    return units


def _take_any_fixed(round_: Round, met: set[int], rng: Random) -> list[ChosenPlace]:
    """A fixed batch without room, for a round that must be passed: its answers are surplus."""
    batches = list(round_.batches.order_by("number"))
    rng.shuffle(batches)
    for batch in batches:
        units = _fixed_units(batch)
        if not any(place.source in met for place in units):
            return [place._replace(holds=False, inclusion=None) for place in units]
    return []
