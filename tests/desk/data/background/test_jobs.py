"""Background work of a study: done once, kept by revision, taken up after a killed worker."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest
from django.utils import timezone

from annotation.models import AdjudicationCase, Change, Member, Study, User
from annotation.rights.withdrawal import answers_withdrawn
from desk.data.adjudication.work import RANKING, ask_for_contested
from desk.data.background import jobs
from desk.data.background.kinds import ActionKind, QueryKind
from estimates.report.cache import revision_of
from jobs import queue
from jobs.kinds import Kind, kinds
from jobs.models import Job, JobState
from jobs.runner import work
from jobs.sweep import forget_old_jobs
from tests.annotation.workers import newcomer
from tests.results.answers import disagree

pytestmark = pytest.mark.django_db
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

    monkeypatch.setattr(queue, "send_task", send)
    monkeypatch.setattr(jobs, "is_small", lambda _study: False)
    return messages


def counting(happens: Happens) -> QueryKind:
    """A computation that lets something happen while it is under way, and counts its calls."""
    calls: list[int] = []

    def compute(_study: Study, _parameters: object) -> dict[str, Any]:
        calls.append(1)
        happens()
        return {"calls": len(calls)}

    kind = QueryKind(
        name="counting",
        title="Counting",
        asked_on="desk:adjudication",
        page=lambda _study, _parameters: "/",
        compute=compute,
    )
    cast(dict[str, Kind], kinds())["counting"] = kind
    return kind


def asked(study: Study, kind: QueryKind | ActionKind, by: User, **parameters: Any) -> Job:
    return jobs.ask(study=study, kind=kind, parameters=parameters, by=by)


def worked(job: Job) -> Job:
    work(job_id=job.pk)
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
    first = worked(asked(contested, kind, owner))
    assert (first.outcome, first.revision) == ({"calls": 1}, revision_of(contested))
    assert asked(contested, kind, owner) == first
    assert asked(contested, kind, owner, other=1) != first
    contested.touch()
    second = worked(asked(contested, kind, owner))
    assert (second.pk != first.pk, second.outcome) == (True, {"calls": 2})
    first.refresh_from_db()
    assert first.outcome is None


def test_answers_that_come_meanwhile_make_the_outcome_outdated(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(contested.touch)
    job = worked(asked(contested, kind, owner))
    assert job.revision == revision_of(contested) - 1
    kept = jobs.newest_or_asked(study=contested, kind=kind, parameters={}, by=owner)
    assert kept == job
    assert asked(contested, kind, owner) != job


def test_an_act_is_done_once_however_often_its_message_comes(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job = worked(ask_for_contested(study=contested, most=2, by=owner))
    assert job.outcome == {"done": "2 contested questions added."}
    assert not work(job_id=job.pk)
    assert contested.adjudication_cases.count() == 2
    assert Change.objects.get(action="adjudication.queued").by == owner
    ranking = Job.objects.get(kind=RANKING.name)
    again = worked(ask_for_contested(study=contested, most=1, by=owner))
    assert again != job
    assert Job.objects.get(kind=RANKING.name) == ranking


def test_what_was_cancelled_changes_nothing(
    contested: Study, owner: User, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask_for_contested(study=contested, most=2, by=owner)
    compute = QueryKind.worked_out_for

    def cancelled(*args: Any) -> Any:
        assert queue.cancel(job)
        return compute(*args)

    monkeypatch.setattr(QueryKind, "worked_out_for", cancelled)
    worked(job)
    assert (job.state, job.outcome) == (JobState.CANCELLED, None)
    assert not AdjudicationCase.objects.exists()
    assert not queue.cancel(job)
    monkeypatch.undo()
    assert queue.start_again(job)
    assert worked(job).state == JobState.DONE


def test_whoever_was_removed_meanwhile_changes_nothing(
    contested: Study, owner: User, sent: list[int]
) -> None:
    job = ask_for_contested(study=contested, most=2, by=owner)
    Member.objects.filter(study=contested, user=owner).update(role=Member.Role.VIEWER)
    worked(job)
    assert job.outcome is not None
    assert job.outcome["refused"].startswith("The account that asked for this")
    assert not AdjudicationCase.objects.exists()


def test_a_small_study_is_worked_at_once_and_sends_nothing(
    contested: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "send_task", None)
    job = ask_for_contested(study=contested, most=2, by=owner)
    assert job.outcome == {"done": "2 contested questions added."}


def test_erased_answers_are_in_no_outcome(contested: Study, owner: User, sent: list[int]) -> None:
    kind = counting(lambda: None)
    job = worked(asked(contested, kind, owner))
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
    job = worked(asked(contested, kind, owner))
    assert (job.state, job.outcome) == (JobState.QUEUED, None)
    job = worked(job)
    assert (job.state, job.outcome) == (JobState.DONE, {"calls": 2})


def test_outcomes_that_nobody_looks_at_are_forgotten(
    contested: Study, owner: User, sent: list[int]
) -> None:
    kind = counting(lambda: None)
    job, later = worked(asked(contested, kind, owner)), timezone.now() + timedelta(days=2)
    waiting = ask_for_contested(study=contested, most=2, by=owner)
    forget_old_jobs(now=later)
    contested.touch()
    forget_old_jobs(now=timezone.now())
    assert Job.objects.count() == 2
    forget_old_jobs(now=later)
    assert list(Job.objects.all()) == [waiting]
    assert job.pk is not None
