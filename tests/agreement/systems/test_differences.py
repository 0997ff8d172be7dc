"""Systems compared for other sources and other raters: pairs, and all of them together."""

import csv
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from agreement import Bootstrap, SystemDifference, min_f, system_differences
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


def differences_of(values: FloatArray) -> dict[tuple[Any, Any], SystemDifference]:
    """Of a table (sources, raters, systems), NaN where missing."""
    source, rater, system = (axis.ravel() for axis in np.indices(values.shape))
    return system_differences(source, rater, system, values.ravel(), bootstrap=BOTH)


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
    assert compared.these_p.value == pytest.approx(2 * stats.t.sf(3 * sqrt(2), 4))
    assert compared.others_p.undefined == "one rater cannot speak of others"


@pytest.mark.parametrize("raters", [1, 4])
def test_of_these_raters_it_is_scipys_paired_t_test_over_sources(raters: int) -> None:
    ratings = rated(1, 20, raters, 2, taste=1)
    (compared,) = system_differences(*ratings, bootstrap=SOURCES).values()
    table = ratings[3].reshape(20, raters, 2).mean(axis=1)
    theirs = stats.ttest_rel(table[:, 0], table[:, 1])
    assert compared.these_p.value == pytest.approx(theirs.pvalue)
    bounds = theirs.confidence_interval()
    assert (compared.difference.low, compared.difference.high) == pytest.approx(tuple(bounds))


@pytest.mark.parametrize("seed", range(3))
def test_in_a_complete_design_it_is_the_pooled_random_model(seed: int) -> None:
    """Mean squares of systems x sources, of systems x raters and of the rest, by plain means."""
    values = rated(seed, 15, 4, 3, taste=2)[3].reshape(15, 4, 3)
    apart = values - values.mean(axis=2, keepdims=True)
    apart = apart - apart.mean(axis=(0, 1))
    source, rater = apart.mean(axis=1, keepdims=True), apart.mean(axis=0, keepdims=True)
    of_sources = 4 * (source**2).sum() / 28
    of_raters = 15 * (rater**2).sum() / 6
    rest = ((apart - source - rater) ** 2).sum() / 84
    total = of_sources + of_raters - rest
    degrees = total**2 / (of_sources**2 / 28 + of_raters**2 / 6 + rest**2 / 84)
    means = values.mean(axis=(0, 1))
    for (one, other), compared in differences_of(values).items():
        t = (means[one] - means[other]) / sqrt(2 * total / 60)
        assert compared.difference.value == pytest.approx(means[one] - means[other])
        assert compared.others_p.value == pytest.approx(2 * stats.t.sf(abs(t), max(degrees, 6)))


def test_published_ratings_of_three_people_differ_as_often_as_computed_elsewhere(
    shared_data: Path,
) -> None:
    """Pairs of 91, by paired t tests and by the pooled mixed model, both with Holm."""
    with (shared_data / "dialsummeval-ratings" / "ratings_and_metrics.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    for facet, these, others in (
        ("coherence", 46, 27),
        ("consistency", 67, 26),
        ("fluency", 43, 22),
        ("relevance", 61, 33),
    ):
        ratings = [
            (row["doc_id"], who, row["system_id"], float(row[f"{facet}_{who}"]))
            for row in rows
            for who in ("a1", "a2", "a3")
        ]
        compared = system_differences(*zip(*ratings, strict=True), reach=4, bootstrap=BOTH).values()
        assert sum(float(of.these_p_holm) < 0.05 for of in compared) == these
        assert sum(float(of.others_p_holm) < 0.05 for of in compared) == others


@given(st.integers(0, 500), st.sampled_from([0.0, 0.3]), st.sampled_from([2, 3, 5]))
def test_an_interval_leaves_0_out_just_where_holms_p_is_small(
    seed: int, missing: float, raters: int
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(12, raters, 4)) + rng.normal(size=(1, raters, 4))
    values += np.array([0, 0, 0.5, 1.5])
    values[rng.random(values.shape) < missing] = np.nan
    for compared in differences_of(values).values():
        of = compared.difference
        for p, low, high in (
            (compared.these_p_holm, of.these_low, of.these_high),
            (compared.others_p_holm, of.others_low, of.others_high),
        ):
            assert (p.value is None) == (low is None)
            if low is not None and high is not None:
                assert (float(p) < 0.05) == (not low <= 0 <= high)


def test_two_raters_of_two_systems_carry_one_degree_of_freedom() -> None:
    """Raters put x 1 and 3 above y: t with 1 degree has p = 2 atan(1 / 2) / pi = .295."""
    rng = np.random.default_rng(1)
    values = np.zeros((50, 2, 2))
    values[:, 0, 0], values[:, 1, 0] = 1, 3
    values += 1e-3 * rng.normal(size=values.shape)
    compared = differences_of(values)[0, 1]
    assert float(compared.these_p) < 1e-9
    assert compared.others_p.value == pytest.approx(0.295, abs=0.005)
    assert "1 degrees of freedom of raters" in str(compared.others_p.interval_method)


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
    compared = system_differences(source, rater, system, values)[0, 1]
    assert float(compared.these_p) < 1e-9
    assert float(compared.others_p) > 0.3


def test_what_is_missing_drops_out() -> None:
    source, rater, system, values = rated(2, 12, 4, 2, taste=1)
    gaps = np.where((source == 3) & (system == 1), np.nan, values)
    (compared,) = system_differences(source, rater, system, gaps, bootstrap=BOTH).values()
    kept = source != 3
    (without,) = system_differences(
        source[kept], rater[kept], system[kept], values[kept], bootstrap=BOTH
    ).values()
    assert compared.difference.n_units == 11
    assert (compared.difference.these_low, compared.these_p.value) == pytest.approx(
        (without.difference.these_low, without.these_p.value)
    )
    assert min_f(source, rater, system, gaps).p_value.n_units == 11


def test_where_there_is_too_little_it_says_why() -> None:
    source, rater, system, values = rated(1, 4, 3, 2, taste=0)
    ((_, compared),) = system_differences(source, rater, system, values, bootstrap=BOTH).items()
    assert compared.these_p.undefined == "too few sources (4, 5 are needed)"
    assert compared.others_p.undefined == compared.these_p.undefined
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
    alone = rater == source % 2
    (single,) = system_differences(
        source[alone], rater[alone], system[alone], values[alone], bootstrap=BOTH
    ).values()
    assert "no output was rated by two raters" in str(single.others_p.undefined)
    (alike,) = system_differences(source, rater, system, 1.0 * system, bootstrap=BOTH).values()
    assert alike.these_p.undefined == "the differences do not vary"
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
    assert second.these_p.value == pytest.approx(first.these_p.value)
    assert second.others_p.value == pytest.approx(first.others_p.value)
    assert min_f(source, rater, system, values).p_value.value == pytest.approx(
        min_f(renamed, 9 - rater, 1 - system, values + 7).p_value.value
    )
