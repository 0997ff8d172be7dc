"""Rates of yes and no: by hand, as published, as scikit-learn and statsmodels have them, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_score, recall_score
from statsmodels.stats.proportion import proportion_confint

from agreement import Bootstrap, Estimate, corrected_rate, yes_no_rates
from tests.agreement.bounds import bounds

BOOTSTRAP = Bootstrap(resamples=200)
ANSWERS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def columns(*cells: tuple[int, int, int]) -> tuple[list[bool], list[bool]]:
    """(people's yes, judge's yes, how often) as two columns."""
    pairs = [(bool(yes), bool(judged)) for yes, judged, times in cells for _ in range(times)]
    return [yes for yes, _ in pairs], [judged for _, judged in pairs]


def test_rates_by_hand() -> None:
    """Of 4 yes the judge has 3, of 6 no it has 2; of its 7 yes 3 are people's; 7/10 - 4/10."""
    people, judge = columns((1, 1, 3), (1, 0, 1), (0, 0, 2), (0, 1, 4))

    rates = yes_no_rates(people, judge)

    assert rates.true_positive_rate == Estimate(value=3 / 4, n_units=4)
    assert rates.true_negative_rate == Estimate(value=2 / 6, n_units=6)
    assert rates.precision == Estimate(value=3 / 7, n_units=7)
    assert rates.bias.value == pytest.approx(3 / 10, abs=1e-15)


def test_weights_count_as_repetitions() -> None:
    people, judge = columns((1, 1, 3), (1, 0, 1), (0, 0, 2), (0, 1, 4))
    once, weights = columns((1, 1, 1), (1, 0, 1), (0, 0, 1), (0, 1, 1)), [3, 1, 2, 4]

    assert yes_no_rates(*once, weights=weights) == yes_no_rates(people, judge)


def test_the_interval_of_a_paired_difference_is_that_of_newcombe() -> None:
    """Newcombe (1998), table II, row of 36, 12, 2, 0: 0.0569 to 0.3404 by method 10."""
    judge, people = columns((1, 1, 36), (1, 0, 12), (0, 1, 2))

    bias = yes_no_rates(people, judge, bootstrap=BOOTSTRAP).bias

    assert bias.value == pytest.approx(0.2)
    assert (round(bounds(bias)[0], 4), round(bounds(bias)[1], 4)) == (0.0569, 0.3404)


def test_rates_and_their_intervals_are_those_of_other_programs() -> None:
    draw = np.random.default_rng(7)
    people = draw.random(150) < 0.7
    judge = np.where(draw.random(150) < 0.8, people, ~people)

    rates = yes_no_rates(people, judge, bootstrap=BOOTSTRAP)

    (tn, _), (_, tp) = confusion_matrix(people, judge)
    for estimate, share, hits in (
        (rates.true_positive_rate, recall_score(people, judge), tp),
        (rates.true_negative_rate, recall_score(~people, ~judge), tn),
        (rates.precision, precision_score(people, judge), tp),
    ):
        assert estimate.value == pytest.approx(share, abs=1e-12)
        other = proportion_confint(hits, estimate.n_units, method="wilson")
        assert bounds(estimate) == pytest.approx(other, abs=1e-12)


