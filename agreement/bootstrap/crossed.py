"""Ratings weighted by draws of clusters and raters: the counts of r resamples at once.

A resample of raters holds copies of some of them, and a copy always agrees with its original. So
pairs of copies are left out: a unit's pairs are those of different raters, r and s, and count
v_r v_s times, v the number of times that each was drawn. With S_c = sum of v_r over the raters who
gave value c, M = sum_c S_c and P = M^2 - sum_r v_r^2 the number of pairs of different raters,
sum over pairs of v_r v_s d = sum_ck S_c S_k d_ck: two copies of one rater gave one value, so they
add no distance, and only the number of pairs has to leave them out. That is what keeps the work
for a resample linear in the ratings.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..values.coding import FloatArray, IntArray
from ..values.ratings import UnitCounts
from .resampling import Draws


class CrossedUnits:
    """A table of ratings made ready to be drawn from."""

    def __init__(self, counts: UnitCounts) -> None:
        self.counts = counts
        self.rater = counts.rater[np.argsort(counts.of_rating, kind="stable")]
        sizes = counts.count.astype(np.int64)
        self.entry_starts = np.cumsum(sizes) - sizes
        self.unit_starts = np.flatnonzero(np.diff(counts.unit, prepend=-1))
        self.by_code = np.argsort(counts.code, kind="stable")
        self.code_starts = np.flatnonzero(np.diff(counts.code[self.by_code], prepend=-1))

    @property
    def cells(self) -> int:
        """Floats that one resample takes: its ratings, or the pairs of values that meet in it."""
        entries = np.bincount(self.counts.unit)
        return max(len(self.rater), int((entries * (entries - 1)).sum()) // 2)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Every pair of entries of one unit, once, all of them at a time."""
        passes = [(self.by_code[:0], self.by_code[:0]), *self.counts.pairs()]
        first, second = zip(*passes, strict=True)
        return np.concatenate(first), np.concatenate(second)

    def by_value(self, of_entries: FloatArray) -> FloatArray:
        """Sums over the entries of each value: (r, E) -> (r, V)."""
        ordered = of_entries[:, self.by_code]
        return np.asarray(np.add.reduceat(ordered, self.code_starts, axis=1))

    def drawn(self, draws: Draws) -> "CrossedCounts":
        """The counts of the resamples."""
        times = draws.raters[:, self.rater]
        count = np.add.reduceat(times, self.entry_starts, axis=1)
        copies = np.add.reduceat(times * times, self.entry_starts, axis=1)
        return CrossedCounts(self, count, copies, draws.clusters[:, self.counts.cluster])


@dataclass(frozen=True, eq=False)
class CrossedCounts:
    """Counts of r resamples of E entries in U units.

    count: (r, E) S_c, how often the entry's raters were drawn. copies: (r, E) the sum of v_r^2 over
        them. clusters: (r, U) how often the unit's cluster was drawn.
    """

    units: CrossedUnits
    count: FloatArray
    copies: FloatArray
    clusters: FloatArray

    def per_unit(self, of_entries: FloatArray) -> FloatArray:
        """Sums over the entries of each unit: (r, E) -> (r, U)."""
        return np.asarray(np.add.reduceat(of_entries, self.units.unit_starts, axis=1))

    @cached_property
    def ratings(self) -> FloatArray:
        """(r, U) M, the ratings of each unit, copies included."""
        return self.per_unit(self.count)

    @cached_property
    def n_pairs(self) -> FloatArray:
        """(r, U) P, the ordered pairs of different raters; 0 where all are copies of one."""
        return self.ratings**2 - self.per_unit(self.copies)

    @cached_property
    def n_apart(self) -> FloatArray:
        """(r, U) how many of these pairs gave different values."""
        return self.ratings**2 - self.per_unit(self.count**2)

    @cached_property
    def scale(self) -> FloatArray:
        """(r, U) what a pair counts: M / P times the draws of the cluster, so that a unit counts
        as its ratings do, as in alpha. 1 / (m - 1) where all raters are drawn once."""
        share = np.divide(self.ratings, self.n_pairs, where=self.n_pairs > 0, out=_none(self))
        return share * self.clusters

    @cached_property
    def paired(self) -> FloatArray:
        """(r, E) what an entry's value counts: the margin of the coincidences of different raters,
        sum over its raters of v_r (M - v_r), scaled. The count where all are drawn once."""
        unit = self.units.counts.unit
        return (self.count * self.ratings[:, unit] - self.copies) * self.scale[:, unit]

    @cached_property
    def value_counts(self) -> FloatArray:
        """(r, V) the sum of `paired` by value."""
        return self.units.by_value(self.paired)

    def coincidences(self) -> FloatArray:
        """(r, pairs) how often each of `units.pairs` meets, both ways round."""
        first, second = self.units.pairs
        scale = self.scale[:, self.units.counts.unit[first]]
        return np.asarray(2 * self.count[:, first] * self.count[:, second] * scale)

    def share_equal(self) -> FloatArray:
        """(r,) share of pairs of different raters with one value, mean over units that have such
        pairs; NaN where none has."""
        apart = np.divide(self.n_apart, self.n_pairs, where=self.n_pairs > 0, out=_none(self))
        weight = self.clusters * (self.n_pairs > 0)
        mean = np.full(len(weight), np.nan)
        size = weight.sum(axis=1)
        np.divide((weight * (1 - apart)).sum(axis=1), size, out=mean, where=size > 0)
        return mean


def _none(counts: CrossedCounts) -> FloatArray:
    return np.zeros_like(counts.clusters)
