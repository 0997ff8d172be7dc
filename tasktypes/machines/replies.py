"""Machines' replies: the one JSON object in them, or the plain reason why there is none."""

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import ValidationError

from tasktypes.schemas import A, O, P, Schema

if TYPE_CHECKING:
    from tasktypes.contract import TaskType

S = TypeVar("S", bound=Schema)

# What reasoning models write around their reasoning.
REASONING_BEGINS, REASONING_ENDS = "<think>", "</think>"
_BEGINNINGS = re.compile(rf"\{{|{REASONING_BEGINS}")
# Quotes that editors and models write in place of JSON's own.
_TYPOGRAPHIC = str.maketrans(dict.fromkeys("“”„‟", '"'))
# A string; a comma without a value before it, which is no slip; and a comma after the last value.
_COMMAS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{,]\s*,|,(?=\s*[}\]])')
_BRACES_AND_COLONS = re.compile(r"[{}:]")
# Written as escapes, in a reply that is plain itself: NUL, and halves of surrogate pairs.
_UNKEPT = re.compile(r"\\u0000|[\ud800-\udfff]")


class ReplyError(ValueError):
    """A machine's reply that holds no answer; the message says why, in plain words."""


def answer_in(reply: str, task_type: "TaskType[O, P, A]", payload: P) -> A:
    """The answer that a reply holds as JSON, with a code fence or prose around it.

    Everything else is a ReplyError: a reply without an object, with two that differ, with a
    missing, unknown or ill-typed field, or with what the question does not offer. There is no
    default answer.
    """
    return checked(object_in(reply, task_type.Answer), task_type, payload)


def object_in(reply: str, schema: type[S]) -> S:
    """The one JSON object in a reply that fits the schema; ReplyError where there is none.

    Braces in prose are passed over, as in `the set {0, 1}`, and so are objects without any field of
    the schema, and reasoning in `<think>…</think>`. Two objects that fit have to be equal. An
    object that has a field of the schema and does not fit makes the whole reply unreadable: it may
    be what the model meant.
    """
    objects = _objects(reply)
    if not objects:
        raise ReplyError("the reply holds no JSON object")
    fields = schema.model_fields.keys()
    related = [value for value in objects if not fields or value.keys() & fields]
    fitting = [_fitted(value, schema) for value in related or objects[:1]]
    if any(value != fitting[0] for value in fitting):
        raise ReplyError("the reply holds different JSON objects")
    return fitting[0]


def _fitted(value: dict[str, Any], schema: type[S]) -> S:
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise ReplyError(f"{field}: {first['msg']}") from error


def checked(answer: A, task_type: "TaskType[O, P, A]", payload: P) -> A:
    """The answer, where it fits the question; ReplyError otherwise."""
    try:
        task_type.check(payload, answer)
    except ValueError as error:
        raise ReplyError(str(error)) from error
    return answer


def _objects(reply: str) -> list[dict[str, Any]]:
    """The JSON objects in a reply, in order; those within others are not taken apart."""
    if not reply.strip():
        raise ReplyError("the reply is empty")
    objects: list[dict[str, Any]] = []
    at = 0
    while match := _BEGINNINGS.search(reply, at):
        if match.group() == REASONING_BEGINS:
            end = reply.find(REASONING_ENDS, match.end())
            at = end if end >= 0 else len(reply)
            continue
        value, at = _decoded(reply, match.start())
        if value is not None:
            objects.append(value)
    return objects


def _decoded(reply: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that begins there, and its end; None for braces in prose."""
    try:
        value, end = _lenient(reply, start)
    except ReplyError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        prose_end = _end_of_prose(reply, start)
        if prose_end is None:
            raise ReplyError("the reply's JSON is malformed") from error
        return None, prose_end
    if "\\u" in reply and _UNKEPT.search(json.dumps(value, ensure_ascii=False)):
        raise ReplyError("the reply's JSON holds a character that no database keeps")
    return value, end


def _lenient(reply: str, start: int) -> tuple[Any, int]:
    """The JSON that begins there; or what it is without a comma after a last value, and with plain
    quotes where all of them are typographic. ValueError where neither is JSON."""
    try:
        return _DECODER.raw_decode(reply, start)
    except ReplyError:
        raise
    except ValueError:
        rest = reply[start:]
        plain = rest if '"' in rest else rest.translate(_TYPOGRAPHIC)
        value, end = _DECODER.raw_decode(_COMMAS.sub(_without_comma, plain))
        return value, start + end


def _without_comma(match: re.Match[str]) -> str:
    """A space for the comma, so that what follows stays where it is."""
    return " " if match.group() == "," else match.group()


def _end_of_prose(reply: str, start: int) -> int | None:
    """Where the braces that open there are closed; None where they never are, or where there is a
    colon between them: then they may be meant as JSON."""
    depth = 0
    for match in _BRACES_AND_COLONS.finditer(reply, start):
        if match.group() == ":":
            return None
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return match.end()
    return None


def _without_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ReplyError("a name occurs twice in the reply's JSON")
    return fields


def _no_number(name: str) -> NoReturn:
    raise ReplyError(f"{name} is not a number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_names, parse_constant=_no_number)
