"""Waiting for what the server does in the background."""

import time
from collections.abc import Callable
from typing import TypeVar

from jurybox.client.problems import TimedOut

_FIRST, _LONGEST = 0.2, 5.0
Thing = TypeVar("Thing")


def wait_until(
    is_done: Callable[[Thing], bool],
    look: Callable[[], Thing],
    *,
    timeout: float,
    name: str,
    progress: Callable[[Thing], object] | None = None,
) -> Thing:
    """What `look` returns once it is done; TimedOut after `timeout` seconds.

    It looks often at first, then every five seconds. progress: gets what was seen, each time that
    it has changed.
    """
    deadline, pause = time.monotonic() + timeout, _FIRST
    shown: Thing | None = None
    while True:
        seen = look()
        if progress is not None and seen != shown:
            progress(seen)
            shown = seen
        if is_done(seen):
            return seen
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimedOut(f"{name} is not done after {timeout:g} seconds. Does a worker run?")
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST)
