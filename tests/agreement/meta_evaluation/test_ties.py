"""Accuracy with calibrated ties: by hand, published values, by trying every threshold, laws."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Bootstrap, tie_calibrated_accuracy
from tests.agreement.bounds import bounds

TEXTS = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 6), st.integers(0, 2)), min_size=2, max_size=12
)


def by_loops(people: list[int], judge: list[int], sources: list[int]) -> tuple[float, float]:
    """The highest accuracy of every threshold, and the lowest threshold that has it."""
    found = []
    for threshold in sorted({0, *(abs(a - b) for a in judge for b in judge)}):
        each = []
        for source in set(sources):
            own = [at for at, name in enumerate(sources) if name == source]
            right = []
            for i, j in combinations(own, 2):
                apart = judge[i] - judge[j]
                said = 0 if abs(apart) <= threshold else np.sign(apart)
                right.append(said == np.sign(people[i] - people[j]))
            if right:
                each.append(np.mean(right))
        found.append((float(np.mean(each)), -threshold))
    accuracy, threshold = max(found, key=lambda pair: (round(pair[0], 9), pair[1]))
    return accuracy, -threshold


def test_one_source_by_hand() -> None:
    """People 1, 1, 2; the judge 1.0, 1.2, 3.0. Without ties of the judge: the tied pair is wrong,
    two are in order: 2/3. From 0.2 on the judge ties the first pair: 3/3."""
    found = tie_calibrated_accuracy([1, 1, 2], [1.0, 1.2, 3.0], sources=[0, 0, 0])
    assert found.accuracy.value == pytest.approx(1)
    assert found.threshold.value == pytest.approx(0.2)
    assert (found.accuracy.n_units, found.accuracy.n_ratings) == (1, 3)


def test_a_judge_who_turns_one_pair_loses_that_one() -> None:
    """Six texts: four bad ones, alike for both; a good and a better one, which the judge turns.
    6 ties and 8 orders of 15 pairs are right."""
    found = tie_calibrated_accuracy([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], sources=[0] * 6)
    assert found.accuracy.value == pytest.approx(14 / 15)
    assert found.threshold.value == 0


@pytest.mark.parametrize(
    ("people", "accuracy", "threshold"), [([1, 2, 3, 4], 1.0, 0), ([1, 1, 1, 4], 4 / 6, 4)]
)
def test_the_examples_of_the_authors_program(
    people: list[int], accuracy: float, threshold: int
) -> None:
    """google-research/mt-metrics-eval, `tau_optimization_test.py`: metric 0, 2, 6, 8."""
    found = tie_calibrated_accuracy(people, [0, 2, 6, 8], sources=[0] * 4)
    assert found.accuracy.value == pytest.approx(accuracy)
    assert found.threshold.value == pytest.approx(threshold)


@given(TEXTS)
def test_it_is_the_best_of_all_thresholds(texts: list[tuple[int, int, int]]) -> None:
    people, judge, sources = (list(column) for column in zip(*texts, strict=True))
    found = tie_calibrated_accuracy(people, judge, sources=sources)
    if found.accuracy.value is None:
        assert found.accuracy.undefined == "no source with two texts that both rated"
        return
    accuracy, threshold = by_loops(people, judge, sources)
    assert found.accuracy.value == pytest.approx(accuracy)
    assert found.threshold.value == pytest.approx(threshold)


@given(TEXTS)
def test_the_unit_of_the_judge_moves_the_threshold_alone(
    texts: list[tuple[int, int, int]],
) -> None:
    people, judge, sources = (list(column) for column in zip(*texts, strict=True))
    plain = tie_calibrated_accuracy(people, judge, sources=sources)
    scaled = tie_calibrated_accuracy(people, [10 * x for x in judge], sources=sources)
    assert scaled.accuracy.value == pytest.approx(plain.accuracy.value)
    if plain.threshold.value is not None:
        assert scaled.threshold.value == pytest.approx(10 * plain.threshold.value)
        own = tie_calibrated_accuracy(people, people, sources=sources).accuracy
        assert own.value == pytest.approx(1)


def test_its_interval_is_over_sources() -> None:
    draw = np.random.default_rng(1)
    people = draw.integers(1, 6, 400)
    judge = people + draw.normal(size=400)
    found = tie_calibrated_accuracy(
        people, judge, sources=np.repeat(np.arange(100), 4), bootstrap=Bootstrap(method="jackknife")
    ).accuracy
    low, high = bounds(found)
    assert 0 < low < float(found) < high < 1
    assert found.n_units == 100
