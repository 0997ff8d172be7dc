"""An interval for these raters, and one for raters like them."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement import Bootstrap, alpha, mean_by, raw_agreement
from agreement.bootstrap.floors import lack_of_even_raters
from agreement.bootstrap.jackknife import Spread
from agreement.bootstrap.live import Live, with_raters
from agreement.bootstrap.scales import NUMBERS, SHARES
from tests.agreement.two_way import half_width

BOTH = Bootstrap(method="jackknife", both=True)
DRAWN = Bootstrap(method="jackknife", resample="sources_and_raters")


def ratings(raters: int, *, seed: int = 3, sources: int = 40) -> Any:
    rng = np.random.default_rng(seed)
    source, rater = (at.ravel() for at in np.indices((sources, raters)))
    severe = rng.normal(size=raters)[rater]
    return source, rater, rng.normal(size=sources)[source] + severe + rng.normal(size=len(source))


def test_a_mean_has_both_and_is_for_raters_like_them() -> None:
    source, rater, value = ratings(4)
    mean = mean_by(value, source, raters=rater, bootstrap=DRAWN)
    assert (mean.others_low, mean.others_high) == (mean.low, mean.high)
    plain = mean_by(value, source, raters=rater, bootstrap=Bootstrap(method="jackknife"))
    assert (mean.these_low, mean.these_high) == (plain.low, plain.high)
    # In a complete design the errors are those of the one-way and of the two-way random model.
    table = value.reshape(40, 4)
    by_source, by_rater = table.mean(axis=1), table.mean(axis=0)
    rest = table - by_source[:, None] - by_rater + table.mean()
    squares = float((rest**2).sum()) / (39 * 3)
    parts = (by_source.var(ddof=1) / 40, 39), (by_rater.var(ddof=1) / 4, 3), (squares / 160, 117)
    half = half_width(*parts)
    assert "generalized p with 3 degrees of freedom of raters" in str(mean.others_method)
    assert mean.others_high == pytest.approx(float(mean) + half, rel=1e-3)
    half = stats.t.ppf(0.975, 39) * math.sqrt(by_source.var(ddof=1) / 40)
    assert mean.these_high == pytest.approx(float(mean) + half)


@pytest.mark.parametrize("of", [alpha, raw_agreement])
def test_agreement_is_for_these_raters_with_that_for_others_beside_it(of: Any) -> None:
    source, rater, value = ratings(5)
    about = (source, rater, np.round(value))
    more = {"distance": "nominal"} if of is alpha else {}
    both, plain, drawn = (
        of(*about, **more, bootstrap=how) for how in (BOTH, Bootstrap(method="jackknife"), DRAWN)
    )
    assert (both.low, both.high) == (both.these_low, both.these_high) == (plain.low, plain.high)
    assert (both.others_low, both.others_high) == (drawn.low, drawn.high)
    assert plain.these_method is None


def test_two_raters_carry_no_interval_for_others_and_one_has_no_readings() -> None:
    source, rater, value = ratings(2)
    two = alpha(source, rater, np.round(value), distance="interval", bootstrap=BOTH)
    assert two.these_low == two.low
    assert two.others_low is None
    assert "too few raters to speak of others" in str(two.others_method)
    one = mean_by(value[rater == 0], raters=rater[rater == 0], bootstrap=DRAWN)
    assert (one.these_method, one.others_method) == (None, None)


@pytest.mark.parametrize(
    ("given", "planned", "reason"),
    [
        ([90, 90, 90], 3, ""),
        ([90, 90], 3, "not before 3 raters have answered"),
        # An equal share is 70 answers, half of it 35.
        ([90, 85, 35], 3, ""),
        ([90, 86, 34], 3, "half of an equal share"),
        ([90, 1, *[90] * 8], 1, ""),
        ([90, 1, *[90] * 7], 1, "half of an equal share"),
        ([5], 1, ""),
    ],
)
def test_raters_who_lag_behind_keep_a_figure_from_a_live_interval(
    given: list[int], planned: int, reason: str
) -> None:
    rater = np.repeat(np.arange(len(given)), given)
    found = lack_of_even_raters(rater, planned)
    assert reason in found if reason else found == ""


def test_the_distances_of_sources_and_raters_add_by_their_squares() -> None:
    # t with 2 degrees at .95 is 4.3027; times an error of 1 / 4.3027 it is 1.
    live = Live(live_low=0.25, live_high=1.75, live_method="sequence")
    raters = Spread(1 / stats.t.ppf(0.975, 2) ** 2, 2)
    both = with_raters(live, 1.0, NUMBERS, raters, 0.95)
    # sqrt(.75 ** 2 + 1) = 1.25
    assert (both.live_low, both.live_high) == pytest.approx((-0.25, 2.25))
    assert (both.live_these_low, both.live_these_high) == (0.25, 1.75)
    none = with_raters(live, 1.0, NUMBERS, None, 0.95)
    assert (none.live_low, none.live_these_low) == (None, 0.25)


def test_bounds_of_shares_stay_between_their_ends() -> None:
    live = Live(live_low=0.0, live_high=0.99, live_method="betting")
    both = with_raters(live, 0.9, SHARES, Spread(1.0, 2), 0.95)
    assert both.live_low == 0.0
    assert both.live_high is not None
    assert 0.99 < both.live_high < 1


def test_a_live_mean_waits_for_its_raters_and_is_wider_for_others() -> None:
    source, rater, value = ratings(3)
    how = Bootstrap(method="jackknife", resample="sources_and_raters", live=40, live_raters=3)
    early = rater * 40 + source < 80
    mean = mean_by(value[early], source[early], raters=rater[early], bootstrap=how)
    assert str(mean.live_method).startswith("none: not before 3 raters")
    mean = mean_by(value, source, raters=rater, bootstrap=how)
    assert mean.live_low is not None
    assert mean.live_these_low is not None
    assert mean.live_low < mean.live_these_low < float(mean)
