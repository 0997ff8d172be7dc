"""Files that are read in the process of the tests."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from imports.sandbox import calls
from imports.sandbox.process import Ended


class Here:
    """Stands in for the process that reads files."""

    is_mine = True

    def __init__(self, *_of: object) -> None: ...

    def values(
        self,
        request: tuple[Callable[..., None], Path, tuple[Any, ...], object],
        _tick: Callable[[], object],
    ) -> Generator[Any, None, Ended]:
        function, file, arguments, _limits = request
        sent: list[Any] = []
        function(sent.append, file, *arguments)
        yield from sent
        return Ended()

    def close(self) -> None: ...


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """For imports that are stopped in the middle: it takes two seconds to start the process anew,
    which tests/imports/sandbox does."""
    monkeypatch.setattr(calls.FILES, "idle", [])
    monkeypatch.setattr(calls, "_Process", Here)
