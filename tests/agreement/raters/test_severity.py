"""Severity of raters: by hand, a published design, independent, laws."""

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from agreement import severity
from tests.agreement.tables import Table, tidy

CELLS = st.one_of(st.none(), *[st.integers(1, 5)] * 3)
TABLES = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8)


def of(table: Table, **options: Any) -> list[float | None]:
    found = severity(*tidy(table), **options)
    return [found[rater].value for rater in sorted(found, key=str)]


def test_severity_by_hand() -> None:
    """The first two differ by 1 and 2 on their units, the second and third by 1: 1.5 and 1 apart,
    so effects e, e - 1.5, e - 2.5 that sum to 0: e = 4/3."""
    table = [[5, 4, None], [4, 2, None], [None, 3, 2]]

    assert of(table) == pytest.approx([-4 / 3, 1 / 6, 7 / 6])


def test_a_published_incomplete_block_design() -> None:
    """Montgomery, "Design and Analysis of Experiments", table 4-21: four catalysts, four batches,
    adjusted effects -9/8, -7/8, -4/8 and 20/8."""
    catalysts = [[73, 74, None, 71], [None, 75, 67, 72], [73, 75, 68, None], [75, None, 72, 75]]

    found = of([list(batch) for batch in zip(*catalysts, strict=True)])

    assert found == pytest.approx([9 / 8, 7 / 8, 4 / 8, -20 / 8])


def test_it_equals_the_regression_of_statsmodels_with_its_errors() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(45, 1)) + np.array([0.5, 0.0, -0.3, 0.1]) + rng.normal(size=(45, 4))
    table = table.astype(object)
    table[rng.random((45, 4)) < 0.3] = None
    keep = [row for row in table.tolist() if row.count(None) < 3]
    units, raters, values = tidy(keep)
    source = np.array(units) // 2
    design = np.hstack([np.eye(len(keep))[units], np.eye(4)[raters][:, 1:]])
    fit = sm.OLS(values, design).fit()
    inverse = np.linalg.inv(design.T @ design)
    scores = np.array(
        [(design[source == g] * fit.resid[source == g, None]).sum(axis=0) for g in set(source)]
    )
    groups = len(scores)
    covariance = inverse @ (scores.T @ scores) @ inverse * groups / (groups - 1)
    # Effects around their mean: (0, b1, b2, b3) minus a quarter of the sum.
    centre = np.vstack([np.zeros(3), np.eye(3)]) - 0.25
    effects = centre @ fit.params[-3:]
    errors = np.sqrt(np.diag(centre @ covariance[-3:, -3:] @ centre.T))

    found = severity(units, raters, values, clusters=source)

    assert [float(found[r]) for r in range(4)] == pytest.approx((-effects).tolist(), abs=1e-9)
    from scipy.stats import t

    for rater in range(4):
        own = len({*source[np.array(raters) == rater]})
        half = ((found[rater].high or 0) - (found[rater].low or 0)) / 2
        assert half == pytest.approx(t.ppf(0.975, own - 1) * errors[rater], abs=1e-9)


@given(TABLES, st.data())
def test_order_of_units_and_raters_and_the_level_do_not_matter(
    table: list[list[Any]], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(table))
    other = [[None if cell is None else cell + 4 for cell in row[::-1]] for row in rows]
    before, after = severity(*tidy(table)), severity(*tidy(other))

    defined = [each.value for each in before.values() if each.value is not None]
    assert sum(defined) == pytest.approx(0, abs=1e-9)
    for rater, estimate in before.items():
        assert after[2 - int(str(rater))].value == pytest.approx(estimate.value, abs=1e-9)


def test_raters_without_a_link_cannot_be_compared() -> None:
    table = [[5, 4, 3, None, None, None], [None, None, None, 1, 2, None], [None] * 5 + [3]]
    found = severity(*tidy(table))

    assert found[0].value == pytest.approx(-1)
    assert found[3].undefined == "shares no unit with most raters, directly or through others"
    assert found[5].undefined == "no unit rated by somebody else"
    assert severity([], [], []) == {}
    assert severity([1, 2], ["ann", "ann"], [3, 4])["ann"].undefined == "one rater only"


def test_intervals_need_ten_sources() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(9, 3)).tolist()

    assert severity(*tidy(table))[0].low is None
    assert severity(*tidy([*table, [1.0, 2.0, 3.0]]))[0].low is not None
    assert severity(*tidy([*table, [1.0, 2.0, 3.0]]), confidence=None)[0].low is None


def test_the_bounds_of_a_complete_table_have_the_width_of_its_errors() -> None:
    """The Laplacian of three raters of the same units has an eigenvalue that is 0 but for rounding:
    inverted, it made bounds of 25,000 points, or of no width."""
    rng = np.random.default_rng(3)
    values = np.clip(np.round(rng.normal(3.5, 1, (100, 1)) + rng.normal(0, 1, (100, 3))), 1, 5)
    unit, rater = (axis.ravel() for axis in np.indices(values.shape))
    found = severity(np.repeat(unit, 1), rater, values.ravel(), reach=4)
    # Of a complete table: the mean of all minus the rater's, with the error of unit means.
    apart = values.mean(axis=1, keepdims=True) - values
    for at in range(3):
        error = float(apart[:, at].std(ddof=1)) / 10
        assert found[at].value == pytest.approx(float(apart[:, at].mean()))
        assert (found[at].high or 0) - (found[at].low or 0) == pytest.approx(
            2 * 1.984 * error, rel=0.02
        )
