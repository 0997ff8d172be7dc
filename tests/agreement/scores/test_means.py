import csv
import math
from collections import defaultdict
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, mean_by

ROWS = st.lists(
    st.tuples(
        st.integers(0, 2),  # item
        st.integers(0, 2),  # unit of the item
        st.one_of(st.none(), st.floats(-100, 100)),
    ),
    min_size=1,
    max_size=20,
)


def nested(rows: list[tuple[int, int, float | None]], **options: Any) -> Any:
    """Mean within (item, unit), within item, over items."""
    units = [(item, unit) for item, unit, _ in rows]
    items = [item for item, _, _ in rows]
    return mean_by([value for _, _, value in rows], units, items, **options)


def test_a_mean_by_hand() -> None:
    # Unit a: (1 + 2) / 2 = 3/2; unit b: 3; item x: (3/2 + 3) / 2 = 9/4; item y: 10.
    # Mean (9/4 + 10) / 2 = 49/8; population sd half of the difference, 31/8.
    estimate = mean_by([1, 2, 3, None, 10], list("aabbc"), list("xxxxy"))
    assert estimate.value == pytest.approx(49 / 8)
    assert estimate.sd == pytest.approx(31 / 8)
    assert estimate.sd_ddof == 0
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (3, None, 4)


@pytest.mark.parametrize(
    ("system", "mean", "sd"),
    [("gpt4", 66.87, 19.40), ("gpt35", 72.52, None), ("llama2-70b", 65.12, None)],
)
def test_means_of_utility_ratings_have_the_published_digits(
    shared_data: Path, system: str, mean: float, sd: float | None
) -> None:
    path = shared_data / "utility-ratings" / "ratings.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["generator"] == system]
    estimate = mean_by(
        [float(row["rating"]) for row in rows],
        [row["item"] for row in rows],
        raters=[row["worker"] for row in rows],
        ddof=1,
    )
    assert estimate.value is not None
    assert estimate.sd is not None
    assert round(estimate.value, 2) == mean
    assert sd is None or round(estimate.sd, 2) == sd


@given(ROWS)
def test_a_mean_of_means_equals_the_standard_library(
    rows: list[tuple[int, int, float | None]],
) -> None:
    units: dict[tuple[int, int], list[float]] = defaultdict(list)
    for item, unit, value in rows:
        if value is not None:
            units[item, unit].append(value)
    items: dict[int, list[float]] = defaultdict(list)
    for (item, _), values in units.items():
        items[item].append(fmean(values))
    means = [fmean(values) for values in items.values()]
    ours = nested(rows)
    if not means:
        assert ours.undefined == "no ratings"
        return
    assert ours.value == pytest.approx(fmean(means), abs=1e-12)
    assert ours.sd == pytest.approx(pstdev(means), abs=1e-9)


@given(ROWS, st.data())
def test_the_order_and_the_names_of_the_groups_do_not_matter(
    rows: list[tuple[int, int, float | None]], data: st.DataObject
) -> None:
    moved = [(-item, 7 * unit, value) for item, unit, value in data.draw(st.permutations(rows))]
    before, after = nested(rows), nested(moved)
    assert after.value == pytest.approx(before.value, abs=1e-12)
    assert after.undefined == before.undefined


@given(ROWS)
def test_the_same_answers_twice_change_nothing(
    rows: list[tuple[int, int, float | None]],
) -> None:
    assert nested(rows * 2).value == pytest.approx(nested(rows).value, abs=1e-12)


def test_without_groups_it_is_the_plain_mean() -> None:
    estimate = mean_by([1, 2, 6], ddof=1)
    assert estimate.value == 3
    assert estimate.sd == pytest.approx(math.sqrt(7))  # (4 + 1 + 9) / 2


def test_one_group_has_no_sample_deviation() -> None:
    assert mean_by([1, 2], ["a", "a"], ddof=1).sd is None
    assert mean_by([1, 2], ["a", "a"], ddof=0).sd == 0


def test_no_values_are_undefined_whatever_is_asked_for() -> None:
    estimate = mean_by(
        [None, math.nan], ["a", "b"], clusters=["s", "t"], bootstrap=Bootstrap(resamples=10)
    )
    assert (estimate.value, estimate.undefined) == (None, "no ratings")
    assert (estimate.n_units, estimate.n_ratings) == (0, 0)


def test_the_interval_resamples_clusters_of_groups_with_their_sizes() -> None:
    # Sources s (means 0, 0, 0) and t (mean 1): a resample has mean 0, 1/4 or 1.
    estimate = mean_by(
        [0, 0, 0, 1], list("abcd"), clusters=list("ssst"), bootstrap=Bootstrap(resamples=400)
    )
    assert (estimate.value, estimate.low, estimate.high) == (0.25, 0, 1)


def test_a_group_in_two_groups_or_two_clusters_is_refused() -> None:
    with pytest.raises(ValueError, match="lies in two groups"):
        mean_by([1, 2], ["a", "a"], ["x", "y"])
    with pytest.raises(ValueError, match="two clusters"):
        mean_by([1, 2], ["a", "a"], clusters=["x", "y"])


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ValueError, match="1 ids for 2 values"):
        mean_by([1, 2], ["a"])
    with pytest.raises(ValueError, match="infinite"):
        mean_by([1, math.inf])
    with pytest.raises(TypeError, match="not a number"):
        mean_by([1, "2"])
