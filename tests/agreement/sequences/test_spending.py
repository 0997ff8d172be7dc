"""The error that looks at a sealed test spend."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from agreement.sequences.spending import confidence_of_look, error_spent
from tests.agreement.sequences.tuning_rounds import SETTINGS, Setting, simulate


def test_half_of_two_looks_by_hand() -> None:
    # 0.05 * ln(1 + (e - 1) / 2) = 0.05 * ln((1 + e) / 2) = 0.05 * 0.620115
    assert error_spent(1, 2, 0.05) == pytest.approx(0.05 * 0.6201145, abs=1e-8)
    # The second look has the rest, in equal shares of two figures: 1 - 0.05 * 0.379885 / 2
    assert confidence_of_look(2, 2, 0.05, figures=2) == pytest.approx(1 - 0.05 * 0.3798855 / 2)


def test_five_looks_as_tables_of_the_pocock_type_have_them() -> None:
    # Cumulative two-sided error at five equally spaced analyses, Reboussin, DeMets, Kim and Lan
    # (2000), "Computations for group sequential boundaries using the Lan-DeMets spending function
    # method", Controlled Clinical Trials 21, 190-207: 0.0148, 0.0262, 0.0354, 0.0432, 0.0500.
    spent = [round(error_spent(look, 5, 0.05), 4) for look in range(1, 6)]
    assert spent == [0.0148, 0.0262, 0.0354, 0.0432, 0.0500]


@pytest.mark.parametrize(("look", "planned", "error"), [(1, 1, 0.1), (3, 7, 0.05), (10, 10, 0.01)])
def test_what_is_spent_is_the_integral_of_the_rate_of_spending(
    look: int, planned: int, error: float
) -> None:
    """Independently: the derivative error (e - 1) / (1 + (e - 1) t), integrated numerically."""
    rate = math.e - 1
    integral, _ = quad(lambda t: error * rate / (1 + rate * t), 0, look / planned)
    assert error_spent(look, planned, error) == pytest.approx(integral, rel=1e-9)


@given(st.integers(1, 60), st.floats(0.001, 0.5), st.integers(1, 8))
def test_all_looks_and_figures_spend_the_error_and_earlier_ones_more(
    planned: int, error: float, figures: int
) -> None:
    costs = [
        1 - confidence_of_look(look, planned, error, figures=figures)
        for look in range(1, planned + 1)
    ]
    assert figures * sum(costs) == pytest.approx(error)
    assert all(first > second > 0 for first, second in pairwise(costs))
    assert error_spent(0, planned, error) == 0


@pytest.mark.parametrize(
    ("look", "planned", "error", "figures"),
    [(6, 5, 0.05, 1), (0, 5, 0.05, 1), (1, 0, 0.05, 1), (1, 5, 0.0, 1), (1, 5, 0.05, 0)],
)
def test_a_look_that_is_not_planned_and_no_error_are_refused(
    look: int, planned: int, error: float, figures: int
) -> None:
    with pytest.raises(ValueError, match=r"look|error"):
        confidence_of_look(look, planned, error, figures=figures)


def test_after_ten_rounds_the_sealed_intervals_hold_and_that_of_development_does_not() -> None:
    found = simulate(Setting(studies=300), seed=5)
    assert found.all_looks >= 0.93
    assert found.last_look >= 0.93
    assert found.development < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS.keys())
def test_they_hold_in_small_studies_and_clusters_and_near_the_end_of_the_scale(
    setting: Setting,
) -> None:
    found = simulate(setting, seed=6)
    assert found.all_looks >= 0.93
    assert found.last_look >= 0.93
    assert found.development < 0.93
