"""Background work of a study: done once, kept by revision, taken up after a killed worker."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotation.models import AdjudicationCase, Change, Member, Study, User
from annotation.rights.withdrawal import answers_withdrawn
from desk.data.adjudication.work import ADD_CONTESTED, RANKING, ask_for_contested
from desk.data.background import jobs, work
from desk.data.background.kinds import Act, Computation
from desk.data.background.registry import KINDS
from desk.models import BackgroundJob
from jobs.models import Heartbeat
from results.report.cache import revision_of
from tests.annotation.workers import newcomer
from tests.results.answers import disagree

pytestmark = pytest.mark.django_db
State = BackgroundJob.State
Happens = Callable[[], object]


@pytest.fixture
def contested(study: Study) -> Study:
    return disagree(study)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was sent to the workers; no study is so small that a request does the work."""
    messages: list[int] = []

    def send(_name: str, row_id: int, **_expires: object) -> bool:
        messages.append(row_id)
        return True

    monkeypatch.setattr(jobs, "send_task", send)
    monkeypatch.setattr(work, "send_task", send)
    monkeypatch.setattr(jobs, "is_small", lambda _study: False)
    return messages


def counting(happens: Happens) -> Computation:
    """A computation that lets something happen while it is under way, and counts its calls."""
    calls: list[int] = []

    def compute(_study: Study, _parameters: object) -> dict[str, Any]:
        calls.append(1)
        happens()
        return {"calls": len(calls)}

    return Computation(
        name="counting",
        title="Counting",
        asked_on="desk:adjudication",
        page=lambda _study, _parameters: "/",
        compute=compute,
    )


def asked(study: Study, kind: Computation | Act, by: User, **parameters: Any) -> BackgroundJob:
    return jobs.ask(study=study, kind=kind, parameters=parameters, by=by)


def worked(job: BackgroundJob, *kinds: Computation | Act) -> BackgroundJob:
    work.work(job_id=job.pk, kinds={kind.name: kind for kind in kinds} or KINDS)
    job.refresh_from_db()
    return job


