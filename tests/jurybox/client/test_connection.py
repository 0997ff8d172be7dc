"""What the client does when a server is busy, restarts, sends it elsewhere or makes no sense."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from jurybox.client import Client, ClientError, Overtaken, Refused, Unreachable
from jurybox.client.connection import Connection
from jurybox.client.retries import Patience
from tests.jurybox.client.faulty_server import Answer, FaultyServer, faulty_server
from tests.services.ports import free_port

TOKEN = "jbx_a-token-for-tests"
ROW = json.dumps({"slug": "mine", "state": "draft"}).encode()
DONE = Answer(200, ROW)
PROBLEM = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "Several fields are wrong.",
    "errors": [
        {"field": "slug", "detail": "This field is required."},
        {"field": "title", "detail": "Not a valid string."},
    ],
}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were to be waited, which are not."""
    slept: list[float] = []
    monkeypatch.setattr("jurybox.client.connection.time.sleep", slept.append)
    return slept


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with faulty_server() as running:
        yield running


def client_of(server: FaultyServer, **options: int) -> Client:
    return Client(server.url, TOKEN, **options)


def test_a_request_is_sent_again_to_a_server_that_is_busy_restarts_or_breaks_off(
    server: FaultyServer, waits: list[float]
) -> None:
    server.script.extend([Answer(503), Answer(0), Answer(502), Answer(429), Answer(504), DONE])
    with client_of(server) as client:
        assert client.study("mine").row()["state"] == "draft"
    assert len(server.asked) == 6
    # Half a second, doubled, of which at least half is waited.
    assert [0.25 * 2**n <= wait <= 0.5 * 2**n for n, wait in enumerate(waits)] == [True] * 5


def test_a_write_has_the_same_key_at_each_attempt_and_another_one_the_next_time(
    server: FaultyServer, waits: list[float]
) -> None:
    server.script.extend([Answer(0), Answer(503), DONE, DONE])
    with client_of(server) as client:
        client.study("mine").open()
        client.study("mine").open()
    keys = [asked.headers["Idempotency-Key"] for asked in server.asked]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert len({asked.body for asked in server.asked}) == 1


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_the_wait_that_a_server_asks_for_is_kept(
    server: FaultyServer, waits: list[float], form: str
) -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    server.script.extend([Answer(429, headers={"Retry-After": "40" if form == "seconds" else at})])
    with client_of(server) as client:
        client.study("mine").row()
    (wait,) = waits
    assert 30 < wait <= 40


def test_a_wait_that_is_too_long_is_not_begun(server: FaultyServer, waits: list[float]) -> None:
    server.script.append(Answer(429, headers={"Retry-After": "3600"}))
    with client_of(server) as client, pytest.raises(Refused) as refused:
        client.study("mine").row()
    assert (refused.value.status, waits) == (429, [])


def test_it_is_given_up_after_so_many_attempts(server: FaultyServer, waits: list[float]) -> None:
    server.script.extend([Answer(503, b"<h1>Busy</h1>")] * 3)
    with client_of(server, attempts=3) as client, pytest.raises(Refused) as refused:
        client.study("mine").row()
    assert (refused.value.status, refused.value.title) == (503, "Service Unavailable")
    assert "Is this the address of a Jurybox" in str(refused.value)
    assert (len(server.asked), len(waits)) == (3, 2)


def test_a_server_that_is_not_there_is_named(waits: list[float]) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with Client(url, TOKEN, attempts=2) as client, pytest.raises(Unreachable, match=url):
        client.study("mine").row()
    assert len(waits) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
def test_other_refusals_are_raised_at_once(
    server: FaultyServer, waits: list[float], status: int
) -> None:
    server.script.append(Answer(status))
    with client_of(server) as client, pytest.raises(Refused) as refused:
        client.study("mine").open()
    assert (refused.value.status, waits) == (status, [])


def test_a_refusal_carries_title_detail_and_fields(server: FaultyServer) -> None:
    server.script.append(Answer(422, json.dumps(PROBLEM).encode()))
    with client_of(server) as client, pytest.raises(Refused) as refused:
        client.post("studies/", {})
    error = refused.value
    assert (error.title, error.detail) == ("Unprocessable Entity", "Several fields are wrong.")
    assert [(each.field, each.detail) for each in error.fields] == [
        ("slug", "This field is required."),
        ("title", "Not a valid string."),
    ]
    assert str(error) == (
        "422 Unprocessable Entity: Several fields are wrong. slug: This field is required. "
        "title: Not a valid string."
    )


def test_who_was_overtaken_is_told_apart(server: FaultyServer) -> None:
    server.script.extend([Answer(200, b"{}", {"ETag": '"old"'}), Answer(412)])
    with client_of(server) as client:
        study = client.study("mine")
        file = study.read_file()
        with pytest.raises(Overtaken):
            study.write_file(file)
    assert server.asked[1].headers["If-Match"] == '"old"'


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_named_and_the_token_goes_nowhere_else(
    server: FaultyServer, status: int
) -> None:
    with faulty_server() as other:
        server.script.append(Answer(status, headers={"Location": f"{other.url}/api/v1/x/"}))
        with client_of(server) as client, pytest.raises(ClientError, match=other.url):
            client.study("mine").row()
        assert other.asked == []


def test_the_next_page_is_asked_of_the_same_server_whatever_it_calls_itself(
    server: FaultyServer,
) -> None:
    with faulty_server() as other:
        pages = [
            {
                "next": f"{other.url}/api/v1/studies/mine/units/?cursor=cD0x&limit=2",
                "results": [{"id": 1}],
            },
            {"next": None, "results": [{"id": 2}]},
        ]
        server.script.extend(Answer(200, json.dumps(page).encode()) for page in pages)
        with client_of(server) as client:
            rows = client.study("mine").rows("units", role="normal", limit=2)
            assert [row["id"] for row in rows] == [1, 2]
        assert other.asked == []
    assert [asked.path for asked in server.asked] == [
        "/api/v1/studies/mine/units/?limit=2&role=normal",
        "/api/v1/studies/mine/units/?cursor=cD0x&limit=2",
    ]


def test_an_answer_that_is_no_json_is_named(server: FaultyServer) -> None:
    server.script.append(Answer(200, b"<h1>Sign in</h1>"))
    with client_of(server) as client, pytest.raises(ClientError, match="not as Jurybox does"):
        client.study("mine").row()


def test_a_token_is_in_no_repr_and_no_error(server: FaultyServer) -> None:
    server.script.append(Answer(401))
    with client_of(server) as client, pytest.raises(Refused) as refused:
        client.study("mine").row()
    connection = Connection(server.url, TOKEN, timeout=1, patience=Patience())
    shown = [client, client.study("mine"), connection, refused.value, connection._http.headers]
    assert [thing for thing in shown if TOKEN in repr(thing)] == []
    assert server.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_token_comes_from_the_environment(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JURYBOX_TOKEN", f"{TOKEN}\n")
    with Client(f"{server.url}/api/v1/") as client:
        client.study("mine").row()
    assert server.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"
    assert server.asked[0].path == "/api/v1/studies/mine/"
    monkeypatch.delenv("JURYBOX_TOKEN")
    with pytest.raises(ClientError, match="JURYBOX_TOKEN"):
        Client(server.url)


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://localhost", "http://", "http://a:b@localhost", "http://x:y/"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ClientError):
        Client(url, TOKEN)


def test_a_token_that_was_not_copied_whole_is_not_shown() -> None:
    with pytest.raises(ClientError) as refused:
        Client("http://localhost", "jbx_… secret")
    assert "secret" not in str(refused.value)
