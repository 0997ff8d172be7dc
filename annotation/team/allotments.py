"""The table of a team: which member answers which units of a round, and in which order.

The table is written when the study opens, and again when somebody joins or leaves, or units are
asked again. What a member has begun stays theirs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.models import Allotment, Assignment, AssignmentUnit, Place, Round, Seat, Study, Unit
from annotation.team.orders import Outputs, order_of_member
from annotation.team.seats import seat_team
from annotation.team.shares import share_out

AT_ONCE = 2000


class Begun(NamedTuple):
    """What members have begun: who, by place; and whose answers were excluded."""

    by: dict[int, list[int]]
    barred: set[tuple[int, int]]


class _Slot(NamedTuple):
    """A place to be given to members, and how many answers it wants."""

    unit: int
    source: int
    system: str
    wanted: int


@transaction.atomic
def allot(study: Study) -> int:
    """Write the table of each round in which the team answers; how many rows it has."""
    if not study.has_team:
        return 0
    rounds = study.rounds.filter(shows_answers=False).select_related("study")
    return sum(_allot_round(round_, seat_team(study)) for round_ in rounds)


def _allot_round(round_: Round, seats: Sequence[Seat]) -> int:
    slots = _slots(round_, len(seats))
    begun = _begun(round_)
    holders = _holders(round_, slots, begun, [seat.pk for seat in seats])
    old = Allotment.objects.filter(place__round=round_)
    for place, of in begun.by.items():
        old = old.exclude(place=place, seat__in=of)
    old.delete()
    wanted: dict[int, int] = {place: len(of) for place, of in holders.items()}
    for at, seat in enumerate(seats):
        mine = {place for place, of in holders.items() if seat.pk in of}
        fresh = {place for place in mine if seat.pk not in begun.by.get(place, ())}
        _write(round_, seat, _order(round_, slots, mine, at, len(seats)), fresh)
    _want(round_, slots, wanted)
    return sum(wanted.values())


def _slots(round_: Round, n_seats: int) -> dict[int, _Slot]:
    """The places of the round's normal units, by key. In a calibration everybody answers all."""
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, retired=False)
    columns = ("pk", "unit", "source", "wanted", "unit__items__system")
    least = n_seats if round_.calibration_sources else round_.study.overlap
    slots: dict[int, _Slot] = {}
    for place, unit, source, wanted, system in places.order_by("shuffle").values_list(*columns):
        # A unit with the outputs of several systems has no system of its own.
        known = "" if place in slots else system or ""
        slots[place] = _Slot(unit, source, known, max(wanted or 0, least))
    return slots


def _begun(round_: Round) -> Begun:
    """Who was given which place before, but for batches that they gave back."""
    rows = AssignmentUnit.objects.filter(
        place__round=round_, assignment__participation__seat__isnull=False
    ).exclude(assignment__state=Assignment.State.RETURNED)
    begun = Begun(defaultdict(list), set())
    columns = ("place", "assignment__participation__seat", "outcome")
    for place, seat, outcome in rows.order_by("pk").values_list(*columns):
        if outcome == AssignmentUnit.Outcome.EXCLUDED:
            begun.barred.add((place, seat))
        else:
            begun.by[place].append(seat)
    return begun


def _holders(
    round_: Round, slots: Mapping[int, _Slot], begun: Begun, seats: Sequence[int]
) -> dict[int, list[int]]:
    """The seats that answer each place. Members get whole sources, so that they compare systems on
    the same ones; who has begun a source goes on with it."""
    units: dict[int, int] = defaultdict(int)
    answers: dict[int, int] = defaultdict(int)
    given: dict[int, list[int]] = defaultdict(list)
    for place, slot in slots.items():
        units[slot.source] += 1
        answers[slot.source] = max(answers[slot.source], slot.wanted)
        kept = [seat for seat in begun.by.get(place, ()) if seat in seats]
        given[slot.source] += [seat for seat in kept if seat not in given[slot.source]]
    chosen = {}
    for wanted in sorted(set(answers.values())):
        of = {source: n for source, n in units.items() if answers[source] == wanted}
        seed = f"{round_.study.seed}/{round_.name}/{wanted}"
        chosen.update(share_out(of, members=seats, answers=wanted, seed=seed, given=given))
    return {
        place: _holders_of(place, slot, begun, [*chosen[slot.source], *seats])
        for place, slot in slots.items()
    }


def _holders_of(place: int, slot: _Slot, begun: Begun, candidates: Iterable[int]) -> list[int]:
    """Those who have begun the place, and the first candidates until it has enough."""
    holders = list(begun.by.get(place, ()))
    for seat in candidates:
        if len(holders) >= slot.wanted:
            break
        if seat not in holders and (place, seat) not in begun.barred:
            holders.append(seat)
    return holders


def _order(
    round_: Round, slots: Mapping[int, _Slot], mine: set[int], at: int, n_seats: int
) -> list[int]:
    """The places of a member in order."""
    sources: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place in mine:
        sources[slots[place].source].append((place, slots[place].system))
    outputs: Mapping[int, Outputs] = sources
    seed = f"{round_.study.seed}/{round_.name}"
    return order_of_member(outputs, member=at, members=max(n_seats, 1), seed=seed)


def _write(round_: Round, seat: Seat, order: Sequence[int], fresh: set[int]) -> None:
    """Put what is new behind what the seat has in the table already."""
    last = seat.allotments.aggregate(last=Max("position"))["last"] or 0
    rows = [place for place in order if place in fresh]
    Allotment.objects.bulk_create(
        [
            Allotment(seat=seat, place_id=place, position=position)
            for position, place in enumerate(rows, start=last + 1)
        ],
        batch_size=AT_ONCE,
    )


def _want(round_: Round, slots: Mapping[int, _Slot], wanted: Mapping[int, int]) -> None:
    """Let each place want as many answers as the table gives it."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, n in wanted.items():
        places[n].append(place)
    Place.objects.filter(round=round_, pk__in=slots).lock()
    for n, keys in places.items():
        for start in range(0, len(keys), AT_ONCE):
            Place.objects.filter(pk__in=keys[start : start + AT_ONCE]).update(wanted=n)


@transaction.atomic
def leave_team(seat: Seat) -> bool:
    """Give what the member has not begun to the others; False where they had left before.

    Answers stay, and count. The team has one member fewer: who is to take over from them joins it.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=seat.study_id)
    if not Seat.objects.filter(pk=seat.pk, left_at=None).update(left_at=timezone.now()):
        return False
    resize_team(study, study.seats.filter(left_at=None).count())
    return True


@transaction.atomic
def resize_team(study: Study, members: int) -> None:
    """Let the team have so many members, and write the table anew."""
    study.team = {**study.team, "members": members}
    study.save(update_fields=["team"])
    allot(study)
