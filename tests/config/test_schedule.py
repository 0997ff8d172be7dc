"""What beat sends when the clock is set back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.db import OperationalError
from django.utils import timezone

from config.schedule import Scheduler
from jobs.models import BEAT, Heartbeat
from jobs.workers.health import beat_alive, worker_alive, workers_alive

# Beat writes its heartbeat in a transaction of its own.
pytestmark = pytest.mark.django_db(transaction=True)
NOON = datetime(2031, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def app(tmp_path: Path) -> Celery:
    app = Celery("scheduled", broker="memory://", set_as_current=False)
    app.conf.update(
        beat_schedule={name: {"task": name, "schedule": 10.0} for name in ("one", "two")},
        result_expires=None,
        beat_schedule_filename=str(tmp_path / "schedule"),
    )
    return app


def sent_at(app: Celery, scheduler: Any, now: datetime) -> list[str]:
    """The tasks that are sent until beat would rest, at that time by the wall."""
    sent: list[str] = []
    app.now = lambda: now
    for entry in scheduler.schedule.values():
        entry.app = entry.schedule.app = app
    scheduler.apply_async = lambda entry, **_options: sent.append(entry.name)
    while scheduler.tick() == 0:
        pass
    return sorted(sent)


def test_tasks_are_sent_again_at_once_when_the_clock_is_set_back(app: Celery) -> None:
    scheduler = Scheduler(app, schedule_filename=app.conf.beat_schedule_filename)
    sent_at(app, scheduler, NOON)
    three_hours_too_many = NOON + timedelta(hours=3)
    assert sent_at(app, scheduler, three_hours_too_many) == ["one", "two"]
    assert sent_at(app, scheduler, NOON + timedelta(seconds=5)) == []
    assert sent_at(app, scheduler, NOON + timedelta(seconds=15)) == ["one", "two"]


def test_last_times_that_lie_ahead_in_the_file_are_not_waited_for(app: Celery) -> None:
    scheduler = Scheduler(app, schedule_filename=app.conf.beat_schedule_filename)
    sent_at(app, scheduler, NOON + timedelta(hours=3))
    scheduler.close()
    after = Scheduler(app, schedule_filename=app.conf.beat_schedule_filename)
    sent_at(app, after, NOON)
    assert sent_at(app, after, NOON + timedelta(seconds=11)) == ["one", "two"]


def test_beat_says_that_it_runs_and_is_no_worker(app: Celery) -> None:
    before = timezone.now()
    assert not beat_alive(before)
    sent_at(app, Scheduler(app, schedule_filename=app.conf.beat_schedule_filename), NOON)
    assert beat_alive(before)
    assert not worker_alive(before)
    assert workers_alive(before) == []
    # Of a beat that ended, or whose clock was three hours ahead.
    for apart in (timedelta(minutes=3), timedelta(hours=-3)):
        Heartbeat.objects.filter(worker=BEAT).update(at=before - apart)
        assert not beat_alive(before)


def test_beat_goes_on_while_the_database_is_away(
    app: Celery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError

    monkeypatch.setattr("jobs.workers.heartbeat._write", away)
    scheduler = Scheduler(app, schedule_filename=app.conf.beat_schedule_filename)
    sent_at(app, scheduler, NOON)
    assert sent_at(app, scheduler, NOON + timedelta(minutes=1)) == ["one", "two"]
