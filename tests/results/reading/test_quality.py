"""Bad quality is said wherever results are, with its numbers; good quality is not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agreement import Estimate
from annotation.models import Study
from estimates.data.rows import Row
from estimates.report.cache import Report, report_of
from results.paper.methods import methods_of
from results.reading.quality import concerns, is_hurried
from results.summary.screen import screen_of
from results.tables.text import as_text

pytestmark = pytest.mark.django_db


def controls(right: int, n: int, raters: str = "humans", **group: str) -> Row:
    estimate = Estimate(value=right / n, n_ratings=n)
    return Row(
        metric="control_accuracy", facet="recovery", raters=raters, aggregation="pooled",
        estimate=estimate, group=group,
    )  # fmt: skip


def seconds(rater: str, recovery: float, utility: float) -> list[Row]:
    """The medians of both blocks."""
    return [
        Row(metric="median_seconds", facet=facet, raters=rater, aggregation="pooled",
            estimate=Estimate(value=value, n_ratings=6))
        for facet, value in (("recovery", recovery), ("utility", utility))
    ]  # fmt: skip


def with_rows(study: Study, rows: Sequence[Row]) -> Report:
    return replace(report_of(study), rows=tuple(rows))


@pytest.mark.parametrize(
    ("right", "n", "bad"),
    [
        *((0, 18, True), (5, 10, True), (6, 10, False), (11, 18, False)),  # .6 of 18 is 10.8
        *((10, 18, True), (0, 9, False)),
    ],
)
def test_controls_are_told_where_too_few_were_right_of_ten_or_more(
    answered: Study, right: int, n: int, *, bad: bool
) -> None:
    assert bool(concerns(with_rows(answered, [controls(right, n)]))) is bad


def test_the_criterion_with_most_errors_comes_first(answered: Study) -> None:
    parts = [controls(14, 18, criterion="recovery"), controls(2, 18, criterion="utility")]
    (said,) = concerns(with_rows(answered, [controls(0, 18), *parts]))
    assert said.startswith(
        "People answered 0 of 18 control questions right (Utility 2, Citation recovery 14)."
    )


def test_it_stands_on_the_first_screen_in_the_report_and_in_the_methods(answered: Study) -> None:
    report = with_rows(answered, [controls(0, 18), controls(3, 12, raters="lexical")])
    first, second = concerns(report)
    assert second.startswith("\u2068lexical\u2069 answered 3 of 12 control questions right.")
    assert [first, second] == list(screen_of(answered, report).notes)[:2]
    assert first in as_text(report)
    assert "People answered 0 of 18 control questions right." in methods_of(report).as_text


def test_a_studys_own_threshold_holds(answered: Study) -> None:
    answered.alert_rules = {"control_accuracy": 0.9}
    answered.save()
    assert concerns(with_rows(answered, [controls(15, 18)]))


def test_people_who_took_too_little_time_are_counted(answered: Study) -> None:
    """A batch of two units is expected to take 10 minutes: 300 seconds for both questions to a
    unit, of which a quarter is 75."""
    answered.rounds.update(expected_minutes=10, normal_per_batch=2)
    rows = [
        *seconds("ada", 40.0, 30.0),
        *seconds("bob", 50.0, 30.0),
        *seconds("humans", 45.0, 30.0),
    ]
    report = with_rows(answered, rows)
    (said,) = concerns(report)
    assert said.startswith("1 of 2 people took less than 25\u00a0% of the expected time.")
    assert is_hurried(report)
    assert not concerns(with_rows(answered, seconds("bob", 50.0, 30.0)))


def test_nothing_is_said_where_no_time_was_expected(answered: Study) -> None:
    answered.rounds.update(expected_minutes=None)
    assert not concerns(with_rows(answered, seconds("ada", 1.0, 1.0)))
