"""A study's answers counted anew in the background: always right, one at a time, not too often."""

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from celery import Celery
from django.utils import timezone

from annotation.models import Assignment, Participation, Study
from annotation.rights.withdrawal import withdraw
from annotation.work.exclusion import exclude_answers, include_answers
from annotation.work.submission import submit
from estimates.data.database import from_database, load_table
from estimates.data.options import Options
from estimates.data.ratings import COLUMNS, Ratings, ratings_of
from estimates.kept.columns import kept_ratings
from estimates.models import CachedEstimates, KeptRatings
from estimates.report.cache import kept_report, report_of, revision_of
from estimates.report.recount import ask_for_recount, count_unseen, recount, renew_outdated
from jobs.models import Job, JobState
from jobs.queue import send_or_fail
from jobs.runner import work
from results.models import KeptDistances
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study
from tests.judges.scripted_judges import broker_that_is_down
from tests.results.answers import choose, make_rater, questions
from tests.results.estimates import estimate_study

pytestmark = pytest.mark.django_db

QUICK = Options(resamples=10)


@pytest.fixture
def broker_down() -> Iterator[Celery]:
    from config.celery import app

    down = broker_that_is_down()
    down.set_current()
    yield down
    app.set_current()


def as_said(ratings: Ratings) -> list[tuple[object, ...]]:
    """The ratings with what codes stand for, whatever the codes are."""
    known = (*ratings.domain, None)
    columns = {name: getattr(ratings, name).tolist() for name in COLUMNS}
    columns["code"] = [known[code] for code in columns["code"]]
    columns["reference"] = [known[code] for code in columns["reference"]]
    columns["number"] = [None if math.isnan(number) else number for number in columns["number"]]
    return list(zip(*columns.values(), strict=True))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))]
)
def test_whatever_happens_to_answers_a_recount_gives_what_they_give_from_scratch(seed: int) -> None:
    study, chance = make_study(sources=4, overlap=2), random.Random(seed)
    judge, asked = make_rater(study, "lexical", "judge"), questions(study)
    for question in asked:
        choose(judge, question, 0)

    def submits() -> None:
        batch = lease(newcomer(study))
        submit(assignment=answer_all(batch), now=timezone.now())

    def corrects() -> None:
        choose(judge, chance.choice(asked), chance.randrange(3), supersede=True)

    def excludes() -> None:
        exclude_answers(assignments=[chance.choice(submitted())], reason="careless")

    def includes() -> None:
        include_answers(assignments=submitted())

    def withdraws() -> None:
        person = Participation.objects.filter(state="active", assignments__in=submitted()).first()
        assert person is None or withdraw(participation=person, now=timezone.now())

    def submitted() -> list[Assignment]:
        return list(Assignment.objects.filter(state="submitted"))

    submits()
    for act in (
        corrects,
        excludes,
        *chance.choices([corrects, excludes, includes], k=2),
        withdraws,
    ):
        recount(study=study, options=QUICK)
        act()
        before = kept_report(study, QUICK)
        assert before is not None
        if act is not withdraws:
            assert before.outdated or act is includes
        recount(study=study, options=QUICK)
        report = kept_report(study, QUICK)
        assert report is not None
        assert not report.outdated
        assert report.rows == estimate_study(study, QUICK).rows
        table = load_table(study)
        for name, facet in table.material.facets.items():
            kept = kept_ratings(study, facet)
            assert kept is not None
            assert as_said(kept.ratings) == as_said(ratings_of(table, name))


def test_of_what_a_worker_takes_back_no_copy_is_kept() -> None:
    study = make_study()
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    recount(study=study, options=QUICK)
    assert KeptRatings.objects.exists()

    withdraw(participation=person, now=timezone.now())

    assert not KeptRatings.objects.exists()


def test_asking_twice_is_one_job(study: Study) -> None:
    first = ask_for_recount(study=study)
    assert first is not None
    assert ask_for_recount(study=study) == first


def test_the_job_counts_the_study_and_tells_those_who_keep_more_of_it(study: Study) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    job = ask_for_recount(study=study)
    assert job is not None
    assert work(job_id=job.pk)
    report, distances = kept_report(study), KeptDistances.objects.get()
    assert report is not None
    assert report.revision == distances.revision == revision_of(study)


def test_of_the_jobs_that_have_ended_the_last_one_stays(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    for state in (JobState.DONE, JobState.FAILED, JobState.FAILED):
        job = ask_for_recount(study=study)
        assert job is not None
        with suppress(ZeroDivisionError):
            work(job_id=job.pk)
        assert [one.state for one in Job.objects.all()] == [state]
        long_ago = timezone.now() - timedelta(hours=1)
        Job.objects.update(asked_at=long_ago, ended_at=long_ago, seconds=0)
        monkeypatch.setattr("estimates.report.recount.recount", lambda **_study: 1 / 0)


def test_with_the_broker_down_the_job_waits(study: Study, broker_down: Celery) -> None:
    job = ask_for_recount(study=study)
    assert job is not None
    send_or_fail(job)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_a_report_of_an_older_revision_never_replaces_a_newer_one(study: Study) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, 2)
    recount(study=study, options=QUICK)
    data, revision = from_database(study), report_of(study, QUICK).revision
    from estimates.kept.columns import keep_columns
    from estimates.report.cache import compute

    compute(study, revision - 1, QUICK)
    keep_columns(study, revision - 1, data)

    report = kept_report(study, QUICK)
    assert report is not None
    assert report.revision == revision
    assert set(KeptRatings.objects.values_list("revision", flat=True)) == {revision}


def test_at_night_nothing_is_kept_of_answers_that_have_changed(study: Study) -> None:
    ada = make_rater(study, "ada")
    choose(ada, questions(study)[0], 0, 2)
    recount(study=study, options=QUICK)
    renew_outdated()
    assert not asked_of()
    assert CachedEstimates.objects.count() == 1

    choose(ada, questions(study)[1], 0)
    renew_outdated()

    assert asked_of() == [study]  # since pages look at the ratings
    assert not CachedEstimates.objects.exists()  # no page shows a report of these options


def test_a_study_with_answers_is_counted_once_without_anybody_looking(study: Study) -> None:
    make_study("empty")
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    Study.objects.filter(pk=study.pk).update(state="closed", archived_at=timezone.now())
    count_unseen()
    assert not asked_of()
    Study.objects.filter(pk=study.pk).update(archived_at=None)
    count_unseen()
    assert asked_of() == [study]
    Job.objects.all().delete()
    recount(study=study)
    count_unseen()
    assert not asked_of()


def asked_of() -> list[Study | None]:
    """The studies of all jobs."""
    return [job.study for job in Job.objects.all()]
