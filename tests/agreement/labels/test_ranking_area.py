"""Area under the ROC curve: by hand, published values, scikit-learn, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from agreement import Bootstrap, ranking_area

JACKKNIFE = Bootstrap(method="jackknife")
# Hanley and McNeil (1982), Table I: ratings 1 to 5 of 58 normal and 51 abnormal images.
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
ROWS = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=20)


def test_four_units_by_hand() -> None:
    """Yes at 3 and 1, no at 2 and 1: 3 beats both, 1 loses to 2 and ties with 1: 2.5 of 4."""
    assert ranking_area([3, 1, 2, 1], [True, True, False, False]).value == pytest.approx(2.5 / 4)


def test_the_images_of_hanley_and_mcneil() -> None:
    """Published: 0.893, as in the tests of other programs with these counts."""
    scores = np.concatenate([np.repeat(range(1, 6), counts) for counts in (NORMAL, ABNORMAL)])
    yes = np.repeat([False, True], [58, 51])
    assert round(float(ranking_area(scores, yes)), 3) == 0.893


def test_it_is_that_of_scikit_learn_and_its_error_delongs() -> None:
    draw = np.random.default_rng(6)
    yes = draw.random(80) < 0.4
    scores = np.round(draw.normal(yes * 1.0, 1), 1)
    found = ranking_area(scores, yes, bootstrap=JACKKNIFE)
    area = roc_auc_score(yes, scores)
    assert found.value == pytest.approx(area)

    apart = (np.sign(np.subtract.outer(scores[yes], scores[~yes])) + 1) / 2
    positive, negative = apart.mean(axis=1), apart.mean(axis=0)
    error = (positive.var(ddof=1) / yes.sum() + negative.var(ddof=1) / (~yes).sum()) ** 0.5
    slope = 1 / (area * (1 - area))
    half, middle = stats.t.ppf(0.975, 79) * error * slope, np.log(area / (1 - area))
    low, high = 1 / (1 + np.exp(-np.array([middle - half, middle + half])))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)


def test_sources_are_left_out_whole() -> None:
    draw = np.random.default_rng(2)
    source, yes = np.repeat(np.arange(15), 4), draw.random(60) < 0.5
    scores = draw.normal(yes * 1.0, 1)
    found = ranking_area(scores, yes, clusters=source, bootstrap=JACKKNIFE)
    each = np.array([roc_auc_score(yes[source != at], scores[source != at]) for at in range(15)])
    z = np.log(each / (1 - each))
    half = stats.t.ppf(0.975, 14) * (14 / 15 * ((z - z.mean()) ** 2).sum()) ** 0.5
    middle = np.log(float(found) / (1 - float(found)))
    low, high = 1 / (1 + np.exp(-np.array([middle - half, middle + half])))
    assert (found.low, found.high) == pytest.approx((low, high))


@given(ROWS)
def test_order_alone_counts_and_turned_scores_are_turned(rows: list[tuple[int, bool]]) -> None:
    scores, yes = (np.array(side) for side in zip(*rows, strict=True))
    found = ranking_area(scores, yes)
    if found.value is not None:
        assert ranking_area(np.exp(scores), yes).value == pytest.approx(found.value)
        assert ranking_area(-scores, yes).value == pytest.approx(1 - found.value)


def test_one_label_has_no_area_and_a_constant_judge_one_half() -> None:
    assert ranking_area([1, 2], [True, True]).undefined is not None
    assert ranking_area([1, 1, 1], [True, False, False]).value == 0.5
    with pytest.raises(ValueError, match="length"):
        ranking_area([1], [True, False])
