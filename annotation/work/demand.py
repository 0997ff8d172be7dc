"""How many more answers units are to get, and how soon: retire and reinstate units, ask again,
give priority.

Only normal units of rounds are meant: a control is retired on its own page, since that changes what
workers are graded by. Lock order: places, then the study.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import AssignmentUnit, FixedBatchPlace, Place, Study, Unit
from annotation.rounds.team.allotments import allot, lock_team
from annotation.work.exclusion import count_surplus

# So many more answers may be asked for at once.
MOST_MORE = 20


@transaction.atomic
def retire_units(*, study: Study, units: Collection[int], now: datetime | None = None) -> list[int]:
    """Want no more answers to these normal units; those that were not retired before.

    Nobody is given them any more. Answers stay and count; batches that hold them may still be
    submitted.
    """
    places = _locked_places(study, units)
    fresh = list(_normal(study, units).filter(retired_at=None).values_list("pk", flat=True))
    Unit.objects.filter(pk__in=fresh).update(retired_at=now or timezone.now())
    places.filter(unit__in=fresh).update(retired=True)
    return fresh


@transaction.atomic
def reinstate_units(*, study: Study, units: Collection[int]) -> list[int]:
    """Want answers again to retired units, as many as before; those that were retired.

    In a study of fixed batches a unit goes back to its batch, and wants what the rest of it does;
    in one of a team, to the members who had it.
    """
    if study.has_team:
        study = lock_team(study.pk)
    places = _locked_places(study, units)
    back = list(_normal(study, units).exclude(retired_at=None).values_list("pk", flat=True))
    Unit.objects.filter(pk__in=back).update(retired_at=None)
    places.filter(unit__in=back).update(retired=False)
    if study.batches == Study.Batches.FIXED:
        _level_batches(list(places.filter(unit__in=back).values_list("pk", flat=True)))
    if study.has_team:
        allot(study)
    return back


@transaction.atomic
def ask_again(*, study: Study, units: Collection[int], more: int) -> list[int]:
    """Want `more` answers beyond those wanted so far in every place of these units; the units.

    Surplus answers that are there already are counted first. Fixed batches are given out whole: in
    a study of such, the other units of their batches are asked again too. In a team they go to
    members who have not answered them. Retired units, units that are in no round, and those that
    the whole team answers already are passed over.
    """
    if not 1 <= more <= MOST_MORE:
        raise ValueError(f"more: from 1 to {MOST_MORE}")
    places = _places(study, units).filter(retired=False)
    if study.batches == Study.Batches.FIXED:
        places = _whole_batches(places)
    if study.has_team:
        study = lock_team(study.pk)
    before = dict(places.values_list("pk", "wanted"))
    keys = list(before)
    Place.objects.filter(pk__in=keys).lock()
    Place.objects.filter(pk__in=keys, retired=False).update(wanted=F("wanted") + more)
    if study.has_team:
        allot(study)
        now = dict(Place.objects.filter(pk__in=keys).values_list("pk", "wanted"))
        keys = [key for key in keys if now[key] != before[key]]
    surplus = AssignmentUnit.objects.filter(place__in=keys, outcome=AssignmentUnit.Outcome.SURPLUS)
    if surplus.exists():
        count_surplus(keys)
        study.touch()
    return list(
        Place.objects.filter(pk__in=keys, unit__in=units)
        .order_by("unit")
        .values_list("unit", flat=True)
        .distinct()
    )


@transaction.atomic
def prioritise_units(*, study: Study, units: Collection[int], priority: int) -> list[int]:
    """Give out the places of these units before or after others; the units that have any."""
    if priority not in Place.Priority.values:
        raise ValueError("priority: unknown")
    changed = _locked_places(study, units).exclude(priority=priority)
    changed_units = list(changed.order_by("unit").values_list("unit", flat=True).distinct())
    _places(study, changed_units).update(priority=priority)
    return changed_units


def can_be_asked_again(study: Study) -> QuerySet[Unit]:
    """The units for which `ask_again` does something."""
    places = Place.objects.filter(unit=OuterRef("pk"), role=Unit.Role.NORMAL, retired=False)
    return study.units.filter(Exists(places))


def _normal(study: Study, units: Collection[int]) -> QuerySet[Unit]:
    return study.units.filter(pk__in=units, role=Unit.Role.NORMAL)


def _places(study: Study, units: Collection[int]) -> QuerySet[Place]:
    return Place.objects.filter(round__study=study, unit__in=units, role=Unit.Role.NORMAL)


def _locked_places(study: Study, units: Collection[int]) -> QuerySet[Place]:
    Place.objects.filter(pk__in=list(_places(study, units).values_list("pk", flat=True))).lock()
    return _places(study, units)


def _whole_batches(places: QuerySet[Place]) -> QuerySet[Place]:
    """The normal places of the fixed batches that these are in, without retired ones."""
    batches = FixedBatchPlace.objects.filter(place__in=places).values("batch")
    mates = FixedBatchPlace.objects.filter(batch__in=batches).values("place")
    return Place.objects.filter(pk__in=mates, role=Unit.Role.NORMAL, retired=False)


def _level_batches(keys: Collection[int]) -> None:
    """Let places that are back in a fixed batch want as many more answers as the place of it that
    wants fewest: a batch is given out only where all of its places have room."""
    for batch_place in FixedBatchPlace.objects.filter(place__in=keys).select_related("place"):
        mates = Place.objects.filter(
            batch_places__batch=batch_place.batch_id, role=Unit.Role.NORMAL, retired=False
        )
        least = mates.aggregate(least=Min("room"))["least"]
        Place.objects.filter(pk=batch_place.place_id).update(
            wanted=F("held") + F("counted") + least
        )