def test_a_job_is_sent_once_when_its_row_is_there_whoever_asks(
    contested: Study,
    owner: User,
    colleague: User,
    sent: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = ask_for_contested(study=contested, most=5, by=owner)
        assert ask_for_contested(study=contested, most=5, by=colleague) == job
        other = ask_for_contested(study=contested, most=6, by=owner)
    assert sent == [job.pk, other.pk]


def test_an_outcome_is_kept_as_of_its_revision(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(lambda: None)
    first = worked(asked(contested, kind, owner), kind)
    assert (first.outcome, first.revision) == ({"calls": 1}, revision_of(contested))
    assert asked(contested, kind, owner) == first
    assert asked(contested, kind, owner, other=1) != first
    contested.touch()
    second = worked(asked(contested, kind, owner), kind)
    assert (second.pk != first.pk, second.outcome) == (True, {"calls": 2})
    first.refresh_from_db()
    assert first.outcome is None


def test_answers_that_come_meanwhile_make_the_outcome_outdated(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(contested.touch)
    job = worked(asked(contested, kind, owner), kind)
    assert job.revision == revision_of(contested) - 1
    kept = jobs.newest_or_asked(study=contested, kind=kind, parameters={}, by=owner)
    assert kept == job
    assert asked(contested, kind, owner) != job


def test_an_act_is_done_once_however_often_its_message_comes(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job = worked(ask_for_contested(study=contested, most=2, by=owner))
    assert job.outcome == {"done": "2 contested questions added."}
    assert not work.work(job_id=job.pk, kinds=KINDS)
    assert contested.adjudication_cases.count() == 2
    assert Change.objects.get(action="adjudication.queued").by == owner
    ranking = BackgroundJob.objects.get(kind=RANKING.name)
    again = worked(ask_for_contested(study=contested, most=1, by=owner))
    assert again != job
    assert BackgroundJob.objects.get(kind=RANKING.name) == ranking


def test_what_was_cancelled_changes_nothing(
    contested: Study, owner: User, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask_for_contested(study=contested, most=2, by=owner)
    compute = work._compute

    def cancelled(*args: Any) -> Any:
        assert jobs.cancel(job=job)
        return compute(*args)

    monkeypatch.setattr(work, "_compute", cancelled)
    worked(job)
    assert (job.state, job.outcome) == (State.CANCELLED, None)
    assert not AdjudicationCase.objects.exists()
    assert not jobs.cancel(job=job)
    monkeypatch.undo()
    assert jobs.start_again(job=job)
    assert worked(job).state == State.DONE


def test_whoever_was_removed_meanwhile_changes_nothing(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job = ask_for_contested(study=contested, most=2, by=owner)
    Member.objects.filter(study=contested, user=owner).update(role=Member.Role.VIEWER)
    worked(job)
    assert job.outcome is not None
    assert job.outcome["refused"].startswith("Whoever asked for this may no longer")
    assert not AdjudicationCase.objects.exists()


def killed(job: BackgroundJob, seconds: float, *, attempt: int = 1) -> None:
    """As a worker leaves it that was killed so many seconds ago."""
    silent = timezone.now() - timedelta(seconds=seconds)
    rows = BackgroundJob.objects.filter(pk=job.pk)
    rows.update(state=State.RUNNING, attempt=attempt, alive_at=silent)
    job.refresh_from_db()


def test_a_killed_worker_is_noticed_and_another_takes_the_job_up(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job, now = ask_for_contested(study=contested, most=2, by=owner), timezone.now()
    killed(job, 5)
    assert not jobs.is_stopped(job, now)
    assert work.sweep_jobs(now=now) == 0
    killed(job, 20)
    assert jobs.is_stopped(job, now)
    Heartbeat.objects.create(worker="a", at=now)
    assert not jobs.is_stopped(job, now)  # it may be at it still
    killed(job, 40)
    assert jobs.is_stopped(job, now)
    assert work.sweep_jobs(now=now) == 1
    assert sent == [job.pk]
    worked(job)
    assert (job.state, contested.adjudication_cases.count()) == (State.DONE, 2)
    assert work.sweep_jobs(now=now + timedelta(hours=1)) == 0


def test_a_worker_that_was_thought_dead_stores_nothing(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(lambda: BackgroundJob.objects.update(attempt=9))
    job = worked(asked(contested, kind, owner), kind)
    assert (job.state, job.outcome) == (State.RUNNING, None)


def test_a_job_whose_workers_are_always_killed_fails_in_a_sentence(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job, now = ask_for_contested(study=contested, most=2, by=owner), timezone.now()
    killed(job, 60, attempt=work.MOST_ATTEMPTS)
    assert work.sweep_jobs(now=now) == 0
    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, work.STOPPED)
    assert jobs.start_again(job=job)
    assert worked(job).state == State.DONE


def test_a_lost_message_is_sent_again(contested: Study, owner: User, sent: list[int]) -> None:
    job, now = ask_for_contested(study=contested, most=2, by=owner), timezone.now()
    assert work.sweep_jobs(now=now) == 0
    assert work.sweep_jobs(now=now + timedelta(seconds=61)) == 1
    assert sent == [job.pk]


def test_a_broker_that_is_down_is_said_in_the_row(
    contested: Study,
    owner: User,
    sent: list[int],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(jobs, "send_task", lambda *_of, **_expires: False)
    with django_capture_on_commit_callbacks(execute=True):
        job = ask_for_contested(study=contested, most=2, by=owner)
    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, jobs.UNREACHED)


def test_an_error_is_seen_and_a_locked_database_is_tried_again(
    contested: Study, owner: User, sent: list[int]
) -> None:
    errors: list[Exception] = [OperationalError("database is locked"), ValueError("of a program")]

    def fail() -> None:
        raise errors[0]

    kind = counting(fail)
    job = asked(contested, kind, owner)
    with pytest.raises(OperationalError):
        worked(job, kind)
    job.refresh_from_db()
    assert job.state == State.QUEUED
    errors.pop(0)
    with pytest.raises(ValueError, match="of a program"):
        worked(job, kind)
    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, work.STOPPED)


def test_a_small_study_is_worked_at_once_and_sends_nothing(
    contested: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "send_task", None)
    job = ask_for_contested(study=contested, most=2, by=owner)
    assert job.outcome == {"done": "2 contested questions added."}


def test_erased_answers_are_in_no_outcome(contested: Study, owner: User, sent: list[int]) -> None:
    kind = counting(lambda: None)
    job = worked(asked(contested, kind, owner), kind)
    person = newcomer(contested)
    answers_withdrawn.send(sender=Study, study=contested, participation=person)
    job.refresh_from_db()
    assert job.outcome is None


def test_a_job_that_read_answers_before_they_were_erased_begins_anew(
    contested: Study, owner: User, sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    erasures, person = [1], newcomer(contested)

    def erase() -> None:
        if erasures:
            erasures.pop()
            with django_capture_on_commit_callbacks(execute=True):
                answers_withdrawn.send(sender=Study, study=contested, participation=person)

    kind = counting(erase)
    job = worked(asked(contested, kind, owner), kind)
    assert (job.state, job.outcome) == (State.QUEUED, None)
    job = worked(job, kind)
    assert (job.state, job.outcome) == (State.DONE, {"calls": 2})


def test_outcomes_that_nobody_looks_at_are_forgotten(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(lambda: None)
    job, later = worked(asked(contested, kind, owner), kind), timezone.now() + timedelta(days=2)
    waiting = ask_for_contested(study=contested, most=2, by=owner)
    assert work.forget_old_jobs(now=later) == 0
    contested.touch()
    assert work.forget_old_jobs(now=timezone.now()) == 0
    assert work.forget_old_jobs(now=later) == 1
    assert list(BackgroundJob.objects.all()) == [waiting]
    assert job.pk is not None


def test_every_kind_stands_in_the_registry_under_its_name(owner: User) -> None:
    assert {name: kind.name for name, kind in KINDS.items()} == {name: name for name in KINDS}
    bases = {kind.basis for kind in KINDS.values() if isinstance(kind, Act)} - {None}
    assert ADD_CONTESTED in KINDS.values()
    assert bases <= {*KINDS.values()}
