import csv
import math
from pathlib import Path
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import cv_star

MEASUREMENTS = st.lists(st.floats(0.5, 100), min_size=2, max_size=9)


def test_cv_star_by_hand() -> None:
    # n = 2, mean 2, s = sqrt(2), c4(2) = sqrt(2 / pi): s* = sqrt(pi);
    # 100 * (1 + 1/8) * sqrt(pi) / 2 = 56.25 sqrt(pi)
    estimate = cv_star([1, 3])
    assert estimate.value == pytest.approx(56.25 * math.sqrt(math.pi), rel=1e-14)
    assert estimate.n_ratings == 2


@pytest.mark.parametrize(("values", "published"), [([1.48, 1.50], 1.34), ([1.48, 2.18], 38.14)])
def test_cv_star_has_the_published_digits(values: list[float], published: float) -> None:
    assert round(float(cv_star(values)), 2) == published


def test_cv_star_of_two_studies_has_every_digit_of_the_published_table(shared_data: Path) -> None:
    folder = shared_data / "reprohum-0087-01"
    with (folder / "mar_table5.csv").open(encoding="utf-8") as file:
        ranks = {row["study"]: row for row in csv.DictReader(file) if row["annotator"] == "all"}
    with (folder / "cvstar_table2_spearman_table3.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for system in ("just", "explain_extr", "explain_mt"):
                pair = [float(ranks[row[study]][system]) for study in ("a", "b")]
                assert f"{float(cv_star(pair)):.2f}" == row[f"cvstar_{system}"]


def c4_product(n: int) -> float:
    """c4 without the gamma function: c4(2) = sqrt(2/pi), c4(n) c4(n+1) = sqrt((n-1)/n)."""
    value = math.sqrt(2 / math.pi)
    for m in range(2, n):
        value = math.sqrt((m - 1) / m) / value
    return value


@given(MEASUREMENTS)
def test_cv_star_equals_another_way_to_compute_it(values: list[float]) -> None:
    n = len(values)
    expected = 100 * (1 + 1 / (4 * n)) * stdev(values) / c4_product(n) / fmean(values)
    assert cv_star(values).value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(MEASUREMENTS, st.floats(0.01, 100))
def test_order_and_unit_of_measurement_do_not_matter(values: list[float], unit: float) -> None:
    moved = [-unit * value for value in reversed(values)]
    assert cv_star(moved).value == pytest.approx(cv_star(values).value, rel=1e-9, abs=1e-9)


def test_many_measurements_do_not_overflow() -> None:
    values = [1.0, 3.0] * 200
    expected = 100 * (1 + 1 / 1600) * stdev(values) / c4_product(400) / 2
    assert cv_star(values).value == pytest.approx(expected, rel=1e-9)


def test_equal_measurements_do_not_vary_at_all() -> None:
    assert cv_star([2.5, 2.5, 2.5]).value == 0


def test_cv_star_is_undefined_with_a_reason() -> None:
    assert cv_star([1.5]).undefined == "fewer than two measurements"
    assert cv_star([-1, 1]).undefined == "the mean is 0"
    with pytest.raises(ValueError, match="missing"):
        cv_star([1, math.nan])
