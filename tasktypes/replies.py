"""Machines' replies: the one JSON object in them, or the plain reason why there is none."""

import json
import re
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError

from tasktypes.contract import ReplyError, Schema, TaskType

O = TypeVar("O", bound=Schema)  # noqa: E741  (an option, a payload, an answer)
P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
S = TypeVar("S", bound=Schema)

# Written as escapes, in a reply that is plain itself: NUL, and halves of surrogate pairs.
_UNKEPT = re.compile(r"\\u0000|[\ud800-\udfff]")


def answer_in(reply: str, task_type: TaskType[O, P, A], payload: P) -> A:
    """The answer that a reply holds as JSON, with a code fence or a word of prose around it.

    Everything else is a ReplyError: a reply without an object, with two that differ, with a
    missing, unknown or ill-typed field, or with what the question does not offer. There is no
    default answer.
    """
    return checked(object_in(reply, task_type.Answer), task_type, payload)


def object_in(reply: str, schema: type[S]) -> S:
    """The one JSON object in a reply, in that schema; ReplyError where it does not fit."""
    try:
        return schema.model_validate(_only_object(reply))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise ReplyError(f"{field}: {first['msg']}") from error


def checked(answer: A, task_type: TaskType[O, P, A], payload: P) -> A:
    """The answer, where it fits the question; ReplyError otherwise."""
    try:
        task_type.check(payload, answer)
    except ValueError as error:
        raise ReplyError(str(error)) from error
    return answer


def _only_object(reply: str) -> dict[str, Any]:
    if not reply.strip():
        raise ReplyError("the reply is empty")
    objects: list[dict[str, Any]] = []
    brace = reply.find("{")
    while brace >= 0:
        value, end = _decoded(reply, brace)
        if "\\u" in reply and _UNKEPT.search(json.dumps(value, ensure_ascii=False)):
            raise ReplyError("the reply's JSON holds a character that no database keeps")
        if value not in objects:
            objects.append(value)
        brace = reply.find("{", end)
    if not objects:
        raise ReplyError("the reply holds no JSON object")
    if len(objects) > 1:
        raise ReplyError("the reply holds different JSON objects")
    return objects[0]


def _decoded(reply: str, start: int) -> tuple[dict[str, Any], int]:
    try:
        return _DECODER.raw_decode(reply, start)
    except ReplyError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise ReplyError("the reply's JSON is malformed") from error


def _without_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ReplyError("a name occurs twice in the reply's JSON")
    return fields


def _no_number(name: str) -> NoReturn:
    raise ReplyError(f"{name} is not a number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_names, parse_constant=_no_number)
