"""What goes wrong between a program and a server, as exceptions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


class ClientError(Exception):
    """Any error of this client."""


class Unreachable(ClientError):
    """The server did not answer, after all attempts."""


class TimedOut(ClientError):
    """What was waited for did not happen in time. It goes on: wait again, or look at its page."""


class Stopped(ClientError):
    """A run or an export stopped before its end. row: as it is now, with state and reason."""

    def __init__(self, name: str, row: Mapping[str, Any]) -> None:
        self.row = dict(row)
        super().__init__(f"{name} {row['id']} is {row['state']}. {row.get('reason', '')}".strip())


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field of a request; field: empty for the request as a whole."""

    field: str
    detail: str


class Refused(ClientError):
    """The server's answer says no.

    status: of HTTP, such as 404. title: its name. detail: what is wrong, in a sentence. fields:
    what is wrong with which field, where the server says so. stored: of a bulk write, how many
    lines were stored before the part that was refused.
    """

    def __init__(
        self, status: int, title: str, detail: str, fields: tuple[FieldProblem, ...] = ()
    ) -> None:
        self.status, self.title, self.detail, self.fields = status, title, detail, fields
        self.stored = 0
        super().__init__(f"{status} {title}: {_in_words(detail, fields)}")

    def after(self, lines: int, *, stored: int) -> Self:
        """The same about a part of a bulk write that begins after so many lines."""
        fields = tuple(FieldProblem(_moved(each.field, lines), each.detail) for each in self.fields)
        moved = type(self)(self.status, self.title, self.detail, fields)
        moved.stored = stored
        return moved


class Overtaken(Refused):
    """Somebody has changed it since it was read: read it again, and make the change anew."""


def refusal(status: int, reason: str, document: object) -> Refused:
    """The exception for an answer of 400 or more. document: its problem document (RFC 9457), or
    anything else where none came."""
    kind = Overtaken if status == 412 else Refused
    if not isinstance(document, Mapping):
        text = "No reason was given. Is this the address of a Jurybox, and nothing between?"
        return kind(status, reason, text)
    errors = document.get("errors")
    fields = tuple(
        FieldProblem(str(error.get("field", "")), str(error.get("detail", "")))
        for error in (errors if isinstance(errors, list) else [])
        if isinstance(error, Mapping)
    )
    title, detail = document.get("title", reason), document.get("detail", "")
    return kind(status, str(title), str(detail), fields)


def _in_words(detail: str, fields: tuple[FieldProblem, ...]) -> str:
    named = [each for each in fields if each.field]
    if len(named) == 1 and named[0].detail == detail:
        return f"{named[0].field}: {detail}"
    return " ".join([detail, *(f"{each.field}: {each.detail}" for each in named)])


def _moved(field: str, lines: int) -> str:
    """`records[3].unit` of a part as it is counted from the first line of all."""
    return re.sub(r"^(\w+)\[(\d+)\]", lambda at: f"{at[1]}[{int(at[2]) + lines}]", field)
