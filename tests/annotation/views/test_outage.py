"""While the database cannot be used, every page is a 503 that loses nothing."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django import DjangoAssertNumQueries
from pytest_django.live_server_helper import LiveServer

from annotation.models import Participation, User
from annotation.queries.outages import RETRY_AFTER_S, outage_log
from annotation.views.outage import LONGEST_WAIT_S
from telemetry.waiting import waited
from tests.annotation.views.worker_pages import address
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study
from tests.services.browser import violations_in_both_schemes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@contextmanager
def away() -> Iterator[None]:
    """Nothing listens, or lies, where the database is to be."""
    kept = dict(connection.settings_dict)
    connection.close()
    if connection.vendor == "sqlite":
        connection.settings_dict["NAME"] = "/nowhere/jurybox.sqlite3"
    else:
        connection.settings_dict.update(HOST="127.0.0.1", PORT="1")
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(kept)


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A browser with a session, so that each page asks the database who it is."""
    monkeypatch.setattr(outage_log, "last", float("-inf"))
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("owner"))
    return client


@pytest.fixture
def database_away(visitor: Client) -> Iterator[None]:
    with away():
        yield


@pytest.mark.usefixtures("database_away")
def test_a_page_is_a_503_that_says_when_to_come_back_and_tries_again(visitor: Client) -> None:
    response = visitor.get("/?page=2")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert b'href="/?page=2" data-retry="5"' in response.content


@pytest.mark.usefixtures("database_away")
def test_a_workers_form_is_kept_and_sent_again_by_itself(visitor: Client) -> None:
    posted = {"csrfmiddlewaretoken": "token", "comment": 'a "word"'}
    response = visitor.post("/work/study/leave/", posted)
    page = response.content.decode()
    assert response.status_code == 503
    assert 'name="comment" value="a &quot;word&quot;"' in page
    assert 'name="csrfmiddlewaretoken" value="token"' in page
    assert "retry.js" in page


@pytest.mark.usefixtures("database_away")
def test_a_researchers_form_is_kept_for_a_button_but_never_a_password(visitor: Client) -> None:
    page = visitor.post("/new-study/", {"title": "Mine"}).content.decode()
    assert 'value="Mine"' in page
    assert "retry.js" not in page
    page = visitor.post("/sign-in/", {"username": "me", "password": "of mine"}).content.decode()
    assert "of mine" not in page
    assert "Go back in your browser" in page


@pytest.mark.usefixtures("database_away")
def test_the_api_answers_with_a_problem_document() -> None:
    client = Client(raise_request_exception=False, headers={"Authorization": "Bearer jb_unknown"})
    response = client.get("/api/v1/studies/")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["status"] == 503


@pytest.mark.usefixtures("database_away")
def test_an_outage_is_one_line_in_the_log(
    visitor: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            visitor.get("/")
            visitor.get("/api/v1/studies/", headers={"Authorization": "Bearer jb_unknown"})
    (line,) = (record for record in caplog.records if record.name == "jurybox.database")
    assert "requests get 503" in line.getMessage()
    assert {record.levelno for record in caplog.records if record is not line} <= {logging.INFO}
    assert "Traceback" not in caplog.text


def test_any_other_error_is_still_a_500_with_its_traceback(
    visitor: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotation_member RENAME TO annotation_gone")
    try:
        response = visitor.get("/")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE annotation_gone RENAME TO annotation_member")
    assert response.status_code == 500
    assert "Traceback" in caplog.text


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the lock of SQLite")
def test_a_locked_database_is_a_503_too(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = lease(newcomer(make_study(sources=1, per_batch=1)))
    visitor.get(reverse("annotation:return", args=[batch.participation.token]))
    name = connection.settings_dict["NAME"]
    connection.close()
    options = connection.settings_dict["OPTIONS"] | {"timeout": 0.1}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    with closing(sqlite3.connect(name, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        response = visitor.post(address(batch), {"go": "next"})
        other.execute("ROLLBACK")
    connection.close()
    assert response.status_code == 503


@pytest.mark.browser
def test_a_form_arrives_by_itself_once_the_database_is_back(
    browser: Browser, live_server: LiveServer
) -> None:
    participation = newcomer(make_study(sources=1))
    # Not watched: the console tells of the failed request.
    page = browser.new_context(base_url=live_server.url).new_page()
    page.clock.install()
    page.goto(reverse("annotation:return", args=[participation.token]))
    page.goto(reverse("annotation:leave", args=[participation.study.slug]))
    with away():
        page.get_by_role("button", name="Leave the study").click()
        expect(page.get_by_role("heading", name="Please wait a moment")).to_be_visible()
        assert violations_in_both_schemes(page) == []
    page.clock.run_for(6_000)
    expect(page.get_by_role("button", name="Send it again")).to_have_count(0)
    participation.refresh_from_db()
    assert participation.state == Participation.State.LEFT
    page.context.close()


def test_what_waited_too_long_is_refused_and_can_be_sent_again(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    batch = lease(newcomer(make_study()))
    client = Client()
    token = waited.set(LONGEST_WAIT_S + 0.1)
    try:
        with django_assert_num_queries(0):
            refused = client.post(address(batch), {"sentences": ["0"], "revision": "0"})
        assert client.get("/healthz").status_code == 200
    finally:
        waited.reset(token)
    assert refused.status_code == 503
    assert refused["Retry-After"] == str(RETRY_AFTER_S)
    page = refused.content.decode()
    assert "Very many people are here just now." in page
    assert '<input type="hidden" name="sentences" value="0">' in page
    assert not batch.drafts.exists()
