"""What a study of a size can show of its systems, from the rows of its report."""

import pytest

from agreement import Estimate, RaterPart, detectable_difference
from estimates.data.rows import OF_SYSTEMS, Row
from results.reading.planned_tests import PlannedTest, planned_tests
from results.reading.steps import towards_a_difference


def difference(first: str, second: str, **of: object) -> Row:
    estimate = Estimate(**{"value": 0.4, "sd": 2.0, "sd_ddof": 1, "n_units": 30, **of})  # type: ignore[arg-type]
    return row("mean_difference", estimate, {"system": first, "other_system": second})


def row(metric: str, estimate: Estimate, group: dict[str, str]) -> Row:
    return Row(
        metric=metric,
        facet="utility",
        raters="humans",
        aggregation=OF_SYSTEMS,
        group=group,
        estimate=estimate,
    )


def spread(sd: float, raters: int) -> Row:
    return row("raters_by_systems_sd", Estimate(value=sd, n_raters=raters), {})


def plan(value: float, sd: float, taste: float | None, raters: int = 3) -> PlannedTest:
    part = None if taste is None else RaterPart(raters, taste, 2)
    return PlannedTest("f", "A", "B", Estimate(value=value), 100, sd, part, 1)


def said(test: PlannedTest | None, *, others: bool) -> str:
    return towards_a_difference(test, for_others=others).text


def test_pairs_of_systems_share_the_level_and_the_spread() -> None:
    rows = [
        difference("A", "B"),
        difference("A", "C", value=-0.9, sd=1.0),
        difference("B", "C", sd=None),
    ]

    (found,) = planned_tests([*rows, spread(0.2, 4)])

    assert (found.first, found.second, found.sources, found.pairs) == ("A", "C", 30, 3)
    assert found.sd == pytest.approx(2.5**0.5)  # the root of (4 + 1) / 2
    assert found.raters == RaterPart(4, 0.2, 3)
    least = detectable_difference(sources=30, sd=2.5**0.5, level=0.05 / 3)
    assert found.least_of_these == least.value
    assert found.least_of_others is not None
    assert found.least_of_others > found.least_of_these
    assert planned_tests([]) == []


def test_what_others_would_find_is_no_smaller_than_what_these_raters_show() -> None:
    """Raters who do not differ at all add nothing but degrees of freedom."""
    (found,) = planned_tests([difference("A", "B", value=-0.9), spread(0.0, 4)])
    assert found.least_of_others == found.least_of_these
    assert found.largest == ("B", "A", 0.9)


def test_two_raters_are_no_ground_for_a_plan_about_others() -> None:
    (found,) = planned_tests([difference("A", "B"), spread(0.2, 2)])

    assert found.raters is None
    assert (found.least_of_others, found.units_of_others, found.grid) == (None, None, [])


def test_more_people_detect_less_and_more_sources_do_where_people_are_many() -> None:
    grid = plan(0.5, 1.0, 0.3).grid

    assert [people for people, _sizes in grid] == [3, 6, 12, 24]
    for sizes in zip(*(sizes for _people, sizes in grid), strict=True):
        assert list(sizes) == sorted(sizes, reverse=True)
    assert grid[-1][1] == sorted(grid[-1][1], reverse=True)
    # What three raters leave open, no number of sources settles.
    assert grid[0][1][-1] > grid[1][1][0]


@pytest.mark.parametrize(
    ("test", "others", "words"),
    [
        (plan(0.1, 1.0, None), False, "Plan about 790 sources, enough for these raters"),
        (plan(0.1, 1.0, 0.5), False, "For others, have more people answer, too."),
        (plan(0.9, 1.0, 0.1), False, "Plan more units."),
        (plan(0.001, 1.0, None), False, "More than 20,000 sources would be needed"),
        (plan(0.0, 1.0, 0.1), False, "More than 20,000 sources would be needed"),
        (plan(0.5, 1.0, None), True, "Have at least 3 people answer the same units."),
        (plan(0.4, 1.0, 0.3), True, "people answer: if the difference stays the same"),
        (plan(0.05, 1.0, 0.001), True, "More people alone show nothing more."),
        (plan(0.3, 1.0, 0.05), True, "or plan about"),
        (plan(0.05, 1.0, 0.3), True, "neither more units nor more people alone"),
        (plan(2.0, 1.0, 0.3), True, "little is missing"),
        (None, False, "Plan more units."),
    ],
)
def test_the_step_is_more_units_more_people_or_neither(
    test: PlannedTest | None, others: bool, words: str
) -> None:
    assert words in said(test, others=others)
