import math
from collections import Counter
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, Coded, choice_entropy
from tests.agreement.tables import Table, tidy

CELL = st.one_of(st.none(), st.frozensets(st.integers(0, 3), max_size=3))
TABLES = st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=6)


def entropy_of(table: Table) -> float | None:
    return choice_entropy(*tidy(table)).value


def test_entropy_by_hand() -> None:
    # Options 1 (twice), 2 and none, of four choices: 1/2 ln 2 + 2 * 1/4 ln 4 = 3/2 ln 2.
    # The second unit has one option: 0.
    estimate = choice_entropy(*tidy([[{1}, {1, 2}, set()], [{5}, {5}, None]]))
    assert estimate.value == pytest.approx(3 / 4 * math.log(2))
    assert estimate.sd == pytest.approx(3 / 4 * math.log(2))
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (2, 3, 5)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_an_even_spread_over_k_options_has_the_textbook_entropy(k: int) -> None:
    assert entropy_of([[{option} for option in range(k)]]) == pytest.approx(math.log(k))


def plain(table: list[list[Any]]) -> list[float]:
    """Options counted out unit by unit, in bits turned to nats."""
    found = []
    for row in table:
        chosen = Counter(
            option for cell in row if cell is not None for option in (cell or {"none"})
        )
        total = sum(chosen.values())
        if total:
            bits = sum(count / total * math.log2(total / count) for count in chosen.values())
            found.append(bits * math.log(2))
    return found


@given(TABLES)
def test_entropy_equals_counting_options(table: list[list[Any]]) -> None:
    expected = plain(table)
    estimate = choice_entropy(*tidy(table))
    if not expected:
        assert estimate.undefined == "no ratings"
        return
    assert estimate.value == pytest.approx(fmean(expected), abs=1e-12)
    assert estimate.sd == pytest.approx(pstdev(expected), abs=1e-9)


@given(TABLES, st.data())
def test_order_and_names_of_options_do_not_matter_nor_the_same_answers_twice(
    table: list[list[Any]], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(table))
    renamed = [
        [None if cell is None else {f"sentence {one}" for one in cell} for cell in row[::-1] * 2]
        for row in rows
    ]
    assert entropy_of(renamed) == pytest.approx(entropy_of(table), abs=1e-12)


def test_none_is_an_option_apart_from_a_label_of_that_name() -> None:
    assert entropy_of([[set(), {"none"}]]) == pytest.approx(math.log(2))


def test_labels_are_choices_of_one_option() -> None:
    labels: list[list[Any]] = [["yes", "no", None], ["yes", "yes", float("nan")]]
    assert entropy_of(labels) == pytest.approx(math.log(2) / 2)


def test_the_interval_resamples_clusters_of_units() -> None:
    units, raters, values = tidy([[{1}, {1}], [{1}, {2}]])
    estimate = choice_entropy(units, raters, values, bootstrap=Bootstrap(resamples=300))
    assert estimate.low == 0
    assert estimate.high == pytest.approx(math.log(2))


def test_no_choices_are_undefined_and_two_answers_by_one_rater_refused() -> None:
    assert choice_entropy([], [], []).undefined == "no ratings"
    assert (
        choice_entropy([1], ["a"], [None], bootstrap=Bootstrap(resamples=5)).undefined
        == "no ratings"
    )
    with pytest.raises(ValueError, match="two ratings"):
        choice_entropy([1, 1], ["a", "a"], [{1}, {2}])


def test_coded_answers_give_the_same() -> None:
    units, raters, choices = tidy([[{1}, {1, 2}, set()], [{5}, {5}, None]])
    domain = [frozenset({1, 2}), None, frozenset(), frozenset({5}), frozenset({1})]
    coded = Coded([domain.index(one) for one in choices], domain)
    assert choice_entropy(units, raters, coded) == choice_entropy(units, raters, choices)
