"""Brier score, calibration error and curve: by hand, as scikit-learn has them, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from agreement import Bootstrap, Estimate, probability_scores
from tests.agreement.bounds import bounds

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0, 0.5, 1])), min_size=1, max_size=30)


def test_by_hand() -> None:
    """.9 and .8 with 1 and 0: Brier (.01 + .64) / 2; each its own bin: |.9 - 1| and |.8 - 0|."""
    found = probability_scores([0.9, 0.8], [1, 0])

    assert found.brier.value == pytest.approx(0.325)
    assert found.calibration_error.value == pytest.approx(0.45)
    assert [(each.low, each.high) for each in found.bins] == [(0.8, 0.9), (0.9, 1.0)]
    assert found.bins[1].predicted == Estimate(value=0.9, n_units=1)


def test_score_and_curve_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(6)
    said = draw.random(300)
    truth = (draw.random(300) < said**2).astype(float)

    found = probability_scores(said, truth, bootstrap=Bootstrap(resamples=50))

    assert found.brier.value == pytest.approx(brier_score_loss(truth, said), abs=1e-12)
    observed, predicted = calibration_curve(truth, said, n_bins=10)
    assert [each.observed.value for each in found.bins] == pytest.approx(observed.tolist())
    assert [each.predicted.value for each in found.bins] == pytest.approx(predicted.tolist())
    sizes = np.histogram(said, np.linspace(0, 1, 11))[0]
    expected = float((np.abs(observed - predicted) * sizes).sum() / 300)
    assert found.calibration_error.value == pytest.approx(expected, abs=1e-12)
    assert found.calibration_error.low is None
    low, high = bounds(found.brier)
    assert low < float(found.brier) < high


@given(PAIRS)
def test_yes_and_no_swapped_change_neither_score(pairs: list[tuple[float, float]]) -> None:
    said, truth = np.array(pairs).T
    found, swapped = (
        probability_scores(said, truth, bins=1),
        probability_scores(1 - said, 1 - truth, bins=1),
    )

    assert found.brier.value == pytest.approx(swapped.brier.value, abs=1e-9)
    assert found.calibration_error.value == pytest.approx(swapped.calibration_error.value, abs=1e-9)


@given(PAIRS)
def test_who_says_what_happens_makes_no_error(pairs: list[tuple[float, float]]) -> None:
    truth = [outcome for _, outcome in pairs]

    assert probability_scores(truth, truth).brier.value == 0
    assert probability_scores(truth, truth).calibration_error.value == pytest.approx(0, abs=1e-12)


def test_nothing_and_what_is_no_probability() -> None:
    assert (
        probability_scores([None], [1]).brier.undefined
        == "no unit with a probability and an outcome"
    )
    with pytest.raises(ValueError, match="a probability lies within 0 and 1"):
        probability_scores([1.2], [1])
    with pytest.raises(ValueError, match="differ in length"):
        probability_scores([0.2], [1, 0])
    with pytest.raises(ValueError, match="bin"):
        probability_scores([0.2], [1], bins=0)
