import csv
from pathlib import Path
from statistics import median, quantiles

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, mean_by, quantile_by

NUMBERS = st.lists(st.integers(-20, 20), min_size=2, max_size=15)


def test_a_median_and_a_quartile_by_hand() -> None:
    # Group means 3/2, 5 and 10; place (3 - 1) / 4 = 1/2 lies half way between the first two.
    columns = [1, 2, None, 5, 10], list("aabbc")
    assert quantile_by(*columns).value == 5
    estimate = quantile_by(*columns, level=0.25)
    assert estimate.value == pytest.approx((3 / 2 + 5) / 2)
    assert (estimate.n_units, estimate.n_ratings) == (3, 4)


@pytest.mark.parametrize("system", ["gpt4", "gpt35", "llama2-70b"])
def test_quantiles_of_utility_by_system_equal_the_standard_library(
    shared_data: Path, system: str
) -> None:
    # The published figures are means (tests of `mean_by`); the quantiles stand beside them.
    with (shared_data / "utility-ratings" / "ratings.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["generator"] == system]
    ratings, items = [float(row["rating"]) for row in rows], [row["item"] for row in rows]
    means = [
        float(mean_by([r for r, one in zip(ratings, items, strict=True) if one == item]))
        for item in dict.fromkeys(items)
    ]
    assert float(quantile_by(ratings, items)) == pytest.approx(median(means), abs=1e-9)
    quartiles = [float(quantile_by(ratings, items, level=at)) for at in (0.25, 0.5, 0.75)]
    assert quartiles == pytest.approx(quantiles(means, method="inclusive"), abs=1e-9)


@given(NUMBERS, st.floats(0, 1))
def test_a_quantile_equals_numpys(values: list[int], level: float) -> None:
    ours = quantile_by(values, level=level).value
    assert ours == pytest.approx(float(np.quantile(values, level)), abs=1e-9)


@given(NUMBERS, st.data())
def test_order_does_not_matter_and_a_turned_scale_turns_the_level(
    values: list[int], data: st.DataObject
) -> None:
    moved = data.draw(st.permutations(values))
    value = quantile_by(values, level=0.3).value
    assert quantile_by(moved, level=0.3).value == value
    turned = quantile_by([-one for one in values], level=0.7).value
    assert value is not None
    assert turned == pytest.approx(-value, abs=1e-9)
    assert quantile_by(values, level=0).value == min(values)
    assert quantile_by(values, level=1).value == max(values)


def test_the_interval_is_that_of_a_plain_loop_over_resampled_values() -> None:
    rng = np.random.default_rng(2)
    values = np.round(rng.exponential(size=60) * 10)
    estimate = quantile_by(values, bootstrap=Bootstrap(resamples=2000, seed=1))
    plain = np.median(values[rng.integers(0, 60, (4000, 60))], axis=1)
    low, high = np.quantile(plain, [0.025, 0.975])
    assert estimate.low == pytest.approx(low, abs=1)  # ratings are whole numbers
    assert estimate.high == pytest.approx(high, abs=1)


def test_no_values_are_undefined_and_a_level_outside_is_refused() -> None:
    assert quantile_by([None], bootstrap=Bootstrap(resamples=5)).undefined == "no ratings"
    assert quantile_by([]).undefined == "no ratings"
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile_by([1], level=1.5)


def test_a_quartile_has_no_interval_without_a_width() -> None:
    """Two thirds of the points are 5: in nearly all resamples the upper quartile is 5, too."""
    estimate = quantile_by([5] * 20 + [4] * 10, level=0.75, bootstrap=Bootstrap(resamples=200))
    assert (estimate.value, estimate.low, estimate.high) == (5, None, None)
    assert (estimate.interval_method or "").endswith(
        "none: nearly all resamples have the same value there"
    )


@pytest.mark.parametrize(("level", "fewest"), [(0.5, 6), (0.25, 13), (0.75, 13)])
def test_so_few_values_that_all_may_lie_on_one_side_have_no_interval(
    level: float, fewest: int
) -> None:
    # 1/2^5 = 1/32 is above 1/40 and 1/2^6 below; (3/4)^12 = .032 and (3/4)^13 = .024.
    bootstrap = Bootstrap(resamples=100)
    given, few = (
        quantile_by(range(n), level=level, bootstrap=bootstrap) for n in (fewest, fewest - 1)
    )
    assert given.low is not None
    assert (few.value is not None, few.low) == (True, None)
    assert f"too few sources ({fewest - 1}, {fewest} are needed)" in (few.interval_method or "")
