"""What rounding may not decide."""

from fractions import Fraction
from itertools import permutations

import numpy as np

from agreement.values.rounding import even, reaches


def test_the_mean_of_the_same_numbers_is_the_same_in_every_order() -> None:
    for numbers in ((0.1, 0.2, 0.3), (0.1, 0.2, 0.3, 0.7)):
        means = [sum(order) / len(order) for order in permutations(numbers)]
        assert len(set(means)) > 1
        assert len(set(even(np.array(means)).tolist())) == 1


def test_numbers_that_differ_by_more_stay_apart() -> None:
    assert even(np.array([0.5, 0.5 + 1e-9, 0.25])).tolist() == [0.5, 0.500000001, 0.25]
    assert even(np.array([1e-17]), largest=60.0).tolist() == [0]
    assert even(np.array([0.0, np.nan]))[0] == 0
    assert np.isnan(even(np.array([np.nan, np.nan]))).all()


def test_a_mean_of_fractions_reaches_the_fraction_that_it_is() -> None:
    """(1/2 + 1/2 + 2/3 + 2/3 + 2/3) / 5 = 3/5."""
    scores = [1 / 2, 1 / 2, 2 / 3, 2 / 3, 2 / 3]
    assert sum(map(Fraction, ("1/2", "1/2", "2/3", "2/3", "2/3"))) / 5 == Fraction(3, 5)
    assert sum(scores) / 5 < 0.6
    assert reaches(sum(scores) / 5, 0.6)
    assert not reaches(0.5999, 0.6)
