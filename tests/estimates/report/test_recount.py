"""A study's answers counted anew in the background: always right, one at a time, not too often."""

import math
import random
from collections.abc import Iterator
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
from estimates.models import CachedEstimates, KeptRatings, Recount
from estimates.report.cache import kept_report, report_of
from estimates.report.recount import ask_for_recount, count_first_time, recount, renew_outdated
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


def test_whoever_asks_first_sends_the_one_message(study: Study) -> None:
    assert ask_for_recount(study=study)
    assert not ask_for_recount(study=study)


def test_a_message_that_nobody_took_is_sent_again(study: Study) -> None:
    ask_for_recount(study=study)
    Recount.objects.update(until=timezone.now() - timedelta(seconds=1))

    assert ask_for_recount(study=study)


def test_with_the_broker_down_the_next_view_asks_again(study: Study, broker_down: Celery) -> None:
    assert not ask_for_recount(study=study)
    assert Recount.objects.get().until is None


def test_a_second_process_leaves_the_counting_to_the_first(study: Study) -> None:
    later = timezone.now() + timedelta(minutes=5)
    Recount.objects.create(study=study, running=True, until=later)

    assert not recount(study=study, options=QUICK)
    assert not ask_for_recount(study=study)
    assert not KeptRatings.objects.exists()


def test_what_a_killed_process_left_is_counted_by_another(study: Study) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Recount.objects.create(study=study, running=True, until=past)

    assert ask_for_recount(study=study)
    assert recount(study=study, options=QUICK)


def test_a_recount_that_failed_is_not_claimed_for_ever(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("estimates.report.recount.from_database", lambda _study: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        recount(study=study, options=QUICK)

    assert not Recount.objects.get().running


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
    Recount.objects.update(until=None)
    assert renew_outdated() == 0
    assert CachedEstimates.objects.count() == 1

    choose(ada, questions(study)[1], 0)

    assert renew_outdated() == 1  # asked for, since pages look at the ratings
    assert not CachedEstimates.objects.exists()  # no page shows a report of these options


def test_a_study_with_answers_is_counted_once_without_anybody_looking(study: Study) -> None:
    make_study("empty")
    assert count_first_time() == 0
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    Study.objects.filter(pk=study.pk).update(state="closed", archived_at=timezone.now())
    assert count_first_time() == 0
    Study.objects.filter(pk=study.pk).update(archived_at=None)
    assert count_first_time() == 1
    assert count_first_time() == 0  # the message is on its way
    Recount.objects.all().delete()
    recount(study=study)
    Recount.objects.all().delete()
    assert count_first_time() == 0
