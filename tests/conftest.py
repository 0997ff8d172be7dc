"""What every test may ask for: real services, a real browser, the studies' real files."""

import gc
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test.testcases import QuietWSGIRequestHandler
from playwright.sync_api import Browser, Page
from psycopg import sql
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from tests import statements
from tests.cast import colleague, outsider, owner, study  # noqa: F401 (fixtures for all)
from tests.selection import (  # noqa: F401 (hooks)
    leave_out_others,
    pytest_addoption,
    pytest_ignore_collect,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)
from tests.services import browser as browsers
from tests.services import postgres as postgres_service
from tests.services import redis as redis_service
from tests.services.emptying import empty_quickly
from tests.services.kept_sessions import KeptSessions
from tests.services.migrated import MigratedDatabase
from tests.services.ports import free_port
from tests.settings import TEST_DATA

if TYPE_CHECKING:
    from tests.services.prolific_server import Address

# A loaded machine fails no test: neither an example nor the making of examples is timed. Each run
# draws other examples.
hypothesis.settings.register_profile(
    "suite",
    deadline=None,
    max_examples=40,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")
empty_quickly()

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SERVICES = {"postgres_url", "redis_url"}
# A browser that fails (never a test that does) is asked once more, and the summary says so. The
# option --reruns would do that for every test, at 40 ms each: the plug-in asks its server about a
# test right after telling it of another, which TCP holds back until that is acknowledged.
AGAIN = pytest.mark.flaky(
    reruns=1, only_rerun=r"^(Error|TimeoutError): (Page|Frame|Locator|Browser|BrowserContext)\."
)
# New objects before the youngest are looked through for garbage; how often that is done before
# those of the second and of the third generation are.
OBJECTS_BETWEEN_LOOKS = (50_000, 50, 100)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(statements)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage, and never look among what was collected.

    Modules and tests, millions of objects, live as long as the process. Walking through them
    again and again took a tenth of the suite's time. What tests make is looked through seldom, too:
    by Python's own measure, after every 700 objects, that took an eighth of a test's time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*OBJECTS_BETWEEN_LOOKS)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they ask for. Those that start services come first, those with a browser
    last.

    Services are mostly waited for. Where such tests followed each other near the end, the other
    processes had nothing left to do for half a minute.

    With ``--database-tests-only`` the others are left out; `tests.selection` says which those are.

    Playwright's loop goes on running in the thread of the tests, where ``asyncio.run`` of a later
    test would fail.
    """
    for item in items:
        asked = set(getattr(item, "fixturenames", ()))
        if asked & SERVICES:
            item.add_marker("services")
        if "browser" in asked:
            item.add_marker("browser")
            item.add_marker(AGAIN)
    leave_out_others(config, items)
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    if item.get_closest_marker("browser") is not None:
        return 2
    return 0 if item.get_closest_marker("services") is not None else 1


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Leave a database that is a file where it is: the folder is removed, and it may be a copy."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
    request: pytest.FixtureRequest,
) -> Iterator[Path]:
    """pytest-django's, with the database migrated once for all processes; on SQLite the file that
    they copy. There is none where no test that was chosen asks for a database."""
    migrated = MigratedDatabase(TEST_DATA.parent)
    with django_db_blocker.unblock(), migrated.in_turn():
        request.getfixturevalue("django_db_setup")
    yield migrated.file
    with django_db_blocker.unblock():
        migrated.remove()


@pytest.fixture(scope="session")
def put_migrated_database(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    """Put a migrated database in a data folder, for processes that a test starts.

    It is asked for by name, not as an argument: such a test does not touch the suite's database.
    """

    def put(folder: Path) -> None:
        copied: Path = request.getfixturevalue("django_db_setup")
        folder.mkdir(parents=True, exist_ok=True)
        if copied.exists():
            shutil.copy(copied, folder / copied.name)
            return
        environment = {name: os.environ[name] for name in os.environ if name != "DATABASE_URL"} | {
            "JURYBOX_DATA": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True)

    return put


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published data sets beside the checkout; its tests skip without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("no ../shared/data beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def _postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server: the one the whole suite runs on, or one of our own."""
    named = os.environ.get("DATABASE_URL", "")
    if named.startswith("postgres"):
        yield named
        return
    try:
        with postgres_service.postgres_server() as url:
            yield url
    except postgres_service.Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture
def postgres_url(_postgres: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL database, for processes that a test starts."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(_postgres, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield f"{_postgres.rpartition('/')[0]}/{name}"
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def _redis() -> Iterator[str]:
    try:
        with redis_service.redis_server() as url:
            yield url
    except redis_service.Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture
def redis_url(_redis: str) -> str:
    """The URL of an empty Redis."""
    with redis.Redis.from_url(_redis) as client:
        client.flushall()
    return _redis


@pytest.fixture(scope="session")
def prolific_address() -> Iterator["Address"]:
    """Where a test puts its own stand-in for Prolific: `prolific_address.serve(FakeProlific())`.

    The server is one for all tests: to start and to stop one takes longer than most of them.
    """
    from tests.services.prolific_server import serving

    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    """pytest-django's, on a port below those that the kernel gives to outgoing connections.

    It writes an answer in pieces. Were small pieces held back until the one before is
    acknowledged, as TCP does by itself, each answer would take 40 ms longer.
    """
    QuietWSGIRequestHandler.disable_nagle_algorithm = True
    server = LiveServer(f"127.0.0.1:{free_port()}")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests of this process."""
    # Playwright's synchronous API keeps an event loop running in this very thread, and Django
    # would refuse every query beside a running loop. Nothing here is asynchronous in truth.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with browsers.chromium() as started:
            yield started
    except browsers.Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def _kept_sessions(browser: Browser, live_server: LiveServer) -> Iterator[KeptSessions]:
    with closing(KeptSessions(browser, live_server.url, "/healthz")) as kept:
        yield kept


@pytest.fixture
def new_page(
    _kept_sessions: KeptSessions, live_server: LiveServer
) -> Iterator[Callable[..., Page]]:
    """Open a page in a browser session of its own: ``new_page(color_scheme="dark")``.

    Relative addresses lead to the live server. A console error, a violation of the content
    security policy, a missing part or a request to another host fails the test.
    """
    watch = browsers.Watch(live_server.url)

    def open_page(**options: object) -> Page:
        page = _kept_sessions.page(**options)
        watch.follow(page)
        return page

    yield open_page
    _kept_sessions.take_back()
    assert watch.faults == []


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One page in a fresh browser session, watched as ``new_page`` says."""
    return new_page()
