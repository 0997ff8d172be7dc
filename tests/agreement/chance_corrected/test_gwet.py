import itertools
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement
from agreement import WEIGHTS, Bootstrap
from tests.agreement.tables import Table, tidy

# As the formulas give them, of one or two units as well.
cohen_kappa = partial(agreement.cohen_kappa, least=1)
fleiss_kappa = partial(agreement.fleiss_kappa, least=1)
gwet_ac = partial(agreement.gwet_ac, least=1)

SCALE = [0, 1, 2, 3]
CELL = st.one_of(st.none(), *[st.sampled_from(SCALE)] * 4)
TABLES = st.lists(st.lists(CELL, min_size=4, max_size=4), min_size=1, max_size=8)
_: Any = None
# Gwet (2014), "Handbook of Inter-Rater Reliability": 12 subjects, 4 raters, ratings missing.
SUBJECTS: list[list[Any]] = [
    [1, 1, _, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [_, 5, 5, 5], [_, _, 1, 1], [_, _, 3, _],
]  # fmt: skip
# Fleiss (1971), 15 of the patients: how many of 6 psychiatrists chose each of 5 diagnoses.
PATIENTS = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
]  # fmt: skip


def counted(rows: list[list[int]]) -> list[list[int]]:
    return [[label for label, count in enumerate(row) for _ in range(count)] for row in rows]


def fleiss_of(table: Table) -> float | None:
    return fleiss_kappa(*tidy(table)).value


def ac_of(table: Table, **options: Any) -> float | None:
    return gwet_ac(*tidy(table), **options).value


def test_fleiss_kappa_by_hand() -> None:
    # Units (x, x, y) and (y, y): equal pairs 1/3 and 1; shares of x (2/3 + 0) / 2 = 1/3, of y 2/3.
    # Observed 2/3, expected 1/9 + 4/9: (2/3 - 5/9) / (4/9) = 1/4
    estimate = fleiss_kappa(*tidy([["x", "x", "y"], ["y", "y", None]]))
    assert estimate.value == pytest.approx(1 / 4)
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (2, 3, 5)


@pytest.mark.parametrize(
    ("weights", "labels", "expected"),
    [
        # The same table: expected 2/(2 * 1) (1/3 * 2/3 + 2/3 * 1/3) = 4/9, (2/3 - 4/9) / (5/9)
        ("none", None, 2 / 5),
        # With a third label between: 3/(3 * 2) * 4/9 = 2/9, (2/3 - 2/9) / (7/9)
        ("none", ["x", "z", "y"], 4 / 7),
        # T = 3 + 4 * 1/2 = 5 and disagreement stays 1 (two steps): 5/6 * 4/9 = 10/27
        ("linear", ["x", "z", "y"], (2 / 3 - 10 / 27) / (17 / 27)),
        # T = 3 + 4 * 3/4 = 6: 6/6 * 4/9
        ("quadratic", ["x", "z", "y"], 2 / 5),
    ],
)
def test_gwets_coefficient_by_hand(weights: str, labels: list[str] | None, expected: float) -> None:
    table: list[list[Any]] = [["x", "x", "y"], ["y", "y", None]]
    assert ac_of(table, weights=weights, labels=labels) == pytest.approx(expected)


def test_coefficients_of_the_handbooks_example_have_the_published_digits() -> None:
    assert fleiss_of(SUBJECTS) == pytest.approx(0.76117, abs=5e-6)
    assert ac_of(SUBJECTS) == pytest.approx(0.77544, abs=5e-6)
    scale = [1, 2, 3, 4, 5]
    assert ac_of(SUBJECTS, weights="linear", labels=scale) == pytest.approx(0.859, abs=5e-4)
    assert ac_of(SUBJECTS, weights="quadratic", labels=scale) == pytest.approx(0.914, abs=5e-4)


def test_coefficients_of_the_psychiatric_diagnoses_have_the_published_digits() -> None:
    assert fleiss_of(counted(PATIENTS)) == pytest.approx(0.4139265, abs=5e-8)
    assert ac_of(counted(PATIENTS)) == pytest.approx(0.4448007, abs=5e-8)


