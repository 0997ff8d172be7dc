"""The table of a team: which member answers which units of a round, and in which order.

The table is written when the study opens, and completed when units come in or are asked again. What
is in it stays, but where somebody joins who is to have an equal share: then only what members have
begun stays theirs. When a member is gone, a researcher decides who answers what they have not.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import (
    Allotment,
    Assignment,
    AssignmentUnit,
    Participation,
    Place,
    Round,
    Seat,
    Study,
    Unit,
)
from annotation.rounds.team.orders import Outputs, order_of_member
from annotation.rounds.team.seats import seat_team
from annotation.rounds.team.shares import share_out

AT_ONCE = 2000


class _Kept(NamedTuple):
    """The rows of the table that stay: who, by place. And whose answers to a place were excluded:
    they are not asked again."""

    by: dict[int, list[int]]
    barred: set[tuple[int, int]]


class _Slot(NamedTuple):
    """A place to be given to members, and how many answers it wants."""

    unit: int
    source: int
    system: str
    wanted: int


@transaction.atomic
def allot(study: Study, *, anew: bool = False) -> int:
    """Complete the table of each round in which the team answers; how many rows it has.

    Each place gets as many members as it wants answers, or all where there are fewer. What waits
    for `settle_team` goes on waiting. anew: only what members have begun stays.
    """
    seats = seat_team(study)
    active = [seat for seat in seats if not seat.is_over]
    writing = _Writing(active, active, keeps_unbegun=not anew)
    return _write(study, writing)


def _write(study: Study, writing: "_Writing") -> int:
    rounds = study.rounds.filter(shows_answers=False).select_related("study")
    return sum(_allot_round(round_, writing) for round_ in rounds)


class _Writing(NamedTuple):
    """How the table is written: the members; who gets places that lack somebody; whether members
    keep what they have not begun; and whether it is settled who gives the answers of those who are
    gone, and excluded ones."""

    seats: Sequence[Seat]
    takers: Sequence[Seat]
    keeps_unbegun: bool = True
    settles: bool = False


def _allot_round(round_: Round, writing: _Writing) -> int:
    seats = writing.seats
    slots = _slots(round_, len(seats))
    kept = _kept(round_, writing)
    holders = _holders(round_, slots, kept, [seat.pk for seat in writing.takers])
    for at, seat in enumerate(seats):
        mine = {place for place, of in holders.items() if seat.pk in of}
        fresh = {place for place in mine if seat.pk not in kept.by.get(place, ())}
        order = _order(round_, slots, mine, at, len(seats))
        seat.append_to_table([place for place in order if place in fresh])
    wanted = {place: len(of) for place, of in holders.items()}
    want(round_, wanted)
    return sum(wanted.values())


def _slots(round_: Round, n_seats: int) -> dict[int, _Slot]:
    """The places of the round's normal units, by key. In a calibration everybody answers all."""
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, retired=False)
    columns = ("pk", "unit", "source", "wanted", "unit__items__system")
    least = n_seats if round_.calibration_sources else 0
    slots: dict[int, _Slot] = {}
    for place, unit, source, wanted, system in places.order_by("shuffle").values_list(*columns):
        # A unit with the outputs of several systems has no system of its own.
        known = "" if place in slots else system or ""
        slots[place] = _Slot(unit, source, known, max(wanted or 0, least))
    return slots


def begun_in(round_: Round) -> dict[tuple[int, int], bool]:
    """(place, seat) of what members were given, but for batches that they gave back, and whether
    the answers were excluded."""
    rows = AssignmentUnit.objects.filter(
        place__round=round_, assignment__participation__seat__isnull=False
    ).exclude(assignment__state=Assignment.State.RETURNED)
    columns = ("place", "assignment__participation__seat", "outcome")
    return {
        (place, seat): outcome == AssignmentUnit.Outcome.EXCLUDED
        for place, seat, outcome in rows.order_by("pk").values_list(*columns)
    }


def _kept(round_: Round, writing: _Writing) -> _Kept:
    """What stays in the table; the other rows are deleted."""
    begun = begun_in(round_)
    kept = _Kept(defaultdict(list), {key for key, is_excluded in begun.items() if is_excluded})
    active = {seat.pk for seat in writing.seats}
    gone = []
    rows = Allotment.objects.filter(place__round=round_).order_by("pk")
    for key, place, seat in rows.values_list("pk", "place", "seat"):
        waits = seat not in active or (place, seat) in kept.barred
        keeps = writing.keeps_unbegun and not (waits and writing.settles)
        if keeps or begun.get((place, seat)) is False:
            kept.by[place].append(seat)
        else:
            gone.append(key)
    for start in range(0, len(gone), AT_ONCE):
        Allotment.objects.filter(pk__in=gone[start : start + AT_ONCE]).delete()
    return kept


