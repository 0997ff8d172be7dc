"""Lines of the log: JSON for machines that collect them, or text for a terminal.

A line says where something happened and of which type it was. Texts, answers, tokens and workers'
ids stand in addresses and in the messages of exceptions: of an address the name of its route is
written, of an exception, in JSON, its type and its places in the code.
"""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any

from telemetry.context import current
from telemetry.routes import route_of

# A line for each request, job and chunk is for programs; on a terminal it hides the others.
REQUESTS, WORK = "jurybox.requests", "jurybox.work"
MOST_FRAMES = 25
# A line of a traceback that was written out.
PLACE = re.compile(r'^ *File "(.+)$', re.MULTILINE)
# It writes the whole of a message that it cannot run, such as one of a newer version.
CONSUMER = "celery.worker.consumer.consumer"
PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def logging_settings(*, form: str, level: str) -> dict[str, Any]:
    """What `logging.config.dictConfig` takes. form: `json` or `text`."""
    told = "INFO" if form == "json" else "WARNING"
    told = max(told, level, key=logging.getLevelNamesMapping().__getitem__)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"()": "telemetry.logs.TextLines", "format": PLAIN},
            "json": {"()": "telemetry.logs.JsonLines"},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django's own handlers would print some lines twice and mail others to nobody.
            "django": {"handlers": [], "propagate": True},
            REQUESTS: {"level": told},
            WORK: {"level": told},
            # gunicorn brings a handler of its own, which knows neither ids nor JSON.
            "gunicorn.error": {"handlers": [], "propagate": True},
            # The client of chat endpoints would tell of every single call.
            "httpx2": {"level": "WARNING"},
            # Its warnings tell of passwords that were guessed; the rest is noise.
            "axes": {"level": "WARNING"},
        },
    }


class TextLines(logging.Formatter):
    """For a terminal: one line of text, with the ids at its end; the whole of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(without_body(without_address(record)))
        # Of a process that read a file.
        return "\n".join(filter(None, [lines, getattr(record, "traceback", "")]))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        ids = " ".join(f"{name}={value}" for name, value in current().items())
        return f"{super().formatMessage(record)} [{ids}]" if ids else super().formatMessage(record)


class JsonLines(logging.Formatter):
    """For programs: one object a line. `fields` of a record stand in it as they are."""

    def format(self, record: logging.LogRecord) -> str:
        record = without_messages(without_body(without_address(record)))
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **current(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = error_without_texts(record.exc_info[1])
        elif told := getattr(record, "traceback", ""):
            line["error"] = {"at": PLACE.findall(told)[-MOST_FRAMES:]}
        return json.dumps(line, ensure_ascii=False, default=str)


def without_address(record: logging.LogRecord) -> logging.LogRecord:
    """The record, with the names of routes instead of the addresses of requests, which hold tokens
    and ids."""
    request = getattr(record, "request", None)
    if record.name == "gunicorn.error" and record.msg == "Error handling request %s":
        return _copy(record, ("(address left out)",))
    if request is None or not isinstance(record.args, tuple) or not hasattr(request, "path"):
        return record
    # Django writes it with escapes.
    addresses = {request.path, request.path.encode("unicode_escape").decode("ascii")}
    route = route_of(request)
    args = tuple(route if isinstance(arg, str) and arg in addresses else arg for arg in record.args)
    return _copy(record, args)


def without_body(record: logging.LogRecord) -> logging.LogRecord:
    """The record, with the name of a task instead of the message that asked for it."""
    if record.name != CONSUMER or "body" not in str(record.msg):
        return record
    args = record.args if isinstance(record.args, tuple) else ()
    names = [str(arg.get("task", "")) for arg in args if isinstance(arg, dict) and "task" in arg]
    copy = _copy(record, (names[0] if names else "(unknown)",))
    copy.msg = "Dropped a task that this version cannot run: %s"
    return copy


def without_messages(record: logging.LogRecord) -> logging.LogRecord:
    """The record, with types instead of exceptions among its arguments. Celery puts the text of an
    exception and what a task returned there."""
    args = record.args
    if isinstance(args, dict):
        data = {**args}
        if "exc" in data:
            data["exc"] = _type_in_front(data["exc"])
        if "return_value" in data:
            data["return_value"] = "…"
        return _copy(record, data)
    if isinstance(args, tuple) and any(isinstance(arg, BaseException) for arg in args):
        return _copy(record, tuple(_named(arg) for arg in args))
    return record


def error_without_texts(error: BaseException) -> dict[str, Any]:
    """The types of an exception and of those that led to it, and where it was raised."""
    types, seen = [type_name(error)], {id(error)}
    cause = error.__cause__ or error.__context__
    while cause is not None and id(cause) not in seen:
        types.append(type_name(cause))
        seen.add(id(cause))
        cause = cause.__cause__ or cause.__context__
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    return {
        "type": types[0],
        "caused_by": types[1:],
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def type_name(error: BaseException) -> str:
    """The class of an exception, with its module."""
    kind = type(error)
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _named(arg: object) -> object:
    return type_name(arg) if isinstance(arg, BaseException) else arg


def _type_in_front(shown: object) -> str:
    """The type of an exception as `repr` shows it."""
    return type_name(shown) if isinstance(shown, BaseException) else str(shown).partition("(")[0]


def _copy(record: logging.LogRecord, args: Any) -> logging.LogRecord:
    copy = logging.makeLogRecord(record.__dict__)
    copy.args = args
    return copy
