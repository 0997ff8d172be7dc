"""Wilcoxon's test and Holm's correction: by hand, by scipy, and by what must not matter."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from agreement import holm, wilcoxon_signed_rank


def test_five_positive_differences_by_hand() -> None:
    """All signs alike: 2 of the 2^5 ways lie as far out, so p = 1/16."""
    found = wilcoxon_signed_rank([1, 2, 3, 4, 5])
    assert found.value == pytest.approx(1 / 16)
    assert (found.n_units, found.n_ratings) == (5, 5)
    assert found.interval_method == "Wilcoxon signed-rank, two-sided, exact"


def test_ties_share_ranks_and_zeros_drop_out() -> None:
    """|d| = 1, 1, 2: ranks 1.5, 1.5, 3. W+ of (+, +, -) is 3, its mean 3: p is 1."""
    found = wilcoxon_signed_rank([1, 1, -2, 0, None])
    assert found.value == 1
    assert (found.n_units, found.n_ratings) == (4, 3)


@pytest.mark.parametrize("seed", range(5))
def test_exact_p_is_that_of_all_signs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 9) * rng.choice([-1, 1], 9)
    ranks = stats.rankdata(np.abs(sizes))
    middle = ranks.sum() / 2
    found = abs(ranks[sizes > 0].sum() - middle)
    ways = [
        abs(ranks[np.array(signs)].sum() - middle) for signs in product([False, True], repeat=9)
    ]
    expected = np.mean([way >= found - 1e-9 for way in ways])
    assert wilcoxon_signed_rank(sizes.tolist()).value == pytest.approx(expected)


def test_it_is_scipys_p() -> None:
    rng = np.random.default_rng(3)
    few, many = rng.normal(0.2, 1, 40), rng.normal(0.1, 1, 400)
    exact = stats.wilcoxon(few, method="exact").pvalue
    assert wilcoxon_signed_rank(few).value == pytest.approx(exact, rel=1e-12)
    approximate = stats.wilcoxon(many, correction=True, method="asymptotic").pvalue
    assert wilcoxon_signed_rank(many).value == pytest.approx(approximate, rel=1e-12)


# Two-sided critical values of the smaller sum of ranks, by the number of pairs: the largest one
# whose p is at most the level, as tables in textbooks of nonparametric statistics print them.
CRITICAL = {
    0.05: {6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 20: 52, 25: 89},
    0.01: {8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 20: 37, 25: 68},
}


def with_smaller_sum(pairs: int, smaller: int) -> list[int]:
    """Differences of the sizes 1 to n, of which the negative ones sum to that."""
    found, left = [], smaller
    for size in range(pairs, 0, -1):
        found.append(-size if size <= left else size)
        left -= size if size <= left else 0
    return found


@pytest.mark.parametrize("level", CRITICAL)
def test_the_printed_critical_values_are_where_p_passes_the_level(level: float) -> None:
    for pairs, smaller in CRITICAL[level].items():
        reached, missed = (
            float(wilcoxon_signed_rank(with_smaller_sum(pairs, one)))
            for one in (smaller, smaller + 1)
        )
        assert reached <= level < missed, pairs


def test_order_and_direction_do_not_matter() -> None:
    differences = np.random.default_rng(1).integers(-4, 6, 30).astype(float)
    one = wilcoxon_signed_rank(differences).value
    assert wilcoxon_signed_rank(-differences[::-1]).value == pytest.approx(one)


@pytest.mark.parametrize("none", [[], [0, 0], [None]])
def test_without_a_difference_there_is_no_p(none: list[float | None]) -> None:
    assert wilcoxon_signed_rank(none).undefined == "no pair of values differs"


def test_an_infinite_difference_is_refused() -> None:
    with pytest.raises(ValueError, match="infinite"):
        wilcoxon_signed_rank([1, float("inf")])


def test_holm_by_hand() -> None:
    """0.01 · 4, 0.02 · 3, 0.03 · 2, 0.5: the third is below the second and takes its place."""
    found = holm([0.5, 0.03, 0.01, 0.02])
    assert found == pytest.approx([0.5, 0.06, 0.04, 0.06])


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_the_closure_of_bonferroni(seed: int) -> None:
    """A test is rejected where every set of tests that holds it is, by the smallest of its p times
    their number: so the corrected p is the largest of those."""
    given = (np.random.default_rng(seed).random(6) ** 3).tolist()
    sets = [
        [at for at, inside in enumerate(one) if inside] for one in product([False, True], repeat=6)
    ]
    expected = [
        max(min(1.0, len(some) * min(given[one] for one in some)) for some in sets if at in some)
        for at in range(6)
    ]
    assert holm(given) == pytest.approx(expected)


def test_holm_goes_by_the_values_and_not_by_their_order() -> None:
    given = [0.2, 0.004, 0.03, None, 0.03, 0.6]
    corrected = holm(given)
    order = [3, 5, 0, 4, 1, 2]
    assert holm([given[at] for at in order]) == [corrected[at] for at in order]
    assert all(p >= q for p, q in zip(corrected, given, strict=True) if p and q)


def test_holm_leaves_undefined_tests_out() -> None:
    assert holm([None, 0.04, None]) == [None, 0.04, None]
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1, 1]


def test_holm_refuses_what_is_no_p() -> None:
    with pytest.raises(ValueError, match="within 0 and 1"):
        holm([1.2])
