"""Sending chunks: few at a time, again when nobody took them, and never at the cost of a page."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from celery import Celery
from django.utils import timezone

from annotation.models import Study
from config.celery import app
from jobs.models import Heartbeat, JobState
from jobs.workers.health import broker_answers, worker_alive
from jobs.workers.heartbeat import FORGOTTEN, beat, forget
from judges.definitions.versions import judge_for
from judges.models import Chunk, JudgeRun
from judges.runs.delivery.queue import LEASE, RESEND, WINDOW, send_due
from judges.runs.delivery.sweep import sweep_runs
from judges.runs.plans.plan import plan_run
from judges.runs.states import pause_run
from judges.tasks import work
from tests.judges.scripted_judges import broker_that_is_down

pytestmark = pytest.mark.django_db

Capture = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def broker_down() -> Iterator[Celery]:
    """Whatever is sent now goes to a Redis that nobody has started."""
    down = broker_that_is_down()
    down.set_current()
    yield down
    app.set_current()


def long_run(study: Study, chunks: int) -> JudgeRun:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    first = run.chunks.count()
    Chunk.objects.bulk_create(Chunk(run=run, position=n) for n in range(first, chunks))
    return run


def test_only_the_next_few_chunks_of_a_run_are_under_way(study: Study) -> None:
    run = long_run(study, WINDOW + 5)
    assert send_due(run_id=run.pk) == WINDOW
    assert send_due(run_id=run.pk) == 0
    Chunk.objects.filter(run=run, position__lt=3).update(state=JobState.DONE)
    assert send_due(run_id=run.pk) == 3
    positions = run.chunks.filter(sent_at=None).values_list("position", flat=True)
    assert list(positions) == [WINDOW + 3, WINDOW + 4]


def test_a_chunk_that_nobody_took_is_sent_again_after_a_while(study: Study) -> None:
    run = long_run(study, 1)
    assert send_due(run_id=run.pk) == 1
    sweep_runs()
    Chunk.objects.update(sent_at=timezone.now() - RESEND - timedelta(seconds=1))
    assert send_due(run_id=run.pk) == 1


def test_what_a_clock_that_was_ahead_has_sent_and_leased_is_sent_again(study: Study) -> None:
    run = long_run(study, 1)
    ahead = timezone.now() + timedelta(hours=3)
    Chunk.objects.update(sent_at=ahead)
    assert send_due(run_id=run.pk) == 1
    held = {"state": JobState.RUNNING, "lease_token": "of the dead", "sent_at": ahead}
    Chunk.objects.update(lease_until=timezone.now() + LEASE, **held)
    assert send_due(run_id=run.pk) == 0
    Chunk.objects.update(lease_until=ahead + LEASE)
    assert send_due(run_id=run.pk) == 1


def test_a_run_that_does_not_run_sends_nothing(study: Study) -> None:
    run = long_run(study, 3)
    pause_run(run_id=run.pk)
    assert send_due(run_id=run.pk) == 0


def test_with_the_broker_down_a_run_is_planned_and_waits(
    study: Study, broker_down: Celery, django_capture_on_commit_callbacks: Capture
) -> None:
    started = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):
        run = plan_run(study=study, judge=judge_for(study, "lexical"))
    assert time.monotonic() - started < 5
    assert run.chunks.get().sent_at is None
    app.set_current()
    sweep_runs()
    assert run.chunks.get().sent_at is not None


def test_whether_the_broker_answers_is_found_out_quickly(redis_url: str) -> None:
    assert broker_answers(Celery("up", broker=redis_url, set_as_current=False))
    started = time.monotonic()
    assert not broker_answers(broker_that_is_down())
    assert time.monotonic() - started < 5


def test_the_task_works_the_chunk_that_it_is_told(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    work(run.chunks.get().pk)
    run.refresh_from_db()
    assert run.state == "complete"


def test_the_sweep_ends_a_run_whose_last_worker_died_before_it_could(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    run.chunks.update(state=JobState.DONE)
    run.calls.update(status="answered")
    sweep_runs()
    run.refresh_from_db()
    assert run.state == "complete"


def test_a_run_does_not_end_over_calls_that_were_planned_again_in_the_last_moment(
    study: Study,
) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    run.chunks.update(state=JobState.DONE)
    sweep_runs()
    run.refresh_from_db()
    assert (run.state, run.chunks.get().state) == ("running", "queued")


def test_a_worker_lives_as_long_as_its_last_sign_of_life_is_young() -> None:
    now = timezone.now()
    assert not worker_alive(now)
    beat()
    assert worker_alive(timezone.now())
    Heartbeat.objects.update(at=now - timedelta(seconds=15))
    assert not worker_alive(now)


def test_a_worker_that_goes_takes_its_row_along_and_those_of_the_long_dead() -> None:
    now = timezone.now()
    Heartbeat.objects.create(worker="killed-yesterday", at=now - 2 * FORGOTTEN)
    Heartbeat.objects.create(worker="beside-us", at=now)
    beat()
    forget()
    assert [row.worker for row in Heartbeat.objects.all()] == ["beside-us"]
