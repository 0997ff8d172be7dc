"""Intraclass correlations and variance components: by hand, published, independent, laws."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.api import OLS

from agreement import Bootstrap, Reliability, alpha, decision_study, mean_of_raters, reliability
from agreement.reliability.crossed import Crossed
from agreement.values.coding import FloatArray
from agreement.values.ratings import read_ratings
from tests.agreement.tables import Table, tidy

# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]
# Brennan (2001), table 3.2: synthetic data set 4 as persons x items; a column per item.
BRENNAN = [
    [5, 9, 3, 7, 9, 3, 7, 5, 9, 4],
    [6, 3, 4, 5, 2, 4, 3, 8, 9, 4],
    [5, 7, 3, 5, 9, 3, 7, 5, 8, 4],
    [5, 7, 3, 3, 7, 5, 7, 7, 8, 3],
    [5, 7, 5, 3, 7, 3, 7, 7, 6, 3],
    [3, 5, 3, 1, 7, 3, 5, 5, 6, 5],
    [4, 5, 3, 4, 3, 6, 5, 5, 6, 6],
    [5, 5, 5, 3, 7, 3, 7, 4, 5, 5],
    [6, 7, 6, 5, 2, 4, 5, 3, 5, 5],
    [7, 7, 5, 3, 7, 5, 5, 2, 8, 7],
    [3, 5, 1, 3, 5, 1, 5, 1, 1, 1],
    [3, 2, 6, 5, 3, 2, 4, 1, 1, 1],
]
CELLS = st.one_of(st.none(), *[st.integers(1, 5)] * 4)
TABLES = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(CELLS, min_size=raters, max_size=raters), min_size=2, max_size=8
    )
)


def of(table: Table, **options: Any) -> Reliability:
    return reliability(*tidy(table), **options)


def test_correlations_by_hand() -> None:
    """Units 1 2, 3 4, 5 9: unit means 1.5, 3.5, 7, raters 3 and 5, mean 4. Sums of squares: units
    2 (6.25 + .25 + 9) = 31, raters 3 (1 + 1) = 6, all 9 + 4 + 1 + 0 + 1 + 25 = 40, left 3; mean
    squares 15.5, 6, 1.5, within 9 / 3 = 3. Variances: units (15.5 - 1.5) / 2 = 7, raters
    (6 - 1.5) / 3 = 1.5, left 1.5; one way (15.5 - 3) / 2 = 6.25."""
    found = of([[1, 2], [3, 4], [5, 9]])

    assert found.variances == pytest.approx((7, 1.5, 1.5))
    assert found.agreement.value == pytest.approx(7 / 10)
    assert found.consistency.value == pytest.approx(7 / 8.5)
    assert found.one_way.value == pytest.approx(6.25 / 9.25)
    assert [share.value for share in found.shares] == pytest.approx([0.7, 0.15, 0.15])
    assert (found.agreement.n_units, found.agreement.n_raters, found.agreement.n_ratings) == (
        3,
        2,
        6,
    )


def test_components_of_a_table_with_a_hole_by_hand() -> None:
    """Units 1 2, 3 4, 5 . and a rater c for the third: 7. Sums of squares over their sizes minus
    22^2 / 6 = 242/3: units 9/2 + 49/2 + 144/2 - 242/3 = 61/3, raters 81/3 + 36/2 + 49 - 242/3 =
    40/3, all 104 - 242/3 = 70/3. N = 6, three units of 2, raters of 3, 2 and 1: expected
    (6 - 2) u + (3 - 14/6) r + 2 e, (3 - 2) u + (6 - 14/6) r + 2 e and 4 u + 11/3 r + 5 e."""
    expected = [
        [Fraction(4), Fraction(2, 3), Fraction(2)],
        [Fraction(1), Fraction(11, 3), Fraction(2)],
        [Fraction(4), Fraction(11, 3), Fraction(5)],
    ]
    squares = [Fraction(61, 3), Fraction(40, 3), Fraction(70, 3)]
    by_hand = np.linalg.solve(np.array(expected, dtype=float), np.array(squares, dtype=float))

    found = of([[1, 2, None], [3, 4, None], [5, None, 7]])

    assert found.variances == pytest.approx(tuple(by_hand))


def test_shrout_and_fleiss_have_their_published_digits() -> None:
    """Their table 4; intervals as McGraw and Wong (1996) define them, from R's psych."""
    found = of(SHROUT_FLEISS, bootstrap=Bootstrap(resamples=50))
    single = (found.one_way, found.agreement, found.consistency)

    assert [round(float(each), 2) for each in single] == [0.17, 0.29, 0.71]
    assert [round(float(mean_of_raters(each, 4)), 2) for each in single] == [0.44, 0.62, 0.91]
    bounds = [(each.low, each.high) for each in single]
    assert np.array(bounds).round(2).tolist() == [[-0.13, 0.72], [0.02, 0.76], [0.34, 0.95]]
    mean = mean_of_raters(found.agreement, 4)
    assert (round(mean.low or 0, 2), round(mean.high or 0, 2)) == (0.07, 0.93)
    assert found.mean_raters == 4


