from typing import Any

import numpy as np
import pytest

from agreement import Bootstrap, Coded, Pilot, alpha, interval_width, pilot_from, units_needed
from agreement.systems import power
from agreement.values.coding import IntArray

LABELS = Pilot(values=["x", "y", "z"], shares=[0.5, 0.3, 0.2], agreement=0.6, distance="nominal")
NUMBERS = Pilot(values=[0, 10], shares=[0.5, 0.5], agreement=0.4, distance="interval")


def urn(pilot: Pilot, units: int, raters: int, seed: int) -> IntArray:
    """The same model by its other description: a unit's own shares from a Dirichlet."""
    rng = np.random.default_rng(seed)
    concentration = (1 - pilot.agreement) / pilot.agreement
    own = rng.dirichlet(concentration * np.array(pilot.shares), units)
    return np.array([rng.choice(len(own[0]), raters, p=shares) for shares in own])


def test_a_pilot_has_the_values_shares_and_alpha_of_its_ratings() -> None:
    # Units (x, x), (y, y), (x, y) of two raters: alpha = 1 - 5 * 2 / (2 * 9) = 4/9.
    ratings: list[Any] = ["x", "x", "y", "y", "x", "y"]
    pilot = pilot_from([1, 1, 2, 2, 3, 3], [1, 2] * 3, ratings, distance="nominal")
    assert (pilot.values, pilot.shares) == (["x", "y"], [0.5, 0.5])
    assert pilot.agreement == pytest.approx(4 / 9)
    coded = Coded([1, 1, 0, 0, 1, 0], ["y", "x"])
    assert pilot_from([1, 1, 2, 2, 3, 3], [1, 2] * 3, coded, distance="nominal").agreement == (
        pilot.agreement
    )
    sets = [frozenset(one) for one in ratings]
    assert (
        frozenset("x")
        in pilot_from([1, 1, 2, 2, 3, 3], [1, 2] * 3, sets, distance="jaccard").values
    )


def test_the_width_for_a_mean_is_that_of_the_formula() -> None:
    # Variance of a unit's mean of m ratings: 25 (alpha + (1 - alpha) / m) = 25 (0.4 + 0.6 / 3) =
    # 15; of 200 units' mean 15 / 200: width 2 * 1.96 * 0.274 = 1.07. 4,000 simulations know a
    # quantile distance to about 2 %.
    found = interval_width(NUMBERS, units=200, raters=3, statistic="mean", simulations=4000)
    assert float(found) == pytest.approx(2 * 1.96 * (15 / 200) ** 0.5, rel=0.06)
    assert (found.n_units, found.n_raters, found.n_ratings) == (200, 3, 600)


@pytest.mark.parametrize("raters", [2, 4])
def test_the_width_for_alpha_is_that_of_bootstrap_intervals_of_such_studies(raters: int) -> None:
    planned = interval_width(LABELS, units=120, raters=raters, simulations=2000)
    widths = []
    for seed in range(30):
        table = urn(LABELS, 120, raters, seed)
        units, columns = np.indices(table.shape)
        found = alpha(
            units.ravel(),
            columns.ravel(),
            table.ravel(),
            distance="nominal",
            bootstrap=Bootstrap(resamples=300),
        )
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert float(planned) == pytest.approx(np.mean(widths), rel=0.08)


@pytest.mark.parametrize(
    ("distance", "values"), [("nominal", ["b", "a", "c"]), ("ordinal", [3, 1, 2])]
)
def test_each_simulated_study_has_the_alpha_of_its_ratings(
    distance: str, values: list[object]
) -> None:
    pilot = Pilot(values=values, shares=[0.5, 0.3, 0.2], agreement=0.5, distance=distance)
    found = power._alphas(pilot, 20, 3, 5, np.random.default_rng(2))
    (studies,) = power._studies(pilot, 20, 3, 5, np.random.default_rng(2))
    units, raters = np.indices((20, 3))
    expected = [
        alpha(units.ravel(), raters.ravel(), Coded(drawn.ravel(), values), distance=distance)
        for drawn in studies
    ]
    assert found.tolist() == pytest.approx([estimate.value for estimate in expected])


