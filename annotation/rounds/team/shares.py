"""Who answers which sources, where not everybody answers all: each pair of members comes to share
as many units as any other pair, but for a remainder.

Where a balanced incomplete block design exists for these numbers (Yates 1936), the shares come
close to one; they need none to exist.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

# Beyond so many sources pairs are alike without exchanges. So many exchanges are tried a source.
MOST_TO_EVEN, TRIES = 500, 60


def share_out(
    units: Mapping[int, int],
    *,
    members: Sequence[int],
    answers: int,
    seed: str,
    given: Mapping[int, Sequence[int]] | None = None,
) -> dict[int, tuple[int, ...]]:
    """The members that answer each source, `answers` of them, or all where there are fewer.

    units: source -> its number of units. `given` holds for each source the members who answer it
    already, who stay and are counted, whether or not they are still among `members`.
    """
    rng = Random(seed)  # noqa: S311 (a choice, not a secret)
    given = given or {}
    loads: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()
    for source, of in given.items():
        _count(of, units.get(source, 0), loads, shared)
    order = sorted(units)
    rng.shuffle(order)
    order.sort(key=lambda source: -units[source])
    chosen: dict[int, tuple[int, ...]] = {}
    for source in order:
        before = tuple(given.get(source, ()))
        after = before
        while len(after) < answers and (free := [one for one in members if one not in after]):
            after = (*after, _next(free, after, loads, shared, rng))
        _count(after, units[source], loads, shared, without=before)
        chosen[source] = after
    if len(units) <= MOST_TO_EVEN:
        _even_out(chosen, units, given, shared, rng)
    return chosen


def _even_out(
    chosen: dict[int, tuple[int, ...]],
    units: Mapping[int, int],
    given: Mapping[int, Sequence[int]],
    shared: Counter[tuple[int, int]],
    rng: Random,
) -> None:
    """Exchange members between sources of one size where that makes pairs more alike, or leaves
    them so: the sum of squares of what pairs share never grows, and what members do stays."""
    sources = sorted(chosen)
    for _ in range(TRIES * len(sources)):
        one, other = rng.choice(sources), rng.choice(sources)
        mine = [m for m in chosen[one] if m not in chosen[other] and m not in given.get(one, ())]
        its = [m for m in chosen[other] if m not in chosen[one] and m not in given.get(other, ())]
        if units[one] != units[other] or not mine or not its:
            continue
        gives, takes = rng.choice(mine), rng.choice(its)
        changes = Counter[tuple[int, int]]()
        for source, out, into in ((one, gives, takes), (other, takes, gives)):
            for mate in chosen[source]:
                if mate != out:
                    changes[_pair(out, mate)] -= units[source]
                    changes[_pair(into, mate)] += units[source]
        if sum((shared[pair] + n) ** 2 - shared[pair] ** 2 for pair, n in changes.items()) <= 0:
            chosen[one] = tuple(takes if m == gives else m for m in chosen[one])
            chosen[other] = tuple(gives if m == takes else m for m in chosen[other])
            for pair, n in changes.items():
                shared[pair] += n


def _next(
    free: Sequence[int],
    chosen: Sequence[int],
    loads: Counter[int],
    shared: Counter[tuple[int, int]],
    rng: Random,
) -> int:
    """The member who shares least with those chosen, and of these the one with least to do."""

    def cost(member: int) -> tuple[int, int, float]:
        pairs = sum(shared[_pair(member, other)] for other in chosen)
        return pairs, loads[member], rng.random()

    return min(free, key=cost)


def _count(
    members: Sequence[int],
    n_units: int,
    loads: Counter[int],
    shared: Counter[tuple[int, int]],
    without: Sequence[int] = (),
) -> None:
    """Add a source to what its members do and share."""
    for member in members:
        loads[member] += n_units if member not in without else 0
    for one, other in combinations(members, 2):
        if one not in without or other not in without:
            shared[_pair(one, other)] += n_units


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
