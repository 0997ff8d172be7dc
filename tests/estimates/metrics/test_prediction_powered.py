"""Prediction-powered rows: equal to `ppi_mean` over what was answered source by source."""

import math

import numpy as np
import pytest

from agreement import ppi_difference, ppi_mean
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from results.reading.cautions import cautions
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study

ANSWERED = [10.0, 40, 35, 80, 60, 25, 45, 75, 20, 50, 90, 15]
HUMAN = [*ANSWERED, *[math.nan] * 8]
JUDGE = [15.0, 45, 30, 70, 65, 20, 50, 90, 40, 35, 80, 10, 20, 50, 90, 40, 35, 55, 15, 60]


def rows_of(study: Study) -> tuple[Row, ...]:
    return estimate_study(study, Options(resamples=0)).rows


def the(rows: tuple[Row, ...], metric: str, **group: str) -> Row:
    (row,) = [r for r in rows if (r.metric, r.raters, r.group) == (metric, "humans~lexical", group)]
    return row


def half_answered() -> Study:
    """Twenty sources, Birch and Alder in turn; people (on average HUMAN) rated the first twelve."""
    study = make_study(sources=20, blocks=[("slider", {})])
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    judge = make_rater(study, "lexical", "judge")
    for question, human, guess in zip(questions(study), HUMAN, JUDGE, strict=True):
        if not math.isnan(human):
            rate(ada, question, human - 5)
            rate(bob, question, human + 5)
        rate(judge, question, guess)
    return study


def test_the_mean_is_that_of_ppi_with_people_by_consensus(db: None) -> None:
    rows = rows_of(half_answered())

    expected = ppi_mean(HUMAN, JUDGE, ends=(0, 100))
    row = the(rows, "mean_ppi")
    assert row.estimate.value == pytest.approx(expected.estimate.value)
    assert (row.estimate.low, row.estimate.high) == pytest.approx(
        (expected.estimate.low, expected.estimate.high)
    )
    assert (row.estimate.n_units, row.estimate.n_ratings) == (20, 12)
    assert (row.consensus, row.aggregation) == ("mean", "per_source")
    equivalent = the(rows, "mean_ppi_equivalent").estimate.value
    assert equivalent == pytest.approx(expected.equivalent.value)
    assert the(rows, "mean_ppi_saved").estimate.value == expected.saved.value
    assert expected.saved.value is not None
    assert expected.saved.value > 0


def test_what_a_judge_would_save_rests_on_the_means_that_both_gave_a_source(db: None) -> None:
    found = the(rows_of(half_answered()), "source_correlation").estimate

    assert found.value == pytest.approx(np.corrcoef(HUMAN[:12], JUDGE[:12])[0, 1])
    assert found.sd == pytest.approx(np.std(HUMAN[:12], ddof=1))
    assert (found.n_units, found.n_ratings) == (20, 12)


def test_how_the_answered_sources_differ_to_the_judge_is_a_row_beside_it(db: None) -> None:
    rows = rows_of(half_answered())

    difference = the(rows, "answered_difference").estimate
    assert difference.value == pytest.approx(sum(JUDGE[:12]) / 12 - sum(JUDGE[12:]) / 8)
    assert (difference.n_units, difference.n_ratings, difference.n_raters) == (20, 12, 2)
    assert cautions([the(rows, "answered_difference")]) == []


def test_three_answered_sources_get_a_figure_and_the_reason_why_it_has_no_interval(
    db: None,
) -> None:
    """Nothing is said about answers saved; the judge finds these three the best of twelve."""
    study = make_study(sources=12, blocks=[("slider", {})])
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for at, question in enumerate(questions(study)):
        rate(judge, question, 90 + at if at < 3 else 10 + at)
        if at < 3:
            rate(ada, question, 100)

    rows = [row for row in rows_of(study) if row.metric in ("mean_ppi", "answered_difference")]

    assert not [row for row in rows_of(study) if row.metric.startswith("mean_ppi_")]
    (whole,) = [row.estimate for row in rows if (row.metric, row.group) == ("mean_ppi", {})]
    assert (whole.value, whole.low, whole.high) == (100, None, None)
    few, chosen = cautions(rows)
    assert few == (
        "Prediction-powered figures of humans~lexical: too few sources for an interval: fewer "
        "than 10 with a human answer."
    )
    assert chosen.startswith("humans~lexical: the judge’s mean is higher by 74 for the sources")


def test_systems_have_their_own_and_their_difference_rests_on_shared_sources(db: None) -> None:
    rows = rows_of(half_answered())

    birch = ppi_mean(HUMAN[::2], JUDGE[::2])
    estimate = the(rows, "mean_ppi", system="Birch").estimate
    assert estimate.value == pytest.approx(birch.estimate.value)
    # No source holds both systems here, as in this direct call.
    missing = ppi_difference([math.nan] * 2, [1, 2], [3, 4], [math.nan] * 2).estimate
    difference = the(rows, "difference_ppi", system="Alder", other_system="Birch").estimate
    assert difference.undefined == missing.undefined


def test_where_people_answered_everything_nothing_is_predicted(db: None) -> None:
    study = make_study(sources=3, blocks=[("slider", {})])
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for at, question in enumerate(questions(study)):
        rate(ada, question, 10 * at)
        rate(judge, question, 10 * at + 1)

    rows = rows_of(study)

    reason = "fewer than two units with a judge's answer alone"
    assert the(rows, "mean_ppi").estimate.undefined == reason
    (row,) = [row for row in rows if "ppi" in row.metric]  # said once, not system by system
    assert row.group == {}


def test_sets_have_no_prediction_powered_row(db: None) -> None:
    study = make_study()
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for question in questions(study):
        choose(ada, question, 0)
        choose(judge, question, 0)

    assert not [row for row in rows_of(study) if "ppi" in row.metric]
