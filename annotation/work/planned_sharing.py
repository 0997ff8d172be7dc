"""What people will share under rules that may not be saved yet: who would answer which unit, if
they came one after another and each did all that they may."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from annotation.models import Study, Unit
from annotation.rounds.fixed_batches import divide
from annotation.rounds.sharing import FirstMet, Sharing, first_of, sharing_by_table, sharing_of
from annotation.rounds.team.orders import order_of_member
from annotation.rounds.team.shares import share_out
from annotation.work.partners import LOOKED_AT, MOST_LOOKED_AT, OpenPlace, mixed

# So many units of a team are looked at, and so many units and batches of a crowd: what a person of
# a crowd shares does not depend on more.
MOST_UNITS, MOST_OF_CROWD, MOST_BATCHES = 20_000, 2000, 1500
# With more answers of a crowd to a unit, or more steps of sharing out, a page would wait too long.
MOST_ANSWERS, MOST_STEPS = 30, 4_000_000
# The order in which a crowd meets units is drawn; any seed is as good as another here.
SEED = 0


@dataclass(frozen=True)
class Units:
    """The source and the system of each unit that is asked about; no system where a unit shows
    several outputs."""

    sources: Sequence[int]
    systems: Sequence[str]


@dataclass(frozen=True)
class Rules:
    """What decides who answers what. batches: as of a Study. per_batch: units of a batch; most:
    batches that one person does. members, calibration: of a team, how many there are, and how many
    sources all of them answer first."""

    batches: str
    overlap: int
    per_batch: int
    most: int
    members: int = 0
    calibration: int = 0


class Planned(NamedTuple):
    """What people will share, and how often each system is the first that a member of a team meets;
    no order for a crowd, which meets no source twice."""

    sharing: Sharing
    order: FirstMet | None = None


def planned_sharing(units: Units, rules: Rules) -> Planned | None:
    """What people will share; None where nobody answers anything, or where it takes too long to
    find out."""
    if rules.batches == Study.Batches.TEAM:
        answers = min(rules.overlap, rules.members)
        if len(set(units.sources)) * answers**2 * rules.members > MOST_STEPS:
            return None
        people = _of_team(units.sources, rules)
        order = _order_of_team(units, people, rules.members)
    elif not rules.per_batch or rules.overlap > MOST_ANSWERS:
        return None
    else:
        come = _of_fixed_batches if rules.batches == Study.Batches.FIXED else _of_crowd
        enough = min(MOST_OF_CROWD, MOST_BATCHES * rules.per_batch // rules.overlap)
        people, order = come(units.sources[:enough], rules), None
    sharing = sharing_of(people, units.systems)
    return None if sharing is None else Planned(sharing, order)


def _order_of_team(units: Units, people: Sequence[Sequence[int]], members: int) -> FirstMet | None:
    met: list[tuple[int, int, str]] = []
    for member in range(members):
        mine: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for unit, source in enumerate(units.sources):
            if member in people[unit]:
                mine[source].append((unit, units.systems[unit]))
        order = order_of_member(mine, member=member, members=members, seed=str(SEED))
        met += [(member, units.sources[unit], units.systems[unit]) for unit in order]
    return first_of(met)


def sharing_of_study(study: Study) -> Sharing | None:
    """What people of a study share: by the table of its team, or as planned by its rules."""
    if study.has_team:
        return sharing_by_table(study)
    rounds = study.rounds.select_related("study").order_by("position")
    asking = [of for of in rounds if of.counts and of.normal_per_batch and not of.shows_answers]
    if not asking:
        return None
    round_ = asking[-1]
    rules = Rules(study.batches, study.overlap, round_.normal_per_batch, round_.batch_limit)
    planned = planned_sharing(units_asked(study), rules)
    return None if planned is None else planned.sharing


def units_asked(study: Study) -> Units:
    """The normal units of the study's setting, the first MOST_UNITS of them."""
    pool = study.units.normal_pool().filter(role=Unit.Role.NORMAL)
    if study.setting:
        pool = pool.filter(subsets__name=study.setting)
    keys = list(pool.order_by("pk").values_list("pk", flat=True)[:MOST_UNITS])
    rows = study.units.filter(pk__gte=min(keys, default=0), pk__lte=max(keys, default=0))
    wanted, found = set(keys), dict[int, tuple[int, str]]()
    for key, source, system in rows.order_by().values_list("pk", "source", "items__system"):
        if key in wanted:
            found[key] = (source, "" if key in found else system or "")
    return Units([of for of, _system in found.values()], [of for _source, of in found.values()])


