"""What pages of a study show that is too large to be counted while they wait."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Study, User
from estimates.data.options import Options
from estimates.report.cache import report_of
from estimates.report.newest import SECONDS_PER_ANSWER, is_quick, newest_report
from estimates.report.recount import ask_for_recount
from jobs.models import UNDER_WAY, Job, JobState
from jobs.runner import work
from judges.definitions.versions import define_judge
from judges.models import JudgeRun
from results.units.drilldown import Behind, units_behind
from tests.results.answers import choose, make_rater, questions, rate
from tests.sessions import as_user

DASHBOARD, AS_OF, UNITS = (f"results:{name}" for name in ("dashboard", "as-of", "units"))
BEHIND = "?facet=recovery&raters=humans"
MOST_QUERIES = 40


@pytest.fixture
def large(study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study with a few answers, where even one is too many to count while a page waits."""
    monkeypatch.setattr("estimates.report.newest.SMALL", 0)
    for at, name in enumerate(("ada", "bob", "cyd")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study)):
            choose(rater, question, *range(1 + at * number % 3))
        rate(rater, questions(study, block=1)[0], 10.0 * at)
    choose(make_rater(study, "lexical", "judge"), questions(study)[0], 1)
    return study


@pytest.fixture
def slow(study: Study, settings: Any) -> Study:
    """A small study that is nevertheless expected to take too long to be waited for."""
    settings.RESULTS_WAIT_SECONDS = 0.0
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    return study


def waiting_since(study: Study, seconds: float) -> None:
    """As if a message had been sent that long ago, which no worker has taken."""
    asked_at = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(study=study).update(asked_at=asked_at)


def counted(study: Study) -> None:
    Job.objects.filter(study=study).exclude(state__in=UNDER_WAY).delete()  # it rests no longer
    job = ask_for_recount(study=study)
    assert job is not None
    assert work(job_id=job.pk)


def get(client: Client, name: str, study: Study, query: str = "") -> str:
    return client.get(reverse(name, args=[study.slug]) + query).content.decode()


def test_pages_say_that_they_wait_for_the_first_count(large: Study, owner: User) -> None:
    client = as_user(owner)
    for name, query in ((DASHBOARD, ""), (UNITS, BEHIND)):
        answer = client.get(reverse(name, args=[large.slug]) + query)
        assert answer.status_code == 202
        assert "computed for the first time" in answer.content.decode()
    figure = reverse("results:figure", args=[large.slug]) + "?facet=recovery"
    assert client.get(figure).status_code == 404
    assert Job.objects.get().state == JobState.QUEUED  # asked for


def test_a_new_answer_is_announced_at_once_and_shown_when_it_is_counted(
    large: Study, owner: User
) -> None:
    client = as_user(owner)
    counted(large)
    assert "Newer answers are being counted" not in get(client, DASHBOARD, large)

    choose(make_rater(large, "dan"), questions(large)[0], 0)

    for name, query in ((DASHBOARD, ""), (UNITS, BEHIND)):
        assert "Newer answers are being counted" in get(client, name, large, query)
    before = newest_report(large)
    counted(large)
    after = newest_report(large)
    assert before is not None
    assert after is not None
    assert (before.outdated, after.outdated) == (True, False)
    assert [one.answers for one in before.counts] == [12, 1, 0]
    assert [one.answers for one in after.counts] == [13, 1, 0]


def test_a_page_that_is_behind_is_loaded_anew_once_there_are_newer_figures(
    large: Study, owner: User
) -> None:
    client = as_user(owner)
    address = reverse(AS_OF, args=[large.slug])
    assert client.get(address).status_code == 204
    counted(large)
    shown = newest_report(large)
    assert shown is not None
    assert client.get(address).headers["HX-Refresh"] == "true"
    same = f"{address}?revision={shown.revision}"
    choose(make_rater(large, "dan"), questions(large)[0], 0)
    assert client.get(same).status_code == 204
    counted(large)
    assert client.get(same).headers["HX-Refresh"] == "true"


def test_an_outsider_is_not_even_told_whether_there_are_figures(
    large: Study, outsider: User
) -> None:
    assert as_user(outsider).get(reverse(AS_OF, args=[large.slug])).status_code == 404


