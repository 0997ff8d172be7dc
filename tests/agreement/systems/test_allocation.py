import math

import numpy as np
import pytest
from scipy import stats

from agreement import allocations, allocations_from, ppi_mean, source_correlation


def test_what_is_saved_by_hand() -> None:
    # Correlation .6: half of 100 sources answered saves .36 / 2 = 18 %.
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 400))
    x = (x - x.mean()) / x.std()
    z = z - z.mean() - (z * x).mean() * x
    human, judge = x, 0.6 * x + 0.8 * z / z.std()
    each = allocations(human, judge, total=100, shares=(0.5, 1.0)).each
    assert [allocation.answered for allocation in each] == [50, 100]
    assert [allocation.saved for allocation in each] == pytest.approx([0.18, 0])
    spread = human.std(ddof=1)
    alone = stats.t.ppf(0.975, 49) * spread / math.sqrt(50)
    full = stats.t.ppf(0.975, 99) * spread / 10
    assert each[0].alone == pytest.approx(alone)
    assert each[0].half_width == pytest.approx(alone * math.sqrt(0.82))
    assert each[0].cost == pytest.approx(alone * math.sqrt(0.82) / full)
    assert each[1].cost == 1


def test_widths_are_those_of_prediction_powered_means_of_such_studies() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=4000)
    judge = 0.7 * truth + 0.7 * rng.normal(size=4000)
    planned = allocations(truth, judge, total=400, shares=(0.25,)).each[0]
    widths = []
    for at in range(10):
        part = slice(400 * at, 400 * (at + 1))
        human = np.where(np.arange(400) < 100, truth[part], np.nan)
        estimate = ppi_mean(human, judge[part]).estimate
        widths.append(((estimate.high or 0) - (estimate.low or 0)) / 2)
    assert planned.half_width == pytest.approx(float(np.mean(widths)), rel=0.05)


def test_allocations_rest_on_the_correlation_of_the_sources_that_both_answered() -> None:
    """Of 1, 3 and 5 with 2, 3 and 7: r = 10 / √(8 · 14), people's standard deviation 2."""
    human, judge = [1, 3, 5, math.nan, 9], [2, 3, 7, 4, math.nan]
    found = source_correlation(human, judge)
    assert found.value == pytest.approx(10 / math.sqrt(8 * 14))
    assert (found.sd, found.n_units, found.n_ratings) == (2, 4, 3)
    assert allocations(human, judge, total=40) == allocations_from(found, total=40)


def test_a_judge_against_people_saves_nothing_and_few_sources_have_no_interval() -> None:
    values = np.arange(30.0)
    each = allocations(values, -values).each
    assert [(a.answered, a.saved) for a in each] == [(15, 0), (23, 0), (30, 0)]
    assert all(a.half_width == a.alone for a in each)


def test_what_is_undefined_or_wrong_is_said() -> None:
    nothing = allocations([1.0] * 20, list(range(20)))
    assert nothing.correlation.undefined
    assert not nothing.each
    with pytest.raises(ValueError, match="shares"):
        allocations([1, 2], [1, 2], shares=(0,))
    with pytest.raises(ValueError, match="at least one source"):
        allocations([1, 2], [1, 2], total=0)
    with pytest.raises(ValueError, match="1 human answers"):
        allocations([1], [1, 2])