def _of_team(sources: Sequence[int], rules: Rules) -> Sequence[Sequence[int]]:
    units = Counter(sources)
    members = range(rules.members)
    order = sorted(units)
    Random(SEED).shuffle(order)  # noqa: S311 (an order, not a secret)
    common = dict.fromkeys(order[: rules.calibration], tuple(members))
    rest = {source: n for source, n in units.items() if source not in common}
    shares = share_out(rest, members=members, answers=rules.overlap, seed=str(SEED))
    return [(common | shares)[source] for source in sources]


@dataclass
class _Arrivals:
    """People who come one after another, and what each has so far."""

    sources: Sequence[int]
    rules: Rules
    people: list[list[int]] = field(default_factory=list)
    shared: dict[int, Counter[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.people = [[] for _ in self.sources]

    def take(self, person: int, units: Sequence[int], met: set[int]) -> None:
        """Give the units to the person."""
        own = self.shared.setdefault(person, Counter())
        for unit in units:
            own.update(self.people[unit])
            for other in self.people[unit]:
                self.shared[other][person] += 1
            self.people[unit].append(person)
            met.add(self.sources[unit])

    def has_room(self, unit: int) -> bool:
        return len(self.people[unit]) < self.rules.overlap


def _of_crowd(sources: Sequence[int], rules: Rules) -> Sequence[Sequence[int]]:
    """Who answers each unit: batches are mixed as they are for real people."""
    arrivals = _Arrivals(sources, rules)
    open_units = list(range(len(sources)))
    Random(SEED).shuffle(open_units)  # noqa: S311
    person = 0
    while open_units:
        met: set[int] = set()
        for _batch in range(rules.most):
            batch = _crowd_batch(arrivals, open_units, person, met)
            if not batch:
                break
            arrivals.take(person, batch, met)
            full = {unit for unit in batch if not arrivals.has_room(unit)}
            open_units = [unit for unit in open_units if unit not in full] if full else open_units
        person += 1
    return arrivals.people


def _crowd_batch(
    arrivals: _Arrivals, open_units: Sequence[int], person: int, met: set[int]
) -> list[int]:
    rules, sources = arrivals.rules, arrivals.sources
    n, looked_at = rules.per_batch, min(LOOKED_AT * rules.per_batch, MOST_LOOKED_AT)
    new = (unit for unit in open_units if sources[unit] not in met)
    seen = [OpenPlace(unit, sources[unit]) for unit, _n in zip(new, range(looked_at), strict=False)]
    partners = {place.key: arrivals.people[place.key] for place in seen}
    begun = {key: of for key, of in partners.items() if of}
    mine: Mapping[int, int] = arrivals.shared.get(person, Counter())
    first = mixed(seen, begun, mine, n, rules.overlap) if begun and rules.overlap > 1 else []
    batch: dict[int, int] = {}
    for unit in [*first, *(unit for unit in open_units if sources[unit] not in met)]:
        batch.setdefault(sources[unit], unit)
        if len(batch) == n:
            break
    return list(batch.values())


def _of_fixed_batches(sources: Sequence[int], rules: Rules) -> Sequence[Sequence[int]]:
    """Who answers each unit: a person takes the first batches with room and new sources."""
    arrivals = _Arrivals(sources, rules)
    order = list(enumerate(sources))
    Random(SEED).shuffle(order)  # noqa: S311
    batches = [[unit for unit, _source in of] for of in divide(iter(order), rules.per_batch)]
    person = 0
    while batches:
        met: set[int] = set()
        for _batch in range(rules.most):
            new = (of for of in batches if not met & {sources[unit] for unit in of})
            if (batch := next(new, None)) is None:
                break
            arrivals.take(person, batch, met)
            if not arrivals.has_room(batch[0]):
                batches.remove(batch)
        person += 1
    return arrivals.people
