"""A Prolific that signs addresses."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django.fixtures import Settings

from tests.services.prolific import WORKSPACE, FakeProlific
from tests.services.prolific_server import Address


@pytest.fixture
def signing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, prolific_address: Address
) -> Iterator[FakeProlific]:
    """Its keys have not been read yet, and its workspace is that of the installation."""
    settings.PROLIFIC_API_URL = prolific_address.url
    monkeypatch.setenv("PROLIFIC_WORKSPACE", WORKSPACE)
    cache.clear()
    yield prolific_address.serve(FakeProlific())
    cache.clear()
