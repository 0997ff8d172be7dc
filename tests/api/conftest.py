"""Programs that call the API by a token."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.models import Study, User
from api.scopes import Scope
from api.tokens import make_token
from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)

Caller = Callable[..., Client]


@pytest.fixture(autouse=True)
def nobody_waits() -> None:
    """Requests of earlier tests do not count."""
    cache.clear()


@pytest.fixture
def as_program() -> Caller:
    """A client that sends a token of the account."""

    def client(user: User, *scopes: Scope, study: Study | None = None, **headers: Any) -> Client:
        chosen = scopes or tuple(Scope)
        _token, secret = make_token(owner=user, name="test", scopes=chosen, days=1, study=study)
        return Client(headers={"Authorization": f"Bearer {secret}", **headers})

    return client


@pytest.fixture
def program(owner: User, as_program: Caller) -> Client:
    """The owner's, with every scope."""
    return as_program(owner)
