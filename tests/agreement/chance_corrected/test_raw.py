import gzip
import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, raw_agreement
from tests.agreement.tables import Table, tidy

CELL = st.one_of(st.none(), st.integers(0, 3))
TABLES = st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8)


def raw_of(table: Table) -> float | None:
    return raw_agreement(*tidy(table)).value


def test_raw_agreement_by_hand() -> None:
    # Units (x, x, y): 1 of 3 pairs; (y, y): 1 of 1; (z): does not count. (1/3 + 1) / 2 = 2/3
    estimate = raw_agreement(*tidy([["x", "x", "y"], ["y", "y", None], ["z", None, None]]))
    assert estimate.value == pytest.approx(2 / 3)
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (2, 3, 5)


@pytest.mark.parametrize(
    ("first", "second", "percent", "n"),
    [
        ("gpt-4o", "llama-3.3-70b", 64.1, 1266),
        ("gpt-4o", "qwen3-235b", 66.8, 1266),
        ("gpt-4o", "gpt-oss-120b", 61.9, 1266),
        ("gpt-4o", "human-eval", 58.5, 1264),
        ("llama-3.3-70b", "qwen3-235b", 64.6, 1266),
        ("llama-3.3-70b", "gpt-oss-120b", 59.6, 1266),
        ("llama-3.3-70b", "human-eval", 54.6, 1264),
        ("qwen3-235b", "gpt-oss-120b", 61.7, 1266),
        ("qwen3-235b", "human-eval", 56.3, 1264),
        ("gpt-oss-120b", "human-eval", 56.6, 1264),
    ],
)
def test_raw_agreement_of_importance_labels_has_the_published_digits(
    shared_data: Path, first: str, second: str, percent: float, n: int
) -> None:
    columns = [importance_labels(shared_data, name) for name in (first, second)]
    estimate = raw_agreement(*tidy(list(zip(*columns, strict=True))))
    assert estimate.value is not None
    assert round(100 * estimate.value, 1) == percent
    assert estimate.n_units == n


def importance_labels(shared_data: Path, system: str) -> list[str | None]:
    path = shared_data / "vitalerrors-nq" / f"{system}_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [
            claim["importance"]
            for line in lines
            for sentence in json.loads(line)["decomposition"]
            for claim in sentence["decomp"]
        ]


def plain(table: list[list[Any]]) -> float:
    """Every pair of every unit, one by one."""
    shares = []
    for row in table:
        pairs = list(itertools.combinations([cell for cell in row if cell is not None], 2))
        if pairs:
            shares.append(sum(a == b for a, b in pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else math.nan


@given(TABLES)
def test_raw_agreement_equals_counting_pair_by_pair(table: list[list[Any]]) -> None:
    ours, theirs = raw_of(table), plain(table)
    assert math.isnan(theirs) if ours is None else ours == pytest.approx(theirs, abs=1e-12)


@given(TABLES, st.data())
def test_the_order_of_units_and_raters_and_the_names_do_not_matter(
    table: list[list[Any]], data: st.DataObject
) -> None:
    columns = data.draw(st.permutations(range(3)))
    rows = data.draw(st.permutations(table))
    renamed = [[None if row[at] is None else f"label {row[at]}" for at in columns] for row in rows]
    assert raw_of(renamed) == pytest.approx(raw_of(table), abs=1e-12)


@given(TABLES)
def test_the_same_units_twice_change_nothing(table: list[list[Any]]) -> None:
    assert raw_of(table * 2) == pytest.approx(raw_of(table), abs=1e-12)


def test_sets_agree_when_they_are_equal_as_a_whole() -> None:
    sets = [[frozenset({1, 2}), frozenset({2, 1})], [frozenset({1}), frozenset()]]
    assert raw_of(sets) == 0.5


def test_no_variation_is_full_agreement_and_no_pairs_are_undefined() -> None:
    assert raw_of([["x", "x"]]) == 1
    estimate = raw_agreement([1, 2], ["a", "b"], ["x", "x"], bootstrap=Bootstrap(resamples=10))
    assert (estimate.value, estimate.undefined) == (None, "no unit has two ratings")


def test_the_interval_of_raw_agreement_resamples_clusters() -> None:
    # Two clusters, one of full agreement and one of none: means of 0, 1/2 or 1.
    units, raters, values = tidy([["x", "x"], ["x", "x"], ["x", "y"], ["y", "x"]])
    estimate = raw_agreement(
        units,
        raters,
        values,
        clusters=[unit // 2 for unit in units],
        bootstrap=Bootstrap(resamples=400),
    )
    assert (estimate.value, estimate.low, estimate.high) == (0.5, 0, 1)
