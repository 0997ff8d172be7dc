"""Tasks while another program holds the write lock of SQLite: no traceback, tried again later."""

import logging
from typing import Any

import pytest
from django.db import OperationalError

from config.celery import TRIES, app


def locked_for(times: int, message: str = "database is locked") -> tuple[list[int], Any]:
    """A task that meets the lock so many times, and what it has tried."""
    tried: list[int] = []

    def write() -> str:
        tried.append(1)
        if len(tried) <= times:
            raise OperationalError(message)
        return "written"

    name = f"tests.locked-{times}-{message}"
    app.tasks.pop(name, None)
    return tried, app.task(write, name=name)


def test_a_task_waits_until_the_database_is_free(caplog: pytest.LogCaptureFixture) -> None:
    tried, task = locked_for(2)
    assert task.apply().get() == "written"
    assert len(tried) == 3
    assert "Traceback" not in caplog.text


def test_after_the_last_try_one_line_says_so(caplog: pytest.LogCaptureFixture) -> None:
    tried, task = locked_for(100)
    with caplog.at_level(logging.INFO):
        assert task.apply().state == "IGNORED"
    assert len(tried) == TRIES + 1
    assert "the database stayed locked" in caplog.text
    assert "Traceback" not in caplog.text


def test_any_other_error_of_the_database_fails_at_once() -> None:
    tried, task = locked_for(100, "disk I/O error")
    assert task.apply().state == "FAILURE"
    assert len(tried) == 1
