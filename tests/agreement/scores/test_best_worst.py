"""Best-worst scores: by hand, a published table, loops, laws."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import Bootstrap, best_worst
from agreement.scores.best_worst import BestWorst

JACKKNIFE = Bootstrap(method="jackknife")
ORDERS = st.lists(st.permutations("abcd"), min_size=1, max_size=8)


def ordered(*sets: str, raters: list[int] | None = None, **options: Any) -> BestWorst:
    """Each set best first; a unit of its own unless several raters order it."""
    of_rater = raters or [0] * len(sets)
    units = [0] * len(sets) if raters else list(range(len(sets)))
    rows = [
        (units[at], of_rater[at], item, rank)
        for at, set_ in enumerate(sets)
        for rank, item in enumerate(set_)
    ]
    return best_worst(*zip(*rows, strict=True), **options)


def test_three_sets_by_hand() -> None:
    """a is best of two of three sets and last of none: 2/3. b once best, once worst: 0. c last
    once and shares the last place with d once: (-1 - 1/2) / 3; d the same of two sets."""
    found = best_worst(
        [1, 1, 1, 2, 2, 2, 2, 3, 3, 3],
        [0] * 10,
        list("abcabcdabc"),
        [1, 2, 3, 1, 2, 4, 4, 2, 1, 3],
    ).score
    values = {name: estimate.value for name, estimate in found.items()}
    assert values == pytest.approx({"a": 2 / 3, "b": 1 / 3, "c": -2.5 / 3, "d": -1 / 2})
    assert (found["a"].n_units, found["a"].n_ratings) == (3, 3)


def test_the_published_counts_of_six_alternatives() -> None:
    """Displayr, "Counts Analysis of MaxDiff Data": counts 1, 1, 3, 0, -2, -3 of three sets each."""
    found = ordered("CDE", "ADE", "BDF", "CAF", "CAB", "BEF").score
    counts = {name: round(3 * float(estimate)) for name, estimate in found.items()}
    assert counts == {"A": 1, "B": 1, "C": 3, "D": 0, "E": -2, "F": -3}


def test_scores_and_intervals_are_those_of_loops() -> None:
    draw = np.random.default_rng(3)
    rows = [
        (unit, rater, item, rank)
        for unit in range(30)
        for rater in range(3)
        for rank, item in enumerate(np.argsort(np.arange(4) + 2 * draw.normal(size=4)).tolist())
    ]
    points: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for unit, _rater, item, rank in rows:
        points[item].append((unit, {0: 1, 3: -1}.get(rank, 0)))
    found = best_worst(*zip(*rows, strict=True), bootstrap=JACKKNIFE).score
    for item, given_ in points.items():
        unit, own = np.array(given_).T
        value = own.mean()
        each = np.array([own[unit != left].mean() for left in range(30)])
        assert found[item].value == pytest.approx(value)
        z = np.log((1 + each) / (1 - each))
        half = stats.t.ppf(0.975, 29) * (29 / 30 * ((z - z.mean()) ** 2).sum()) ** 0.5
        ends = np.log((1 + value) / (1 - value)) + np.array([-half, half])
        assert [found[item].low, found[item].high] == pytest.approx(np.tanh(ends / 2).tolist())


def test_reliability_of_two_raters_is_the_correlation_of_their_scores() -> None:
    """Two raters of one unit are the two halves, whichever way they are dealt."""
    found = ordered("abcd", "abdc", raters=[0, 1]).reliability
    assert found.value == pytest.approx(np.corrcoef([1, 0, 0, -1], [1, 0, -1, 0])[0, 1])
    assert (found.n_units, found.n_ratings) == (4, 8)


def test_raters_who_agree_are_reliable_and_guesses_are_not() -> None:
    draw = np.random.default_rng(1)
    sets = ["abcde"] * 6
    assert ordered(*sets, raters=list(range(6))).reliability.value == pytest.approx(1)
    guesses = [
        ordered(
            *("".join(draw.permutation(list("abcdefgh"))) for _ in range(6)), raters=list(range(6))
        ).reliability.value
        for _ in range(60)
    ]
    # The halves share no rater: of 60 studies the mean lies around 0.
    assert np.mean([float(r or 0) for r in guesses]) == pytest.approx(0, abs=0.12)


@given(ORDERS)
def test_scores_add_up_to_nothing_and_turned_orders_change_their_sign(
    orders: list[list[str]],
) -> None:
    plain = ordered(*map("".join, orders)).score
    turned = ordered(*("".join(reversed(order)) for order in orders)).score
    assert sum(float(of) for of in plain.values()) == pytest.approx(0)
    for name, estimate in plain.items():
        assert turned[name].value == pytest.approx(-float(estimate))


def test_sets_of_two_and_missing_ranks_do_not_count() -> None:
    nothing = ordered("ab", "ba")
    assert nothing.score == {}
    assert nothing.reliability.undefined == "fewer than three items in both halves"
    assert best_worst([1, 1, 1], [0] * 3, "abc", [1, None, 2]).score == {}
    flat = best_worst([1] * 6, [0, 0, 0, 1, 1, 1], "abcabc", [1] * 6)
    assert flat.score["a"].value == 0
    assert flat.reliability.undefined == "the scores of a half do not vary"
    with pytest.raises(ValueError, match="length"):
        best_worst([1], [0, 1], "a", [1])
    with pytest.raises(ValueError, match="one split"):
        best_worst([1], [0], "a", [1], splits=0)
