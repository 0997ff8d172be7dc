from collections.abc import Sequence
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from agreement import Estimate, VerifiedRates, verified_rates

YES = {True}
MARKS = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def rates(yes: Sequence[float], no: Sequence[float], sizes: tuple[int, int]) -> VerifiedRates:
    return verified_rates(
        [*yes, *no],
        [True] * len(yes) + [False] * len(no),
        {True: sizes[0], False: sizes[1]},
        yes=YES,
    )


def test_two_strata_by_hand() -> None:
    # 20 flagged, 3 of 4 right: A = 20 * 3/4 = 15. 80 not flagged, 1 of 5 missed: B = 80 / 5 = 16.
    found = rates([1, 1, 1, 0], [1, 0, 0, 0, 0], (20, 80))
    assert found.recall.value == pytest.approx(15 / 31)
    # Of people's no: 20 / 4 = 5 flagged, 80 * 4/5 = 64 not.
    assert found.specificity.value == pytest.approx(64 / 69)
    assert found.precision.value == pytest.approx(3 / 4)
    assert found.negative_precision.value == pytest.approx(4 / 5)
    assert found.prevalence.value == pytest.approx(31 / 100)


def test_the_published_table_of_liver_scans() -> None:
    # The usual example of the method: Drum and Christacopoulos (1972), "Hepatic scintigraphy in
    # clinical decision making". 429 scans of 650 were abnormal; 263 of these and 81 of the others
    # were verified. Corrected, sensitivity is 0.84 and specificity 0.74 (Zhou, Obuchowski and
    # McClish 2002), where the verified patients alone give 0.90 and 0.63.
    found = rates([1] * 231 + [0] * 32, [1] * 27 + [0] * 54, (429, 221))
    assert float(found.recall) == pytest.approx(0.836, abs=5e-4)
    assert float(found.specificity) == pytest.approx(0.738, abs=5e-4)
    assert pytest.approx(0.895, abs=5e-4) == 231 / (231 + 27)


def bounds_by_search(
    yes: Sequence[float], no: Sequence[float], sizes: tuple[int, int]
) -> tuple[float, float]:
    """The shares t for which (1 - t) A - t B may be 0, by the square-and-add interval of that
    difference (Zou and Donner 2008) and Wilson's interval from its quadratic."""
    z = stats.norm.ppf(0.975)

    def total(values: Sequence[float], size: int) -> tuple[float, float, float]:
        n = len(values) / (1 - len(values) / size)
        p = float(np.mean(values))
        low, high = np.sort(np.roots([1 + z * z / n, -2 * p - z * z / n, p * p]).real)
        return size * p, float(size * low), float(size * high)

    (a, a_low, a_high), (b, b_low, b_high) = total(yes, sizes[0]), total(no, sizes[1])

    def lower(t: float) -> float:
        return (1 - t) * a - t * b - sqrt(((1 - t) * (a - a_low)) ** 2 + (t * (b_high - b)) ** 2)

    def upper(t: float) -> float:
        return (1 - t) * a - t * b + sqrt(((1 - t) * (a_high - a)) ** 2 + (t * (b - b_low)) ** 2)

    return float(optimize.brentq(lower, 0, 1)), float(optimize.brentq(upper, 0, 1))


@pytest.mark.parametrize(
    ("yes", "no", "sizes"),
    [
        ([1, 1, 1, 0], [1, 0, 0, 0, 0], (20, 80)),
        ([1] * 9 + [0.5] * 3, [0] * 11 + [0.5], (60, 500)),
        ([1] * 20 + [0] * 10, [1] * 4 + [0] * 26, (31, 4_000)),
    ],
)
def test_bounds_are_those_of_a_search(
    yes: Sequence[float], no: Sequence[float], sizes: tuple[int, int]
) -> None:
    found = rates(yes, no, sizes).recall
    assert (found.low, found.high) == pytest.approx(bounds_by_search(yes, no, sizes), abs=1e-9)


@given(MARKS, MARKS, st.integers(0, 40), st.integers(0, 40))
def test_laws(yes: list[float], no: list[float], more_yes: int, more_no: int) -> None:
    sizes = (len(yes) + more_yes, len(no) + more_no)
    found = rates(yes, no, sizes)
    for estimate in vars(found).values():
        if estimate.value is not None:
            assert estimate.low is not None
            assert estimate.high is not None
            assert -1e-9 <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9
    # The order does not matter, and no of people and judge is yes of both turned round.
    assert same(rates(yes[::-1], no[::-1], sizes).recall, found.recall)
    turned = rates([1 - y for y in no], [1 - y for y in yes], sizes[::-1])
    assert same(turned.recall, found.specificity)
    assert same(turned.precision, found.negative_precision)


def same(one: Estimate, other: Estimate) -> bool:
    if one.value is None or other.value is None:
        return one.value is other.value
    bounds = (one.value, one.low, one.high)
    return bool(bounds == pytest.approx((other.value, other.low, other.high), abs=1e-6))


def test_what_is_verified_as_a_whole_leaves_no_error_of_sampling() -> None:
    found = rates([1, 1, 0], [1, 0, 0, 0], (3, 4)).recall
    assert (found.low, found.value, found.high) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_an_unflagged_part_alone_tells_of_misses() -> None:
    none = rates([1, 1, 1, 1], [0, 0, 0, 0], (40, 400)).recall
    assert none.value == 1
    assert none.low is not None
    # 400 texts of which 4 are right may hide many: the judge cannot be told to find all.
    assert none.low < 0.25
    assert none.high == 1


def test_what_cannot_be_told_is_undefined() -> None:
    assert rates([0, 0], [0, 0], (9, 9)).recall.undefined == (
        "people say yes to no text of the sample"
    )
    part = verified_rates([1], [True], {True: 4, False: 3}, yes=YES)
    assert part.recall.undefined == "people have answered nothing yet in a part of the sample"
    assert part.precision.value == 1
    always = verified_rates([1, 0], [True, True], {True: 4}, yes=YES)
    assert always.recall.value == 1
    assert always.negative_precision.undefined == "the judge gives no such verdict"
    with pytest.raises(ValueError, match="outside of its range"):
        rates([2], [0], (3, 3))