def _holders(
    round_: Round, slots: Mapping[int, _Slot], kept: _Kept, seats: Sequence[int]
) -> dict[int, list[int]]:
    """The seats that answer each place. Members get whole sources, so that they compare systems on
    the same ones; who has begun a source goes on with it."""
    units: dict[int, int] = defaultdict(int)
    answers: dict[int, int] = defaultdict(int)
    given: dict[int, list[int]] = defaultdict(list)
    for place, slot in slots.items():
        units[slot.source] += 1
        answers[slot.source] = max(answers[slot.source], slot.wanted)
        own = [seat for seat in kept.by.get(place, ()) if seat in seats]
        given[slot.source] += [seat for seat in own if seat not in given[slot.source]]
    chosen = {}
    for wanted in sorted(set(answers.values())):
        of = {source: n for source, n in units.items() if answers[source] == wanted}
        seed = f"{round_.study.seed}/{round_.name}/{wanted}"
        chosen.update(share_out(of, members=seats, answers=wanted, seed=seed, given=given))
    return {
        place: _holders_of(place, slot, kept, [*chosen[slot.source], *seats])
        for place, slot in slots.items()
    }


def _holders_of(place: int, slot: _Slot, kept: _Kept, candidates: Iterable[int]) -> list[int]:
    """Those whose it is already, and the first candidates until it has enough."""
    holders = list(kept.by.get(place, ()))
    for seat in candidates:
        if len(holders) >= slot.wanted:
            break
        if seat not in holders and (place, seat) not in kept.barred:
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


def want(round_: Round, wanted: Mapping[int, int]) -> None:
    """Let each place want as many answers as the table gives it."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, n in wanted.items():
        places[n].append(place)
    Place.objects.filter(round=round_).lock()
    for n, keys in places.items():
        for start in range(0, len(keys), AT_ONCE):
            Place.objects.filter(pk__in=keys[start : start + AT_ONCE]).update(wanted=n)


def lock_team(key: int) -> Study:
    """The study, locked after its places: in the order in which submissions lock them."""
    Place.objects.filter(round__study=key, role=Unit.Role.NORMAL).lock()
    return Study.objects.select_for_update(no_key=True).get(pk=key)


@transaction.atomic
def leave_team(seat: Seat) -> bool:
    """Give the member nothing more; False where they had left before.

    Answers stay, and count. What they have not begun waits for `settle_team`.
    """
    study = lock_team(seat.study_id)
    if not Seat.objects.filter(pk=seat.pk, left_at=None).update(left_at=timezone.now()):
        return False
    study.team_members = study.seats.filter(left_at=None).count()
    study.save(update_fields=["team_members"])
    return True


class Takers(StrEnum):
    """Who gives the answers that are wanted and that no member has in their table."""

    OTHERS = "others"
    NEWCOMER = "newcomer"
    NOBODY = "nobody"


@transaction.atomic
def settle_team(study: Study, to: Takers) -> None:
    """Decide what becomes of answers that nobody gives: of members who are gone, and of answers
    that were excluded.

    The others take them as far as they have not answered the unit; or a member who joins, and
    answers nothing else; or they are wanted no longer.
    """
    study = lock_team(study.pk)
    gone = study.seats.filter(left_at=None, participation__state__in=Participation.ENDED)
    gone.update(left_at=timezone.now())
    study.team_members = study.seats.filter(left_at=None).count() + (to == Takers.NEWCOMER)
    study.overlap = max(1, min(study.overlap, study.team_members))
    study.save(update_fields=["team_members", "overlap"])
    seats = seat_team(study)
    takers = {Takers.OTHERS: seats, Takers.NEWCOMER: seats[-1:], Takers.NOBODY: []}[to]
    _write(study, _Writing(seats, takers, settles=True))


def unassigned(study: Study) -> int:
    """How many answers are wanted that are in the table of nobody who will give them."""
    gone = {seat.pk for seat in study.seats.select_related("participation") if seat.is_over}
    return sum(_unassigned_in(round_, gone) for round_ in study.rounds.filter(shows_answers=False))


def _unassigned_in(round_: Round, gone: Collection[int]) -> int:
    begun = begun_in(round_)
    given: Counter[int] = Counter()
    for place, seat in Allotment.objects.filter(place__round=round_).values_list("place", "seat"):
        is_excluded = begun.get((place, seat))
        given[place] += is_excluded is False or (is_excluded is None and seat not in gone)
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, retired=False)
    wanted = places.values_list("pk", "wanted")
    return sum(max((answers or 0) - given[place], 0) for place, answers in wanted)


@transaction.atomic
def join_team(study: Study, more: int = 1) -> None:
    """Let the team have more members: where everybody answers everything they do too, else all
    get equal shares of what nobody has begun."""
    study = lock_team(study.pk)
    if answers_everything(study):
        study.overlap += more
        Place.objects.filter(round__study=study, role=Unit.Role.NORMAL).update(
            wanted=F("wanted") + more
        )
    study.team_members += more
    study.save(update_fields=["team_members", "overlap"])
    allot(study, anew=True)


def answers_everything(study: Study) -> bool:
    """Whether every member of the team answers every unit."""
    return study.overlap >= study.team_members
