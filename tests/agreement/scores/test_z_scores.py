import math
from statistics import NormalDist, fmean, pstdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import z_scores

RATINGS = st.lists(st.integers(0, 100), min_size=2, max_size=9).filter(lambda r: len(set(r)) > 1)


def test_z_scores_by_hand() -> None:
    # mean 2, population sd sqrt((1 + 1) / 2) = 1
    assert z_scores([1, 3]).tolist() == [-1, 1]
    # mean 3, population variance (4 + 1 + 9) / 3 = 14/3
    assert z_scores([1, 2, 6]) == pytest.approx([x * math.sqrt(3 / 14) for x in (-2, -1, 3)])


@given(RATINGS)
def test_z_scores_equal_the_standard_library(ratings: list[int]) -> None:
    normal = NormalDist(fmean(ratings), pstdev(ratings))
    assert z_scores(ratings) == pytest.approx([normal.zscore(x) for x in ratings], abs=1e-9)


@given(RATINGS, st.integers(1, 20), st.integers(-50, 50))
def test_a_workers_use_of_the_scale_does_not_matter(
    ratings: list[int], scale: int, shift: int
) -> None:
    moved = [scale * rating + shift for rating in ratings]
    assert np.allclose(z_scores(moved), z_scores(ratings), atol=1e-9)


@given(RATINGS)
def test_z_scores_follow_the_order_of_the_ratings(ratings: list[int]) -> None:
    assert np.allclose(z_scores(ratings[::-1]), z_scores(ratings)[::-1])


def test_ratings_that_do_not_vary_or_are_missing_are_refused() -> None:
    with pytest.raises(ValueError, match="do not vary"):
        z_scores([0.1, 0.1, 0.1])
    with pytest.raises(ValueError, match="none missing"):
        z_scores([1, math.nan])
    with pytest.raises(ValueError, match="at least one"):
        z_scores([])
