"""Resampling clusters without ever building a resample.

Every statistic here is a function of totals: what each cluster contributes, summed. A bootstrap
resample of G clusters is then a vector of G multiplicities, and its totals are a weighted sum.

Two facts make this fast and leave it exact. The multiplicities are Multinomial(G; 1/G, ..., 1/G).
(1) Clusters with identical contributions matter only through the sum of their multiplicities, and
sums over groups of cells of a multinomial are again multinomial, with the groups' probabilities:
so one draw per *class* of identical clusters replaces one per cluster. 200,000 units with five
ratings on five labels fall into at most C(9, 4) = 126 classes.
(2) Given how many draws fall on a group of cells, they spread over it as a multinomial of their
own: so clusters in small classes are drawn one by one, in blocks that fit in memory, after the
number of draws per block has been drawn together with the classes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from ..values.coding import FloatArray, IntArray

# A statistic of totals: (r, K) -> (r,), NaN where undefined. NaN never leaves this package.
Statistic = Callable[[FloatArray], FloatArray]

# A class costs one binomial draw per resample, about as long as 16 single draws take.
SMALLEST_CLASS = 16
BLOCK = 4096  # clusters drawn one by one at a time
CELLS = 1 << 20  # floats in one working array
AT_ONCE = 256  # resamples drawn at a time
KEPT_DRAWS = 8  # tables of draws (of up to CELLS floats each) kept for the next statistic
# A multiplication in a matrix product is about 100 times cheaper than a scattered addition, but
# loses that lead where other programs hold the cores: so densify only fairly dense tables.
DENSE_COLUMNS_PER_ENTRY = 40


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each of G clusters adds to K totals, as a sparse G x K table (rows compressed).

    starts: (G + 1,) where each row begins in columns: (E,) and weights: (E,).
    """

    starts: IntArray
    columns: IntArray
    weights: FloatArray
    width: int

    @classmethod
    def from_cells(
        cls, rows: IntArray, columns: IntArray, weights: FloatArray, *, shape: tuple[int, int]
    ) -> "Contributions":
        """From cells in any order; cells at the same place add up, zeros are dropped."""
        height, width = shape
        kept = weights != 0
        key = rows[kept] * width + columns[kept]
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        summed = np.add.reduceat(weights[kept][order], first) if len(first) else np.zeros(0)
        starts = np.searchsorted(key[first], np.arange(height + 1) * width)
        return cls(starts, key[first] % width, summed, width)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def total(self) -> FloatArray:
        """Sum over the clusters: (1, K)."""
        sums = np.bincount(self.columns, weights=self.weights, minlength=self.width)
        return sums.astype(np.float64)[None, :]

    def entries(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """For some rows: which of them each entry belongs to, and its position."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        owner = np.repeat(np.arange(len(rows)), lengths)
        before = np.cumsum(lengths) - lengths
        return owner, np.arange(len(owner)) + (self.starts[rows] - before)[owner]

    def dense(self, rows: IntArray) -> FloatArray:
        """Some rows in full: (len(rows), K)."""
        owner, position = self.entries(rows)
        block = np.zeros((len(rows), self.width))
        block[owner, self.columns[position]] = self.weights[position]
        return block

    @cached_property
    def classes(self) -> tuple[IntArray, IntArray]:
        """Classes of identical rows: for each row its class, for each class its first row."""
        hashes = self._row_hashes()
        _, first, of_row = np.unique(hashes, return_index=True, return_inverse=True)
        if not self._same_rows(first[of_row]):  # two different rows with one hash: no classes
            first = of_row = np.arange(len(self))
        return of_row.astype(np.int64), first.astype(np.int64)

    def _row_hashes(self) -> IntArray:
        odd = np.random.default_rng(0).integers(0, 1 << 62, self.width, dtype=np.int64) * 2 + 1
        bits = self.weights.view(np.int64)
        mixed = (bits ^ (bits >> 29)) * odd[self.columns]  # wraps around, as a hash may
        sums = np.concatenate([[0], np.cumsum(mixed ^ (mixed >> 31))])
        return np.asarray(sums[self.starts[1:]] - sums[self.starts[:-1]])

    def _same_rows(self, other: IntArray) -> bool:
        """Whether every row equals the row that `other` names for it."""
        if not np.array_equal(np.diff(self.starts), self.starts[other + 1] - self.starts[other]):
            return False
        _, position = self.entries(other)
        return np.array_equal(self.columns[position], self.columns) and np.array_equal(
            self.weights[position], self.weights
        )


def resampled_totals(
    contributions: Contributions, resamples: int, seed: int
) -> Iterator[FloatArray]:
    """Totals of `resamples` bootstrap resamples of the clusters, in blocks (r, K).

    A small table's draws depend on nothing but the sizes below, so they are kept: dozens of
    statistics of the same clusters follow each other, and drawing takes longer than the rest.
    """
    plan, width = _Plan.of(contributions), contributions.width
    at_once = max(1, min(AT_ONCE, CELLS * 4 // width))
    if at_once == AT_ONCE and plan.height <= BLOCK and plan.height * resamples <= CELLS:
        drawn = _kept_draws(tuple(plan.sizes.tolist()), len(plan.rare), resamples, seed)
        at_once = max(AT_ONCE, CELLS // width)
        for start in range(0, resamples, at_once):
            yield plan.weighted(drawn[start : start + at_once])
        return
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, at_once):
        yield plan.totals(rng, min(at_once, resamples - start))


@lru_cache(maxsize=KEPT_DRAWS)
def _kept_draws(sizes: tuple[int, ...], n_rare: int, resamples: int, seed: int) -> FloatArray:
    """How often each class and then each single cluster is drawn: (resamples, n), the same
    numbers as `_Plan.totals` draws."""
    rng = np.random.default_rng(seed)
    blocks = [n_rare] if n_rare else []
    chances = np.array([*sizes, *blocks]) / (sum(sizes) + n_rare)
    parts = []
    for start in range(0, resamples, AT_ONCE):
        drawn = rng.multinomial(sum(sizes) + n_rare, chances, size=min(AT_ONCE, resamples - start))
        part = [drawn[:, : len(sizes)].astype(np.float64)]
        part += [_multiplicities(rng, drawn[:, -1], n_rare)] if n_rare else []
        parts.append(np.concatenate(part, axis=1))
    kept = np.concatenate(parts)
    kept.flags.writeable = False
    return kept


def left_out_totals(contributions: Contributions) -> Iterator[tuple[FloatArray, IntArray]]:
    """Totals with one cluster left out, once per class, in blocks (c, K), and class sizes (c,)."""
    of_row, first = contributions.classes
    sizes = np.bincount(of_row, minlength=len(first))
    total = contributions.total()
    at_once = max(1, min(BLOCK, CELLS * 4 // contributions.width))
    for start in range(0, len(first), at_once):
        block = slice(start, start + at_once)
        yield total - contributions.dense(first[block]), sizes[block]


@dataclass(frozen=True, eq=False)
class Draws:
    """How often r resamples draw each of G clusters, (r, G), and each of R raters, (r, R)."""

    clusters: FloatArray
    raters: FloatArray


def crossed_draws(
    n_clusters: int, n_raters: int, *, cells: int, resamples: int, seed: int
) -> Iterator[Draws]:
    """Clusters and, independently of them, raters drawn with replacement, in blocks.

    cells: floats that one resample takes to evaluate, so that a block of them fits in memory.
    """
    of_clusters, of_raters = np.random.default_rng(seed).spawn(2)
    at_once = max(1, min(256, CELLS // cells))
    for start in range(0, resamples, at_once):
        block = min(at_once, resamples - start)
        yield Draws(
            _multiplicities(of_clusters, np.full(block, n_clusters), n_clusters),
            _multiplicities(of_raters, np.full(block, n_raters), n_raters),
        )


@dataclass(frozen=True, eq=False)
class _Plan:
    """Which rows are drawn as classes and which one by one."""

    table: Contributions
    common: IntArray  # a row of each large class
    sizes: IntArray  # and the size of that class
    rare: IntArray  # the rows that are drawn one by one

    @classmethod
    def of(cls, table: Contributions) -> "_Plan":
        if len(table) < SMALLEST_CLASS:
            none = np.zeros(0, dtype=np.int64)
            return cls(table, none, none, np.arange(len(table)))
        of_row, first = table.classes
        sizes = np.bincount(of_row, minlength=len(first))
        large = np.flatnonzero(sizes >= SMALLEST_CLASS)
        rare = np.flatnonzero(sizes[of_row] < SMALLEST_CLASS)
        return cls(table, first[large], sizes[large], rare)

    @property
    def height(self) -> int:
        """Numbers that one resample takes."""
        return len(self.common) + len(self.rare)

    def weighted(self, drawn: FloatArray) -> FloatArray:
        """The totals (r, K) of draws (r, n) of the common rows and then the rare ones."""
        result = np.zeros((len(drawn), self.table.width))
        for weights, rows in (
            (drawn[:, : len(self.common)], self.common),
            (drawn[:, len(self.common) :], self.rare),
        ):
            if len(rows):
                self._add(result, weights, rows)
        return result

    def totals(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        blocks = [self.rare[at : at + BLOCK] for at in range(0, len(self.rare), BLOCK)]
        sizes = np.concatenate([self.sizes, [len(block) for block in blocks]])
        drawn = rng.multinomial(len(self.table), sizes / len(self.table), size=resamples)
        result = np.zeros((resamples, self.table.width))
        for at in range(0, len(self.common), BLOCK):
            chosen = self.common[at : at + BLOCK]
            self._add(result, drawn[:, at : at + len(chosen)].astype(np.float64), chosen)
        for column, block in enumerate(blocks, start=len(self.common)):
            self._add(result, _multiplicities(rng, drawn[:, column], len(block)), block)
        return result

    def _add(self, result: FloatArray, weights: FloatArray, rows: IntArray) -> None:
        """result (r, K) += weights (r, n) times the rows (n, K), dense or scattered."""
        owner, position = self.table.entries(rows)
        width = self.table.width
        if width > DENSE_COLUMNS_PER_ENTRY * max(1, len(owner) // len(rows)):
            columns, values = self.table.columns[position], self.table.weights[position]
            for row, weight in enumerate(weights):
                result[row] += np.bincount(columns, weight[owner] * values, width)
            return
        at_once = max(1, CELLS * 2 // width)
        for start in range(0, len(rows), at_once):
            part = slice(start, start + at_once)
            result += weights[:, part] @ self.table.dense(rows[part])


def _multiplicities(rng: np.random.Generator, draws: IntArray, size: int) -> FloatArray:
    """How often each of `size` clusters is drawn: (r, size), row i from draws[i] draws."""
    hits = rng.integers(0, size, int(draws.sum()))
    hits += np.repeat(np.arange(len(draws)) * size, draws)
    counts = np.bincount(hits, minlength=len(draws) * size)
    return counts.reshape(len(draws), size).astype(np.float64)
