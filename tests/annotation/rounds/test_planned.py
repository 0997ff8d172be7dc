"""How the answers of a study stand to the plan that was noted when it opened."""

from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Member, Rater, Study, Unit
from annotation.rounds.collection import Standing
from annotation.rounds.opening import close_study, open_study
from annotation.rounds.planned import plan_of, standing_of, standings_of
from annotation.work.demand import ask_again, retire_units
from annotation.work.exclusion import exclude_answers
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import choose, questions

pytestmark = pytest.mark.django_db


def opened(**fields: Any) -> Study:
    """Four units for one person each, two a batch."""
    made = make_study(sources=4, overlap=1, state=Study.State.DRAFT, **fields)
    open_study(study=made)
    made.refresh_from_db()
    return made


def work(study: Study, batches: int = 1) -> list[Assignment]:
    each = [answer_all(lease(newcomer(study))) for _ in range(batches)]
    return [submit(assignment=batch, now=timezone.now()) for batch in each]


def now(study: Study) -> Standing:
    study.refresh_from_db()
    return standing_of(study)


def test_a_study_collects_until_all_planned_answers_are_in_and_no_longer() -> None:
    study = opened()
    assert plan_of(study) == 4
    assert now(study) is Standing.COLLECTING
    work(study)
    assert now(study) is Standing.COLLECTING
    work(study)
    assert now(study) is Standing.PLANNED
    close_study(study=study)
    assert now(study) is Standing.PLANNED


def test_a_study_that_is_closed_early_stays_so() -> None:
    study = opened()
    work(study)
    close_study(study=study)
    assert now(study) is Standing.STOPPED
    assert Standing.STOPPED.is_live


def test_more_answers_than_planned_are_no_planned_end_whatever_is_planned_now() -> None:
    study = opened()
    work(study, 2)
    ask_again(study=study, units=list(study.units.values_list("pk", flat=True)), more=1)
    assert now(study) is Standing.PLANNED
    work(study)
    assert plan_of(study) == 8
    assert now(study) is Standing.BEYOND


def test_what_is_excluded_after_the_end_does_not_undo_it() -> None:
    study = opened()
    first, _second = work(study, 2)
    close_study(study=study)
    exclude_answers(assignments=[first], reason="fast")
    assert now(study) is Standing.PLANNED
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    assert now(study) is Standing.COLLECTING


def test_answers_of_retired_units_are_not_waited_for() -> None:
    study = opened()
    by = make_user("keeper")
    join(study, by, Member.Role.OWNER)
    work(study)
    open_units = study.units.filter(role=Unit.Role.NORMAL, places__counted=0)
    retire_units(study=study, units=list(open_units.values_list("pk", flat=True)))
    assert now(study) is Standing.PLANNED


def imported_answers(study: Study, people: int) -> None:
    """One for each unit, of so many people."""
    for number in range(people):
        name, origin = f"imported-{number}", Rater.Origin.IMPORTED
        rater = Rater.objects.create(study=study, name=name, kind="human", origin=origin)
        for question in questions(study):
            choose(rater, question, 0)


def test_planned_answers_may_be_imported() -> None:
    study = opened()
    imported_answers(study, 1)
    assert now(study) is Standing.PLANNED
    close_study(study=study)
    assert now(study) is Standing.PLANNED


def test_answers_that_were_imported_before_are_not_those_that_were_planned() -> None:
    study = make_study(sources=4, overlap=1, state=Study.State.DRAFT)
    imported_answers(study, 1)
    open_study(study=study)
    assert now(study) is Standing.COLLECTING
    close_study(study=study)
    assert now(study) is Standing.STOPPED


def test_a_study_of_a_bundle_stands_as_it_stood() -> None:
    bundle = Study(slug="bundle", state=Study.State.CLOSED)
    assert standing_of(bundle) is Standing.PLANNED
    bundle.stood = Standing.STOPPED
    assert standing_of(bundle) is Standing.STOPPED


def test_a_study_that_never_opened_or_is_in_no_database_stands_as_its_state_says() -> None:
    imported = make_study("imported", state=Study.State.CLOSED)
    bundle = Study(slug="bundle", state=Study.State.OPEN)
    standings = standings_of([imported, bundle])
    assert standings[imported.pk] is Standing.PLANNED
    assert standings[None] is Standing.COLLECTING
