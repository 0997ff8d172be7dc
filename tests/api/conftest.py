"""Programs that call the API by a token, and operations that a test brings to succeed."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.models import Study, User
from api.resources import Resource
from api.scopes import Scope
from api.tokens import make_token
from tests.api.operations import every_operation
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


@pytest.fixture(autouse=True)
def succeeded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each operation that the test's mark `operations` names was answered with a status below
    300."""
    named = {name for mark in request.node.iter_markers("operations") for name in mark.args}
    answered, finalize = set(), Resource.finalize_response

    def finalized(view: Any, asked: Any, response: Any, *names: Any, **more: Any) -> Any:
        if response.status_code < 300:
            path = re.sub(r"<\w+:(\w+)>", r"{\1}", asked.resolver_match.route)
            answered.add((asked.method, f"/{path}"))
        return finalize(view, asked, response, *names, **more)

    if named:
        monkeypatch.setattr(Resource, "finalize_response", finalized)
    yield
    if named:
        done = {each.name for each in every_operation() if (each.method, each.path) in answered}
        assert named <= done, named - done
