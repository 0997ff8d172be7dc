"""The units behind a number, those with most disagreement first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from annotation.models import Study, Unit
from annotation.rater_names import BETWEEN
from estimates.data.consensus import consensus_of, merge_outside_reference
from estimates.data.database import DatabaseRecords, block_records, rater_records
from estimates.data.facts.controls import ControlAnswer, check_controls
from estimates.data.groups import belonging
from estimates.data.options import Options
from estimates.data.parties import Parties, Party, divide
from estimates.data.ratings import Ratings, join
from estimates.data.table import FloatArray, IntArray
from estimates.report.cache import revision_of
from estimates.report.newest import narrow_ratings, newest_ratings
from estimates.statistics.disagreement import disagreement, distance_to_others
from results.units.across import lines_across, scores_elsewhere
from results.units.lines import UnitLine, UnitLines
from tasktypes.facets import Facet

PAGE = 50


class UnknownParty(LookupError):
    """Nobody of that name has answers in the study."""


@dataclass(frozen=True)
class Found:
    """The units behind a number, as of a revision. counted_at: None for just now; outdated: what
    is counted has changed since. across: two facets are compared, so disagreement is the distance
    between ranks."""

    lines: Sequence[UnitLine]
    revision: int
    counted_at: datetime | None = None
    outdated: bool = False
    across: bool = False


@dataclass(frozen=True)
class Behind:
    """Which number the units are wanted for; `controls`: control accuracy. score_facet: where a
    judge's numbers are, if a pair is compared over two facets."""

    facet: str
    raters: str
    group: Mapping[str, str] = field(default_factory=dict)
    controls: bool = False
    score_facet: str = ""


def units_behind(study: Study, behind: Behind, options: Options) -> Found | None:
    """All units that entered a number, most disagreed first; None where the study is so large
    that its ratings are still being counted for the first time.

    UnknownParty where nobody of that name has answers; KeyError for an unknown facet.
    """
    facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
    newest = newest_ratings(study, facets[behind.facet])
    others = [newest_ratings(study, facet) for facet in _compared(facets, behind)]
    if newest is None or None in others:
        return None
    ratings = narrow_ratings(study, newest.ratings, options)
    scores = [narrow_ratings(study, of.ratings, options) for of in others if of is not None]
    active = np.unique(np.concatenate([of.rater for of in (ratings, *scores)])).tolist()
    parties = divide(rater_records(study, pk__in=active))
    first, second = _find(parties, behind.raters)
    ratings = ratings.take(belonging(ratings, behind.group))
    elsewhere = second and scores_elsewhere(ratings, scores, second, behind.score_facet)
    if elsewhere:
        lines = lines_across(ratings.by(first.raters).once(), elsewhere)
    elif second is None:
        ratings, apart = _alone(ratings, first, parties)
        lines = UnitLines.of(ratings, *apart)
    else:
        ratings = _shared(ratings, first, second)
        lines = UnitLines.of(ratings, *_between(ratings, first, second, options))
    return Found(lines, newest.revision, newest.counted_at, newest.outdated, bool(elsewhere))


def _compared(facets: Mapping[str, Facet], behind: Behind) -> list[Facet]:
    """The facets in which the second of a pair may have its numbers."""
    wanted = {behind.score_facet} if behind.score_facet else facets.keys()
    if BETWEEN not in behind.raters:
        return []
    return [
        facet
        for facet in facets.values()
        if facet.name in wanted and behind.facet in facet.compared_with
    ]


def control_units(study: Study, behind: Behind, options: Options) -> Found:
    """All control units that a party answered, those with most wrong answers first.

    UnknownParty and KeyError as for `units_behind`.
    """
    blocks = block_records(study)
    if all(facet.name != behind.facet for block in blocks for facet in block.facets):
        raise KeyError(behind.facet)
    block_ids = {block.pk for block in blocks if block.facets[0].name == behind.facet}
    revision = revision_of(study)
    checked = check_controls(DatabaseRecords(study, excluded=options.excluded), blocks)
    answers = [answer for answer in checked if _in_round(answer, behind.group)]
    active = {answer.rater for answer in answers}
    parties = divide(rater_records(study, pk__in=active))
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
    folded = (
        merge_outside_reference(ratings, none_apart=options.none_apart)
        if first.several
        else ratings
    )
    mine, theirs = folded.by(first.raters).once(), folded.by(second.raters).once()
    if first.several and len(mine):
        mine = consensus_of(mine, options.consensus_for(ratings.facet.kind))
    return disagreement(join(mine, theirs))
