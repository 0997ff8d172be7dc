"""Kill what runs at its n-th step: before a row is written, before a call, and after it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection

from annotation.panels.prolific_api.client import Prolific


class Killed(BaseException):
    """The process is gone: nothing catches this."""


class Steps:
    """Counts steps, and kills at one of them; `passed` tells how many there were."""

    def __init__(self, kill_at: int) -> None:
        self.kill_at, self.passed, self.dead = kill_at, 0, False

    def step(self) -> None:
        if self.dead:
            return  # what runs now is the rollback of the dead
        self.passed += 1
        if self.passed > self.kill_at:
            self.dead = True
            raise Killed

    def write(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            self.step()
        return execute(sql, *rest)


@contextmanager
def killing_at(number: int) -> Iterator[Steps]:
    """Whatever runs inside dies at that step, counted from 0."""
    steps, call = Steps(number), Prolific._call

    def watched(self: Prolific, *args: Any, **options: Any) -> Any:
        steps.step()
        reply = call(self, *args, **options)
        steps.step()
        return reply

    with patch.object(Prolific, "_call", watched), connection.execute_wrapper(steps.write):
        yield steps
