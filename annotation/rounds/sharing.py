"""How many units people share with each other, by who answers which unit.

Whether people differ because they are strict or because they read other texts can be told only of
people whom shared units connect, directly or through others.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median_low
from typing import NamedTuple

from annotation.models import Allotment, Study


class Spread(NamedTuple):
    """The least, the middle (of an even number the lower one) and the most of some counts."""

    least: int
    middle: int
    most: int


class Sharing(NamedTuple):
    """What people answer and share.

    units: how many units a person answers. partners: with how many others a person shares any.
    shared: how many units a pair shares, of pairs that share any; None where there is none.
    groups: the people whom shared units connect, the largest group first. systems: of how many
    systems a person meets outputs; None where systems are not known. n_systems: of how many there
    are.
    """

    units: Spread
    partners: Spread
    shared: Spread | None
    groups: Sequence[Sequence[int]]
    systems: Spread | None = None
    n_systems: int = 0

    @property
    def n_people(self) -> int:
        return sum(map(len, self.groups))


def sharing_of(people: Iterable[Collection[int]], systems: Sequence[str] = ()) -> Sharing | None:
    """What the people share who answer each unit. systems: of each unit, "" where it has none.
    None where nobody answers anything.
    """
    answered: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()
    met: dict[int, set[str]] = defaultdict(set)
    # Many units are answered by the same people.
    units: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for unit, of in enumerate(people):
        units[tuple(sorted(of))].append(unit)
    for who, theirs in units.items():
        answered.update(dict.fromkeys(who, len(theirs)))
        shared.update(dict.fromkeys(combinations(who, 2), len(theirs)))
        for person in who if systems else ():
            met[person] |= {systems[unit] for unit in theirs} - {""}
    if not answered:
        return None
    partners = Counter(dict.fromkeys(answered, 0))
    partners.update(person for pair in shared for person in pair)
    n_systems = len(set(systems) - {""})
    return Sharing(
        units=_spread(answered.values()),
        partners=_spread(partners.values()),
        shared=_spread(shared.values()) if shared else None,
        groups=_groups(answered, shared),
        systems=_spread(map(len, met.values())) if n_systems > 1 else None,
        n_systems=n_systems,
    )


def _spread(counts: Iterable[int]) -> Spread:
    of = sorted(counts)
    return Spread(of[0], median_low(of), of[-1])


def _groups(people: Iterable[int], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The connected groups of people."""
    group = {person: [person] for person in people}
    for one, other in pairs:
        into, out = sorted((group[one], group[other]), key=len, reverse=True)
        if into is not out:
            into += out
            group |= dict.fromkeys(out, into)
    found = {id(of): sorted(of) for of in group.values()}
    return sorted(found.values(), key=lambda of: (-len(of), of))


def sharing_by_table(study: Study) -> Sharing | None:
    """What members share by the table of a team, in rounds that count; people are the keys of
    seats."""
    rows = Allotment.objects.filter(
        seat__study=study, place__retired=False, place__round__counts=True
    )
    people: dict[int, set[int]] = defaultdict(set)
    system: dict[int, str] = {}
    columns = ("place", "seat", "place__unit__items__system")
    for place, seat, of in rows.order_by().values_list(*columns):
        # A unit with the outputs of several systems has no system of its own.
        system[place] = "" if system.get(place, of) != of else of or ""
        people[place].add(seat)
    return sharing_of(people.values(), [system[place] for place in people])


class FirstMet(NamedTuple):
    """How often each system is the first of a source that a member meets. remainder: by how many
    times two systems differ at most within what one member meets."""

    times: Mapping[str, int]
    remainder: int

    @property
    def is_even(self) -> bool:
        """Whether each is met first equally often, but for one time."""
        return max(self.times.values()) - min(self.times.values()) <= 1


def first_met(study: Study) -> FirstMet | None:
    """How often each system stands first, of all sources and members of the table; None where no
    member meets outputs of several systems of one source."""
    rows = Allotment.objects.filter(seat__study=study, place__retired=False)
    columns = ("seat", "place__source", "place__unit__items__system")
    in_order = rows.order_by("seat", "position").values_list(*columns)
    return first_of((seat, source, system or "") for seat, source, system in in_order)


def first_of(met: Iterable[tuple[int, int, str]]) -> FirstMet | None:
    """The same of (member, source, system) in the order in which they are met."""
    by_source: dict[tuple[int, int], list[str]] = defaultdict(list)
    for member, source, system in met:
        by_source[member, source].append(system)
    first: dict[int, Counter[str]] = defaultdict(Counter)
    for (member, _source), of in by_source.items():
        if len(set(of)) > 1:
            first[member].update(dict.fromkeys(of, 0))
            first[member][of[0]] += 1
    if not first:
        return None
    times = Counter[str]()
    for own in first.values():
        times.update(own)
    return FirstMet(times, max(max(own.values()) - min(own.values()) for own in first.values()))
