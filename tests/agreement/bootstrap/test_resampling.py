"""The shortcuts of the bootstrap against the plain one."""

from collections import Counter

import numpy as np
import pytest

from agreement.bootstrap.resampling import (
    BLOCK,
    DENSE_COLUMNS_PER_ENTRY,
    SMALLEST_CLASS,
    Contributions,
    _Plan,
    left_out_totals,
    resampled_totals,
)
from agreement.values.coding import FloatArray, IntArray


def contributions(table: FloatArray) -> Contributions:
    rows, columns = np.indices(table.shape)
    return Contributions.from_cells(
        rows.ravel(), columns.ravel(), table.ravel(), shape=(table.shape[0], table.shape[1])
    )


def with_ones(table: FloatArray) -> FloatArray:
    """A first column that counts the clusters drawn."""
    return np.column_stack([np.ones(len(table)), table])


def few_classes(rng: np.random.Generator) -> FloatArray:
    return with_ones(rng.integers(0, 2, (300, 2)).astype(float))


def no_two_alike(rng: np.random.Generator) -> FloatArray:
    return with_ones(rng.normal(size=(60, 2)))


def large_and_small_classes(rng: np.random.Generator) -> FloatArray:
    return with_ones(np.minimum(rng.geometric(0.5, (200, 2)), 9).astype(float))


def wide_and_sparse(rng: np.random.Generator) -> FloatArray:
    table = np.zeros((80, 400))
    table[np.arange(80), rng.integers(0, 400, 80)] = rng.integers(1, 5, 80)
    table[:, 0] = 1
    return table


def more_than_one_block(rng: np.random.Generator) -> FloatArray:
    return with_ones(rng.normal(size=(BLOCK + 100, 1)))


TABLES = [few_classes, no_two_alike, large_and_small_classes, wide_and_sparse, more_than_one_block]


def test_the_tables_of_these_tests_take_every_path() -> None:
    def sizes(table: FloatArray) -> IntArray:
        return np.array(list(Counter(map(tuple, table)).values()))

    rng = np.random.default_rng(0)
    assert sizes(few_classes(rng)).min() >= SMALLEST_CLASS
    assert sizes(no_two_alike(rng)).max() == 1
    mixed = sizes(large_and_small_classes(rng))
    assert mixed.min() < SMALLEST_CLASS <= mixed.max()
    wide = wide_and_sparse(rng)
    assert wide.shape[1] > DENSE_COLUMNS_PER_ENTRY * np.count_nonzero(wide) / len(wide)


def plain_totals(table: FloatArray, resamples: int, seed: int) -> FloatArray:
    """One resample after the other, cluster by cluster."""
    rng = np.random.default_rng(seed)
    n = len(table)
    return np.array([table[rng.integers(0, n, n)].sum(axis=0) for _ in range(resamples)])


def greatest_gap(first: FloatArray, second: FloatArray) -> float:
    """The Kolmogorov-Smirnov distance between two samples."""
    at = np.concatenate([first, second])
    shares = [np.searchsorted(np.sort(s), at, side="right") / len(s) for s in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


@pytest.mark.parametrize("make", TABLES)
def test_totals_of_resamples_are_distributed_as_in_the_plain_bootstrap(make) -> None:  # type: ignore[no-untyped-def]
    table = make(np.random.default_rng(1))
    resamples = 2000
    ours = np.concatenate(list(resampled_totals(contributions(table), resamples, seed=2)))
    plain = plain_totals(table, resamples, seed=3)
    assert ours.shape == plain.shape
    # One direction through all columns; then the gap that two equal distributions exceed in one
    # of a thousand pairs of samples (Smirnov): sqrt(-ln(0.001 / 2) / 2) * sqrt(2 / n) = 0.062.
    direction = np.random.default_rng(4).normal(size=table.shape[1])
    gap = greatest_gap(ours @ direction, plain @ direction)
    assert gap < np.sqrt(-np.log(0.001 / 2) / 2) * np.sqrt(2 / resamples)


@pytest.mark.parametrize("make", TABLES)
def test_every_resample_draws_as_many_clusters_as_there_are(make) -> None:  # type: ignore[no-untyped-def]
    table = make(np.random.default_rng(1))
    totals = np.concatenate(list(resampled_totals(contributions(table), 300, seed=0)))
    assert np.array_equal(totals[:, 0], np.full(300, len(table)))


@pytest.mark.parametrize("make", TABLES)
def test_the_same_seed_gives_the_same_resamples_and_another_seed_others(make) -> None:  # type: ignore[no-untyped-def]
    table = contributions(make(np.random.default_rng(1)))
    first, again, other = (
        np.concatenate(list(resampled_totals(table, 300, seed=seed))) for seed in (7, 7, 8)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("make", TABLES)
def test_leaving_one_out_is_the_total_without_each_row(make) -> None:  # type: ignore[no-untyped-def]
    table = make(np.random.default_rng(1))
    ours = [
        row
        for totals, sizes in left_out_totals(contributions(table))
        for row in np.repeat(totals, sizes, axis=0)
    ]
    plain = table.sum(axis=0) - table
    order = [np.lexsort(np.round(rows, 9).T) for rows in (np.array(ours), plain)]
    assert np.allclose(np.array(ours)[order[0]], plain[order[1]], atol=1e-9)


def test_cells_at_one_place_add_up_and_empty_rows_stay() -> None:
    table = Contributions.from_cells(
        np.array([2, 0, 2]), np.array([1, 0, 1]), np.array([1.0, 4.0, 2.0]), shape=(4, 2)
    )
    assert table.dense(np.arange(4)).tolist() == [[4, 0], [0, 0], [0, 3], [0, 0]]
    assert table.total().tolist() == [[4, 3]]


@pytest.mark.parametrize("make", [few_classes, no_two_alike, large_and_small_classes])
def test_kept_draws_are_those_that_drawing_anew_gives(make) -> None:  # type: ignore[no-untyped-def]
    table = contributions(make(np.random.default_rng(1)))
    rng, plan = np.random.default_rng(5), _Plan.of(table)

    kept = np.concatenate(list(resampled_totals(table, 600, seed=5)))

    assert np.allclose(
        kept, np.concatenate([plan.totals(rng, size) for size in (256, 256, 88)]), atol=1e-9
    )
