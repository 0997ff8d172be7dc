"""The program as a client on another machine meets it: a web server, and a worker beside it."""

import logging
from collections.abc import Callable, Iterator

import pytest
from celery.contrib.testing.worker import start_worker
from django.core.cache import cache
from kombu import Connection
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from api.scopes import Scope
from api.tokens import make_token
from config.celery import app
from jurybox.client import Client
from tests.cast import make_user
from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture)

Connect = Callable[..., Client]


# How long the worker listens before it looks whether it is told to go: of itself two seconds.
LISTENS_SECONDS = 0.05


@pytest.fixture
def worker(settings: Settings, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker in a thread of this process."""
    settings.EXPORTS_ROOT = tmp_path / "exports"  # type: ignore[operator]
    listen = Connection.drain_events

    def listen_briefly(connection: Connection, **_: object) -> object:
        return listen(connection, timeout=LISTENS_SECONDS)

    monkeypatch.setattr(Connection, "drain_events", listen_briefly)
    app.control.purge()
    # What a worker changes for the whole process.
    changed = [logging.getLogger(), logging.getLogger("celery.task")]
    before = [(logger, logger.propagate, logger.level) for logger in changed]
    try:
        with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error"):
            yield
    finally:
        for logger, propagate, level in before:
            logger.propagate = propagate
            logger.setLevel(level)


@pytest.fixture
def researcher(transactional_db: None) -> User:
    """Whose token it is."""
    cache.clear()
    return make_user("researcher")


@pytest.fixture
def connect(researcher: User, live_server: LiveServer) -> Iterator[Connect]:
    """A client with a token of the researcher for these scopes; all of them without any."""
    opened: list[Client] = []

    def client(*scopes: Scope, **options: object) -> Client:
        _row, token = make_token(
            owner=researcher, name="test", scopes=scopes or tuple(Scope), days=1
        )
        opened.append(Client(live_server.url, token, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield client
    for each in opened:
        each.close()
