"""What a study can show: by hand, published sizes, independent, laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from agreement import (
    RaterPart,
    detectable_difference,
    raters_for_difference,
    sources_for_difference,
    sources_for_replacement,
    system_differences,
)


def test_many_sources_by_hand() -> None:
    """(1.9600 + 0.8416) sd / √n."""
    found = detectable_difference(sources=10_000, sd=2)

    assert found.value == pytest.approx(2 * 2.80158 / 100, rel=1e-3)
    assert found.interval_method == "paired t test at 0.05, power 0.8"


@pytest.mark.parametrize(("effect", "published"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_customary_sizes_of_paired_studies(effect: float, published: int) -> None:
    """Cohen's small, medium and large effects, two-sided at .05 with power .8 (G*Power)."""
    assert sources_for_difference(effect, sd=1).value == published


@pytest.mark.parametrize("sources", [3, 10, 57, 400])
@pytest.mark.parametrize(("power", "level"), [(0.8, 0.05), (0.95, 0.005)])
def test_differences_equal_statsmodels(sources: int, power: float, level: float) -> None:
    expected = TTestPower().solve_power(nobs=sources, alpha=level, power=power)

    found = detectable_difference(sources=sources, sd=1, power=power, level=level)

    assert found.value == pytest.approx(expected, rel=2e-5)


def test_replacement_is_passed_as_often_as_planned() -> None:
    """Five people and a judge, each right with .85: the smallest study by the plan passes the
    judge about as often as it says, by the test itself on as many sources."""
    from agreement import alternative_annotator_test

    rng = np.random.default_rng(1)
    right = rng.random((20_000, 6)) < 0.85
    others = right[:, 1:5].mean(axis=1)
    mine, judges = (np.abs(right[:, at] - others) for at in (0, 5))
    apart = (mine < judges) * 1.0 - (judges < mine)
    sources = int(float(sources_for_replacement(gap=0, sd=apart.std(), epsilon=0.2, people=5)))
    assert 40 <= sources <= 80

    passed = 0
    for _ in range(60):
        answers = (rng.random((sources, 6)) < 0.85).astype(int)
        units, raters = np.divmod(np.arange(6 * sources), 6)
        found = alternative_annotator_test(
            units, raters.tolist(), answers.reshape(-1), judge=5, distance="nominal", epsilon=0.2
        )
        passed += float(found.winning_rate) >= 0.5
    assert 0.6 <= passed / 60 <= 0.97


@settings(max_examples=30)
@given(st.floats(0.05, 3), st.floats(0.5, 0.95), st.floats(0.1, 10))
def test_the_plan_and_its_reverse_agree(effect: float, power: float, sd: float) -> None:
    needed = int(float(sources_for_difference(effect * sd, sd=sd, power=power)))

    assert float(detectable_difference(sources=needed, sd=sd, power=power)) <= effect * sd * 1.0001
    if needed > 3:
        fewer = detectable_difference(sources=needed - 1, sd=sd, power=power)
        assert float(fewer) >= effect * sd * 0.9999


def test_what_cannot_be_planned_says_why() -> None:
    beyond = sources_for_difference(1e-6, sd=1)
    assert beyond.undefined == "more sources needed than a million"
    hopeless = sources_for_replacement(gap=0.1, sd=0.5, epsilon=0.1, people=3)
    assert (hopeless.undefined or "").startswith("no number of sources is enough")
    assert sources_for_replacement(gap=0, sd=0, epsilon=0.1, people=3).value == 15
    for wrong in ({"sources": 2, "sd": 1.0}, {"sources": 9, "sd": -1.0}):
        with pytest.raises(ValueError, match=r"at least 3|0 or more"):
            detectable_difference(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="power above level"):
        sources_for_difference(1, sd=1, power=0.01)
    with pytest.raises(ValueError, match="at least 3 people"):
        sources_for_replacement(gap=0, sd=1, epsilon=0.1, people=2)


def test_many_sources_and_raters_by_hand() -> None:
    """(1.9600 + 0.8416) sqrt(4 / 10,000 + 2 * .09 / 1,000)."""
    part = RaterPart(1000, 0.3)

    found = detectable_difference(sources=10_000, sd=2, raters=part)

    assert found.value == pytest.approx(2.80158 * (0.0004 + 0.00018) ** 0.5, rel=3e-3)
    assert found.n_raters == 1000
    assert found.interval_method == "t test over sources and raters at 0.05, power 0.8"


@pytest.mark.parametrize(("raters", "taste"), [(6, 0.2), (10, 0.3)])
def test_the_planned_difference_is_found_as_often_as_planned(raters: int, taste: float) -> None:
    """60 sources, two systems, each rater's own taste: 300 studies, tested as a report does."""
    part = RaterPart(raters, taste)
    sd = (2 * (0.7**2 + 1 / raters)) ** 0.5  # item x system .7, single ratings 1
    apart = float(detectable_difference(sources=60, sd=sd, raters=part))
    rng, found = np.random.default_rng(5), 0
    source, rater, system = (at.ravel() for at in np.indices((60, raters, 2)))
    for _ in range(300):
        values = (
            apart * (system == 0)
            + 0.7 * rng.standard_normal((60, 2))[source, system]
            + taste * rng.standard_normal((raters, 2))[rater, system]
            + rng.standard_normal(source.shape)
        )
        (pair,) = system_differences(source, rater, system, values).values()
        found += float(pair.others_p) < 0.05

    assert 0.70 <= found / 300 <= 0.88


def test_raters_who_agree_need_no_more_of_their_kind() -> None:
    for number in (2, 50):
        alike = detectable_difference(sources=40, sd=1, raters=RaterPart(number, 0.0))
        assert alike.value == pytest.approx(float(detectable_difference(sources=40, sd=1)))


def test_plans_with_raters_and_their_reverses_agree() -> None:
    part = RaterPart(8, 0.25, 3)
    least = float(detectable_difference(sources=120, sd=1, raters=part))

    assert float(sources_for_difference(least * 1.0001, sd=1, raters=part)) == 120
    assert float(raters_for_difference(least * 1.0001, sources=120, sd=1, raters=part)) == 8


def test_no_number_of_sources_or_raters_is_enough_where_the_other_is_the_limit() -> None:
    few = RaterPart(3, 0.5)

    assert sources_for_difference(0.2, sd=1, raters=few).undefined is not None
    found = raters_for_difference(0.05, sources=50, sd=1, raters=few)
    assert found.undefined == "more raters needed than a thousand"
    with pytest.raises(ValueError, match="two raters"):
        detectable_difference(sources=9, sd=1, raters=RaterPart(1, 0.2))