def test_the_units_needed_have_the_width_that_was_asked_for() -> None:
    for pilot, statistic, width in ((LABELS, "alpha", 0.2), (NUMBERS, "mean", 1.0)):
        needed = units_needed(pilot, width=width, raters=3, statistic=statistic, seed=1)  # type: ignore[arg-type]
        again = interval_width(
            pilot,
            units=int(float(needed)),
            raters=3,
            statistic=statistic,  # type: ignore[arg-type]
            simulations=3000,
            seed=9,
        )
        assert float(again) == pytest.approx(width, rel=0.1)
    # 2 * 1.96 * sqrt(15 / n) = 1 for n = 230.5
    assert float(needed) == pytest.approx(230.5, rel=0.15)


def test_more_raters_need_fewer_units_and_narrower_intervals_more() -> None:
    needed = [
        float(units_needed(LABELS, width=0.25, raters=raters, simulations=400))
        for raters in (2, 3, 6)
    ]
    assert needed == sorted(needed, reverse=True)
    assert needed[0] > 1.3 * needed[2]
    assert float(units_needed(LABELS, width=0.1, raters=2, simulations=400)) > 4 * needed[0]


def test_more_units_than_allowed_are_not_a_number() -> None:
    needed = units_needed(LABELS, width=0.001, raters=2, most=1000, simulations=100)
    assert needed.undefined == "more units needed than the most that are allowed (1000)"


def test_the_seed_decides() -> None:
    first = interval_width(LABELS, units=30, raters=2, simulations=200, seed=4)
    assert first == interval_width(LABELS, units=30, raters=2, simulations=200, seed=4)
    assert first.value != interval_width(LABELS, units=30, raters=2, simulations=200, seed=5).value
    assert first.interval_method == "200 simulated studies, seed 4"


def test_the_order_of_labels_does_not_matter() -> None:
    turned = Pilot(
        values=["z", "y", "x"], shares=[0.2, 0.3, 0.5], agreement=0.6, distance="nominal"
    )
    widths = [
        float(interval_width(pilot, units=100, raters=3, simulations=2000))
        for pilot in (LABELS, turned)
    ]
    assert widths[0] == pytest.approx(widths[1], rel=0.08)


def test_full_agreement_leaves_no_width_and_no_agreement_is_simulated_too() -> None:
    full = Pilot(values=["x", "y"], shares=[0.5, 0.5], agreement=1, distance="nominal")
    assert interval_width(full, units=50, raters=3, simulations=100).value == 0
    none = Pilot(values=["x", "y"], shares=[0.5, 0.5], agreement=0, distance="nominal")
    assert float(interval_width(none, units=50, raters=3, simulations=500)) > 0.2


def test_studies_without_variation_have_no_width() -> None:
    rare = Pilot(values=["x", "y"], shares=[0.999, 0.001], agreement=0.5, distance="nominal")
    found = interval_width(rare, units=10, raters=2, simulations=100)
    assert found.undefined == "more than half of the simulated studies have no variation"
    assert units_needed(rare, width=0.1, raters=2, simulations=100).value is None


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="no pilot: one rater only"):
        pilot_from([1, 2], ["a", "a"], ["x", "y"], distance="nominal")
    with pytest.raises(ValueError, match="add up to 1"):
        Pilot(values=["x", "y"], shares=[0.5, 0.6], agreement=0.5, distance="nominal")
    with pytest.raises(ValueError, match="agreement"):
        Pilot(values=["x", "y"], shares=[0.5, 0.5], agreement=1.5, distance="nominal")
    with pytest.raises(ValueError, match="two units and 2 raters"):
        interval_width(LABELS, units=10, raters=1)
    with pytest.raises(ValueError, match="distance interval"):
        interval_width(LABELS, units=10, raters=2, statistic="mean")
    with pytest.raises(ValueError, match="above 0"):
        units_needed(LABELS, width=0, raters=2)