def test_units_of_a_source_are_drawn_together() -> None:
    """Twelve sources of ten equal units: as wide as twelve units, and far wider than 120."""
    people, judge = [True] * 120, [at // 10 < 6 for at in range(120)]
    sources = [at // 10 for at in range(120)]

    together = yes_no_rates(people, judge, clusters=sources, bootstrap=BOOTSTRAP)
    apart = yes_no_rates(people, judge, bootstrap=BOOTSTRAP)

    low, high = bounds(together.true_positive_rate)
    assert high - low > 2 * np.ptp(bounds(apart.true_positive_rate))
    assert "of 12 clusters" in (together.true_positive_rate.interval_method or "")


def test_of_few_sources_there_is_no_interval() -> None:
    people, judge = columns((1, 1, 4), (1, 0, 4), (0, 0, 8))
    rates = yes_no_rates(people, judge, clusters=[at // 2 for at in range(16)], bootstrap=BOOTSTRAP)

    assert rates.true_positive_rate.low is None
    assert "too few sources for an interval" in (rates.true_positive_rate.interval_method or "")
    # All of the no are right: resamples would all be alike, and 4 sources say little.
    assert bounds(rates.true_negative_rate) == pytest.approx((0.5101, 1), abs=1e-4)


def test_what_people_never_say_has_no_rate() -> None:
    rates = yes_no_rates([True] * 20, [True] * 15 + [False] * 5, bootstrap=BOOTSTRAP)

    assert rates.true_negative_rate.undefined == "no unit that people say no to"
    assert rates.true_positive_rate.value == 0.75
    assert yes_no_rates([], []).bias.undefined is not None


@given(ANSWERS)
def test_yes_and_no_swapped_swap_the_rates(pairs: list[tuple[bool, bool]]) -> None:
    people, judge = np.array(pairs).T
    rates, swapped = yes_no_rates(people, judge), yes_no_rates(~people, ~judge)

    assert rates.true_positive_rate.value == swapped.true_negative_rate.value
    assert rates.bias.value == pytest.approx(-(swapped.bias.value or 0), abs=1e-12)


@given(ANSWERS)
def test_the_order_of_units_does_not_matter(pairs: list[tuple[bool, bool]]) -> None:
    people, judge = np.array(pairs).T
    turned = np.array(pairs[::-1]).T

    assert yes_no_rates(*turned) == yes_no_rates(people, judge)


def test_the_corrected_rate_by_hand() -> None:
    """TPR 3/4, TNR 4/6; the judge says yes to 5 of 10 shared and to 7 of 10 others: 12/20.
    (.6 + .6667 - 1) / (.75 + .6667 - 1) = .64."""
    people, judge = columns((1, 1, 3), (1, 0, 1), (0, 0, 4), (0, 1, 2))

    rate = corrected_rate(people, judge, [True] * 7 + [False] * 3)

    assert rate.value == pytest.approx(0.64, abs=1e-12)
    assert (rate.n_units, rate.n_ratings) == (20, 10)


@given(ANSWERS)
def test_on_the_same_units_the_corrected_rate_is_that_of_people(
    pairs: list[tuple[bool, bool]],
) -> None:
    people, judge = np.array(pairs).T
    rate = corrected_rate(people, judge, [])

    if rate.value is not None:
        assert rate.value == pytest.approx(people.mean(), abs=1e-9)


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    people, judge = columns((1, 1, 1), (1, 0, 3), (0, 0, 1), (0, 1, 3))

    assert "chance" in (corrected_rate(people, judge, [True]).undefined or "")
    assert "yes" in (corrected_rate([False], [False], [True]).undefined or "")


def test_the_corrected_rate_finds_the_share_that_people_would_give() -> None:
    """Of 4,000 units people answered 800; the judge passes 36 % of what fails."""
    draw = np.random.default_rng(3)
    truth = draw.random(4000) < 0.4
    judge = np.where(draw.random(4000) < np.where(truth, 0.93, 0.64), truth, ~truth)

    rate = corrected_rate(truth[:800], judge[:800], judge[800:], bootstrap=BOOTSTRAP)

    low, high = bounds(rate)
    assert low < truth.mean() < high
    assert high < judge.mean()


def test_different_lengths_and_weights_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        yes_no_rates([True], [True, False])
    with pytest.raises(ValueError, match="weight"):
        yes_no_rates([True], [True], weights=[0])


def test_a_judge_who_never_differs_has_bounds_of_how_often_it_might() -> None:
    # Wilson's upper bound of 0 of 20: z^2 / (20 + z^2), z = 1.96; half of the answers are yes.
    yes = [True] * 10 + [False] * 10
    bias = yes_no_rates(yes, yes, bootstrap=Bootstrap()).bias
    most = 1.959964**2 / (20 + 1.959964**2)
    assert (bias.value, bias.low, bias.high) == pytest.approx((0, -most, most))
