"""What a line of the log holds, and what it leaves out."""

import json
import logging
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from celery.worker.consumer import Consumer
from django.test import RequestFactory

from telemetry.context import bound
from telemetry.logs import JsonLines, TextLines, logging_settings

SECRET = "what a worker typed"
Make = Callable[..., logging.LogRecord]


def record(message: str, *args: Any, name: str = "django.request", **more: Any) -> Any:
    made = logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, None)
    vars(made).update(more)
    return made


def failed() -> Any:
    """(type, exception, traceback) of an exception that quotes what was typed."""
    try:
        json.loads(f'{{"{SECRET}"')
    except ValueError as error:
        error.__context__ = KeyError(SECRET)
        error.args = (SECRET,)
        return sys.exc_info()
    raise AssertionError


def as_json(made: logging.LogRecord) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(JsonLines().format(made))
    return read


def test_a_line_has_the_ids_of_the_work_under_way() -> None:
    with bound(request="ab"), bound(job=7):
        line = as_json(record("begun"))
        text = TextLines("%(message)s").format(record("begun"))
    assert (line["request"], line["job"], line["message"]) == ("ab", "7", "begun")
    assert text == "begun [request=ab job=7]"
    assert "job" not in as_json(record("begun"))


def test_of_an_exception_its_types_and_places_are_written_and_not_its_message() -> None:
    text = JsonLines().format(record("failed: %s", ValueError(SECRET), exc_info=failed()))
    assert SECRET not in text
    error = json.loads(text)["error"]
    assert (error["type"], error["caused_by"]) == ("json.decoder.JSONDecodeError", ["KeyError"])
    assert error["at"][0].partition(":")[0] == __file__
    assert json.loads(text)["message"] == "failed: ValueError"


def test_on_a_terminal_a_traceback_stands_in_full() -> None:
    assert SECRET in TextLines("%(message)s").format(record("failed", exc_info=failed()))


def test_of_a_traceback_that_another_process_wrote_the_places_are_kept() -> None:
    told = f'Traceback:\n  File "/a/b.py", line 3, in read\n    open()\nValueError: {SECRET}'
    text = JsonLines().format(record("failed", traceback=told))
    assert SECRET not in text
    assert json.loads(text)["error"]["at"] == ['/a/b.py", line 3, in read']
    assert "open()" in TextLines("%(message)s").format(record("failed", traceback=told))


def test_what_celery_says_of_a_task_holds_neither_its_result_nor_its_error() -> None:
    context = {"name": "a.task", "exc": f"ValueError('{SECRET}')", "return_value": SECRET}
    made = logging.LogRecord(
        "celery.app.trace", logging.ERROR, __file__, 1,
        "%(name)s: %(exc)s, %(return_value)s", (context,), None,
    )  # fmt: skip
    assert as_json(made)["message"] == "a.task: ValueError, …"


@pytest.mark.parametrize("formatter", [JsonLines(), TextLines("%(message)s")])
@pytest.mark.parametrize("refuse", ["on_unknown_task", "on_unknown_message", "on_invalid_task"])
def test_of_a_task_of_a_newer_version_the_name_is_written_and_not_what_it_was_given(
    formatter: logging.Formatter, refuse: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What Celery itself logs, from its own code."""
    message = mock.MagicMock(headers={"task": "a.new_task", "id": "1", "argsrepr": SECRET})
    worker, body = mock.MagicMock(), [[SECRET], {}, {}]
    worker._message_report.return_value = f"body: {SECRET}"
    if refuse == "on_unknown_message":
        Consumer.on_unknown_message(worker, body, message)
    else:
        getattr(Consumer, refuse)(worker, body, message, KeyError("a.new_task"))
    (made,) = caplog.records
    assert SECRET in made.getMessage()
    told = formatter.format(made)
    assert SECRET not in told
    assert "Dropped a task that this version cannot run: " in told
    assert refuse != "on_unknown_task" or "a.new_task" in told


@pytest.mark.parametrize("formatter", [JsonLines(), TextLines("%(message)s")])
def test_an_address_is_written_as_the_name_of_its_route(formatter: logging.Formatter) -> None:
    request = RequestFactory().get("/return/a-token-é/")
    as_django_writes = request.path.encode("unicode_escape").decode()
    line = formatter.format(record("%s: %s", "Not Found", as_django_writes, request=request))
    assert "token" not in line
    assert "Not Found: none" in line


def test_gunicorn_writes_no_address() -> None:
    made = record("Error handling request %s", "/arrive/s/prolific/?ID=abc", name="gunicorn.error")
    assert "abc" not in JsonLines().format(made)
    assert "abc" not in TextLines("%(message)s").format(made)


def test_requests_are_logged_for_programs_and_not_on_a_terminal() -> None:
    levels = {
        form: logging_settings(form=form, level="INFO")["loggers"]["jurybox.requests"]["level"]
        for form in ("json", "text")
    }
    assert levels == {"json": "INFO", "text": "WARNING"}


def test_a_higher_level_silences_the_lines_about_requests_and_work_as_well() -> None:
    for level in ("WARNING", "ERROR"):
        loggers = logging_settings(form="json", level=level)["loggers"]
        assert [loggers[name]["level"] for name in ("jurybox.requests", "jurybox.work")] == [
            level
        ] * 2
    told = logging_settings(form="text", level="INFO")["loggers"]["jurybox.requests"]["level"]
    assert told == "WARNING"
