"""Two one-sided tests: by hand, independent, laws. The published figure is in `test_limits`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from agreement import equivalence_p

NUMBERS = st.lists(
    st.floats(-5, 5).map(lambda each: round(each, 3)), min_size=10, max_size=30
).filter(lambda each: np.std(each) > 1e-6)


def test_p_by_hand() -> None:
    """Ten differences of 0 and 1: mean 1/2, variance 10/4/9 = 5/18, error 1/6; margin 1 lies
    three errors away."""
    found = equivalence_p([0, 1] * 5, margin=1)

    assert found.value == pytest.approx(stats.t.sf(3, 9))
    assert found.interval_method == "two one-sided t tests over 10 sources, margin 1"


@pytest.mark.parametrize("seed", range(4))
def test_without_clusters_it_equals_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.normal(0.2, 1, 40), rng.normal(0, 1, 40)
    expected = ttost_paired(first, second, -0.6, 0.6)[0]

    found = equivalence_p((first - second).tolist(), margin=0.6)

    assert found.value == pytest.approx(expected, abs=1e-12)


def test_one_difference_a_source_or_the_same_one_three_times_are_alike() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0.1, 1, 25)

    once = equivalence_p(values, margin=0.5)
    thrice = equivalence_p(np.repeat(values, 3), margin=0.5, clusters=np.repeat(np.arange(25), 3))

    assert thrice.value == pytest.approx(once.value)


@given(NUMBERS, st.floats(0.1, 4))
def test_the_sign_and_the_unit_do_not_matter(values: list[float], margin: float) -> None:
    found = equivalence_p(values, margin=margin)

    turned = equivalence_p([-7 * each for each in values], margin=7 * margin)
    assert turned.value == pytest.approx(found.value, abs=1e-9)
    wider = equivalence_p(values, margin=2 * margin)
    assert float(wider) <= float(found) + 1e-12


def test_differences_of_a_true_margin_are_found_equivalent_in_one_of_twenty() -> None:
    """At the margin itself, sources of five correlated differences each."""
    rng = np.random.default_rng(4)
    source = np.repeat(np.arange(30), 5)
    low = 0
    for _ in range(400):
        values = 0.5 + rng.normal(size=150) + rng.normal(size=30)[source]
        low += float(equivalence_p(values, margin=0.5, clusters=source)) < 0.05
    assert 0.02 <= low / 400 <= 0.08


def test_what_is_undefined_says_why() -> None:
    assert equivalence_p([], margin=1).undefined == "no ratings"
    assert equivalence_p([1.0] * 9, margin=1).undefined == "fewer than 10 sources"
    assert equivalence_p([0.2] * 10, margin=1).value == 0
    assert equivalence_p([2] * 10, margin=1).value == 1
    with pytest.raises(ValueError, match="above 0"):
        equivalence_p([1, 2], margin=0)
