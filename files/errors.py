"""Errors in a file, on one line each: where, which field, and why."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

_FIELD_AND_REASON = re.compile(r"(?P<field>[A-Za-z_][\w.\[\]]*): (?P<reason>.+)", re.DOTALL)
_LONGEST_REASON = 300
_PLAIN = {
    "missing": "missing",
    "extra_forbidden": "unknown field",
    "string_too_short": "empty",
    "too_short": "empty",
}


class RecordPlace(str):
    """Where a record stands, as FILE:LINE or `FILE (record N)`, with what the file holds there."""

    __slots__ = ("file", "raw")

    file: Path
    raw: object

    def __new__(cls, text: str, *, file: Path, raw: object) -> Self:
        place = super().__new__(cls, _printable(text))
        place.file, place.raw = file, raw
        return place

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (str(self),), {"file": self.file, "raw": self.raw}


class ImportFailure(Exception):
    """What keeps a file, or one record of it, from being imported: `where: field: reason` on one
    line. `where` is FILE:LINE, or the file and the id of a record where lines mean nothing.
    """

    def __init__(self, where: str, field: str, reason: str) -> None:
        self.where, self.field, self.reason = where, _printable(field), _printable(reason)
        super().__init__(_one_line(f"{where}: {field}: {reason}"))

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        return type(self), (self.where, self.field, self.reason)

    @classmethod
    def of(cls, where: str, error: ValueError, *, within: str = "") -> Self:
        """The failure that a schema or a task type found; `within` is the field it was given."""
        if isinstance(error, ValidationError):
            field, reason = _first_complaint(error)
        else:
            field, reason = _field_and_reason(str(error))
        path = _joined(within, field)
        return cls(where, path or "record", reason)


# What comes of taking a value for an object, a list or a number that it is not.
MISSHAPEN = (AttributeError, LookupError, TypeError, ValueError, OverflowError)


def misshapen(where: str, error: Exception) -> ImportFailure:
    """The failure of a record, or a file, in which something is not of the kind that its format
    has there."""
    if isinstance(error, ValidationError):
        return ImportFailure.of(where, error)
    about = " ".join(str(error).split()) or type(error).__name__
    return ImportFailure(where, "record", f"not of the form that is read here ({about})")


@contextmanager
def well_formed(file: Path) -> Iterator[None]:
    """ImportFailure where the file, or one read with it, is not of the form that is read."""
    try:
        yield
    except MISSHAPEN as error:
        raise misshapen(str(file), error) from error


@contextmanager
def files_shown(shown: Callable[[str], str]) -> Iterator[None]:
    """Name the files in a failure as `shown` has them: as whoever imports them knows them."""
    try:
        yield
    except ImportFailure as failure:
        where, reason = shown(str(failure.where)), shown(failure.reason)
        if (where, reason) == (failure.where, failure.reason):
            raise
        raise ImportFailure(where, failure.field, reason) from failure


class Contradiction(ImportFailure):
    """One key with two meanings: no record of the two can be left out without choosing between
    them, so that the whole import is refused."""


class OpenQuestion(ImportFailure):
    """What only the user can say, such as which column holds the outputs: the reason names what
    there is, and how to choose. The whole import waits for that. choices: what decides it, and what
    that means."""

    def __init__(
        self, where: str, field: str, reason: str, choices: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__(where, field, reason)
        self.choices = tuple(choices)


class Repetition(ImportFailure):
    """The same record again, word for word: it says nothing new."""


def _first_complaint(error: ValidationError) -> tuple[str, str]:
    complaints = error.errors(include_url=False)
    first = complaints[0]
    path, kind = _path(first["loc"]), first["type"]
    if kind == "json_invalid":
        # A record is one line, so of pydantic's line and column only the column is useful.
        return "JSON", re.sub(r"at line \d+ column", "at column", str(first["ctx"]["error"]))
    if kind in _PLAIN:
        reason = _PLAIN[kind]
    elif kind == "value_error":
        inner, reason = _field_and_reason(str(first["ctx"]["error"]))
        path = _joined(path, inner)
    elif isinstance(first["input"], bool) and kind != "bool_type":
        word = "true" if first["input"] else "false"
        reason = f'{word} where none is expected (YAML reads yes, no, on and off so: write "yes")'
    elif kind == "string_type" and isinstance(first["input"], (int, float, date)):
        value = first["input"]
        reason = f'{value} where a text is expected (put it in quotes: "{value}")'
    else:
        reason = first["msg"][:1].lower() + first["msg"][1:]
    more = len(complaints) - 1
    return path, reason + (f" (and {more} more)" if more else "")


def _field_and_reason(message: str) -> tuple[str, str]:
    match = _FIELD_AND_REASON.fullmatch(message)
    return (match["field"], match["reason"]) if match else ("", message)


def _path(location: tuple[int | str, ...]) -> str:
    """`items[0].sentences[2].text` from what pydantic calls a location."""
    path = ""
    for part in location:
        path = f"{path}[{part}]" if isinstance(part, int) else _joined(path, part)
    return path.removesuffix(".[key]")


def _joined(outer: str, inner: str) -> str:
    return f"{outer}.{inner}" if outer and inner else outer or inner


def _printable(text: str) -> str:
    """The text without characters that could be neither printed nor stored among the findings."""
    if text.isascii() and "\0" not in text:
        return text  # nearly every one of millions
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REASON * 2 else line[: _LONGEST_REASON * 2] + " …"
