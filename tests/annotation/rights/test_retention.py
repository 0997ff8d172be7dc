import logging
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.entry.invitations import invite
from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    Draft,
    Invitation,
    Participation,
    Study,
    Worker,
)
from annotation.rights.retention import Erased, erase_expired
from annotation.tasks import erase_expired as nightly
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

DAYS = 365


@pytest.fixture
def study() -> Study:
    """With one worker who has submitted a batch."""
    study = make_study()
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    Participation.objects.update(panel_session={"session": "s-1"})
    return study


def later(days: float) -> datetime:
    return timezone.now() + timedelta(days=days)


def test_nothing_is_erased_before_its_time(study: Study) -> None:
    assert erase_expired(now=later(DAYS - 1)) == Erased()
    assert Draft.objects.exists()


def test_identifiers_and_drafts_go_and_answers_stay_pseudonymous(study: Study) -> None:
    known = Worker.objects.get()
    Assignment.objects.update(comment="You can reach me at home.")
    AssignmentUnit.objects.filter(position=1).update(problem="My name is Jane.")
    invite(study=study, created_by=None, personal=True, note="a name")
    assert erase_expired(now=later(DAYS + 1)) == Erased(
        workers=1, unpaid=1, visits=1, drafts=4, comments=1, problems=1
    )
    worker = Worker.objects.get(pk=known.pk)
    assert known.external_id not in worker.external_id
    assert worker.erased_at is not None
    assert not Draft.objects.exists()
    assert Assignment.objects.get().comment == ""
    assert not AssignmentUnit.objects.exclude(problem="").exists()
    assert not Invitation.objects.exclude(worker=None).exists()
    assert Annotation.objects.counted().count() == 4
    assert Participation.objects.get().pseudonym == "worker-1"
    assert erase_expired(now=later(DAYS + 2)) == Erased()


def test_the_time_runs_from_the_last_work_in_the_study(study: Study) -> None:
    Participation.objects.update(arrived_at=later(-DAYS))
    newcomer(study)
    assert erase_expired(now=later(DAYS - 1)) == Erased()


def test_a_study_without_a_time_keeps_everything(study: Study) -> None:
    Study.objects.update(ethics={})
    assert erase_expired(now=later(10 * DAYS)) == Erased()


def test_who_is_in_a_study_that_goes_on_stays_known(study: Study) -> None:
    longer = make_study("longer")
    Study.objects.filter(pk=longer.pk).update(ethics={"retention_days": 10 * DAYS})
    Participation.objects.create(study=longer, worker=Worker.objects.get(), number=1)
    erased = erase_expired(now=later(DAYS + 1))
    assert (erased.workers, erased.visits, erased.drafts) == (0, 1, 4)
    assert Worker.objects.get().erased_at is None


def test_a_dry_run_counts_the_same_and_erases_nothing(study: Study) -> None:
    Study.objects.update(ethics={"retention_days": 1})
    Participation.objects.update(arrived_at=later(-9))
    dry = erase_expired(now=later(9), dry_run=True)
    assert dry.workers == 1
    assert Draft.objects.count() == dry.drafts
    assert Worker.objects.get().erased_at is None
    assert erase_expired(now=later(9)) == dry


def test_the_command_says_what_it_would_erase(study: Study) -> None:
    out = StringIO()
    call_command("erase_expired", "--dry-run", stdout=out)
    assert out.getvalue() == (
        "Would erase: 0 workers' identifiers (0 of them with pay in no file), 0 panel sessions, "
        "0 drafts, 0 comments, 0 reported problems, 0 answers' counts of keystrokes, "
        "0 raters' properties, 0 texts beside answers, 0 filled-in questionnaires\n"
    )


def test_the_nightly_task_logs_counts_alone(study: Study, caplog: pytest.LogCaptureFixture) -> None:
    known = Worker.objects.get().external_id
    with caplog.at_level(logging.INFO):
        nightly()
    assert "0 workers' identifiers" in caplog.text
    assert known not in caplog.text
