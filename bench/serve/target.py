"""What can be put under load: a server with workers who know their way through its pages."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bench.serve.crowd import Worker

# Enough that nobody runs out: three answers each, and a machine of twice this speed.
UNITS = 3_000
OVERLAP = 3


@dataclass(frozen=True)
class Stored:
    """What the server holds in the end, beside what it has said that it saved."""

    saved: int  # acknowledged saves, a later one of the same question instead of the earlier
    lost: int  # of those, how many are not there as they were sent
    over: int | None = None  # counted answers beyond the overlap; None where it has none


class Target(Protocol):
    """A server and its workers. Used as: serve, workers, drive them, stored."""

    @property
    def name(self) -> str: ...

    def serve(self, folder: Path) -> AbstractContextManager[None]:
        """Set it up in an empty folder, start it, and end it. NotToBeHad where it cannot be."""

    def workers(self, count: int) -> Sequence[Worker]: ...

    def stored(self, workers: Sequence[Any]) -> Stored:
        """Compare what is stored with what these workers sent, while the server runs."""
