"""An installation for tests with real worker processes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.judges.runs.background import Background


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Callable[[str], Background]]:
    """Make the background of an installation: `installation(broker_url)`."""
    made: list[Background] = []

    def make(broker_url: str = "filesystem://") -> Background:
        made.append(Background(tmp_path, broker_url))
        return made[-1]

    yield make
    for background in made:
        background.kill_all()
