"""A judge's decisions beside the people's: both as labels, unit by unit."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from estimates.data.consensus import consensus_of
from estimates.data.groups import SYSTEM
from estimates.data.ratings import Ratings
from estimates.data.table import BoolArray, FloatArray, IntArray, Material
from estimates.scorecard.comparable import comparable
from estimates.scorecard.labels import Labels, cells, counts_of_sets, labels_of, nearest
from estimates.statistics.statistic import Sample, Scope


@dataclass(frozen=True, eq=False)
class Decisions:
    """N entries, parallel: what the judge decided beside the people's consensus.

    people, judge: codes of labels; people is -1 where nobody answered. weight: how many decisions
    the entry stands for.
    """

    source: IntArray
    item: IntArray
    people: IntArray
    judge: IntArray
    weight: FloatArray

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, chosen: BoolArray) -> "Decisions":
        """Some of the entries."""
        columns: dict[str, Any] = {name: column[chosen] for name, column in vars(self).items()}
        return replace(self, **columns)

    @property
    def shared(self) -> "Decisions":
        """The entries that people decided as well."""
        return self.take(self.people >= 0)

    @property
    def alone(self) -> "Decisions":
        """The entries that the judge alone decided."""
        return self.take(self.people < 0)


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgeDecisions(Sample):
    """The decisions of a judge beside a crowd of `n_people`. older: there is a newer version of
    the judge."""

    labels: Labels
    decisions: Decisions
    material: Material
    n_people: int
    older: bool

    def __len__(self) -> int:
        return len(self.decisions)

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        """The whole, then by system; of an older judge the whole alone."""
        yield self
        column = self.material.item_names[SYSTEM]
        by_system = SYSTEM in keys and not self.older
        for name in sorted(filter(None, column.names)) if by_system else ():
            chosen = column.equal(name, self.decisions.item)
            if chosen.any():
                yield replace(self, decisions=self.decisions.take(chosen), group={SYSTEM: name})


def judged(scope: Scope) -> Iterator[JudgeDecisions]:
    """Every judge beside each crowd, where answers are labels, points, sets or orders."""
    ratings = comparable(scope.ratings)
    for crowd in scope.parties.crowds if ratings is not None else ():
        assert ratings is not None
        people = ratings.by(crowd.raters).once()
        labels = labels_of(ratings, people) if len(people) else None
        if labels is None:
            continue
        consensus = scope.options.consensus_for(ratings.facet.kind)
        united = consensus_of(people, consensus)
        for pair in scope.parties.pairs:
            judge = ratings.by(pair.second.raters).once()
            # What people answered without agreeing is neither theirs nor the judge's alone.
            disputed = np.isin(judge.place, people.place) & ~np.isin(judge.place, united.place)
            judge = judge.take(~disputed)
            if pair.first is crowd and np.isin(judge.place, united.place).any():
                yield JudgeDecisions(
                    scope=scope,
                    raters=pair.name,
                    facet=scope.facet,
                    consensus=consensus,
                    labels=labels,
                    decisions=_decisions(scope, labels, united, judge),
                    material=ratings.material,
                    n_people=len(np.unique(people.rater)),
                    older=pair.second.older,
                )


def _decisions(scope: Scope, labels: Labels, people: Ratings, judge: Ratings) -> Decisions:
    at = np.full(len(judge), -1, dtype=np.int64)
    _, mine, theirs = np.intersect1d(judge.place, people.place, return_indices=True)
    at[mine] = theirs
    if labels.of_sets:
        return _of_sets(scope, people, judge, at)
    shared, alone = at >= 0, at < 0
    both = nearest(labels, people.take(at[shared])), nearest(labels, judge.take(shared))
    unit, first, second, weight = cells(*both, len(labels.names))
    answers = nearest(labels, judge.take(alone))
    unit_alone, _, judged_alone, weight_alone = cells(answers, answers, len(labels.names))
    row = np.concatenate([np.flatnonzero(shared)[unit], np.flatnonzero(alone)[unit_alone]])
    return Decisions(
        source=judge.source[row],
        item=judge.item[row],
        people=np.concatenate([first, np.full(len(unit_alone), -1, dtype=np.int64)]),
        judge=np.concatenate([second, judged_alone]),
        weight=np.concatenate([weight, weight_alone]),
    )


def _of_sets(scope: Scope, people: Ratings, judge: Ratings, at: IntArray) -> Decisions:
    """A decision for each part of a unit that could be chosen."""
    sizes = scope.data.set_sizes.get(scope.block.pk, {})
    theirs, its = _sets(people), _sets(judge)
    known = np.flatnonzero(np.isin(judge.unit, list(sizes)))
    counts = counts_of_sets(
        [theirs[row] if row >= 0 else None for row in at[known].tolist()],
        [its[row] for row in known.tolist()],
        [sizes[unit] for unit in judge.unit[known].tolist()],
    )
    columns = [_cell(judge, known, key, count) for key, count in counts.items()]
    together = {name: np.concatenate([c[name] for c in columns]) for name in columns[0]}
    return Decisions(**together)


def _sets(ratings: Ratings) -> list[frozenset[object]]:
    domain: Any = ratings.domain
    return [domain[code] for code in ratings.code.tolist()]


def _cell(
    judge: Ratings, known: IntArray, key: tuple[int, int], count: FloatArray
) -> Mapping[str, Any]:
    used = np.flatnonzero(count > 0)
    rows = known[used]
    return {
        "source": judge.source[rows],
        "item": judge.item[rows],
        "people": np.full(len(rows), key[0], dtype=np.int64),
        "judge": np.full(len(rows), key[1], dtype=np.int64),
        "weight": count[used],
    }
