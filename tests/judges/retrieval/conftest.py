from collections.abc import Iterator

import pytest

from tests.judges.retrieval.web import Web, small_web


@pytest.fixture
def web() -> Iterator[Web]:
    with small_web() as started:
        yield started
