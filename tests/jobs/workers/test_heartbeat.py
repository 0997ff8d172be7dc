"""The heartbeat of a worker while the database cannot be written."""

import logging
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from jobs.models import Heartbeat
from jobs.workers import heartbeat
from jobs.workers.health import worker_alive


def test_a_locked_database_costs_a_line_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, db: None
) -> None:
    def locked() -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(heartbeat, "beat", locked)
    monkeypatch.setattr("jobs.workers.heartbeat.connection.close", lambda: None)
    heartbeat._stopping.set()
    try:
        with caplog.at_level(logging.WARNING):
            heartbeat._beat_until_leaving()
    finally:
        heartbeat._stopping.clear()
    assert "The heartbeat was not written: database is locked" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_heartbeat_from_the_future_is_of_no_worker_that_is_alive(db: None) -> None:
    now = timezone.now()
    Heartbeat.objects.create(worker="here:1", at=now + timedelta(hours=3))
    assert not worker_alive(now)
    Heartbeat.objects.create(worker="here:2", at=now + timedelta(seconds=1))
    assert worker_alive(now)
