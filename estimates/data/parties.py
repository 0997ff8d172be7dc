"""The parties of a report's rows: all people, the simulated raters, one rater, or a pair."""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from annotation import rater_names
from estimates.data.raters import RaterKind, RaterOrigin, RaterRecord

HUMANS, SIMULATED = rater_names.HUMANS, rater_names.SIMULATED
# More single raters, or pairs of them, would make a report too long to read.
MOST_SINGLE = 100
MOST_PAIRED = 20
_VERSION = re.compile(r"@[0-9]+$")


@dataclass(frozen=True)
class Party:
    """One or several raters under the name that a report gives them; family: of its model.
    older: a judge of which there is a newer version. numbered: a crowd with numbers for people."""

    name: str
    raters: frozenset[int]
    kind: str
    several: bool = False
    family: str = ""
    older: bool = False
    numbered: bool = False

    @property
    def may_be_drawn(self) -> bool:
        """Whether intervals may take its raters as drawn from others like them."""
        return self.several and not self.numbered

    @property
    def missing_reason(self) -> str:
        """The reason given where it has no answers."""
        spoken = {HUMANS: "human answers", SIMULATED: "simulated answers"}
        return f"no {spoken.get(self.name, f'answers of {self.name}')}"


@dataclass(frozen=True)
class Pair:
    """Two parties to be compared with each other."""

    first: Party
    second: Party

    @property
    def name(self) -> str:
        return f"{self.first.name}{rater_names.BETWEEN}{self.second.name}"


@dataclass(frozen=True)
class Parties:
    """All raters with answers. `versions`: which one the plain name of a judge stands for."""

    crowds: tuple[Party, ...]
    judges: tuple[Party, ...]
    singles: tuple[Party, ...]
    pairs: tuple[Pair, ...]
    versions: dict[str, int]

    @property
    def groups(self) -> tuple[Party, ...]:
        """The parties whose figures are also given for parts of the study."""
        return (*self.crowds, *self.judges)

    def are_numbered(self, raters: str) -> bool:
        """Whether the people of a row are numbers: of a crowd, or of one beside a judge."""
        crowd = raters.partition(rater_names.BETWEEN)[0]
        return any(party.numbered for party in self.crowds if party.name == crowd)


def divide(raters: Sequence[RaterRecord]) -> Parties:
    """People and simulated raters as crowds, judges by version, and who is paired with whom.

    People are always among them, so that reports show when nobody has answered yet. Numbers within
    a unit are in crowds alone.
    """
    of_kind = {kind: [rater for rater in raters if rater.kind == kind] for kind in RaterKind}
    crowds = [_crowd(HUMANS, RaterKind.HUMAN, of_kind[RaterKind.HUMAN])]
    if of_kind[RaterKind.SIMULATED]:
        crowds.append(_crowd(SIMULATED, RaterKind.SIMULATED, of_kind[RaterKind.SIMULATED]))
    judges, versions = _judges(of_kind[RaterKind.JUDGE])
    people = [*of_kind[RaterKind.HUMAN], *of_kind[RaterKind.SIMULATED]]
    people = [person for person in people if not person.numbered]
    singles = [_single(rater) for rater in people] if len(people) <= MOST_SINGLE else []
    with_crowd = [Pair(crowd, judge) for crowd in crowds for judge in judges]
    return Parties(
        tuple(crowds),
        tuple(judges),
        tuple(singles),
        (*with_crowd, *_named_pairs(people, judges)),
        versions,
    )


def _crowd(name: str, kind: str, raters: Sequence[RaterRecord]) -> Party:
    numbered = any(rater.numbered for rater in raters)
    return Party(
        name, frozenset(rater.pk for rater in raters), kind, several=True, numbered=numbered
    )


def _single(rater: RaterRecord, name: str = "") -> Party:
    return Party(name or rater.name, frozenset([rater.pk]), rater.kind, family=rater.family)


def names_by_version(
    reported: Sequence[RaterRecord], raters: Sequence[RaterRecord]
) -> dict[int, str]:
    """Rater id -> name: the newest version of those reported by its plain name, the others by
    theirs."""
    newest: dict[str, int] = {}
    for some in (reported, raters):  # of a judge without answers that count the newest there is
        latest: dict[str, int] = {}
        for rater in some:
            latest[rater.name] = max(rater.version, latest.get(rater.name, rater.version))
        newest = latest | newest
    return {
        rater.pk: rater.name
        if rater.version == newest[rater.name]
        else f"{rater.name}@{rater.version}"
        for rater in raters
    }


def judge_in(name: str, judges: Container[str]) -> str:
    """Which of the judges (by their plain names) a name in a report stands for, in its newest
    version or an older one; empty for none. A plain name may itself end in `@` and digits."""
    if name in judges:
        return name
    plain = _VERSION.sub("", name)
    return plain if plain in judges else ""


def _judges(raters: Sequence[RaterRecord]) -> tuple[list[Party], dict[str, int]]:
    names = names_by_version(raters, raters)
    parties = [
        replace(_single(rater, names[rater.pk]), older=names[rater.pk] != rater.name)
        for rater in raters
    ]
    parties.sort(key=lambda party: (party.older, party.name))
    return parties, {r.name: r.version for r in raters if names[r.pk] == r.name}


def _named_pairs(people: Sequence[RaterRecord], judges: Sequence[Party]) -> tuple[Pair, ...]:
    """All pairs of imported people and judges but baselines: published studies compare them by
    name."""
    imported = [
        _single(person)
        for person in people
        if person.kind == RaterKind.HUMAN and person.origin == RaterOrigin.IMPORTED
    ]
    own = [judge for judge in judges if not rater_names.is_baseline(judge.name)]
    named = sorted([*imported, *own], key=lambda party: party.name)
    if len(named) > MOST_PAIRED:
        return ()
    return tuple(Pair(first, second) for first, second in combinations(named, 2))
