"""How far apart the answers to each unit are, kept in the database so that lists of units can be
filtered and sorted by it.

Of people: the mean distance between two answers, over everything that is asked about the unit. Of a
judge: the distance between its answers and the consensus of people. From 0, the same, to 1, as far
apart as can be: distances are those of the facets; of numbers the standard deviation (divisor n) as
a share of the largest one that their scale allows, which of two answers is their difference as a
share of the scale.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.models import Rater, Study
from estimates.data.consensus import consensus_of, merge_outside_reference
from estimates.data.options import Options
from estimates.data.ratings import Ratings, join
from estimates.data.table import FloatArray, IntArray
from estimates.report.cache import revision_of
from estimates.report.newest import is_small, newest_ratings
from estimates.report.recount import ask_for_recount
from estimates.statistics.disagreement import disagreement
from results.models import KeptDistances, UnitDistance

BATCH = 2_000

# (unit, judge; None: the people among themselves)
Of = tuple[int, int | None]


class AnswersApart(NamedTuple):
    """People who answered, or answers of a judge, and how far apart; None where there is nothing
    to compare."""

    n: int
    distance: float | None


def distances_kept(study: Study) -> KeptDistances | None:
    """As of when the stored distances are; None where they were never computed. Of a small study
    they are brought up to date, of a large one that is left to a worker."""
    kept = KeptDistances.objects.filter(study=study).first()
    if kept is not None and kept.revision == revision_of(study):
        return kept
    if is_small(study):
        keep_distances(study=study)
        return KeptDistances.objects.filter(study=study).first()
    ask_for_recount(study=study)
    return kept


def keep_distances(*, study: Study, **_signal: object) -> bool:
    """Store the distances of all units as they are now; only rows that differ are written. False
    where the ratings of a large study have not been counted yet."""
    computed = _compute(study)
    if computed is None:
        return False
    revision, fresh = computed
    with transaction.atomic():
        KeptDistances.objects.get_or_create(study=study)
        kept = KeptDistances.objects.select_for_update().get(study=study)
        if kept.revision is None or kept.revision < revision:
            _write(study, fresh)
            kept.revision, kept.kept_at = revision, timezone.now()
            kept.save()
    return True


def _compute(study: Study) -> tuple[int, dict[Of, AnswersApart]] | None:
    raters = list(study.raters.values_list("pk", "kind"))
    people = frozenset(pk for pk, kind in raters if kind == Rater.Kind.HUMAN)
    judges = [pk for pk, kind in raters if kind == Rater.Kind.JUDGE]
    revision, parts = revision_of(study), dict[int | None, list[_Part]]()
    for facet in (facet for block in study.blocks.all() for facet in block.facets):
        newest = newest_ratings(study, facet)
        if newest is None:
            return None
        revision = min(revision, newest.revision)
        for of, part in _parts(newest.ratings, people, judges):
            parts.setdefault(of, []).append(part)
    return revision, {
        (unit, of): apart for of, some in parts.items() for unit, apart in _by_unit(some)
    }


class _Part(NamedTuple):
    """What one facet adds. unit, rater: of each answer; place_unit, apart: of each place where
    there is something to compare. Ids of the database."""

    unit: IntArray
    rater: IntArray
    place_unit: IntArray
    apart: FloatArray


def _parts(
    ratings: Ratings, people: frozenset[int], judges: Sequence[int]
) -> Iterator[tuple[int | None, _Part]]:
    crowd = ratings.by(people).once()
    yield None, _part(crowd, crowd)
    if ratings.facet.own_scale or not len(crowd):
        return
    folded = merge_outside_reference(ratings)
    rule = Options().consensus_for(ratings.facet.kind)
    agreed = consensus_of(folded.by(people).once(), rule)
    for judge in judges:
        theirs = folded.by({judge}).once()
        if len(theirs):
            yield judge, _part(theirs, join(agreed, theirs))


def _part(answers: Ratings, compared: Ratings) -> _Part:
    ids = np.array(answers.material.unit_ids, dtype=np.int64)
    places, apart = disagreement(compared)
    every, first = np.unique(compared.place, return_index=True)
    units = compared.unit[first[np.searchsorted(every, places)]]
    if answers.facet.kind == "number":
        apart = apart / _most(compared)
    return _Part(ids[answers.unit], answers.rater, ids[units], apart)


def _most(ratings: Ratings) -> float:
    """The largest standard deviation that numbers of the facet can have: half of its scale, or of
    what occurs where the scale is not known."""
    if not len(ratings):
        return 1.0
    low, high = ratings.facet.ends or (ratings.number.min(), ratings.number.max())
    return float(high - low) / 2 or 1.0


def _by_unit(parts: Sequence[_Part]) -> Iterator[tuple[int, AnswersApart]]:
    units, raters = (np.concatenate(column) for column in list(zip(*parts, strict=True))[:2])
    pairs = np.unique(np.stack([units, raters]), axis=1)
    ids, counts = np.unique(pairs[0], return_counts=True)
    placed = np.concatenate([part.place_unit for part in parts])
    apart = np.concatenate([part.apart for part in parts])
    at = np.searchsorted(ids, placed)
    sums, sizes = np.zeros(len(ids)), np.zeros(len(ids))
    np.add.at(sums, at, apart)
    np.add.at(sizes, at, 1)
    for unit, n, total, size in zip(
        ids.tolist(), counts.tolist(), sums.tolist(), sizes.tolist(), strict=True
    ):
        yield unit, AnswersApart(n, round(total / size, 6) if size else None)


def _write(study: Study, fresh: dict[Of, AnswersApart]) -> None:
    stored = UnitDistance.objects.filter(study=study)
    gone, changed = [], []
    for row in stored.iterator(chunk_size=BATCH):
        now = fresh.pop((row.unit_id, row.rater_id), None)
        if now is None:
            gone.append(row.pk)
        elif now != (row.n, row.distance):
            row.n, row.distance = now
            changed.append(row)
    for at in range(0, len(gone), BATCH):
        stored.filter(pk__in=gone[at : at + BATCH]).delete()
    UnitDistance.objects.bulk_update(changed, ["n", "distance"], batch_size=500)
    rows = (
        UnitDistance(study=study, unit_id=unit, rater_id=rater, n=n, distance=distance)
        for (unit, rater), (n, distance) in fresh.items()
    )
    while batch := list(islice(rows, BATCH)):
        UnitDistance.objects.bulk_create(batch)
