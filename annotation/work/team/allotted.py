"""Giving out what a team's table says: to each member the next units of their own order."""

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotation.models import Allotment, Assignment, AssignmentUnit, Participation, Place, Round
from annotation.work.choice import ChosenPlace


def take_allotted(participation: Participation, round_: Round) -> list[ChosenPlace]:
    """The next batch of the member's table in this round, held; empty where nothing is left.

    The participation is locked by whoever leases, so nobody else takes from the same table.
    """
    had = AssignmentUnit.objects.filter(
        place=OuterRef("place"), assignment__participation=participation
    ).exclude(assignment__state=Assignment.State.RETURNED)
    rows = Allotment.objects.filter(
        ~Exists(had),
        seat__participation=participation,
        seat__left_at=None,
        place__round=round_,
        place__room__gt=0,
    )
    columns = ("place", "place__unit", "place__source")
    chosen = rows.order_by("position").values_list(*columns)[: round_.normal_per_batch]
    with transaction.atomic():
        return _hold(
            [
                ChosenPlace(place, unit, source, holds=True, meets_again=True)
                for place, unit, source in chosen
            ]
        )


def _hold(chosen: list[ChosenPlace]) -> list[ChosenPlace]:
    """Those of the places that still have room, in order; a researcher may have retired others."""
    places = Place.objects.filter(pk__in=[one.place for one in chosen])
    places.lock()
    open_still = set(places.filter(room__gt=0).values_list("pk", flat=True))
    Place.objects.filter(pk__in=open_still).hold()
    return [one for one in chosen if one.place in open_still]