def plain(table: list[list[Any]], weights: str, kind: str) -> float | None:
    """Every pair of every unit, every pair of labels, one by one."""
    rows = [[cell for cell in row if cell is not None] for row in table]
    rows = [row for row in rows if row]
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]

    def apart(a: int, b: int) -> float:
        return float(a != b) * (abs(a - b) / 3) ** power

    pairs = [list(itertools.permutations(row, 2)) for row in rows if len(row) > 1]
    if not pairs:
        return None
    observed = sum(sum(apart(a, b) for a, b in p) / len(p) for p in pairs) / len(pairs)
    share = [sum(row.count(label) / len(row) for row in rows) / len(rows) for label in SCALE]
    if kind == "fleiss":
        chance = 1 - sum(p * p for p in share)
    else:
        agreeing = sum(1 - apart(a, b) for a, b in itertools.product(SCALE, SCALE))
        chance = 1 - agreeing / (4 * 3) * sum(p * (1 - p) for p in share)
    return 1 - observed / chance if chance > 1e-9 else None


@given(TABLES, st.sampled_from(list(WEIGHTS)))
def test_coefficients_equal_counting_pair_by_pair(table: list[list[Any]], weights: str) -> None:
    assert fleiss_of(table) == pytest.approx(plain(table, "none", "fleiss"), abs=1e-12)
    ours = ac_of(table, weights=weights, labels=SCALE)
    assert ours == pytest.approx(plain(table, weights, "gwet"), abs=1e-12)


@given(TABLES, st.sampled_from(list(WEIGHTS)), st.data())
def test_the_order_of_units_raters_and_scale_does_not_matter(
    table: list[list[Any]], weights: str, data: st.DataObject
) -> None:
    columns = data.draw(st.permutations(range(4)))
    rows = data.draw(st.permutations(table))
    moved = [[None if row[at] is None else f"label {row[at]}" for at in columns] for row in rows]
    scale = [f"label {one}" for one in SCALE[::-1]]
    assert fleiss_of(moved) == pytest.approx(fleiss_of(table), abs=1e-12)
    before = ac_of(table, weights=weights, labels=SCALE)
    assert ac_of(moved, weights=weights, labels=scale) == pytest.approx(before, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=2), min_size=2, max_size=9))
def test_chance_of_cohen_never_exceeds_that_of_fleiss(table: list[list[int]]) -> None:
    # Two raters: sum of p1 p2 against sum of ((p1 + p2) / 2)^2.
    cohen, fleiss = cohen_kappa(*tidy(table)).value, fleiss_of(table)
    assert (cohen is None) == (fleiss is None)
    assert cohen is None or fleiss is None or fleiss <= cohen + 1e-12


def test_where_a_coefficient_is_undefined_it_says_why() -> None:
    for statistic in (fleiss_kappa, gwet_ac):
        assert statistic([], [], []).undefined == "no ratings"
        assert statistic([1, 2], ["a", "a"], ["x", "y"]).undefined == "one rater only"
        assert statistic([1, 2], ["a", "b"], ["x", "y"]).undefined == "no unit has two ratings"
        equal = statistic(*tidy([["x", "x"], ["x", None]]), bootstrap=Bootstrap(resamples=10))
        assert equal.undefined == "no variation: all ratings are equal"
        assert (equal.n_units, equal.n_ratings) == (2, 3)


def test_equal_ratings_on_a_known_scale_are_full_agreement_to_gwet() -> None:
    assert ac_of([["x", "x"], ["x", "x"]], labels=["x", "y"]) == 1


def test_a_scale_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="labels in their order"):
        ac_of([["x", "y"]], weights="quadratic")
    with pytest.raises(ValueError, match="'y' is not among the labels"):
        ac_of([["x", "y"]], labels=["x", "z"])


def test_resampled_coefficients_are_those_of_resampled_tables() -> None:
    one: list[list[Any]]
    two: list[list[Any]]
    one, two = [[0, 0, 1], [1, 2, _], [3, 3, 3]], [[2, 2, 2], [2, 1, 0], [0, _, _]]
    tables = [one + one, one + two, two + two]
    units, raters, values = tidy(one + two)
    clusters = [unit // 3 for unit in units]
    bootstrap = Bootstrap(resamples=300, confidence=0.98)
    how: dict[str, Any] = {"clusters": clusters, "bootstrap": bootstrap}
    scale: dict[str, Any] = {"weights": "linear", "labels": SCALE}
    fleiss = fleiss_kappa(units, raters, values, **how)
    possible = [float(fleiss_kappa(*tidy(table))) for table in tables]
    assert [fleiss.low, fleiss.high] == pytest.approx([min(possible), max(possible)], abs=1e-12)
    gwet = gwet_ac(units, raters, values, **how, **scale)
    possible = [float(gwet_ac(*tidy(table), **scale)) for table in tables]
    assert [gwet.low, gwet.high] == pytest.approx([min(possible), max(possible)], abs=1e-12)