@pytest.mark.parametrize(
    "behind",
    [
        Behind("recovery", "humans"),
        Behind("recovery", "bob"),
        Behind("recovery", "humans~lexical"),
        Behind("recovery", "humans", {"system": "Alder"}),
        Behind("recovery", "humans", {"setting": "sample", "label": "true"}),
        Behind("utility", "humans"),
    ],
    ids=str,
)
def test_the_units_behind_a_number_are_those_of_a_study_counted_at_once(
    large: Study, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(large)
    kept = units_behind(large, behind, Options())
    monkeypatch.setattr("estimates.report.newest.SMALL", 2_000)
    at_once = units_behind(large, behind, Options())

    assert kept is not None
    assert at_once is not None
    assert list(kept.lines) == list(at_once.lines)
    assert len(kept.lines) > 0


def test_neither_page_reads_answers_one_by_one(large: Study, owner: User) -> None:
    client = as_user(owner)
    counted(large)
    choose(make_rater(large, "dan"), questions(large)[0], 0)

    for name, query in ((DASHBOARD, ""), (UNITS, BEHIND)):
        with CaptureQueriesContext(connection) as captured:
            get(client, name, large, query)
        said = " ".join(query["sql"] or "" for query in captured)
        assert 'FROM "annotation_rating"' not in said
        asked = [
            sql
            for query in captured
            if 'FROM "annotation_annotation"' in (sql := query["sql"] or "")
        ]
        assert asked  # that there are too many, and who has any
        assert all("LIMIT" in sql for sql in asked)


def test_a_page_of_an_open_study_or_a_judge_at_work_asks_for_newer_answers(
    study: Study, owner: User
) -> None:
    client = as_user(owner)
    choose(make_rater(study, "ada"), questions(study)[0], 0)
    assert "every 20s" in get(client, DASHBOARD, study)

    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
    assert "every 20s" not in get(client, DASHBOARD, study)

    rater = make_rater(study, "lexical", "judge")
    judge = define_judge(study=study, name="lexical", method="lexical")
    run = JudgeRun.objects.create(study=study, judge=judge, rater=rater)
    assert "every 20s" in get(client, DASHBOARD, study)
    JudgeRun.objects.filter(pk=run.pk).update(state=JudgeRun.State.COMPLETE)
    assert "every 20s" not in get(client, DASHBOARD, study)


def test_asking_for_newer_answers_reads_no_report(study: Study, owner: User) -> None:
    client = as_user(owner)
    choose(make_rater(study, "ada"), questions(study)[0], 0)
    get(client, DASHBOARD, study)
    study.refresh_from_db()
    address = reverse(AS_OF, args=[study.slug]) + f"?revision={study.revision}"

    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 204
    assert not any("cachedestimates" in (query["sql"] or "") for query in captured)

    choose(make_rater(study, "bob"), questions(study)[0], 1)
    assert client.get(address).headers["HX-Refresh"] == "true"


def test_a_small_study_that_takes_long_is_counted_behind_too(slow: Study, owner: User) -> None:
    client = as_user(owner)
    address = reverse(DASHBOARD, args=[slow.slug])
    assert client.get(address).status_code == 202
    counted(slow)
    assert "Newer answers are being counted" not in get(client, DASHBOARD, slow)

    choose(make_rater(slow, "bob"), questions(slow)[0], 1)
    with CaptureQueriesContext(connection) as captured:
        shown = get(client, DASHBOARD, slow)

    assert "Newer answers are being counted" in shown
    said = [query["sql"] or "" for query in captured]
    assert not any('FROM "annotation_rating"' in sql for sql in said)
    assert len(said) < MOST_QUERIES


def test_where_no_worker_counts_a_small_study_a_later_request_does(
    slow: Study, owner: User
) -> None:
    client = as_user(owner)
    address = reverse(AS_OF, args=[slow.slug])
    assert client.get(reverse(DASHBOARD, args=[slow.slug])).status_code == 202
    assert client.get(address).status_code == 204

    waiting_since(slow, 4)

    assert client.get(address).headers["HX-Refresh"] == "true"
    assert "Newer answers are being counted" not in get(client, DASHBOARD, slow)
    assert Job.objects.get().state == JobState.DONE


def test_a_large_study_is_left_to_a_worker(large: Study, owner: User) -> None:
    client = as_user(owner)
    assert client.get(reverse(DASHBOARD, args=[large.slug])).status_code == 202
    waiting_since(large, 61)
    assert client.get(reverse(DASHBOARD, args=[large.slug])).status_code == 202


def test_counting_is_expected_to_take_as_long_as_the_last_time(study: Study, settings: Any) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    settings.RESULTS_WAIT_SECONDS = 2 * SECONDS_PER_ANSWER
    assert is_quick(study, None)
    settings.RESULTS_WAIT_SECONDS = SECONDS_PER_ANSWER / 2
    assert not is_quick(study, None)

    report = report_of(study)
    assert report.seconds is not None
    settings.RESULTS_WAIT_SECONDS = report.seconds
    assert is_quick(study, report)
    settings.RESULTS_WAIT_SECONDS = report.seconds / 2
    assert not is_quick(study, report)


def test_a_file_of_a_small_study_is_waited_for(slow: Study, owner: User) -> None:
    address = reverse("results:figure", args=[slow.slug]) + "?facet=recovery&format=csv"
    assert as_user(owner).get(address).status_code == 200
