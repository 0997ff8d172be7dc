"""The heartbeat of a worker while the database cannot be written."""

import logging

import pytest
from django.db import OperationalError

from jobs.workers import heartbeat


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
