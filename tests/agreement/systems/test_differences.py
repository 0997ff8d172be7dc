"""Systems compared for other sources and other raters: pairs, and all of them together."""

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from agreement import Bootstrap, min_f, system_differences
from agreement.values.coding import FloatArray, IntArray

SOURCES = Bootstrap(method="jackknife")
BOTH = Bootstrap(method="jackknife", resample="sources_and_raters")
Ratings = tuple[IntArray, IntArray, IntArray, FloatArray]


def rated(seed: int, sources: int, raters: int, systems: int, *, taste: float) -> Ratings:
    """Sources, raters, systems and values: nothing but noise, levels and tastes."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(sources, raters, systems)) + rng.normal(size=(sources, 1, 1))
    values = values + taste * rng.normal(size=(1, raters, systems))
    source, rater, system = (axis.ravel() for axis in np.indices(values.shape))
    return source, rater, system, values.ravel()


def f_of(ratings: Ratings, by: str) -> float:
    names = ("source", "rater", "system", "value")
    frame = pd.DataFrame(dict(zip(names, ratings, strict=True)))
    model = AnovaRM(frame, "value", by, within=["system"], aggregate_func="mean")
    return float(model.fit().anova_table["F Value"].iloc[0])


def test_with_one_rater_it_is_the_paired_t_test_by_hand() -> None:
    # Differences 1, 2, 3, 4, 5: mean 3, error sqrt(5/2 / 5), t = 3 sqrt 2 with 4 degrees.
    sources = list(range(5)) * 2
    values = [1, 2, 3, 4, 5, 0, 0, 0, 0, 0]
    ((pair, compared),) = system_differences(
        sources, ["ann"] * 10, ["x"] * 5 + ["y"] * 5, values, bootstrap=BOTH
    ).items()
    assert pair == ("x", "y")
    assert (compared.difference.value, compared.difference.n_units) == (3, 5)
    assert compared.p_value.value == pytest.approx(2 * stats.t.sf(3 * sqrt(2), 4))


@pytest.mark.parametrize("raters", [1, 4])
def test_of_these_raters_it_is_scipys_paired_t_test_over_sources(raters: int) -> None:
    ratings = rated(1, 20, raters, 2, taste=1)
    (compared,) = system_differences(*ratings, bootstrap=SOURCES).values()
    table = ratings[3].reshape(20, raters, 2).mean(axis=1)
    theirs = stats.ttest_rel(table[:, 0], table[:, 1])
    assert compared.p_value.value == pytest.approx(theirs.pvalue)
    bounds = theirs.confidence_interval()
    assert (compared.difference.low, compared.difference.high) == pytest.approx(tuple(bounds))


@pytest.mark.parametrize("seed", range(3))
def test_in_a_complete_design_it_is_the_two_way_random_model(seed: int) -> None:
    ratings = rated(seed, 15, 4, 2, taste=2)
    (compared,) = system_differences(*ratings, bootstrap=BOTH).values()
    apart = ratings[3].reshape(15, 4, 2)[:, :, 0] - ratings[3].reshape(15, 4, 2)[:, :, 1]
    middle = apart.mean()
    source, rater = apart.mean(axis=1, keepdims=True), apart.mean(axis=0, keepdims=True)
    of_sources = 4 * ((source - middle) ** 2).sum() / 14
    of_raters = 15 * ((rater - middle) ** 2).sum() / 3
    rest = ((apart - source - rater + middle) ** 2).sum() / 42
    total = of_sources + of_raters - rest
    degrees = total**2 / (of_sources**2 / 14 + of_raters**2 / 3 + rest**2 / 42)
    t = middle / sqrt(total / 60)
    assert compared.difference.value == pytest.approx(middle)
    assert compared.p_value.value == pytest.approx(2 * stats.t.sf(abs(t), max(degrees, 3)))


@pytest.mark.parametrize("systems", [2, 4])
def test_min_f_is_made_of_the_two_fs_of_statsmodels(systems: int) -> None:
    ratings = rated(systems, 12, 5, systems, taste=0.5)
    of_raters, of_sources = f_of(ratings, "rater"), f_of(ratings, "source")
    value = of_raters * of_sources / (of_raters + of_sources)
    first, second = (systems - 1) * 4, (systems - 1) * 11
    degrees = (of_raters + of_sources) ** 2 / (of_raters**2 / second + of_sources**2 / first)
    test = min_f(*ratings)
    assert test.statistic.value == pytest.approx(value)
    assert test.p_value.value == pytest.approx(stats.f.sf(value, systems - 1, degrees))
    assert (test.p_value.n_units, test.p_value.n_raters) == (12, 5)


def test_a_taste_that_three_raters_share_is_no_difference_for_others() -> None:
    """Two raters like x a point more, one y by a point: surely so of these, not of others."""
    source, rater, system = (axis.ravel() for axis in np.indices((60, 3, 2)))
    rng = np.random.default_rng(1)
    likes = np.array([[1, 0], [1, 0], [0, 1]])
    values = likes[rater, system] + 0.2 * rng.normal(size=360)
    these, others = (
        system_differences(source, rater, system, values, bootstrap=how)[0, 1].p_value.value
        for how in (SOURCES, BOTH)
    )
    assert these is not None
    assert others is not None
    assert these < 1e-9
    assert others > 0.3


def test_what_is_missing_drops_out() -> None:
    source, rater, system, values = rated(2, 12, 4, 2, taste=1)
    gaps = np.where((source == 3) & (system == 1), np.nan, values)
    (compared,) = system_differences(source, rater, system, gaps, bootstrap=BOTH).values()
    kept = source != 3
    (without,) = system_differences(
        source[kept], rater[kept], system[kept], values[kept], bootstrap=BOTH
    ).values()
    assert compared.difference.n_units == 11
    assert (compared.difference.low, compared.p_value.value) == pytest.approx(
        (without.difference.low, without.p_value.value)
    )
    assert min_f(source, rater, system, gaps).p_value.n_units == 11


def test_where_there_is_too_little_it_says_why() -> None:
    source, rater, system, values = rated(1, 4, 3, 2, taste=0)
    ((_, compared),) = system_differences(source, rater, system, values, bootstrap=BOTH).items()
    assert compared.p_value.undefined == "too few sources (4, 5 are needed)"
    assert compared.difference.value is not None
    assert compared.difference.low is None
    assert min_f(source, rater, system, values).p_value.undefined == (
        "fewer than 5 sources with every system"
    )
    apart = system_differences([1, 2], ["a", "a"], ["x", "y"], [1, 2])["x", "y"]
    assert apart.difference.undefined == "no source on which both systems were rated"
    source, rater, system, values = rated(1, 9, 2, 2, taste=0)
    assert min_f(source, rater, system, values).p_value.undefined == (
        "fewer than 3 raters of every system"
    )
    (two,) = system_differences(source, rater, system, values, bootstrap=BOTH).values()
    assert "these raters only" in str(two.p_value.interval_method)
    (alike,) = system_differences(source, rater, system, 1.0 * system, bootstrap=BOTH).values()
    assert alike.p_value.undefined == "the differences do not vary"
    one: Any = min_f(source, rater, np.zeros(36, dtype=int), values)
    assert one.p_value.undefined == "fewer than two systems"
    with pytest.raises(ValueError, match="differ in length"):
        min_f([1], [1], [1], [1, 2])
    with pytest.raises(ValueError, match="differ in length"):
        system_differences([1], [1], [1], [1, 2])


@given(st.integers(0, 500), st.permutations(range(8)))
def test_names_and_order_do_not_matter(seed: int, order: list[int]) -> None:
    source, rater, system, values = rated(seed, 8, 4, 2, taste=1)
    renamed = np.array(order)[source]
    first = system_differences(source, rater, system, values, bootstrap=BOTH)[0, 1]
    second = system_differences(renamed, 9 - rater, 1 - system, values + 7, bootstrap=BOTH)[0, 1]
    assert second.difference.value == pytest.approx(-float(first.difference))
    assert second.p_value.value == pytest.approx(first.p_value.value)
    assert min_f(source, rater, system, values).p_value.value == pytest.approx(
        min_f(renamed, 9 - rater, 1 - system, values + 7).p_value.value
    )
