"""The units behind a number: who answered what there, most disagreed first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from agreement import DISTANCES
from annotation.models import Study, Unit
from results.agreeing import fold, unite
from results.averaging import scores
from results.controls import ControlAnswer, control_answers
from results.groups import belonging
from results.options import Options
from results.parties import Parties, Party, divide
from results.ratings import Ratings, join, ratings_of
from results.table import FloatArray, IntArray, load_table

PAGE = 50


class UnknownParty(LookupError):
    """Nobody of that name has answers in the study."""


@dataclass(frozen=True)
class UnitLine:
    """One unit of the list. What is not known of it is None."""

    unit_id: int
    answers: int
    disagreement: float | None = None
    f1: float | None = None
    mean: float | None = None
    right: float | None = None
    key: str = ""
    system: str = ""
    claim: str = ""


@dataclass(frozen=True)
class Behind:
    """Which number the units are wanted for; `controls`: control accuracy."""

    facet: str
    raters: str
    group: Mapping[str, str] = field(default_factory=dict)
    controls: bool = False


def units_behind(study: Study, behind: Behind, options: Options) -> list[UnitLine]:
    """All units that entered a number, most disagreed first.

    UnknownParty where nobody of that name has answers; KeyError for an unknown facet.
    """
    table = load_table(study, facet=behind.facet)
    active = set(np.unique(table.rater).tolist())
    parties = divide([rater for rater in table.raters if rater.pk in active])
    first, second = _find(parties, behind.raters)
    ratings = ratings_of(table, behind.facet)
    ratings = ratings.take(belonging(ratings, behind.group))
    if second is None:
        ratings = ratings.by(first.raters)
        apart = _within(ratings.once())
    else:
        ratings = _shared(ratings, first, second)
        apart = _between(ratings, first, second, options)
    return sorted(_lines(ratings, apart), key=_most_disagreed)


def control_units(study: Study, behind: Behind, options: Options) -> list[UnitLine]:
    """All control units that a party answered, those with most wrong answers first."""
    answers = [one for one in control_answers(study) if _in_round(one, behind.group)]
    active = {answer.rater for answer in answers}
    parties = divide([rater for rater in study.raters.all() if rater.pk in active])
    first, _ = _find(parties, behind.raters)
    blocks = {block.pk for block in study.blocks.all() if block.facets[0].name == behind.facet}
    right: dict[int, list[bool]] = {}
    for answer in answers:
        if answer.rater in first.raters and answer.block in blocks:
            right.setdefault(answer.unit, []).append(answer.right)
    lines = [
        UnitLine(unit_id=unit, answers=len(given), right=sum(given) / len(given))
        for unit, given in right.items()
    ]
    return sorted(lines, key=lambda line: (line.right or 0.0, line.unit_id))


def _in_round(answer: ControlAnswer, group: Mapping[str, str]) -> bool:
    return answer.round == group["round"] if "round" in group else answer.counts


def with_texts(lines: Sequence[UnitLine]) -> list[UnitLine]:
    """The lines of one page with what people know the units by; two queries."""
    units = (
        Unit.objects.filter(pk__in=[line.unit_id for line in lines])
        .select_related("source")
        .prefetch_related("items")
        .defer("source__passages", "source__document")
    )
    by_id = {unit.pk: unit for unit in units}
    return [_named(line, by_id[line.unit_id]) for line in lines]


def _named(line: UnitLine, unit: Unit) -> UnitLine:
    known = {name: value for name, value in vars(line).items() if name not in TEXTS}
    systems = ", ".join(item.system for item in unit.items.all() if item.system)
    about = unit.source.claim or unit.source.query
    return UnitLine(**known, key=unit.key, system=systems, claim=about)


TEXTS = ("key", "system", "claim")


def _find(parties: Parties, name: str) -> tuple[Party, Party | None]:
    """The party or the pair of that name; a full name `judge@2` stands for its version too."""
    known = {party.name: party for party in (*parties.groups, *parties.singles)}
    for judge, version in parties.versions.items():
        known.setdefault(f"{judge}@{version}", known[judge])
    if name in known:
        return known[name], None
    first, tilde, second = name.partition("~")
    if not tilde or first not in known or second not in known:
        raise UnknownParty(name)
    return known[first], known[second]


def _shared(ratings: Ratings, first: Party, second: Party) -> Ratings:
    """Only places that both have answered."""
    one, other = (ratings.by(party.raters) for party in (first, second))
    shared = np.intersect1d(one.place, other.place)
    both = ratings.by(first.raters | second.raters)
    return both.take(np.isin(both.place, shared))


def _between(ratings: Ratings, first: Party, second: Party, options: Options) -> dict[int, float]:
    """Place -> distance between two parties, each as it enters agreement."""
    folded = fold(ratings) if first.several else ratings
    mine, theirs = folded.by(first.raters).once(), folded.by(second.raters).once()
    if first.several and len(mine):
        mine = unite(mine, options.consensus_for(ratings.facet.kind))
    return _within(join(mine, theirs))


def _within(ratings: Ratings) -> dict[int, float]:
    """Place -> mean distance between the answers there; places with one answer are left out.
    Numbers: their standard deviation, which is in their own unit."""
    ordered = ratings.take(np.argsort(ratings.place, kind="stable"))
    starts = np.flatnonzero(np.diff(ordered.place, prepend=-1))
    places = ordered.place[starts].tolist()
    if ratings.facet.kind == "number":
        groups = np.split(ordered.number, starts[1:])
        return {
            place: float(group.std())
            for place, group in zip(places, groups, strict=True)
            if len(group) > 1
        }
    known: dict[tuple[int, ...], float] = {}
    apart = {}
    for place, codes in zip(places, np.split(ordered.code, starts[1:]), strict=True):
        key = tuple(sorted(codes.tolist()))
        if len(key) > 1:
            if key not in known:
                known[key] = _mean_distance(ordered, key)
            apart[place] = known[key]
    return apart


def _mean_distance(ratings: Ratings, codes: Sequence[int]) -> float:
    distance = DISTANCES[ratings.facet.distance]
    pairs = [
        distance(ratings.domain[one], ratings.domain[other])
        for at, one in enumerate(codes)
        for other in codes[at + 1 :]
    ]
    return sum(pairs) / len(pairs)


def _lines(ratings: Ratings, apart: Mapping[int, float]) -> Iterator[UnitLine]:
    if not len(ratings):
        return
    units, which = np.unique(ratings.unit, return_inverse=True)
    places, first = np.unique(ratings.place, return_index=True)
    known = np.array([apart.get(place, np.nan) for place in places.tolist()])
    disagreement = _means(known, np.searchsorted(units, ratings.unit[first]), len(units))
    f1 = _of_units(ratings, "set", which, len(units))
    mean = _of_units(ratings, "number", which, len(units))
    answers = np.bincount(which)
    for at, unit in enumerate(units.tolist()):
        yield UnitLine(
            unit_id=ratings.material.unit_ids[unit],
            answers=int(answers[at]),
            disagreement=_number(disagreement[at]),
            f1=_number(f1[at]),
            mean=_number(mean[at]),
        )


def _of_units(ratings: Ratings, kind: str, which: IntArray, n_units: int) -> FloatArray:
    """F1 (sets) or mean (numbers) of each unit; NaN for the other kind."""
    if ratings.facet.kind != kind:
        return np.full(n_units, np.nan)
    values = scores(ratings)["f1"] if kind == "set" else ratings.number
    return _means(values, which, n_units)


def _means(values: FloatArray, which: IntArray, n_units: int) -> FloatArray:
    """Means by unit of what is known, NaN where nothing is."""
    present = ~np.isnan(values)
    sums = np.bincount(which[present], weights=values[present], minlength=n_units)
    counts = np.bincount(which[present], minlength=n_units)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _most_disagreed(line: UnitLine) -> tuple[float, float, int]:
    """By disagreement; where there is none to speak of, by the lowest F1."""
    apart = -line.disagreement if line.disagreement is not None else 0.0
    return apart, line.f1 if line.f1 is not None else 0.0, line.unit_id
