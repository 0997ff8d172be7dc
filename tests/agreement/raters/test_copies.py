"""Two raters who never differ, told from two who agree."""

import csv
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agreement import EqualPair, equal_pairs


def pairs(table: Sequence[Sequence[int | None]]) -> list[EqualPair]:
    """Of a table with a row per rater and a column per unit."""
    entries = [
        (unit, rater, value)
        for rater, row in enumerate(table)
        for unit, value in enumerate(row)
        if value is not None
    ]
    units, raters, values = (
        np.array(column, dtype=np.int64) for column in zip(*entries, strict=True)
    )
    return equal_pairs(units, raters, values)


def by_hand(table: Sequence[Sequence[int | None]]) -> list[EqualPair]:
    """The same, pair by pair and unit by unit."""
    found = []
    for first, second in combinations(range(len(table)), 2):
        both = [
            (a, b)
            for a, b in zip(table[first], table[second], strict=True)
            if a is not None and b is not None
        ]
        if len(both) < 30 or any(a != b for a, b in both) or len({a for a, _b in both}) < 2:
            continue
        alike = [0.95] if len(table) == 2 else []
        for rater, partner in ((first, second), (second, first)):
            others = [
                a == b
                for other, row in enumerate(table)
                if other not in (rater, partner)
                for a, b in zip(table[rater], row, strict=True)
                if a is not None and b is not None
            ]
            alike += [sum(others) / len(others)] if others else []
        if min(0.95, max(alike, default=0.95)) ** len(both) < 0.001:
            found.append(EqualPair(first, second, len(both)))
    return found


def test_equal_answers_are_found_where_others_agree_less() -> None:
    """The first two agree in 40 of 40, each with the third in 20 of 40: 0.5 ** 40 < 0.001."""
    mine = [0, 1] * 20
    assert pairs([mine, mine, [0] * 40]) == [EqualPair(0, 1, 40)]


def test_two_alone_need_many_units() -> None:
    """0.95 ** 134 = 0.00104, 0.95 ** 135 = 0.00098."""
    assert pairs([[0, 1] * 67] * 2) == []
    assert pairs([[0, 1] * 67 + [0]] * 2) == [EqualPair(0, 1, 135)]


def test_few_units_one_answer_and_one_difference_are_no_copies() -> None:
    third = [0] * 40
    assert pairs([[0, 1] * 14, [0, 1] * 14, [0] * 28]) == []
    assert pairs([[1] * 40, [1] * 40, third]) == []
    assert pairs([[0, 1] * 20, [1, 1] + [0, 1] * 19, third]) == []
    assert equal_pairs(*(np.zeros(0, dtype=np.int64) for _ in range(3))) == []


def test_two_annotators_of_a_published_data_set_are_equal(shared_data: Path) -> None:
    """DialSummEval (Gao and Wan 2022), coherence: a2 and a3 gave the same 1,400 scores."""
    file = shared_data / "dialsummeval-ratings" / "ratings_and_metrics.csv"
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    columns = [f"coherence_a{at}" for at in (1, 2, 3)]
    assert columns[0] in rows[0], sorted(rows[0])
    table: list[list[int | None]] = [[round(float(row[name])) for row in rows] for name in columns]
    assert pairs(table) == [EqualPair(1, 2, 1400)]


VALUES = st.one_of(st.none(), st.integers(0, 1))


@given(st.lists(VALUES, min_size=31, max_size=60), st.data())
def test_it_equals_a_loop_over_pairs_whatever_the_order(
    first: list[int | None], data: st.DataObject
) -> None:
    second = [value if data.draw(st.integers(0, 60)) else None for value in first]
    third = [data.draw(VALUES) for _value in first]
    table = [first, third, second]
    if any(value is not None for row in table for value in row):
        assert pairs(table) == by_hand(table)
        order = data.draw(st.permutations(range(len(first))))
        assert pairs([[row[at] for at in order] for row in table]) == by_hand(table)
