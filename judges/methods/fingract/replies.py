"""The schemas of the model's replies in each step, and how they are read.

Names and docstrings of the schemas are sent to the model and are part of the key under which a
reply is cached: a change makes every cached reply useless.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tasktypes.actionability.schema import ErrorAnswer, LinkAnswer
from tasktypes.machines.replies import ReplyError, object_in
from tasktypes.schemas import Schema


class Explained(Schema):
    """What an explanation says about each error."""

    errors: tuple[ErrorAnswer, ...]


class Linked(Schema):
    """What there is to be said about each link."""

    links: tuple[LinkAnswer, ...]


def read_explained(reply: str, count: int) -> tuple[ErrorAnswer, ...]:
    """The answers about all `count` errors, ascending."""
    answers = {
        answer.error: answer for answer in _once("error", object_in(reply, Explained).errors)
    }
    _check_all(answers, range(count), "error")
    return tuple(answers[number] for number in range(count))


def read_linked(reply: str, numbers: Sequence[int]) -> Mapping[int, LinkAnswer]:
    """The answers about the links of these numbers."""
    answers = {answer.link: answer for answer in _once("link", object_in(reply, Linked).links)}
    _check_all(answers, numbers, "link")
    return answers


def _once(name: str, answers: Sequence[Any]) -> Sequence[Any]:
    numbers = [getattr(answer, name) for answer in answers]
    for number in numbers:
        if numbers.count(number) > 1:
            raise ReplyError(f"{name} {number} is answered twice")
    return answers


def _check_all(answers: Collection[int], numbers: Collection[int], name: str) -> None:
    for number in answers:
        if number not in numbers:
            raise ReplyError(f"there is no {name} {number} to be answered")
    for number in numbers:
        if number not in answers:
            raise ReplyError(f"{name} {number} is not answered")
