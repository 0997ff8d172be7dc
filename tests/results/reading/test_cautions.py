"""What a report says one should bear in mind."""

from typing import Any

import pytest

from agreement import Estimate
from results.data.rows import Row
from results.reading.cautions import cautions


def row(level: str, n_units: int, n_ratings: int, metric: str = "pearson", **other: Any) -> Row:
    estimate = Estimate(value=0.5, n_units=n_units, n_ratings=n_ratings, **other)
    return Row(
        metric=metric,
        facet="utility",
        raters="humans~lexical",
        group={},
        aggregation=level,
        consensus=None,
        estimate=estimate,
    )


@pytest.mark.parametrize(
    ("level", "n_units", "n_ratings", "begins"),
    [
        ("system", 7, 700, "Only 7 systems:"),
        ("system", 8, 800, ""),
        ("summary", 10, 25, "Many sources have two items"),
        ("summary", 10, 30, ""),
        ("pooled", 4, 4, ""),
    ],
)
def test_correlations_of_few_systems_and_of_two_items_are_to_be_read_with_care(
    level: str, n_units: int, n_ratings: int, begins: str
) -> None:
    found = cautions([row(level, n_units, n_ratings), row(level, n_units, n_ratings)])
    assert [text.startswith(begins) for text in found] == ([True] if begins else [])


def test_other_figures_of_systems_and_undefined_ones_need_no_caution() -> None:
    undefined = Estimate.missing("fewer than three systems", n_units=2)
    few = row("system", 2, 4)
    assert cautions([Row(**{**vars(few), "estimate": undefined})]) == []
    assert cautions([row("system", 3, 9, metric="friedman_p")]) == []
