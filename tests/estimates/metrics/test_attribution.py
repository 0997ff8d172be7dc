"""Utility with and without the attribution filter."""

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study


def the(study: Study, **group: str) -> Row:
    rows = estimate_study(study, Options(resamples=0)).rows
    (row,) = [
        row
        for row in rows
        if (row.metric, row.facet, row.raters) == ("mean", "utility", "humans")
        and row.group == group
    ]
    return row


def test_only_units_whose_citations_were_recovered_are_kept(db: None) -> None:
    """F1 of the units: 1; 1 and 2/3, mean 5/6; 0. Utility 20, 40 (mean of 30 and 50), 90."""
    study = make_study()
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    first, second, third = questions(study)
    choose(ada, first, 0, 2)
    choose(ada, second, 0, 2)
    choose(bob, second, 0)
    choose(ada, third, 1)
    first, second, third = questions(study, block=1)
    rate(ada, first, 20)
    rate(ada, second, 30)
    rate(bob, second, 50)
    rate(ada, third, 90)

    assert the(study).estimate.value == 50
    kept = the(study, attribution="F1 = 1").estimate
    assert (kept.value, kept.n_units, kept.sd_ddof) == (20, 1, 1)
    assert the(study, attribution="F1 >= 0.9").estimate.value == 20
    assert the(study, system="Birch", attribution="F1 = 1").estimate.value == 20
    none = the(study, system="Alder", attribution="F1 = 1").estimate
    assert none.undefined == "no unit reaches that F1"


def test_a_study_without_citations_has_no_filter(db: None) -> None:
    study = make_study(blocks=[("slider", {})])
    rate(make_rater(study, "ada"), questions(study)[0], 5)

    rows = estimate_study(study, Options(resamples=0)).rows

    assert not [row for row in rows if "attribution" in row.group]
