"""Bodies that are hardly JSON are refused in a sentence, and never a fault of the server."""

from typing import Any

import pytest
from django.test import Client

from annotation.models import Study, User
from tests.desk.api.conftest import Caller

STUDIES = "/api/v1/studies/"
DEEP = b'{"slug": "s", "title": "S", "items": ' + b"[" * 5000 + b"]" * 5000 + b"}"
HALF = rb'{"slug": "s", "title": "S", "items": [{"source": {"key": "\ud800"}}]}'
PAIR = rb'{"slug": "s", "title": "S \ud83d\ude00", "task_type": "slider"}'


def sent(client: Client, body: bytes, content_type: str = "application/json") -> Any:
    return client.generic("POST", STUDIES, body, content_type=content_type)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (DEEP, 400, "nested too deeply"),
        (HALF, 422, "surrogate"),
        (b'{"slug": NaN}', 400, "JSON"),
        (b'{"slug": "\xff"}', 400, "JSON"),
    ],
)
def test_a_body_that_cannot_be_stored_is_refused(
    owner: User, as_program: Caller, body: bytes, status: int, words: str
) -> None:
    answer = sent(as_program(owner), body)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]
    assert not Study.objects.exists()


def test_json_in_another_encoding_is_refused(owner: User, as_program: Caller) -> None:
    # Otherwise a NUL character would pass in it that is looked for in UTF-8.
    body = '{"slug": "s", "title": "a\\u0000b"}'.encode("utf-16")
    assert sent(as_program(owner), body, "application/json; charset=utf-16").status_code == 415


def test_a_whole_pair_is_a_character(owner: User, as_program: Caller) -> None:
    answer = sent(as_program(owner), PAIR)
    assert answer.status_code == 201, answer.content
    assert Study.objects.get().title == "S \N{GRINNING FACE}"