def test_brennan_has_the_published_components_and_coefficients() -> None:
    """Brennan (2001), tables 6.2 and 6.5: .6258, .8840, 2.7872; of twelve items .729 and .672."""
    found = of([list(row) for row in zip(*BRENNAN, strict=True)])

    assert found.variances is not None
    assert [round(part, 4) for part in found.variances] == [0.6258, 0.8840, 2.7872]
    assert round(float(mean_of_raters(found.consistency, 12)), 3) == 0.729
    assert round(float(decision_study(found.agreement, [1, 12])[12]), 3) == 0.672


@pytest.mark.parametrize("seed", range(5))
def test_a_complete_table_equals_the_analysis_of_variance_of_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(9, 1)) + rng.normal(size=(1, 4)) + rng.normal(size=(9, 4))
    units, raters, values = tidy(table.tolist())
    by_unit, by_rater = np.eye(9)[units], np.eye(4)[raters]
    mean = OLS(values, np.ones(36)).fit().ssr
    of_units, of_raters = OLS(values, by_unit).fit(), OLS(values, by_rater).fit()
    both = OLS(values, np.hstack([by_unit, by_rater[:, 1:]])).fit()
    rows, columns = (mean - of_units.ssr) / 8, (mean - of_raters.ssr) / 3
    error, within = both.ssr / 24, of_units.ssr / 27

    found = of(table.tolist())

    variances = ((rows - error) / 4, (columns - error) / 9, error)
    assert found.variances == pytest.approx(variances, abs=1e-9)
    assert found.consistency.value == pytest.approx((rows - error) / (rows + 3 * error), abs=1e-9)
    assert found.one_way.value == pytest.approx((rows - within) / (rows + 3 * within), abs=1e-9)
    below = rows + 3 * error + 4 / 9 * (columns - error)
    assert found.agreement.value == pytest.approx((rows - error) / below, abs=1e-9)


def test_incomplete_tables_are_right_on_average() -> None:
    """Henderson's estimates are unbiased whatever is missing: here variances of 2, 1/2 and 1."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(300):
        units, raters = rng.normal(0, 2**0.5, (30, 1)), rng.normal(0, 0.5**0.5, (1, 8))
        table = (units + raters + rng.normal(size=(30, 8))).astype(object)
        table[rng.random((30, 8)) < 0.5] = None
        found.append(of(table.tolist()).variances)

    error = np.std(np.array(found), axis=0) / len(found) ** 0.5
    assert (np.abs(np.mean(np.array(found), axis=0) - [2, 0.5, 1]) < 4 * error).all()


@given(TABLES, st.data())
def test_order_shift_and_unit_of_the_scale_do_not_matter(
    table: list[list[Any]], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(table))
    other = [[None if cell is None else 10 - 3 * cell for cell in row[::-1]] for row in rows]
    before, after = of(table), of(other)

    for name in ("one_way", "agreement", "consistency"):
        first, second = getattr(before, name), getattr(after, name)
        assert first.undefined == second.undefined
        assert first.value == pytest.approx(second.value, abs=1e-7)


@given(TABLES)
def test_nothing_exceeds_one_and_shares_add_up(table: list[list[Any]]) -> None:
    found = of(table)

    if found.shares[0].value is not None:
        assert sum(float(share) for share in found.shares) == pytest.approx(1)
    if found.one_way.value is not None:
        assert found.one_way.value <= 1 + 1e-9


def test_with_equal_raters_and_many_units_it_is_interval_alpha() -> None:
    rng = np.random.default_rng(1)
    table = (rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 3))).tolist()

    units, raters, values = tidy(table)
    expected = alpha(units, raters, values, distance="interval").value

    assert of(table).agreement.value == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "no ratings"),
        ([[1], [2]], "one rater only"),
        ([[1, None], [None, 2]], "no unit has two ratings"),
        ([[1, 2]], "fewer than 3 units with two ratings"),
        ([[1, 2], [3, 4]], "fewer than 3 units with two ratings"),
        ([[3, 3], [3, 3], [3, 3]], "no variation: all ratings are equal"),
    ],
)
def test_what_has_no_correlation_says_why(table: Table, reason: str) -> None:
    found = of(table)

    assert {found.one_way.undefined, found.agreement.undefined} == {reason}
    assert found.variances is None


def test_raters_of_one_unit_each_cannot_be_told_from_units() -> None:
    found = of([[1, 2, *[None] * 4], [None, None, 4, 6, None, None], [*[None] * 4, 7, 7]])

    assert found.agreement.undefined is not None
    assert found.agreement.undefined.startswith("raters cannot be told apart")
    # Means 3/2, 5, 7 around 9/2: between 2 (9 + 1/4 + 25/4) / 2 = 15.5, within (1/2 + 2) / 3 = 5/6;
    # (15.5 - 5/6) / (15.5 + 5/6) = 88/98.
    assert found.one_way.value == pytest.approx(88 / 98)


def test_units_of_one_source_are_drawn_together() -> None:
    rng = np.random.default_rng(2)
    table = (rng.normal(size=(30, 1)) + rng.normal(size=(30, 3))).tolist()
    units, raters, values = tidy(table)

    found = reliability(
        units, raters, values, clusters=[unit // 3 for unit in units], bootstrap=Bootstrap()
    )

    method = found.agreement.interval_method or ""
    assert method == "percentile bootstrap, 1000 resamples of 10 clusters, seed 0"
    assert (found.agreement.low or 0) < float(found.agreement) < (found.agreement.high or 0)


def test_intervals_of_complete_tables_cover() -> None:
    """ICC(2,1) of 1/2 with five raters, who differ: 95 % within the error of 200 studies."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        units, raters = rng.normal(0, 1, (20, 1)), rng.normal(0, 0.5**0.5, (1, 5))
        table = units + raters + rng.normal(0, 0.5**0.5, (20, 5))
        found = of(table.tolist(), bootstrap=Bootstrap(resamples=1)).agreement
        held += (found.low or 0) <= 0.5 <= (found.high or 0)
    assert 0.90 <= held / 200 <= 0.99


