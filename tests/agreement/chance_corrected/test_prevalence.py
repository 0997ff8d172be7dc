"""Prevalence and bias beside kappa: by hand, published tables, independent, laws."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, cohen_kappa, prevalence_and_bias, raw_agreement
from tests.agreement.tables import tidy

COUNTS = st.lists(st.integers(0, 12), min_size=4, max_size=4).filter(lambda each: sum(each) > 0)
TABLES = st.lists(
    st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=4, max_size=4), min_size=1, max_size=8
)


def square(a: int, b: int, c: int, d: int) -> tuple[list[int], list[int], list[Any]]:
    """Both yes, yes and no, no and yes, both no."""
    pairs = (("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"))
    rows = [list(pair) for pair, n in zip(pairs, (a, b, c, d), strict=True) for _ in range(n)]
    return tidy(rows)


def test_indices_by_hand() -> None:
    """Five, two, one and two of ten: (5 - 2)/10, (2 - 1)/10, 2 · 7/10 - 1; twelve yes in twenty
    (5 · 2 + 2 + 1 = 13)."""
    found = prevalence_and_bias(*square(5, 2, 1, 2), labels=("yes", "no"))

    assert found.prevalence.value == pytest.approx(3 / 10)
    assert found.bias.value == pytest.approx(1 / 10)
    assert found.adjusted.value == pytest.approx(4 / 10)
    assert found.commonest.value == pytest.approx(13 / 20)
    assert (found.bias.n_units, found.bias.n_raters, found.bias.n_ratings) == (10, 2, 20)


@pytest.mark.parametrize(
    ("counts", "kappa", "prevalence", "bias", "adjusted"),
    [
        # Feinstein and Cicchetti (1990), their two paradoxes, of which Byrt et al. speak.
        ((40, 9, 6, 45), 0.70, -0.05, 0.03, 0.70),
        ((80, 10, 5, 5), 0.32, 0.75, 0.05, 0.70),
        ((45, 15, 25, 15), 0.13, 0.30, -0.10, 0.20),
        ((25, 35, 5, 35), 0.26, -0.10, 0.30, 0.20),
    ],
)
def test_the_published_paradoxes(
    counts: tuple[int, int, int, int], kappa: float, prevalence: float, bias: float, adjusted: float
) -> None:
    table = square(*counts)
    found = prevalence_and_bias(*table, labels=("yes", "no"))

    figures = (cohen_kappa(*table), found.prevalence, found.bias, found.adjusted)
    expected = [kappa, prevalence, bias, adjusted]
    assert [round(float(each), 2) for each in figures] == pytest.approx(expected)


@given(COUNTS)
def test_kappa_follows_from_the_three_as_byrt_says(counts: list[int]) -> None:
    """kappa = (PABAK - PI² + BI²) / (1 - PI² + BI²), Byrt et al. (1993), equation 1."""
    table = square(*counts)
    found, kappa = prevalence_and_bias(*table, labels=("yes", "no")), cohen_kappa(*table)
    apart = float(found.bias) ** 2 - float(found.prevalence) ** 2

    if kappa.value is not None:
        expected = (float(found.adjusted) + apart) / (1 + apart)
        assert kappa.value == pytest.approx(expected, abs=1e-9)


@given(TABLES)
def test_several_raters_and_labels_equal_plain_counting(table: list[list[Any]]) -> None:
    found = prevalence_and_bias(*tidy(table), labels=("a", "b", "c"))
    rows = [[cell for cell in row if cell is not None] for row in table]
    cells = [cell for row in rows if len(row) > 1 for cell in row]
    if not cells:
        assert found.commonest.undefined is not None
        return

    assert found.commonest.value == pytest.approx(max(Counter(cells).values()) / len(cells))
    agreed = float(raw_agreement(*tidy(table)))
    if sum(len(row) > 1 for row in rows) < 3:
        assert found.adjusted.undefined == "fewer than 3 units with two ratings"
    else:
        assert found.adjusted.value == pytest.approx((3 * agreed - 1) / 2)
    assert found.prevalence.undefined == "not of two labels"


@given(COUNTS)
def test_labels_turned_round_turn_the_signs(counts: list[int]) -> None:
    table = square(*counts)
    before, after = (
        prevalence_and_bias(*table, labels=labels) for labels in (("yes", "no"), ("no", "yes"))
    )

    assert after.prevalence.value == pytest.approx(-float(before.prevalence))
    assert after.bias.value == pytest.approx(-float(before.bias))
    assert after.adjusted == before.adjusted


def test_what_is_undefined_says_why() -> None:
    three = prevalence_and_bias(*tidy([["a", "b", "a"]]), labels=("a", "b"))
    alike = prevalence_and_bias(*tidy([["a", "a"]]))
    nobody = prevalence_and_bias([], [], [])

    assert three.bias.undefined == "not of two raters"
    assert alike.adjusted.undefined == "one label only"
    assert nobody.commonest.undefined == "no ratings"
    with pytest.raises(ValueError, match="'a' is not among the labels"):
        prevalence_and_bias(*tidy([["a", "a"]]), labels=("x",))


def test_intervals_are_over_clusters() -> None:
    rng = np.random.default_rng(0)
    table = tidy(rng.choice(["yes", "no"], (40, 2), p=[0.8, 0.2]).tolist())

    found = prevalence_and_bias(
        *table, clusters=[unit // 2 for unit in table[0]], bootstrap=Bootstrap()
    )

    for each in (found.commonest, found.prevalence, found.bias, found.adjusted):
        assert (each.low or 0) <= float(each) <= (each.high or 0)
        assert "of 20 clusters" in (each.interval_method or "")
