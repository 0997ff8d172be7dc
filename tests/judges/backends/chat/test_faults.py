"""Errors in the body of a reply: which HTTP status they mean, and what follows from it."""

import json
from typing import Any

import pytest

from judges.backends.chat.faults import ErrorReply, error_in_reply, fault_of
from judges.backends.contract import Failure

MESSAGE = {"message": "It failed."}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 502}, 502),
        ({"code": "502"}, 502),
        ({"code": None, "status": "UNAVAILABLE"}, 503),
        ({"code": "rate_limit_exceeded", "type": "requests"}, 429),
        ({"type": "overloaded_error"}, 529),
        ({"type": "server_error", "code": None}, 500),
        ({"code": 200}, None),
        ({"code": 50200}, None),
        ({"code": "٥٠٢"}, None),
        ({"code": True}, None),
        ({"type": "invalid_request_error"}, None),
        ({}, None),
    ],
)
def test_an_error_names_its_status_by_number_or_by_name(
    error: dict[str, Any], status: int | None
) -> None:
    for body in ({"error": MESSAGE | error}, [{"error": MESSAGE | error}]):
        found = error_in_reply(json.dumps(body).encode())
        assert found is not None
        assert (found.status, found.error) == (status, MESSAGE | error)
        assert found.message.endswith(": It failed.")


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": null, "choices": [{"message": {"content": "4"}}]}',
        b'{"error": {}, "choices": [{"message": {"content": "4"}}]}',
        b'{"error": "", "choices": []}',
        json.dumps({"choices": [{"message": {"content": '{"error": 0}'}}]}).encode(),
        b'{"error": {"code": 502',
        b'"error"',
        b"",
    ],
)
def test_other_bodies_hold_no_error(body: bytes) -> None:
    assert error_in_reply(body) is None


def test_an_overload_brakes_and_another_transient_error_is_only_retried() -> None:
    overload = fault_of(ErrorReply(429, MESSAGE, "why", retry_after="7"), "why", "")
    broken = fault_of(ErrorReply(502, MESSAGE, "why", retry_after="7"), "why", "")
    unnamed = fault_of(ErrorReply(None, MESSAGE, "why"), "why", "")
    assert (overload.is_transient, overload.is_overload, overload.retry_after) == (True, True, 7)
    assert (broken.is_transient, broken.is_overload, broken.retry_after) == (True, False, None)
    assert (unnamed.is_transient, unnamed.is_overload) == (False, False)


def test_an_input_that_a_moderator_flagged_is_a_refusal_of_one_call() -> None:
    flagged = ErrorReply(403, {"code": 403, "metadata": {"flagged_input": "a"}}, "why")
    assert not flagged.is_permanent
    assert fault_of(flagged, "why", "").failure is Failure.REFUSAL
    assert ErrorReply(403, {"code": 403}, "why").is_permanent
