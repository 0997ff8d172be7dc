"""Balanced accuracy, macro F1 and MCC: by hand, published values, scikit-learn, laws."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef

from agreement import Bootstrap, classification_rates

JACKKNIFE = Bootstrap(method="jackknife")
LABELS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=20)


def counted(*cells: tuple[int, int, int]) -> dict[str, Any]:
    """(people's label, the judge's, how many)."""
    people, judge, counts = (np.array(column) for column in zip(*cells, strict=True))
    return {"people": people, "judge": judge, "weights": counts.astype(float)}


def test_two_labels_by_hand() -> None:
    """Of 8 yes the judge finds 6, of 2 no 1. Balanced: (6/8 + 1/2) / 2 = 5/8. F1 of yes
    2·6 / (8 + 7) = 4/5, of no 2·1 / (2 + 3) = 2/5, mean 3/5. MCC (6·1 - 2·1) / √(8·2·7·3)."""
    found = classification_rates(**counted((0, 0, 6), (0, 1, 2), (1, 1, 1), (1, 0, 1)))

    assert found.balanced_accuracy.value == pytest.approx(5 / 8)
    assert found.macro_f1.value == pytest.approx(3 / 5)
    assert found.mcc.value == pytest.approx(4 / (8 * 2 * 7 * 3) ** 0.5)
    assert found.mcc.n_units == 10


def test_the_examples_of_scikit_learns_documentation() -> None:
    """`balanced_accuracy_score` 0.625, `f1_score(average="macro")` 0.267 and
    `matthews_corrcoef` -0.33, version 1.9."""
    found = classification_rates(np.array([0, 1, 0, 0, 1, 0]), np.array([0, 1, 0, 0, 0, 1]))
    assert round(float(found.balanced_accuracy), 3) == 0.625
    found = classification_rates(np.array([0, 1, 2, 0, 1, 2]), np.array([0, 2, 1, 0, 0, 1]))
    assert round(float(found.macro_f1), 3) == 0.267
    found = classification_rates(np.array([1, 1, 1, -1]), np.array([1, -1, 1, 1]))
    assert round(float(found.mcc), 2) == -0.33


@pytest.mark.parametrize("labels", [2, 3, 5])
def test_they_are_those_of_scikit_learn(labels: int) -> None:
    draw = np.random.default_rng(labels)
    people = draw.integers(0, labels, 200)
    judge = np.where(draw.random(200) < 0.6, people, draw.integers(0, labels, 200))
    found = classification_rates(people, judge)
    expected = balanced_accuracy_score(people, judge)
    assert found.balanced_accuracy.value == pytest.approx(expected)
    assert found.macro_f1.value == pytest.approx(f1_score(people, judge, average="macro"))
    assert found.mcc.value == pytest.approx(matthews_corrcoef(people, judge))


def test_intervals_leave_out_source_after_source() -> None:
    draw = np.random.default_rng(1)
    people, source = draw.integers(0, 3, 60), np.repeat(np.arange(20), 3)
    judge = np.where(draw.random(60) < 0.7, people, draw.integers(0, 3, 60))
    found = classification_rates(people, judge, clusters=source, bootstrap=JACKKNIFE).mcc

    each = [matthews_corrcoef(people[source != at], judge[source != at]) for at in range(20)]
    z = 2 * np.arctanh(np.array(each))
    half = stats.t.ppf(0.975, 19) * (19 / 20 * ((z - z.mean()) ** 2).sum()) ** 0.5
    middle = 2 * np.arctanh(matthews_corrcoef(people, judge))
    bounds = np.tanh(np.array([middle - half, middle + half]) / 2)
    assert [found.low, found.high] == pytest.approx(bounds.tolist())


@given(LABELS)
def test_names_of_labels_do_not_matter_and_right_answers_are_1(
    rows: list[tuple[int, int]],
) -> None:
    people, judge = (np.array(side) for side in zip(*rows, strict=True))
    plain, renamed = (
        classification_rates(people, judge),
        classification_rates(7 - people, 7 - judge),
    )
    for name in ("balanced_accuracy", "macro_f1", "mcc"):
        assert getattr(renamed, name).value == pytest.approx(getattr(plain, name).value)
    right = classification_rates(people, people)
    assert right.macro_f1.value == pytest.approx(1)
    assert right.mcc.value in (None, pytest.approx(1))


def test_a_constant_judge_is_half_right_and_has_no_correlation() -> None:
    found = classification_rates(np.array([0, 0, 0, 1]), np.zeros(4, dtype=int))
    assert found.balanced_accuracy.value == 0.5
    # F1 of the first label 2·3 / (3 + 4), of the other 0.
    assert found.macro_f1.value == pytest.approx(3 / 7)
    assert "one label only" in str(found.mcc.undefined)
    nothing = classification_rates(np.zeros(0, dtype=int), np.zeros(0, dtype=int))
    assert nothing.macro_f1.undefined == "no unit that both labelled"
    with pytest.raises(ValueError, match="length"):
        classification_rates(np.zeros(1, dtype=int), np.zeros(2, dtype=int))
