"""The units behind a number, those with most disagreement first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self, overload

import numpy as np

from annotation.models import Study, Unit
from results.data.consensus import fold, unite
from results.data.database import DatabaseRecords
from results.data.facts.controls import ControlAnswer, check_controls
from results.data.groups import belonging
from results.data.options import Options
from results.data.parties import Parties, Party, divide
from results.data.ratings import Ratings, join
from results.data.table import FloatArray, IntArray
from results.metrics.averages import scores
from results.metrics.catalogue import F1
from results.report.cache import revision_of
from results.report.newest import narrow_ratings, newest_ratings
from results.units.disagreement import disagreement, distance_to_others

PAGE = 50


class UnknownParty(LookupError):
    """Nobody of that name has answers in the study."""


@dataclass(frozen=True)
class UnitLine:
    """One unit of the list; unknown values are None."""

    unit_id: int
    answers: int
    disagreement: float | None = None
    f1: float | None = None
    mean: float | None = None
    right: float | None = None
    key: str = ""
    system: str = ""
    claim: str = ""


@dataclass(frozen=True, eq=False)
class UnitLines(Sequence[UnitLine]):
    """The lines of all units in their order. One comes to be when it is asked for: a page shows
    fifty of a hundred thousand.

    Arrays have one entry per unit, NaN where something is not known.
    """

    unit_id: IntArray
    answers: IntArray
    disagreement: FloatArray
    f1: FloatArray
    mean: FloatArray

    @classmethod
    def of(cls, ratings: Ratings, places: IntArray, apart: FloatArray) -> Self:
        """Most disagreed first; where there is none to speak of, by the lowest F1.

        ratings: what entered the number. places, apart: how far the answers are from each other
        at some of their places, in ascending order of these.
        """
        units, which = np.unique(ratings.unit, return_inverse=True)
        all_places, first = np.unique(ratings.place, return_index=True)
        of_place = np.full(len(all_places), np.nan)
        of_place[np.searchsorted(all_places, places)] = apart
        disagreement = _means(of_place, which[first], len(units))
        f1 = _of_units(ratings, "set", which, len(units))
        unit_ids = np.array(ratings.material.unit_ids, dtype=np.int64)[units]
        order = np.lexsort((unit_ids, np.nan_to_num(f1), -np.nan_to_num(disagreement)))
        return cls(
            unit_id=unit_ids[order],
            answers=np.bincount(which, minlength=len(units))[order],
            disagreement=disagreement[order],
            f1=f1[order],
            mean=_of_units(ratings, "number", which, len(units))[order],
        )

    def __len__(self) -> int:
        return len(self.unit_id)

    @overload
    def __getitem__(self, at: int) -> UnitLine: ...
    @overload
    def __getitem__(self, at: slice) -> list[UnitLine]: ...
    def __getitem__(self, at: int | slice) -> UnitLine | list[UnitLine]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(len(self)))]
        return UnitLine(
            unit_id=int(self.unit_id[at]),
            answers=int(self.answers[at]),
            disagreement=_number(self.disagreement[at]),
            f1=_number(self.f1[at]),
            mean=_number(self.mean[at]),
        )


@dataclass(frozen=True)
class Found:
    """The units behind a number, as of a revision. counted_at: None for just now; outdated: what
    is counted has changed since."""

    lines: Sequence[UnitLine]
    revision: int
    counted_at: datetime | None = None
    outdated: bool = False


@dataclass(frozen=True)
class Behind:
    """Which number the units are wanted for; `controls`: control accuracy."""

    facet: str
    raters: str
    group: Mapping[str, str] = field(default_factory=dict)
    controls: bool = False


def units_behind(study: Study, behind: Behind, options: Options) -> Found | None:
    """All units that entered a number, most disagreed first; None where the study is so large
    that its ratings are still being counted for the first time.

    UnknownParty where nobody of that name has answers; KeyError for an unknown facet.
    """
    facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
    newest = newest_ratings(study, facets[behind.facet])
    if newest is None:
        return None
    ratings = narrow_ratings(study, newest.ratings, options)
    active = np.unique(ratings.rater).tolist()
    parties = divide(list(study.raters.filter(pk__in=active).order_by("kind", "name", "version")))
    first, second = _find(parties, behind.raters)
    ratings = ratings.take(belonging(ratings, behind.group))
    if second is None:
        ratings, apart = _alone(ratings, first, parties)
    else:
        ratings = _shared(ratings, first, second)
        apart = _between(ratings, first, second, options)
    lines = UnitLines.of(ratings, *apart)
    return Found(lines, newest.revision, newest.counted_at, newest.outdated)


def control_units(study: Study, behind: Behind, options: Options) -> Found:
    """All control units that a party answered, those with most wrong answers first.

    UnknownParty and KeyError as for `units_behind`.
    """
    blocks = list(study.blocks.all())
    if all(facet.name != behind.facet for block in blocks for facet in block.facets):
        raise KeyError(behind.facet)
    block_ids = {block.pk for block in blocks if block.facets[0].name == behind.facet}
    revision = revision_of(study)
    checked = check_controls(DatabaseRecords(study, excluded=options.excluded), blocks)
    answers = [answer for answer in checked if _in_round(answer, behind.group)]
    active = {answer.rater for answer in answers}
    parties = divide([rater for rater in study.raters.all() if rater.pk in active])
    first, _ = _find(parties, behind.raters)
    right: dict[int, list[bool]] = {}
    for answer in answers:
        if answer.rater in first.raters and answer.block in block_ids:
            right.setdefault(answer.unit, []).append(answer.right)
    lines = [
        UnitLine(unit_id=unit, answers=len(each), right=sum(each) / len(each))
        for unit, each in right.items()
    ]
    lines.sort(key=lambda line: (line.right or 0.0, line.unit_id))
    return Found(lines, revision)


def _in_round(answer: ControlAnswer, group: Mapping[str, str]) -> bool:
    return answer.round == group["round"] if "round" in group else answer.counts


def with_texts(lines: Sequence[UnitLine]) -> list[UnitLine]:
    """The lines of one page with the keys and texts of their units; two queries."""
    units = (
        Unit.objects.filter(pk__in=[line.unit_id for line in lines])
        .select_related("source")
        .prefetch_related("items")
        .defer("source__passages", "source__document")
    )
    by_id = {unit.pk: unit for unit in units}
    return [_named(line, by_id[line.unit_id]) for line in lines]


def _named(line: UnitLine, unit: Unit) -> UnitLine:
    values = {name: value for name, value in vars(line).items() if name not in TEXTS}
    systems = ", ".join(item.system for item in unit.items.all() if item.system)
    about = unit.source.claim or unit.source.query
    return UnitLine(**values, key=unit.key, system=systems, claim=about)


TEXTS = ("key", "system", "claim")


def _find(parties: Parties, name: str) -> tuple[Party, Party | None]:
    """The party or the pair of that name; a full name `judge@2` stands for its version too."""
    party_of = {party.name: party for party in (*parties.groups, *parties.singles)}
    for judge, version in parties.versions.items():
        party_of.setdefault(f"{judge}@{version}", party_of[judge])
    if name in party_of:
        return party_of[name], None
    first, tilde, second = name.partition("~")
    if not tilde or first not in party_of or second not in party_of:
        raise UnknownParty(name)
    return party_of[first], party_of[second]


def _alone(
    ratings: Ratings, first: Party, parties: Parties
) -> tuple[Ratings, tuple[IntArray, FloatArray]]:
    """What one party answered, and how far it is from itself; of one person, from the others."""
    theirs = ratings.by(first.raters)
    crowd = next((party for party in parties.crowds if first.raters < party.raters), None)
    if crowd is None:
        return theirs, disagreement(theirs.once())
    others = ratings.by(crowd.raters - first.raters).once()
    return theirs, distance_to_others(theirs.once(), others)


def _shared(ratings: Ratings, first: Party, second: Party) -> Ratings:
    """Only places that both have answered."""
    mine, theirs = (ratings.by(party.raters) for party in (first, second))
    shared = np.intersect1d(mine.place, theirs.place)
    both = ratings.by(first.raters | second.raters)
    return both.take(np.isin(both.place, shared))


def _between(
    ratings: Ratings, first: Party, second: Party, options: Options
) -> tuple[IntArray, FloatArray]:
    """Places and the distance between two parties there, each as it enters agreement."""
    folded = fold(ratings, none_apart=options.none_apart) if first.several else ratings
    mine, theirs = folded.by(first.raters).once(), folded.by(second.raters).once()
    if first.several and len(mine):
        mine = unite(mine, options.consensus_for(ratings.facet.kind))
    return disagreement(join(mine, theirs))


def _of_units(ratings: Ratings, kind: str, which: IntArray, n_units: int) -> FloatArray:
    """F1 (sets) or mean (numbers) of each unit; NaN for the other kind."""
    if ratings.facet.kind != kind:
        return np.full(n_units, np.nan)
    values = scores(ratings)[F1] if kind == "set" else ratings.number
    return _means(values, which, n_units)


def _means(values: FloatArray, which: IntArray, n_units: int) -> FloatArray:
    """Means by unit of what is known, NaN where nothing is."""
    present = ~np.isnan(values)
    sums = np.bincount(which[present], weights=values[present], minlength=n_units)
    counts = np.bincount(which[present], minlength=n_units)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
