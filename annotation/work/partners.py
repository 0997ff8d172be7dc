"""Which open places bring a worker together with people whom they share least with.

Whoever comes first fills places that whoever comes next completes: in their order alone, two people
would answer the same units and nobody else's. Then how severe people are cannot be told from what
they read. A batch is mixed instead, so that each pair of people comes to share units.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, F

from annotation.models import AssignmentUnit, Place, Round
from annotation.models.places import ORDER

# So many open places are looked at for each one that is given out, and so many at most.
LOOKED_AT, MOST_LOOKED_AT = 8, 400


def bring_together(worker: int, round_: Round, met: set[int]) -> list[int]:
    """Up to a batch of open places of different sources, in the order of the preference.

    First those begun by people of whom the batch has not enough yet, who share least with the
    worker; then untouched ones. Fewer where only people are left of whom it has; none where the
    order of the places is as good. A higher priority goes first all the same.
    """
    n = round_.normal_per_batch
    if round_.study.overlap < 2 or not n:
        return []
    places = _open_places(round_, met, min(LOOKED_AT * n, MOST_LOOKED_AT))
    partners = _partners([place.key for place in places if place.taken])
    if not partners:
        return []
    return mixed(places, partners, _shared_with(worker), n, round_.study.overlap)


class OpenPlace(NamedTuple):
    """A place with room, with its number of answers and its place in the order."""

    key: int
    source: int
    taken: int = 0
    turn: int = 0


def mixed(
    places: Sequence[OpenPlace],
    partners: Mapping[int, Collection[int]],
    shared: Mapping[int, int],
    n: int,
    overlap: int,
) -> list[int]:
    """The first n of these places for somebody who shares so many with others. partners: who has
    the places that are begun."""
    begun = [place for place in places if place.key in partners]
    begun.sort(key=lambda place: max(shared.get(one, 0) for one in partners[place.key]))
    untouched = [place for place in places if place.key not in partners]
    return _mixed([*begun, *untouched], partners, n, max(1, n // (2 * overlap)))


def _open_places(round_: Round, met: set[int], n: int) -> list[OpenPlace]:
    """The first n open places in their order, of one priority."""
    pool = Place.objects.open_in(round_, without=met).annotate(taken=F("held") + F("counted"))
    rows = [OpenPlace(*row) for row in pool.values_list("pk", "source", "taken", "turn")[:n]]
    return [row for row in rows if row.turn // ORDER == rows[0].turn // ORDER]


def _mixed(
    places: Iterable[OpenPlace], partners: Mapping[int, Collection[int]], n: int, enough: int
) -> list[int]:
    """The first n of different sources, with at most `enough` of each person."""
    chosen: dict[int, int] = {}
    of_person: Counter[int] = Counter()
    for place in places:
        people = partners.get(place.key, set())
        if place.source in chosen or any(of_person[one] >= enough for one in people):
            continue
        chosen[place.source] = place.key
        of_person.update(people)
        if len(chosen) == n:
            break
    return list(chosen.values())


def _partners(places: list[int]) -> dict[int, set[int]]:
    """Who has or had these places, by place."""
    partners: dict[int, set[int]] = defaultdict(set)
    rows = AssignmentUnit.objects.filter(place__in=places)
    for place, worker in rows.order_by().values_list("place", "worker"):
        partners[place].add(worker)
    return partners


def _shared_with(worker: int) -> Counter[int]:
    """How many places the worker shares with each other person."""
    own = AssignmentUnit.objects.filter(worker=worker, place__wanted__isnull=False).values("place")
    others = AssignmentUnit.objects.filter(place__in=own).exclude(worker=worker)
    return Counter(dict(others.order_by().values_list("worker").annotate(n=Count("pk"))))
