"""How often intervals hold the truth, and how often tests find what is not there."""

from dataclasses import replace

import numpy as np
import pytest

from tests.agreement.simulations import (
    JACKKNIFE,
    Case,
    alpha_of_labels,
    alpha_of_points,
    alpha_of_raters,
    alpha_of_sets,
    correlation_of_systems,
    correlation_of_texts,
    coverage,
    kappa_of_labels,
    mean_of_crowd,
    mean_of_raters,
    mean_of_sources,
    pearson_of_texts,
    rho_of,
    share_of_items,
    size_of_min_f,
    tau_of,
)

STUDIES = 600
# Three standard errors of a share of 5 % in so many studies.
NOISE = 2.7
SKEWED = 0.2 * float(np.exp(0.5))
RARE, MIXED = [0.05, 0.95], [0.8, 0.15, 0.05]
# Alphas of these designs, from 30,000 sources.
POINTS, SETS = 0.573, 0.505

CASES = (
    *(Case(f"mean, {n} sources", 0, mean_of_sources(n)) for n in (5, 10, 20, 50)),
    *(Case(f"skewed mean, {n}", SKEWED, mean_of_sources(n, skewed=True)) for n in (10, 20, 50)),
    *(Case(f"share .1, {n} x 3", 0.1, share_of_items(n)) for n in (10, 20, 50)),
    *(
        Case(f"alpha .95/.05, {n}", 0.757**2, alpha_of_labels(n, 3, RARE, 0.757))
        for n in (50, 100, 200)
    ),
    *(
        Case(
            f"alpha .8/.15/.05, {n} x 2",
            0.726**2,
            alpha_of_labels(n, 5, MIXED, 0.726, per=2),
            least,
        )
        # Of ten sources one study in ten has enough of the rare labels, the odd ones.
        for n, least in ((10, 85.0), (25, 92.0), (50, 92.0))
    ),
    *(Case(f"alpha ordinal, {n} x 3", POINTS, alpha_of_points(n)) for n in (5, 10, 25)),
    *(Case(f"alpha Jaccard, {n} x 3", SETS, alpha_of_sets(n)) for n in (10, 25)),
    *(Case(f"kappa .9/.1, {n}", 0.815**2, kappa_of_labels(n)) for n in (50, 100)),
    *(
        Case(f"{method}, {n} x 5", truth, correlation_of_texts(n, method))
        for method, truth in (
            ("pearson", pearson_of_texts()),
            ("kendall_tau_b", tau_of(pearson_of_texts())),
        )
        for n in (5, 10, 25)
    ),
    *(
        Case(f"{method}, {n} systems", truth, correlation_of_systems(n, method), least)
        for method, truth, least in (
            ("pearson", 0.8, 93.0),
            ("spearman", rho_of(0.8), 90.0),
            ("kendall_tau_b", tau_of(0.8), 93.0),
        )
        for n in (5, 8, 15)
    ),
    *(
        Case(f"mean, 40 x {n} raters", 0, mean_of_raters(40, n, taste=0.7), raters=True)
        for n in (3, 5, 15)
    ),
    Case("mean, 40 x 5 raters alike", 0, mean_of_raters(40, 5, taste=0), raters=True),
    Case("mean, 100 x 3 of 30", 0, mean_of_crowd(100, 30, taste=0.7), raters=True),
    *(
        Case(f"alpha, 60 x {n} raters", 0.49, alpha_of_raters(60, n), raters=True)
        for n in (3, 5, 15)
    ),
    Case("alpha, 60 x 5 raters alike", 0.49, alpha_of_raters(60, 5, alike=True), raters=True),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_intervals_hold_the_truth_as_often_as_they_say(case: Case) -> None:
    counted = coverage(case, JACKKNIFE, STUDIES)
    assert np.isnan(counted.holds) or counted.holds >= case.least - NOISE


@pytest.mark.slow
@pytest.mark.parametrize("taste", [0, 0.15, 0.3, 0.5])
@pytest.mark.parametrize(("sources", "raters"), [(60, 3), (60, 5), (60, 10), (20, 3)])
def test_systems_that_are_equal_for_people_in_general_seldom_differ(
    sources: int, raters: int, taste: float
) -> None:
    assert size_of_min_f(sources, raters, taste, STUDIES) < 7.5 + 2


def test_few_studies_show_it_too() -> None:
    """Raters with tastes: intervals of these raters hold the truth in half of the studies."""
    case = Case("mean", 0, mean_of_raters(40, 5, taste=1.5), raters=True)
    assert coverage(case, JACKKNIFE, 100).holds > 88
    assert coverage(case, JACKKNIFE, 100, raters=False).holds < 60
    assert size_of_min_f(30, 4, 0.5, 50) < 14


def test_the_truths_of_the_designs_are_those_of_large_studies() -> None:
    rng = np.random.default_rng(3)
    none = replace(JACKKNIFE, confidence=0.5)
    assert float(alpha_of_points(1500)(rng, none)) == pytest.approx(POINTS, abs=0.02)
    assert float(alpha_of_sets(1500)(rng, none)) == pytest.approx(SETS, abs=0.02)
    labels = alpha_of_labels(4000, 3, RARE, 0.757)(rng, none)
    assert float(labels) == pytest.approx(0.757**2, abs=0.06)
