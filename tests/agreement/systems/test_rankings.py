"""Alpha between whole rankings; the distance itself is tested with the others."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from agreement import DISTANCES, Bootstrap, alpha
from tests.agreement.tables import alpha_of, tidy

RANKING = st.lists(st.integers(1, 3), min_size=3, max_size=3).map(tuple)
TABLES = st.lists(
    st.lists(st.one_of(st.none(), RANKING, RANKING), min_size=3, max_size=3), min_size=1, max_size=7
)


def test_alpha_of_rankings_by_hand() -> None:
    # abc, acb are 1/3 apart, abc and cba 1, acb and cba 2/3. n = 4, S_o = 2/3;
    # S_e = 2 (1/3 + 2 * 1 + 2 * 2/3) = 22/3: 1 - 3 * (2/3) / (22/3)
    table = [[(1, 2, 3), (1, 3, 2)], [(3, 2, 1), (3, 2, 1)]]
    assert alpha_of(table, "kendall").value == pytest.approx(8 / 11)


def by_definition(first: tuple[int, ...], second: tuple[int, ...]) -> float:
    """Of three pairs: 1 where turned, 1/2 where one ranking ties them."""
    total = 0.0
    for i, j in itertools.combinations(range(3), 2):
        a, b = first[i] - first[j], second[i] - second[j]
        total += 1.0 if a * b < 0 else 0.5 if (a == 0) != (b == 0) else 0.0
    return total / 3


@given(TABLES)
def test_alpha_of_rankings_equals_nltk(table: list[list[Any]]) -> None:
    estimate = alpha_of(table, "kendall")
    if estimate.value is None:
        return
    units, raters, values = tidy(table)
    task = AnnotationTask(zip(raters, units, values, strict=True), by_definition)
    assert estimate.value == pytest.approx(task.alpha(), abs=1e-12)


@given(TABLES, st.permutations(range(3)), st.data())
def test_names_of_candidates_and_the_direction_of_ranks_do_not_matter(
    table: list[list[Any]], places: list[int], data: st.DataObject
) -> None:
    def renamed(ranking: tuple[int, ...] | None) -> dict[str, int] | None:
        return None if ranking is None else {f"system {at}": -2 * ranking[at] for at in places}

    moved = [[renamed(cell) for cell in row] for row in data.draw(st.permutations(table))]
    before, after = alpha_of(table, "kendall"), alpha_of(moved, "kendall")
    assert before.undefined == after.undefined
    assert before.value == pytest.approx(after.value, abs=1e-12)


def test_two_candidates_without_ties_are_two_labels() -> None:
    table: list[list[Any]] = [["ab", "ab"], ["ab", "ba"], ["ba", "ba"], ["ba", None]]
    ranked = [
        [cell and {letter: cell.index(letter) for letter in cell} for cell in row] for row in table
    ]
    assert alpha_of(ranked, "kendall").value == alpha_of(table, "nominal").value


def test_a_table_of_one_ranking_written_in_two_ways_does_not_vary() -> None:
    estimate = alpha_of([[(1, 2, 2), (1, 3, 3)]], "kendall")
    assert estimate.undefined == "no variation: all ratings are equal"


def test_rankings_of_different_candidates_are_refused() -> None:
    with pytest.raises(ValueError, match="same candidates"):
        alpha([1, 1], ["a", "b"], [{"x": 1, "y": 2}, {"x": 1, "z": 2}], distance="kendall")
    assert DISTANCES["kendall"].kind == "ranks"


def test_the_interval_resamples_clusters_of_rankings() -> None:
    table = [[(1, 2, 3), (1, 3, 2)], [(3, 2, 1), (3, 2, 1)], [(2, 1, 3), (1, 2, 3)]]
    estimate = alpha_of(table, "kendall", bootstrap=Bootstrap(resamples=200, seed=3))
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low <= float(estimate) <= estimate.high
