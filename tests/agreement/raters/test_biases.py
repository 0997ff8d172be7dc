import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, ego_centric_difference, ego_centric_share, length_slope

NUMBERS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 30), st.integers(0, 20)), min_size=4, max_size=12
)


def test_scores_far_above_people_by_hand() -> None:
    # On 1..5 two points of 0..5 are 1.6: 4 - 2.4 is just enough, 3.9 - 2.4 is not.
    estimate = ego_centric_share([4, 3.9, 5, 1, None], [2.4, 2.4, 1, 5, 1], low=1, high=5)
    assert estimate.value == 2 / 4
    assert (estimate.n_units, estimate.n_ratings, estimate.sd) == (4, 4, None)


def test_own_family_against_the_others_by_hand() -> None:
    # Own: 2 of 3 far above; others: 1 of 2.
    scores, humans = [5, 5, 0, 5, 0], [0, 3, 0, 3, 0]
    own = [True, True, True, False, False]
    estimate = ego_centric_difference(scores, humans, own, low=0, high=5)
    assert estimate.value == pytest.approx(2 / 3 - 1 / 2)


def test_the_difference_is_that_of_the_shares() -> None:
    rng = np.random.default_rng(4)
    scores, humans = rng.uniform(0, 100, 200), rng.uniform(0, 100, 200)
    own = rng.random(200) < 0.3
    scale: dict[str, Any] = {"low": 0, "high": 100}
    parts = [float(ego_centric_share(scores[m], humans[m], **scale)) for m in (own, ~own)]
    found = ego_centric_difference(
        scores, humans, own, **scale, bootstrap=Bootstrap(resamples=200, seed=1)
    )
    assert float(found) == pytest.approx(parts[0] - parts[1], abs=1e-12)
    assert found.low is not None
    assert found.high is not None
    assert found.low < float(found) < found.high


def test_a_slope_by_hand() -> None:
    # score = 1 + 2 length + 3 human on a table in which length and human hang together.
    lengths, humans = [0, 1, 2, 3], [0, 1, 1, 3]
    scores = [1 + 2 * x + 3 * h for x, h in zip(lengths, humans, strict=True)]
    assert length_slope(scores, lengths, humans).value == pytest.approx(2)
    # Without the human mean the slope would be 2 + 3 · cov(x, h)/var(x) = 2 + 3 · 4.5/5.
    assert length_slope(scores, lengths, [7] * 4).value == pytest.approx(2 + 3 * 4.5 / 5)


def plane(rows: list[tuple[int, int, int]]) -> float:
    """Least squares of numpy, as an independent implementation."""
    scores, lengths, humans = np.array(rows, dtype=float).T
    design = np.stack([np.ones(len(rows)), lengths, humans], axis=1)
    return float(np.linalg.lstsq(design, scores, rcond=None)[0][1])


@given(rows=NUMBERS)
def test_the_slope_is_that_of_least_squares(rows: list[tuple[int, int, int]]) -> None:
    scores, lengths, humans = zip(*rows, strict=True)
    found = length_slope(scores, lengths, humans)
    if found.value is None:
        design = np.array([(1, length, human) for _, length, human in rows])
        assert np.linalg.matrix_rank(design) < 3
    elif len(set(humans)) > 1:
        assert found.value == pytest.approx(plane(rows), rel=1e-6, abs=1e-6)


def test_the_interval_is_that_of_a_plain_bootstrap() -> None:
    rng = np.random.default_rng(0)
    lengths, humans = rng.uniform(0, 3, 80), rng.uniform(0, 5, 80)
    scores = 0.5 * lengths + humans + rng.normal(0, 0.5, 80)
    found = length_slope(scores, lengths, humans, bootstrap=Bootstrap(resamples=4000, seed=3))
    plain = []
    for _ in range(2000):
        drawn = rng.integers(0, 80, 80)
        rows = np.stack([scores[drawn], lengths[drawn], humans[drawn]], axis=1)
        plain.append(plane([tuple(row) for row in rows.tolist()]))
    assert found.low == pytest.approx(np.quantile(plain, 0.025), abs=0.02)
    assert found.high == pytest.approx(np.quantile(plain, 0.975), abs=0.02)


def test_the_order_of_texts_and_the_unit_of_lengths_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    scores, lengths, humans = rng.uniform(0, 5, (3, 30))
    turned = slice(None, None, -1)
    one = float(length_slope(scores, lengths, humans))
    assert one == pytest.approx(
        float(length_slope(scores[turned], lengths[turned], humans[turned]))
    )
    assert one == pytest.approx(100 * float(length_slope(scores, 100 * lengths, humans)))
    assert one == pytest.approx(float(length_slope(scores, lengths + 1e6, humans)))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(1, 1, 1)] * 3, "fewer than four"),
        ([(1, 7, 1), (2, 7, 2), (3, 7, 5), (4, 7, 1)], "equally long"),
        ([(1, 2, 1), (2, 4, 2), (3, 6, 3), (9, 8, 4)], "follow from the human means"),
        ([(1, 2, math.nan), (2, 4, 2), (3, 6, 3), (9, 8, 4)], "fewer than four"),
    ],
)
def test_an_undetermined_slope_is_no_number(
    rows: list[tuple[float, float, float]], reason: str
) -> None:
    estimate = length_slope(*zip(*rows, strict=True))
    assert estimate.value is None
    assert reason in str(estimate.undefined)


def test_an_undefined_share_says_why() -> None:
    scale: dict[str, Any] = {"low": 0, "high": 5}
    assert (
        ego_centric_share([None], [1], **scale).undefined == "no score has a human mean beside it"
    )
    missing = ego_centric_difference([None], [1], [True], **scale)
    assert missing.undefined == "no score has a human mean beside it"
    own = ego_centric_difference([1, 2], [1, 1], [True, True], **scale)
    assert own.undefined == "no text of another family"
    others = ego_centric_difference([1, 2], [1, 1], [False, False], **scale)
    assert others.undefined == "no text of the judge's own family"


def test_senseless_input_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot run from 5 to 5"):
        ego_centric_share([1], [1], low=5, high=5)
    with pytest.raises(ValueError, match="2 scores for 1 human means"):
        ego_centric_share([1, 2], [1], low=0, high=5)
    with pytest.raises(ValueError, match="differ in length"):
        length_slope([1, 2], [1], [1])
