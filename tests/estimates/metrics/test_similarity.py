"""People beside judges in reports: made only when asked for, and then alone."""

import json
import random
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Study
from estimates.catalogue.agreement import JUDGE_SIMILARITY, JUDGE_SIMILARITY_Q, SIMILARITY_TO_JUDGE
from estimates.data.options import SIMILARITY, Options
from estimates.models import CachedEstimates
from estimates.report import newest
from estimates.report.cache import report_of
from estimates.report.newest import newest_similarity
from estimates.report.recount import recount
from exports.bundle import answer_lines
from tests.annotation.workers import newcomer
from tests.cast import make_study
from tests.results.answers import make_rater, questions

pytestmark = pytest.mark.django_db
PEOPLE, OLD, NEW = 5, 1, 2


@pytest.fixture
def study() -> Study:
    """Five people and a judge of two versions on two facets: sets of sentences, and numbers."""
    made = make_study(sources=24, overlap=PEOPLE)
    draw = random.Random(2)
    raters = [make_rater(made, f"person {at}") for at in range(PEOPLE)]
    raters += [make_rater(made, "lexical", "judge", version=version) for version in (OLD, NEW)]
    truth = [draw.randint(20, 80) for _ in range(24)]
    for rater in raters:
        given = [
            GivenAnswer(question, question.typed_answer({"value": value + draw.randint(-15, 15)}))
            for question, value in zip(questions(made, block=1), truth, strict=True)
        ]
        given += [
            GivenAnswer(
                question,
                question.typed_answer({"sentences": sorted({value % 3, draw.randint(0, 2)})}),
            )
            for question, value in zip(questions(made), truth, strict=True)
        ]
        record_answers(rater=rater, given=given)
    return made


def test_everybody_stands_beside_the_newest_version_of_each_judge_in_each_facet(
    study: Study,
) -> None:
    rows = report_of(study, SIMILARITY).rows
    excess = [row for row in rows if row.metric == JUDGE_SIMILARITY]
    pairs = {(row.facet, row.raters) for row in excess}
    assert {raters for _facet, raters in pairs} == {f"person {n}~lexical" for n in range(PEOPLE)}
    assert {facet for facet, _raters in pairs} == {"recovery", "utility"}
    assert len(excess) == 2 * PEOPLE
    q = [row.estimate for row in rows if row.metric == JUDGE_SIMILARITY_Q]
    assert len(q) == 2 * PEOPLE
    assert all(one.value is not None and 0 <= one.value <= 1 for one in q)
    assert {one.interval_method for one in q} == {
        "no interval; adjusted by Benjamini and Hochberg over 10 people and judges"
    }


def test_no_other_report_has_these_rows_and_this_one_has_no_others(study: Study) -> None:
    own = {row.metric for row in report_of(study, SIMILARITY).rows}
    usual = {row.metric for row in report_of(study, Options(resamples=10)).rows}
    assert SIMILARITY_TO_JUDGE in own
    assert own & usual == set()


def test_the_command_prints_them_when_they_are_asked_for(study: Study) -> None:
    out = StringIO()
    call_command("report", study.slug, "--likeness", "--json", stdout=out)
    rows = json.loads(out.getvalue())["estimates"]
    assert {row["raters"] for row in rows} >= {"person 1~lexical"}
    assert {row["metric"] for row in rows} >= {JUDGE_SIMILARITY, JUDGE_SIMILARITY_Q}


def test_with_too_few_units_there_is_a_reason_and_no_q(study: Study) -> None:
    Annotation.objects.filter(question__in=questions(study, block=1)[:6]).delete()
    study.touch()
    rows = [row for row in report_of(study, SIMILARITY).rows if row.facet == "utility"]
    assert {row.metric for row in rows} == {JUDGE_SIMILARITY}
    assert all("fewer than 20 units" in (row.estimate.undefined or "") for row in rows)


def test_of_a_large_study_pages_wait_for_a_recount_which_makes_both_reports(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest, "SMALL", 0)
    assert newest_similarity(study) is None
    recount(study=study)
    assert CachedEstimates.objects.count() == 1  # nobody works here: no page of a worker shows it
    newcomer(study)
    assert newest_similarity(study) is None
    recount(study=study)
    report = newest_similarity(study)
    assert report is not None
    assert not report.outdated
    assert CachedEstimates.objects.count() == 2


def test_a_bundle_holds_the_counts_of_answers_that_have_some(study: Study) -> None:
    first = Annotation.objects.order_by("pk").first()
    assert first is not None
    Annotation.objects.filter(pk=first.pk).update(paradata={"pastes": 1})
    lines = [json.loads(line) for line in answer_lines(study)]
    assert [line["paradata"] for line in lines if "paradata" in line] == [{"pastes": 1}]
