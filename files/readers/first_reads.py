"""How far files have been read for the first time, whoever reads them and however often.

Formats of other tools read all their files before anything is written, since only then it is known
what was asked; some of them keep what they read, and read nothing later.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path


class _FirstReads:
    def __init__(self, watch: Callable[[int], object]) -> None:
        self._watch = watch
        self._reached: dict[Path, int] = {}

    def reach(self, path: Path, position: int) -> None:
        more = position - self._reached.get(path, 0)
        if more > 0:
            self._reached[path] = position
            self.tell(more)

    def tell(self, n_bytes: int) -> None:
        self._watch(n_bytes)


_PRESENT: ContextVar[_FirstReads | None] = ContextVar("first_reads", default=None)


@contextmanager
def first_reads(watch: Callable[[int], object]) -> Iterator[None]:
    """Within this, `watch` is told of each byte of every file (as on disk) that is read, once."""
    token = _PRESENT.set(_FirstReads(watch))
    try:
        yield
    finally:
        _PRESENT.reset(token)


def note_read(path: Path, position: int) -> None:
    """A file has been read up to this byte."""
    present = _PRESENT.get()
    if present is not None:
        present.reach(path, position)


def note_first_read(n_bytes: int) -> None:
    """So many bytes were read for the first time, as another process tells."""
    present = _PRESENT.get()
    if present is not None:
        present.tell(n_bytes)
