"""Estimates are computed once per change of the answers."""

from dataclasses import replace
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Study
from estimates.data.options import Options
from estimates.models import CachedEstimates
from estimates.report.cache import Report, report_of
from tests.results.answers import choose, make_rater, questions

QUICK = Options(resamples=10)


def f1(report: Report) -> float | None:
    (row,) = [r for r in report.rows if (r.metric, r.raters, r.group) == ("f1", "humans", {})]
    return row.estimate.value


def test_an_unchanged_study_is_not_computed_again(study: Study) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    first = report_of(study, QUICK)

    with CaptureQueriesContext(connection) as captured:
        second = report_of(study, QUICK)

    assert len(captured) == 2  # the revision and the rows kept for it
    assert second == first


def test_a_new_answer_makes_the_report_new(study: Study) -> None:
    ada = make_rater(study, "ada")
    first, second, _ = questions(study)
    choose(ada, first, 0, 2)
    assert f1(report_of(study, QUICK)) == 1

    choose(ada, second)

    assert f1(report_of(study, QUICK)) == 0.5
    assert CachedEstimates.objects.count() == 1


def test_other_options_are_kept_apart(study: Study) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    report_of(study, QUICK)
    report_of(study, Options(resamples=10, consensus="majority"))

    assert CachedEstimates.objects.count() == 2


def test_the_newest_of_several_versions_is_found_under_its_full_name_too(study: Study) -> None:
    for name, version in (("lexical", 3), ("lexical", 4), ("gpt", 1)):
        choose(make_rater(study, name, "judge", version=version), questions(study)[0], 0, 2)

    def full(options: Options) -> set[str]:
        return {row.raters for row in report_of(study, options).under_full_names()}

    assert {"lexical@4", "humans~lexical@4"} <= full(QUICK)
    assert not {"gpt@1", "humans~gpt@1"} & full(QUICK)
    assert {"lexical@4", "gpt@1", "humans~gpt@1"} <= full(replace(QUICK, everything=True))


def test_the_counts_are_of_the_answers_that_count(study: Study) -> None:
    """Two by ada, of which one is excluded, and one each by bob and a judge."""
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    first, second, _ = questions(study)
    choose(ada, first, 0, 2)
    excluded = choose(ada, second, 0)
    choose(bob, first, 0)
    choose(make_rater(study, "lexical", "judge"), first, 0)
    Annotation.objects.filter(pk=excluded.pk).update(excluded_reason="failed the controls")

    def counts(**asked: Any) -> list[tuple[int | None, int]]:
        found = report_of(study, Options(resamples=0, **asked)).counts
        return [(one.raters, one.answers) for one in found if one.answers]

    assert counts() == [(2, 2), (1, 1)]
    assert counts(excluded=True) == [(2, 3), (1, 1)]
    assert counts(only="ada") == [(1, 1), (1, 1)]
    assert counts(without="ada", excluded=True) == [(1, 1), (1, 1)]
