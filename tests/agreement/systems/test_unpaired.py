"""Two systems on different inputs: by hand, published values, every permutation, scipy, laws."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from agreement import Bootstrap, UnpairedComparison, unpaired_comparison

JACKKNIFE = Bootstrap(method="jackknife")


def compare(
    first: Sequence[float], second: Sequence[float], permutations: int = 1000
) -> UnpairedComparison:
    """With a source for each rating."""
    return unpaired_comparison(
        first,
        second,
        first_sources=[f"a{at}" for at in range(len(first))],
        second_sources=[f"b{at}" for at in range(len(second))],
        permutations=permutations,
    )


def test_four_sources_by_hand() -> None:
    """Means 4 (of 3 and 5) and 3; 1 and 2. Difference 3.5 - 1.5 = 2. Of the six deals of four
    means to two and two, {3, 4} and {1, 2} alone lie as far apart: 2/6. U = 4: exact p 2/6."""
    found = unpaired_comparison(
        [3, 5, 3],
        [1, 2],
        first_sources=["a", "a", "b"],
        second_sources=["c", "d"],
        permutations=20_000,
    )
    assert found.difference.value == pytest.approx(2)
    assert found.permutation_p.value == pytest.approx(1 / 3, abs=0.015)
    assert found.mann_whitney_p.value == pytest.approx(1 / 3)
    assert (found.superiority.value, found.difference.n_units) == (1, 4)


def test_the_membranes_of_hollander_and_wolfe() -> None:
    """R, `wilcox.test`: permeability of ten membranes at term and five before, W = 35, p = 0.2544
    for both sides."""
    at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    before = [1.15, 0.88, 0.90, 0.74, 1.21]
    found = compare(at_term, before)
    assert round(float(found.mann_whitney_p), 4) == 0.2544
    assert found.superiority.value == pytest.approx(35 / 50)


def test_p_is_that_of_every_deal() -> None:
    draw = np.random.default_rng(2)
    x, y = draw.normal(0.8, 1, 6), draw.normal(0, 1, 5)
    both = np.concatenate([x, y])
    deals = [np.isin(np.arange(11), own) for own in combinations(range(11), 6)]
    apart = [abs(both[own].mean() - both[~own].mean()) for own in deals]
    exact = np.mean(np.array(apart) >= abs(x.mean() - y.mean()) - 1e-12)
    found = compare(x.tolist(), y.tolist(), permutations=20_000)
    assert found.permutation_p.value == pytest.approx(exact, abs=0.015)
    library = stats.permutation_test(
        (x, y), lambda a, b: a.mean() - b.mean(), permutation_type="independent"
    )
    assert found.permutation_p.value == pytest.approx(library.pvalue, abs=0.015)


def test_the_difference_has_welchs_interval_nearly() -> None:
    draw = np.random.default_rng(3)
    x, y = draw.normal(1, 1, 60), draw.normal(0, 2, 50)
    found = unpaired_comparison(
        x, y, first_sources=range(60), second_sources=range(60, 110), bootstrap=JACKKNIFE
    ).difference
    welch = stats.ttest_ind(x, y, equal_var=False).confidence_interval()
    assert (found.low, found.high) == pytest.approx((welch.low, welch.high), abs=0.03)


def test_turned_round_p_is_the_same_and_one_source_is_no_test() -> None:
    one, other = compare([3, 1, 4, 1], [5, 9, 2]), compare([5, 9, 2], [3, 1, 4, 1])
    assert one.difference.value == pytest.approx(-float(other.difference))
    assert one.mann_whitney_p.value == pytest.approx(float(other.mann_whitney_p))
    alone = compare([3], [5, 9])
    assert alone.permutation_p.undefined == "fewer than two sources of a system"
    assert alone.difference.value == -4
    assert compare([], [1]).difference.undefined == "one of the systems has no figure"
    with pytest.raises(ValueError, match="both systems"):
        unpaired_comparison([1], [2], first_sources=["a"], second_sources=["a"])


def test_equal_systems_differ_in_one_study_of_twenty() -> None:
    """Of 400 studies of 12 and 15 sources with three ratings each: 5 % ± 3 standard errors."""
    draw = np.random.default_rng(5)
    sources = [np.repeat(np.arange(12), 3), np.repeat(np.arange(12, 27), 3)]
    found = 0
    for _ in range(400):
        about = draw.normal(size=27)
        x, y = (about[own] + draw.normal(size=len(own)) for own in sources)
        p = unpaired_comparison(
            x, y, first_sources=sources[0], second_sources=sources[1], permutations=199
        ).permutation_p
        found += float(p) <= 0.05
    assert abs(found / 400 - 0.05) < 0.033
