"""The best threshold: by hand, and against trying every one."""

import math
from collections.abc import Callable
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.calibration.threshold_search import Case, best_threshold


def case(scores: dict[str, float], right: set[str], weight: float = 1.0) -> Case:
    """A question whose answer is the set of parts that reach the threshold, scored by F1."""
    return Case(tuple(scores.values()), f1(scores, right), weight)


def f1(scores: dict[str, float], right: set[str]) -> Callable[[float], float]:
    def scored_at(threshold: float) -> float:
        chosen = {key for key, score in scores.items() if score >= threshold}
        if not chosen and not right:
            return 1.0
        return 2 * len(chosen & right) / (len(chosen) + len(right))

    return scored_at


def test_one_question_by_hand() -> None:
    # from 0.9: {a}, F1 2/3; from 0.6: {a, b}, 1; from 0.2: {a, b, c}, 4/5. Halfway from 0.6 to 0.2
    best = best_threshold([case({"a": 0.9, "b": 0.6, "c": 0.2}, {"a", "b"})])
    assert best.threshold == pytest.approx(0.4)
    assert best.mean == pytest.approx(1)
    assert best.candidates == 3


def test_two_questions_pull_in_two_directions() -> None:
    # from 0.9: (0 + 2/3) / 2; from 0.8: (1 + 2/3) / 2; from 0.1: (1 + 1) / 2 but z spoils: 0.2
    first = case({"x": 0.8, "z": 0.1}, {"x"}, 0.5)
    second = case({"a": 0.9, "b": 0.2}, {"a", "b"}, 0.5)
    # 0.9: 0, 2/3; 0.8: 1, 2/3; 0.2: 1, 1; 0.1: 2/3, 1
    best = best_threshold([first, second])
    assert best.mean == pytest.approx(1)
    assert best.threshold == pytest.approx(0.15)


def test_of_equally_good_ones_the_strictest_is_taken() -> None:
    best = best_threshold([case({"a": 0.9, "b": 0.5}, {"c"})])
    assert best.mean == 0
    assert best.threshold == pytest.approx(0.7)


def test_below_the_lowest_score_it_stays_where_it_is() -> None:
    assert best_threshold([case({"a": 0.3}, {"a"})]).threshold == 0.3


def test_without_scores_there_is_no_threshold() -> None:
    with pytest.raises(ValueError, match="no scores"):
        best_threshold([Case((), lambda _: 0.0, 1.0)])


shares = st.floats(0, 1).map(lambda share: round(share, 2))
question = st.tuples(
    st.lists(shares, min_size=1, max_size=5), st.sets(st.integers(0, 4).map(str), max_size=3)
)


@given(st.lists(question, min_size=1, max_size=8))
def test_no_threshold_of_all_there_are_does_better(
    questions: list[tuple[list[float], set[str]]],
) -> None:
    weight = 1 / len(questions)
    named = [({str(n): s for n, s in enumerate(scores)}, right) for scores, right in questions]
    best = best_threshold([case(scores, right, weight) for scores, right in named])

    def mean(threshold: float) -> float:
        return fmean(f1(scores, right)(threshold) for scores, right in named)

    every = {score for scores, _ in questions for score in scores}
    assert best.candidates == len(every)
    assert math.isclose(best.mean, max(mean(threshold) for threshold in every), abs_tol=1e-9)
    assert math.isclose(best.mean, mean(best.threshold), abs_tol=1e-9)