def test_more_raters_are_more_reliable() -> None:
    single = of(SHROUT_FLEISS).agreement

    found = [float(each) for each in decision_study(single).values()]

    assert found[0] == single.value
    assert found == sorted(found)
    assert len(found) == 10
    with pytest.raises(ValueError, match="at least one rater"):
        mean_of_raters(single, 0.5)


JACKKNIFE = Bootstrap(method="jackknife")


def drawn(seed: int, raters: int, units: int = 24) -> FloatArray:
    rng = np.random.default_rng(seed)
    units_raters = rng.normal(size=(units, 1)) + rng.normal(size=raters)
    return np.asarray(rng.normal(size=(units, raters)) + units_raters)


@pytest.mark.parametrize("raters", [3, 6])
def test_icc_2_1_goes_over_the_variances_that_mean_squares_allow(raters: int) -> None:
    """Mean squares by loops, and their chi-squares at other random numbers."""
    table = drawn(raters, raters)
    n, k, rng = len(table), raters, np.random.default_rng(99)
    rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0)
    rest = table - rows - columns + table.mean()
    each = []
    for square, degrees in (
        (k * rows.var(ddof=1), n - 1),
        (n * columns.var(ddof=1), k - 1),
        ((rest**2).sum() / ((n - 1) * (k - 1)), (n - 1) * (k - 1)),
    ):
        each.append(square / (rng.chisquare(degrees, 200_000) / degrees))
    units, people = (each[0] - each[2]) / k, np.maximum(each[1] - each[2], 0) / n
    found = of(table.tolist(), bootstrap=JACKKNIFE).agreement
    expected = np.quantile(units / (units + people + each[2]), [0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected.tolist(), abs=0.015)
    assert "generalized, 10000 draws of mean squares, seed 0" in str(found.interval_method)


def test_where_a_rating_is_missing_intervals_stay_about_what_they_were() -> None:
    table = drawn(4, 4).tolist()
    whole = of(table, bootstrap=JACKKNIFE)
    gap = of([[None, *table[0][1:]], *table[1:]], bootstrap=JACKKNIFE)
    for one, other in ((whole.agreement, gap.agreement), (whole.consistency, gap.consistency)):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.1)
    assert "incomplete table" in str(gap.consistency.interval_method)
    assert " complete table" in str(whole.consistency.interval_method)


def test_units_that_are_alike_within_a_source_count_as_one() -> None:
    """Ten sources of three units: 9 degrees of freedom where these are equal, 29 where their
    sources are all the same."""
    apart = np.repeat(np.arange(10.0), 3)[:, None] + np.zeros(3)
    alike = np.tile([0.0, 1, 5], 10)[:, None] + np.zeros(3)
    source = np.repeat(np.arange(30) // 3, 3)
    degrees = [
        Crossed.of(read_ratings(*tidy(table.tolist()), kind="number", clusters=source)).unit_degrees
        for table in (apart, alike)
    ]
    assert degrees == pytest.approx([9, 29])
