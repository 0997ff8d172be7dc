"""Prolific's signature of an address: what it proves, what proves nothing, and how often we ask
Prolific for its keys."""

import base64
import hmac
import json
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.http import QueryDict
from pytest_django.fixtures import Settings

from annotation.panels.contract import Recruitment
from annotation.panels.prolific import PANEL
from annotation.panels.prolific_keys import KEPT_SECONDS, PAUSE_SECONDS
from tests.services.ports import free_port
from tests.services.prolific import WORKSPACE, FakeProlific, Fault, private_key

IDS = {"PROLIFIC_PID": "5f2a", "STUDY_ID": "6b", "SESSION_ID": "7c"}
HOST = "jurybox.example"
ADDRESS = f"https://{HOST}/arrive/small/prolific/?PROLIFIC_PID=5f2a&STUDY_ID=6b&SESSION_ID=7c"
LONG_AGO = datetime.now(UTC) - timedelta(minutes=5)


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let time pass, as far as the cache can tell."""
    later, now = [0.0], time.time
    monkeypatch.setattr("time.time", lambda: now() + sum(later))
    return later.append


def proves(*tokens: str, ids: dict[str, str] = IDS, **recruitment: Any) -> bool:
    """Whether the worker of these ids, who comes by an address with these tokens, is proved."""
    query, account = QueryDict(mutable=True), Recruitment.of(recruitment)
    query.update(ids)
    query.setlist("prolific_token", list(tokens))
    return PANEL.proves(query, PANEL.visit(query, account), account, HOST)


@pytest.mark.parametrize(
    "audience",
    [HOST, f"https://{HOST}", f"https://{HOST.upper()}/", ADDRESS, ["https://a.example", ADDRESS]],
)
def test_an_address_that_prolific_signed_proves_who_comes(
    signing: FakeProlific, audience: object
) -> None:
    assert proves(signing.sign(IDS, audience))


@pytest.mark.parametrize("part", IDS)
def test_a_token_proves_nobody_else_and_no_other_study_or_session(
    signing: FakeProlific, part: str
) -> None:
    token = signing.sign(IDS, ADDRESS)
    assert not proves(token, ids={**IDS, part: "other"})
    without = {name: value for name, value in IDS.items() if name != part}
    assert not proves(signing.sign(without, ADDRESS))
    assert proves(token)


@pytest.mark.parametrize(
    "audience",
    [
        "https://a.example",
        f"https://{HOST}.a.example/",
        f"https://a.example/{HOST}",
        f"https://{HOST}@a.example/",
        f"https://{HOST}:8443/",
        [],
        {HOST: HOST},
        None,
    ],
)
def test_a_token_for_another_host_proves_nothing(signing: FakeProlific, audience: object) -> None:
    assert not proves(signing.sign(IDS, audience))


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": LONG_AGO},
        {"exp": None},
        {"iss": "https://www.prolific.example"},
        {"iss": None},
        {"prolific": None},
        {"prolific": IDS},
        {"prolific": [*IDS.values(), WORKSPACE]},
        {"prolific": {**IDS, "workspace_id": "aaaa0000000000000000dead"}},
    ],
)
def test_a_token_without_what_prolific_documents_proves_nothing(
    signing: FakeProlific, claims: dict[str, Any]
) -> None:
    assert not proves(signing.sign(IDS, ADDRESS, **claims))


def test_clocks_may_differ_a_little(signing: FakeProlific) -> None:
    now = datetime.now(UTC)
    assert proves(signing.sign(IDS, ADDRESS, exp=now - timedelta(seconds=5)))
    assert proves(signing.sign(IDS, ADDRESS, iat=now + timedelta(seconds=5)))


def test_a_key_that_is_not_prolifics_proves_nothing(signing: FakeProlific) -> None:
    claims, strange = (
        signing.sign(IDS, ADDRESS).split(".")[1],
        signing.sign(IDS, ADDRESS, key="strange"),
    )
    assert not proves(strange)
    # The same signature under the name of a key of Prolific's.
    header = encoded({"alg": "RS256", "kid": "first"})
    assert not proves(f"{header}.{claims}.{strange.rpartition('.')[2]}")


def test_a_token_does_not_choose_how_it_is_checked(signing: FakeProlific) -> None:
    claims = signing.sign(IDS, ADDRESS).split(".")[1]
    public = private_key("first").public_key()
    for form in (PublicFormat.SubjectPublicKeyInfo, PublicFormat.PKCS1):
        secret = public.public_bytes(Encoding.PEM, form)
        signed = f"{encoded({'alg': 'HS256', 'kid': 'first'})}.{claims}"
        code = hmac.new(secret, signed.encode(), "sha256").digest()
        assert not proves(f"{signed}.{base64.urlsafe_b64encode(code).decode().rstrip('=')}")
    for name in ("none", "None", "", None):
        assert not proves(f"{encoded({'alg': name, 'kid': 'first'})}.{claims}.")


def encoded(header: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")


def test_what_is_no_token_proves_nothing_and_asks_nothing(signing: FakeProlific) -> None:
    nested = base64.urlsafe_b64encode(b"[" * 3000).decode().rstrip("=")
    for junk in ("", ".", "..", "a.b.c", "é.ü.ß", f"{nested}.{nested}."):
        assert not proves(junk), junk
    assert not proves()
    assert signing.calls == []


def test_two_tokens_prove_nothing(signing: FakeProlific) -> None:
    token = signing.sign(IDS, ADDRESS)
    assert not proves(token, token)


def test_the_names_are_those_of_the_address(signing: FakeProlific) -> None:
    ids = {"pid": "5f2a", "STUDY_ID": "6b", "SESSION_ID": "7c"}
    assert proves(signing.sign(ids, ADDRESS), ids=ids, parameters={"worker": "pid"})
    assert not proves(signing.sign(IDS, ADDRESS), ids=ids, parameters={"worker": "pid"})


def test_only_the_studys_own_workspace_signs_for_it(
    signing: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = signing.sign(IDS, ADDRESS)
    assert not proves(token, workspace="lab")
    monkeypatch.setenv("PROLIFIC_WORKSPACE_LAB", WORKSPACE)
    assert proves(token, workspace="lab")
    monkeypatch.delenv("PROLIFIC_WORKSPACE")
    assert not proves(token)


def test_an_installation_that_names_no_workspace_asks_nothing(
    signing: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_WORKSPACE", " ")
    assert not proves(signing.sign(IDS, ADDRESS, prolific={**IDS, "workspace_id": ""}))
    assert signing.calls == []


# --- The keys -------------------------------------------------------------------------------------


def test_the_keys_are_read_once_a_day(signing: FakeProlific, wait: Callable[[float], None]) -> None:
    for _ in range(3):
        assert proves(signing.sign(IDS, ADDRESS))
        wait(PAUSE_SECONDS)
    assert signing.calls == [("GET", "jwks.json")]
    wait(KEPT_SECONDS)
    signing.keys = ["second"]
    assert not proves(signing.sign(IDS, ADDRESS, key="first"))
    assert len(signing.calls) == 2


def test_a_new_key_is_read_when_it_is_met(
    signing: FakeProlific, wait: Callable[[float], None]
) -> None:
    assert proves(signing.sign(IDS, ADDRESS))
    wait(PAUSE_SECONDS)
    signing.keys.append("second")
    assert proves(signing.sign(IDS, ADDRESS))
    assert proves(signing.sign(IDS, ADDRESS, key="first"))
    assert len(signing.calls) == 2


def test_made_up_names_of_keys_ask_prolific_once_a_minute(
    signing: FakeProlific, wait: Callable[[float], None]
) -> None:
    claims = signing.sign(IDS, ADDRESS).split(".", 1)[1]
    for name in range(20):
        assert not proves(f"{encoded({'alg': 'RS256', 'kid': str(name)})}.{claims}")
    assert len(signing.calls) == 1
    assert proves(signing.sign(IDS, ADDRESS))
    wait(PAUSE_SECONDS + 1)
    assert not proves(f"{encoded({'alg': 'RS256', 'kid': 'another'})}.{claims}")
    assert len(signing.calls) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault("jwks", 500),
        Fault("jwks", 302, {"Location": "/elsewhere"}),
        Fault("jwks", 200, body=[]),
        Fault("jwks", 200, body={"keys": None}),
        Fault("jwks", 200, body={"keys": [], "padding": "a" * 70_000}),
    ],
)
def test_keys_that_cannot_be_read_prove_nothing_and_the_log_says_so_once(
    signing: FakeProlific,
    fault: Fault,
    wait: Callable[[float], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    signing.faults, token = [fault], signing.sign(IDS, ADDRESS)
    with caplog.at_level(logging.WARNING):
        assert not any(proves(token) for _ in range(5))
    assert [record.name for record in caplog.records] == ["annotation.panels.prolific_keys"]
    assert token not in caplog.text
    assert len(signing.calls) == 1
    wait(PAUSE_SECONDS + 1)
    assert proves(token)


def test_keys_outlast_a_time_in_which_prolific_cannot_be_reached(
    signing: FakeProlific, settings: Settings, wait: Callable[[float], None]
) -> None:
    assert proves(signing.sign(IDS, ADDRESS))
    settings.PROLIFIC_API_URL = f"http://127.0.0.1:{free_port()}"
    wait(PAUSE_SECONDS + 1)
    assert not proves(signing.sign(IDS, ADDRESS, key="strange"))
    assert proves(signing.sign(IDS, ADDRESS))


def test_keys_that_come_piece_by_piece_are_not_waited_for(
    signing: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.panels.prolific_keys.TIMEOUT_SECONDS", 0.3)
    signing.slow = 0.05
    assert not proves(signing.sign(IDS, ADDRESS))
